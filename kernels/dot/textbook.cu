// textbook.cu — the textbook's dot product: a tree in shared memory.
//
//   result = Σ_i x[i] · y[i]        x, y (count), result (1), all float or all double
//
// Algorithm  A grid of fixed size strides over both arrays, an element a thread and step. Each thread puts its sum into shared
//            memory; half of the threads add what the other half has, then a quarter, with a barrier a level; thread 0 adds the
//            block's sum to the result by one atomic.
// Cost       Reads 2·count elements, an element a load: two thirds of the bandwidth that packets reach (dot.cu).
// Limits     Any count; any block of whole warps: a level of odd length leaves its middle element where it is.
// Edges      count = 0 gives 0. Blocks are added in any order: the rounding is left to chance.
// Source     M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, Shodor 2020; J. Sanders, E. Kandrot,
//            "CUDA by Example", chapter 5, whose lock the atomic replaces.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t BLOCKS_PER_SM = 8;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T>
__global__ void __launch_bounds__(BLOCK_MAX) dot_shared(const T *x, const T *y, size_t count, T *result) {
    __shared__ T sums[BLOCK_MAX];                                  // one a thread
    T sum = 0;
    for (size_t i = grid_x(); i < count; i += grid_width()) sum = fma(x[i], y[i], sum);
    sums[threadIdx.x] = sum;
    for (unsigned length = blockDim.x; length > 1;) {
        const unsigned half = (length + 1) / 2;
        __syncthreads();                                           // the level below is there
        if (threadIdx.x < length / 2) sums[threadIdx.x] += sums[threadIdx.x + half];
        length = half;
    }
    if (threadIdx.x == 0) atomicAdd(result, sums[0]);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
cudaError_t launch_shared(const T *x, const T *y, size_t count, T *result, const gpumexk_tuning &tuning, gpumexk_stream stream) {
    if (!is_block(tuning.threads)) return cudaErrorInvalidValue;
    size_t sms = 0;
    cudaError_t error = cudaMemsetAsync(result, 0, sizeof(T), stream);
    if (error != cudaSuccess || count == 0) return error;
    error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(at_most(ceil_div(count, tuning.threads), sms * BLOCKS_PER_SM));
    return launch<dot_shared<T>>(blocks, tuning.threads, tuning.cache, stream, x, y, count, result);
}

}  // namespace

int gpumexk_dot_shared_f32(const float *x, const float *y, size_t count, float *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream) {
    return launch_shared(x, y, count, result, *tuning, stream);
}

int gpumexk_dot_shared_f64(const double *x, const double *y, size_t count, double *result, const gpumexk_tuning *tuning,
                           gpumexk_stream stream) {
    return launch_shared(x, y, count, result, *tuning, stream);
}
