// reduce.cu — reduction of an array with any operator.
//
//   result = data[0] ∘ data[1] ∘ … ∘ data[count - 1]        data (count), result (1), 4 or 8 bytes an element
//
// Algorithm  Blocks take tiles of the array in turn, so that all of them read neighbouring memory at the same time: 5 to 11 % faster on an H200
//            than a range of the array for each block. A thread has four packets of 16 bytes of a tile in flight, and one accumulator for
//            each place in a packet; trees reduce those of a thread, a warp and a block. The partial results of the blocks are reduced
//            by the same kernel, of one block, as a dependent launch, or by allreduce.cu, where ranks join theirs.
// Cost       Reads the array once: bound by memory. One launch up to 16384 elements, else two.
// Limits     Any count.
// Edges      count = 0 gives the identity. The order of the operations depends on the count and on the device's number of
//            multiprocessors and the tuning, not on where the array starts: the same bits each time.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007; PTX ISA, "ld.global.nc".

#include <string.h>

#include "kernels.h"
#include "prim/block/reduce.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/operator.cuh"
#include "prim/thread/packet.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 512, PACKETS = 4;
constexpr int BLOCKS_AT_ONCE = 4;                                  // on a multiprocessor: all of its threads
#if __CUDA_ARCH__ == 750                                           // which are 1024 there,
constexpr int RESIDENT = 2;
#elif __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200   // 1536 here
constexpr int RESIDENT = 3;
#else
constexpr int RESIDENT = BLOCKS_AT_ONCE;
#endif
constexpr size_t ALONE = 16384;                                    // elements that one block reduces sooner than two launches
constexpr size_t PARTIALS = GPUMEXK_REDUCE_PARTIALS;
// Bytes of an array up to which it is read past the L1 cache. One H200, us, u32, so and by ordinary loads: 2^24 20.0 and 20.9, 2^28 239 and 240; where the
// L2 cache is full of what a kernel before has written 24.4 and 27.3, but 261 and 252: it is written back while more is read.
constexpr size_t STREAMED_MAX = size_t(1) << 28;

// How packets are read.
enum Access {
    BY_ELEMENT,                                                    // of an array that starts anywhere
    BY_PACKET,
    STREAMED,                                                      // once, while nobody writes them
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Past the L1 cache.
template <typename T>
__device__ __forceinline__ Packet<T> load_streamed(const T *at) {
    uint4 bits;
    asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w) : "l"(at));
    Packet<T> packet;
    memcpy(&packet, &bits, sizeof packet);
    return packet;
}

template <typename T>
__device__ __forceinline__ Packet<T> load_packet(const T *at, Access access) {
    if (access == STREAMED) return load_streamed(at);
    if (access == BY_PACKET) return *reinterpret_cast<const Packet<T> *>(at);
    Packet<T> packet;
#pragma unroll
    for (int p = 0; p < PACKET_LENGTH<T>; ++p) packet.values[p] = at[p];
    return packet;
}

