// dot.cu — the dot product of two vectors, with two reductions over blocks.
//
//   result = Σ_i x[i] · y[i]        x, y (count), result (1), all float or all double
//
// Algorithm  Grid-stride over both arrays tile by tile, a thread with up to four packets of 16 bytes of each; it has an
//            accumulator for each place in a packet, one fused multiply-add an element. A tree reduces a block.
//            atomic     One atomic addition a block to the result.
//            two_pass   The blocks store their sums; a second kernel of one block adds nine neighbours a thread, which pass
//                       through shared memory into thread order, and then the threads in a tree.
// Cost       Reads 2·count elements: bound by memory.
// Limits     Any count, any number of warps a block.
// Edges      count = 0 gives 0. two_pass gives the same bits each time: the order of its additions depends on count and
//            tuning, neither on the device nor on where the arrays start. atomic adds the blocks in any order.
// Source     M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, Shodor 2020, whose tree wants a
//            power of two and whose lock the atomic replaces; M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.

#include "kernels.h"
#include "prim/block/move.cuh"
#include "prim/block/reduce.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t PARTIALS = GPUMEXK_DOT_PARTIALS;
constexpr int FINISH_THREADS = 128, FINISH_VALUES = 9;             // the second pass: one block; odd, so without bank conflicts
static_assert(PARTIALS <= FINISH_THREADS * FINISH_VALUES, "the second pass is one tile");

// ---- device helpers -------------------------------------------------------------------------------------------------

// This thread's part of the sum.
template <typename T, size_t ALIGNMENT, int VT>
__device__ __forceinline__ T dot_of_thread(const T *x, const T *y, size_t count) {
    constexpr int LENGTH = PACKET_LENGTH<T>;
    using Pack = Packet<T, ALIGNMENT>;
    T sums[LENGTH] = {};
    for_each_tile<VT>(count / LENGTH, [&](size_t begin, unsigned here) {
        Pack a[VT], b[VT];                                         // zeros past the end: they add nothing
        global_to_register<0>(here, reinterpret_cast<const Pack *>(x) + begin, a, Pack());
        global_to_register<0>(here, reinterpret_cast<const Pack *>(y) + begin, b, Pack());
#pragma unroll
        for (int i = 0; i < VT; ++i) {
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) sums[p] = fma(a[i].values[p], b[i].values[p], sums[p]);
        }
    });

    // The elements that do not fill a packet: one each for the first threads.
    const size_t rest = count - count % LENGTH + grid_x();
    if (rest < count) sums[0] = fma(x[rest], y[rest], sums[0]);

    T sum = sums[0];
#pragma unroll
    for (int p = 1; p < LENGTH; ++p) sum += sums[p];
    return sum;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, size_t ALIGNMENT, int VT>
__global__ void __launch_bounds__(BLOCK_MAX) dot_atomic(const T *x, const T *y, size_t count, T *result) {
    const T sum = block_sum(dot_of_thread<T, ALIGNMENT, VT>(x, y, count));
    if (threadIdx.x == 0) atomicAdd(result, sum);
}

template <typename T, size_t ALIGNMENT, int VT>
__global__ void __launch_bounds__(BLOCK_MAX) dot_partial(const T *x, const T *y, size_t count, T *partials) {
    const T sum = block_sum(dot_of_thread<T, ALIGNMENT, VT>(x, y, count));
    if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

// Each thread adds neighbours, in their order.
template <typename T>
__global__ void __launch_bounds__(FINISH_THREADS) dot_finish(const T *partials, unsigned count, T *result) {
    __shared__ T tile[FINISH_THREADS * FINISH_VALUES];
    T neighbours[FINISH_VALUES];
    global_to_thread<FINISH_THREADS>(count, partials, tile, neighbours, T(0));
    T sum = neighbours[0];
#pragma unroll
    for (int i = 1; i < FINISH_VALUES; ++i) sum += neighbours[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *result = sum;
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
bool both_aligned(const T *x, const T *y) { return is_aligned(x, PACKET_BYTES) && is_aligned(y, PACKET_BYTES); }

// As many blocks as there are tiles, PARTIALS at most and one at least.
template <typename T>
unsigned dot_blocks(size_t count, const gpumexk_tuning &tuning) {
    const size_t tiles = ceil_div(count / PACKET_LENGTH<T>, size_t(tuning.threads) * tuning.values);
    return static_cast<unsigned>(at_most(tiles > 0 ? tiles : 1, PARTIALS));
}

template <typename T>
cudaError_t launch_atomic(const T *x, const T *y, size_t count, T *result, const gpumexk_tuning &tuning,
                          gpumexk_stream stream) {
    if (!is_block(tuning.threads)) return cudaErrorInvalidValue;
    return dispatch_value<1, 2, 4>(tuning.values, [&](auto values) -> cudaError_t {
        constexpr int VT = decltype(values)::value;
        const cudaError_t error = cudaMemsetAsync(result, 0, sizeof(T), stream);
        if (error != cudaSuccess || count == 0) return error;
        const unsigned blocks = dot_blocks<T>(count, tuning), threads = tuning.threads;
        return both_aligned(x, y)
                   ? launch<dot_atomic<T, PACKET_BYTES, VT>>(blocks, threads, tuning.cache, stream, x, y, count, result)
                   : launch<dot_atomic<T, sizeof(T), VT>>(blocks, threads, tuning.cache, stream, x, y, count, result);
    });
}

template <typename T>
cudaError_t launch_two_pass(const T *x, const T *y, size_t count, T *partials, T *result, const gpumexk_tuning &tuning,
                            gpumexk_stream stream) {
    if (!is_block(tuning.threads)) return cudaErrorInvalidValue;
    return dispatch_value<1, 2, 4>(tuning.values, [&](auto values) -> cudaError_t {
        constexpr int VT = decltype(values)::value;
        const unsigned blocks = dot_blocks<T>(count, tuning), threads = tuning.threads;
        const cudaError_t error =
            both_aligned(x, y)
                ? launch<dot_partial<T, PACKET_BYTES, VT>>(blocks, threads, tuning.cache, stream, x, y, count, partials)
                : launch<dot_partial<T, sizeof(T), VT>>(blocks, threads, tuning.cache, stream, x, y, count, partials);
        if (error != cudaSuccess) return error;
        return launch<dot_finish<T>>(1, FINISH_THREADS, 0, stream, partials, blocks, result);
    });
}

}  // namespace

int gpumexk_dot_atomic_f32(const float *x, const float *y, size_t count, float *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream) {
    return launch_atomic(x, y, count, result, *tuning, stream);
}

int gpumexk_dot_atomic_f64(const double *x, const double *y, size_t count, double *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream) {
    return launch_atomic(x, y, count, result, *tuning, stream);
}

int gpumexk_dot_two_pass_f32(const float *x, const float *y, size_t count, float *partials, float *result,
                             const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_two_pass(x, y, count, partials, result, *tuning, stream);
}

int gpumexk_dot_two_pass_f64(const double *x, const double *y, size_t count, double *partials, double *result,
                             const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_two_pass(x, y, count, partials, result, *tuning, stream);
}
