// split_k.cuh — split-K in a cluster, for products in one launch: a cluster of blocks computes a square of C, each a part of k.
//
// Algorithm  Each block accumulates its part of k into a tile in its shared memory; then each reduces a strip of rows, in the
//            order of the ranks, over distributed shared memory, and stores it to C.
// Limits     Tiles of 64 × 64; clusters of 1, 2, 4 or 8 blocks, more than one from compute capability 9.0 on.
// Edges      Where the rows of A and columns of B of a tile hold what the split cannot represent (float_split.cuh), the tile is
//            recomputed, each element by one sequence of fused multiply-adds: strict float32.
#pragma once

#include "matmul/float_split.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/launch_cluster.cuh"
#include "prim/warp/warp.cuh"

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned SPLIT_K_TILE = 64;
constexpr unsigned SPLIT_K_PITCH = SPLIT_K_TILE + 8;               // of the tile of sums: pairs of columns without bank conflicts
constexpr unsigned RANKS_MAX = 8;

// What a sum is added up from: chunks of 32 along k, summed by the tensor core, groups of eight chunks, and those. The tensor core
// cuts a chunk's sum off twice, which takes some 2^-24 of it in the mean; it is not put back, so that sums of whole numbers stay
// exact.
constexpr unsigned CHUNKS_A_GROUP = 8;

// What is done with a sum.
struct Output {
    float *c;
    size_t rows, cols, ld, stride;
    float alpha, beta;
};

struct SplitKProblem {
    Operand a, b;
    Output output;
    size_t row_tiles, col_tiles, tiles;                            // tiles: of all the batch
};

// A cluster's tile.
struct SplitKTile {
    size_t matrix, top, left;
    const float *a, *b;                                            // the matrices
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ void store_result(const Output &output, float *place, float sum) {
    const float scaled = output.alpha * sum;
    *place = output.beta == 0 ? scaled : fmaf(output.beta, *place, scaled);
}

__device__ __forceinline__ SplitKTile split_k_tile(const SplitKProblem &problem, size_t tile) {
    const size_t a_matrix = problem.row_tiles * problem.col_tiles, matrix = tile / a_matrix, in_matrix = tile % a_matrix;
    return {matrix, in_matrix % problem.row_tiles * SPLIT_K_TILE, in_matrix / problem.row_tiles * SPLIT_K_TILE,
            problem.a.data + matrix * problem.a.stride, problem.b.data + matrix * problem.b.stride};
}

__device__ __forceinline__ float load_remote(uint32_t address) {
    float value = 0;
#if __CUDA_ARCH__ >= 900
    asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(address) : "memory");
#endif
    return value;
}

__device__ inline float strict_element(const Operand &a, const float *from_a, size_t i, const Operand &b, const float *from_b,
                                       size_t j) {
    float sum = 0;
#pragma unroll 1
    for (size_t p = 0; p < a.depth; ++p) {
        sum = fmaf(from_a[a.deep ? i * a.ld + p : p * a.ld + i], from_b[b.deep ? j * b.ld + p : p * b.ld + j], sum);
    }
    return sum;
}

// All blocks of the cluster, or all threads of the only one.
__device__ __forceinline__ void sync_all(unsigned ranks) {
    if (ranks > 1) cluster_sync();
    else __syncthreads();
}

// From the tile of sums in shared memory to C. All threads call it; magnitudes were zero before the last barrier of the block.
template <unsigned THREADS>
__device__ __forceinline__ void finish_tile(const SplitKProblem &problem, const SplitKTile &tile, const float *sums,
                                            unsigned *magnitudes, unsigned seen_a, unsigned seen_b) {
    const unsigned tid = threadIdx.x, rank = cluster_rank(), ranks = cluster_blocks();
#if __CUDA_ARCH__ >= 800
    seen_a = __reduce_max_sync(ALL_LANES, seen_a);
    seen_b = __reduce_max_sync(ALL_LANES, seen_b);
#endif
    if (tid % WARP == 0) {
        atomicMax(&magnitudes[0], seen_a);
        atomicMax(&magnitudes[1], seen_b);
    }
    sync_all(ranks);                                               // every block's sums and magnitudes can be read

    unsigned largest[2] = {magnitudes[0], magnitudes[1]};
    if (ranks > 1) {
#pragma unroll
        for (unsigned from = 0; from < RANKS_MAX; ++from) {
            if (from >= ranks) continue;
            largest[0] = max(largest[0], __float_as_uint(load_remote(address_in(from, &magnitudes[0]))));
            largest[1] = max(largest[1], __float_as_uint(load_remote(address_in(from, &magnitudes[1]))));
        }
    }
    const bool strict = is_unfit(largest[0], largest[1], problem.a.depth);
    const Output &output = problem.output;
    const unsigned strip = SPLIT_K_TILE / ranks, col = tid % SPLIT_K_TILE;
    const size_t j = tile.left + col;
    constexpr unsigned STEP = THREADS / SPLIT_K_TILE;              // rows
    float *const column = output.c + tile.matrix * output.stride + j;
    if (strict) {
#pragma unroll 1
        for (unsigned row = rank * strip + tid / SPLIT_K_TILE; row < (rank + 1) * strip; row += STEP) {
            const size_t i = tile.top + row;
            if (i >= output.rows || j >= output.cols) continue;
            store_result(output, column + i * output.ld, strict_element(problem.a, tile.a, i, problem.b, tile.b, j));
        }
    } else {
#pragma unroll 2
        for (unsigned row = rank * strip + tid / SPLIT_K_TILE; row < (rank + 1) * strip; row += STEP) {
            const float *const place = &sums[row * SPLIT_K_PITCH + col];
            float parts[RANKS_MAX];
#pragma unroll
            for (unsigned from = 0; from < RANKS_MAX; ++from) {
                parts[from] = 0;
                if (from < ranks) parts[from] = ranks == 1 ? *place : load_remote(address_in(from, place));
            }
#pragma unroll
            for (unsigned from = 1; from < RANKS_MAX; ++from) parts[0] += parts[from];
            const size_t i = tile.top + row;
            if (i < output.rows && j < output.cols) store_result(output, column + i * output.ld, parts[0]);
        }
    }
    if (ranks > 1) cluster_sync_relaxed();                         // all have read before anyone writes the next tile, or ends
    else __syncthreads();
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Launches KERNEL in clusters of `ranks` blocks, a cluster a tile.
template <auto KERNEL, Allow ALLOW>
cudaError_t launch_split_k(const SplitKProblem &problem, unsigned ranks, unsigned threads, size_t bytes, int cache,
                          cudaStream_t stream) {
    const cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    const dim3 grid(static_cast<unsigned>(at_most(problem.tiles, GRID_X_MAX / RANKS_MAX)) * ranks);
    return launch_clusters<KERNEL, ALLOW>(grid, ranks, threads, bytes, stream, problem);
}

}  // namespace tensor
