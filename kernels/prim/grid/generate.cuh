// generate.cuh — arrays whose elements are a function of their index.
//
//   array[i] = generator(i), 0 ≤ i < count
//
// Algorithm  A generator makes the elements of a packet at once: make(first, values), first a multiple of their number. A
//            thread makes VT packets, which the block stores in strided order.
// Cost       Writes the array once, 16 bytes a thread and instruction where it is aligned to 16; else in elements, with a single
//            packet a thread.
// Limits     Any count. The array is aligned to its elements.
// Edges      count = 0 launches nothing. One thread makes the elements that do not fill a packet.
// Source     As move.cuh and packet.cuh.
#pragma once

#include "prim/block/move.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// Blocks of a walk over tiles, a multiprocessor: so many that they end nearly together, few enough to start at once.
constexpr size_t TILE_BLOCKS_PER_MULTIPROCESSOR = 64;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, size_t ALIGNMENT, int VT, typename Generator>
__global__ void __launch_bounds__(BLOCK_MAX) generate(T *array, size_t count, Generator generator) {
    constexpr int LENGTH = PACKET_LENGTH<T>;
    using Pack = Packet<T, ALIGNMENT>;
    Pack *const packets = reinterpret_cast<Pack *>(array);
    for_each_tile<VT>(count / LENGTH, [&](size_t begin, unsigned here) {
        Pack made[VT];
#pragma unroll
        for (int i = 0; i < VT; ++i) generator.make((begin + blockDim.x * i + threadIdx.x) * LENGTH, made[i].values);
        register_to_global<0>(here, made, packets + begin);
    });

    const size_t rest = count - count % LENGTH;
    if (grid_x() == 0 && rest < count) {
        T last[LENGTH];
        generator.make(rest, last);
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            if (rest + p < count) array[rest + p] = last[p];
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// *blocks ← how many of `threads` threads walk an array of `count` elements, vt a thread; at least one.
inline cudaError_t tile_blocks(size_t count, int threads, int vt, unsigned *blocks) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    const size_t tiles = ceil_div(count, size_t(threads) * vt);
    *blocks = static_cast<unsigned>(at_most(tiles > 0 ? tiles : 1, sms * TILE_BLOCKS_PER_MULTIPROCESSOR));
    return error;
}

// Enqueues the generation of an array; `values` counts packets a thread, one of VALUES.
template <int... VALUES, typename T, typename Generator, typename Tuning>
cudaError_t launch_generate(T *array, size_t count, Generator generator, const Tuning &tuning, cudaStream_t stream) {
    if (!is_block(tuning.threads) || !is_aligned(array, sizeof(T))) return cudaErrorInvalidValue;
    return dispatch_value<VALUES...>(tuning.values, [&](auto values) -> cudaError_t {
        if (count == 0) return cudaSuccess;
        constexpr int VT = decltype(values)::value;
        const bool aligned = is_aligned(array, PACKET_BYTES);
        unsigned blocks = 0;
        const cudaError_t error = tile_blocks(count / PACKET_LENGTH<T>, tuning.threads, aligned ? VT : 1, &blocks);
        if (error != cudaSuccess) return error;
        return aligned ? launch<generate<T, PACKET_BYTES, VT, Generator>>(blocks, tuning.threads, tuning.cache, stream, array,
                                                                          count, generator)
                       : launch<generate<T, sizeof(T), 1, Generator>>(blocks, tuning.threads, tuning.cache, stream, array,
                                                                      count, generator);
    });
}
