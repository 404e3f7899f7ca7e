// interleave.cuh — permutations whose result's fastest dimension is short: a few long rows become one of neighbours.
//
//   result[x·ny + y] = source[y·stride_y + x], in each batch              x < nx, y < ny
//
// Algorithm  A block takes WIDTH elements of each row, side by side, into shared memory, where they are in the order of the result, and stores
//            that in packets of 16 bytes.
// Cost       Reads source and writes result once: bound by memory. One H200, 2^24 × 3 elements of 1, 4 and 8 bytes, us, by a walk and here:
//            604, 443, 412 and 66, 115, 198.
// Limits     Rows of SHORT bytes of the result at most: WIDTH of them fit in 32 KiB.
// Source     permute/tile.cuh.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "permute/tile.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned INTERLEAVE_THREADS = 256, INTERLEAVE_LOADS = 4, INTERLEAVE_WIDTH = INTERLEAVE_THREADS * INTERLEAVE_LOADS;

// ---- device helpers -------------------------------------------------------------------------------------------------

// tile ← `count` elements of a row, ny apart.
template <typename T>
__device__ __forceinline__ void load_interleaved(const T *row, unsigned count, unsigned ny, T *tile) {
    T held[INTERLEAVE_LOADS];
#pragma unroll
    for (unsigned u = 0; u < INTERLEAVE_LOADS; ++u) {
        const unsigned x = threadIdx.x + u * INTERLEAVE_THREADS;
        if (x < count) held[u] = __ldg(row + x);
    }
#pragma unroll
    for (unsigned u = 0; u < INTERLEAVE_LOADS; ++u) {
        const unsigned x = threadIdx.x + u * INTERLEAVE_THREADS;
        if (x < count) tile[x * ny] = held[u];
    }
}

// to ← the elements of a tile.
template <typename T>
__device__ __forceinline__ void store_tile(const T *tile, unsigned count, T *to) {
    const unsigned packets = reinterpret_cast<uintptr_t>(to) % PACKET_BYTES == 0 ? count * sizeof(T) / PACKET_BYTES : 0;
    for (unsigned i = threadIdx.x; i < packets; i += INTERLEAVE_THREADS) {
        reinterpret_cast<uint4 *>(to)[i] = reinterpret_cast<const uint4 *>(tile)[i];
    }
    for (unsigned i = packets * PACKET_LENGTH<T> + threadIdx.x; i < count; i += INTERLEAVE_THREADS) to[i] = tile[i];
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T>
__global__ void __launch_bounds__(INTERLEAVE_THREADS) interleave(const __grid_constant__ TransposeParameters p, const T *source, T *result) {
    extern __shared__ uint4 interleave_memory[];
    T *const tile = reinterpret_cast<T *>(interleave_memory);      // (WIDTH, ny)
    const unsigned ny = static_cast<unsigned>(p.ny);
    for (size_t batch = blockIdx.y; batch < p.batches; batch += gridDim.y) {
        size_t from = 0, to = 0;
        move_to_batch(p, batch, &from, &to);
        for (size_t x = blockIdx.x * size_t(INTERLEAVE_WIDTH); x < p.nx; x += gridDim.x * size_t(INTERLEAVE_WIDTH)) {
            const unsigned count = static_cast<unsigned>(min(p.nx - x, size_t(INTERLEAVE_WIDTH)));
            for (unsigned y = 0; y < ny; ++y) load_interleaved(source + from + y * p.stride_y + x, count, ny, tile + y);
            __syncthreads();                                       // the tile is there
            store_tile(tile, count * ny, result + to + x * ny);
            __syncthreads();                                       // and free again
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
cudaError_t launch_interleave_of(const gpumexk_walk &walk, const void *source, void *result, int cache, cudaStream_t stream) {
    const TransposeParameters p = transpose_parameters<T>(walk, 1, source, result);
    const size_t tiles = ceil_div(p.nx, INTERLEAVE_WIDTH), bytes = INTERLEAVE_WIDTH * p.ny * sizeof(T);
    const dim3 grid(static_cast<unsigned>(at_most(tiles, GRID_X_MAX)), static_cast<unsigned>(at_most(p.batches, GRID_Y_MAX)));
    const cudaError_t error = set_smem_carveout<interleave<T>>(cache);
    if (error != cudaSuccess) return error;
    interleave<T><<<grid, INTERLEAVE_THREADS, bytes, stream>>>(p, static_cast<const T *>(source), static_cast<T *>(result));
    return cudaGetLastError();
}

// Of a walk whose dimension 0 is y, and whose dimension 1 is x.
inline cudaError_t launch_interleave(const gpumexk_walk &walk, const void *source, void *result, const gpumexk_tuning &tuning,
                                     cudaStream_t stream) {
    switch (walk.value_bytes) {
        case 1: return launch_interleave_of<uint8_t>(walk, source, result, tuning.cache, stream);
        case 2: return launch_interleave_of<uint16_t>(walk, source, result, tuning.cache, stream);
        case 4: return launch_interleave_of<uint32_t>(walk, source, result, tuning.cache, stream);
        case 8: return launch_interleave_of<uint64_t>(walk, source, result, tuning.cache, stream);
        default: return cudaErrorInvalidValue;
    }
}