template <typename Op, typename T, int LENGTH>
__device__ __forceinline__ void take(const Op &op, const Packet<T> &packet, T (&values)[LENGTH]) {
#pragma unroll
    for (int p = 0; p < LENGTH; ++p) values[p] = op.apply(values[p], op.load(packet.values[p]));
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// results[b] ← the reduction of tiles b, b + gridDim.x, … of the array.
template <typename Op>
__global__ void __launch_bounds__(THREADS, RESIDENT)
    reduce_tiles(const typename Op::Value *data, size_t count, Op op, Access access, typename Op::Value *results) {
    using T = typename Op::Value;
    constexpr int LENGTH = PACKET_LENGTH<T>;
    pdl_trigger();
    pdl_wait();

    constexpr size_t TILE = THREADS * PACKETS;
    const size_t packets = count / LENGTH;
    T values[LENGTH];
#pragma unroll
    for (int p = 0; p < LENGTH; ++p) values[p] = Op::identity();
    size_t at = blockIdx.x * TILE + threadIdx.x;
    for (; at + (PACKETS - 1) * THREADS < packets; at += gridDim.x * TILE) {
        Packet<T> loaded[PACKETS];
#pragma unroll
        for (int i = 0; i < PACKETS; ++i) loaded[i] = load_packet(data + (at + i * THREADS) * LENGTH, access);
#pragma unroll
        for (int i = 0; i < PACKETS; ++i) take(op, loaded[i], values);
    }
    Packet<T> last[PACKETS - 1];                                   // of a tile that is not whole: all are loaded before one is used
#pragma unroll
    for (int i = 0; i < PACKETS - 1; ++i) {
        if (at + i * THREADS < packets) last[i] = load_packet(data + (at + i * THREADS) * LENGTH, access);
    }
#pragma unroll
    for (int i = 0; i < PACKETS - 1; ++i) {
        if (at + i * THREADS < packets) take(op, last[i], values);
    }

    // The elements that do not fill a packet: one each for the first threads of the last block.
    const size_t rest = packets * LENGTH + threadIdx.x;
    if (blockIdx.x + 1 == gridDim.x && rest < count) values[0] = op.apply(values[0], op.load(data[rest]));

#pragma unroll
    for (int half = LENGTH / 2; half > 0; half /= 2) {
#pragma unroll
        for (int p = 0; p < half; ++p) values[p] = op.apply(values[p], values[p + half]);
    }
    const T value = block_reduce(op, values[0]);
    if (threadIdx.x == 0) results[blockIdx.x] = op.store(value);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// The tiles of data by one launch: `to` ← *blocks results, to be joined.
template <typename Op>
cudaError_t launch_tiles(const Op &op, const void *data, size_t count, void *to, size_t *blocks, const gpumexk_tuning &tuning,
                         gpumexk_stream stream) {
    using T = typename Op::Value;
    const auto kernel = reduce_tiles<Op>;
    const T *from = static_cast<const T *>(data);
    const Access access = !is_aligned(from, PACKET_BYTES) ? BY_ELEMENT : count <= STREAMED_MAX / sizeof(T) ? STREAMED : BY_PACKET;
    if (tuning.threads != THREADS || !is_one_of<1, 2, BLOCKS_AT_ONCE>(tuning.values)) return cudaErrorInvalidValue;
    cudaError_t error = set_smem_carveout<reduce_tiles<Op>>(tuning.cache);
    *blocks = 1;
    if (error == cudaSuccess && count > ALONE) {
        size_t sms = 0;
        error = multiprocessors(&sms);
        const size_t tiles = ceil_div(count / PACKET_LENGTH<T>, size_t(THREADS) * PACKETS);
        *blocks = at_most(at_most(tiles, sms * tuning.values), PARTIALS);
    }
    if (error != cudaSuccess) return error;
    return launch_pdl(false, kernel, unsigned(*blocks), THREADS, stream, from, count, op, access, static_cast<T *>(to));
}

template <typename Op>
cudaError_t launch_reduce(const Op &op, const void *data, size_t count, void *partials, void *result, const gpumexk_tuning &tuning,
                          gpumexk_stream stream) {
    using T = typename Op::Value;
    size_t blocks = 0;
    if (count <= ALONE) return launch_tiles(op, data, count, result, &blocks, tuning, stream);
    const auto kernel = reduce_tiles<Op>;
    bool pdl = false;
    cudaError_t error = supports_pdl(kernel, &pdl);
    if (error == cudaSuccess) error = launch_tiles(op, data, count, partials, &blocks, tuning, stream);
    if (error != cudaSuccess) return error;
    const T *const found = static_cast<const T *>(partials);
    return launch_pdl(pdl, kernel, 1, THREADS, stream, found, blocks, op, BY_PACKET, static_cast<T *>(result));
}

}  // namespace

int gpumexk_reduce(const void *data, size_t count, int dtype, int op, void *partials, void *result,
                   const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return dispatch_operator(dtype, op, [&](const auto &of) {
        return launch_reduce(of, data, count, partials, result, *tuning, stream);
    });
}

int gpumexk_reduce_partials(const void *data, size_t count, int dtype, int op, void *partials, size_t *found, const gpumexk_tuning *tuning,
                            gpumexk_stream stream) {
    return dispatch_operator(dtype, op, [&](const auto &of) {
        return launch_tiles(of, data, count, partials, found, *tuning, stream);
    });
}
