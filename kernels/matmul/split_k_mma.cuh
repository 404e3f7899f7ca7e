// split_k_mma.cuh — the product in one launch by mma.sync, on every device from compute capability 8.0 on.
//
// Algorithm  A block of eight warps computes a square of C (split_k.cuh), a warp 32 × 16 of it. Operands are split on
//            their way into shared memory; while a slab of 64 bytes along k is multiplied, the next one is loaded into
//            registers. A slab's large products are summed separately, small ones have accumulators of their own.
// Cost       Splitting and shared memory bound it: on an H200, which has split_k_wgmma.cuh, 21 TFLOP/s at 1024³.
// Source     PTX ISA, "mma.sync.aligned.m16n8k16".
#pragma once

#include "matmul/load.cuh"
#include "matmul/split_k.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/warp/warp.cuh"

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned MMA_THREADS = 256;
constexpr unsigned MMA_PIECES = 4;                                 // of 16 bytes along k, of a slab

struct MmaSlab {
    uint4 a[PARTS][SPLIT_K_TILE * MMA_PIECES], b[PARTS][SPLIT_K_TILE * MMA_PIECES];
};

// A warp's 32 × 16 sums: 2 tiles of 16 rows, 2 of 8 columns.
using WarpSums = float[2][2][4];

// ---- device helpers -------------------------------------------------------------------------------------------------

// Swizzled place of a piece of a row: eight consecutive rows have no bank conflicts.
__device__ __forceinline__ unsigned mma_place(unsigned row, unsigned piece) {
    return row * MMA_PIECES + (piece ^ row / 2 % MMA_PIECES);
}

__device__ __forceinline__ unsigned warp_top() { return threadIdx.x / WARP / 4 * 32; }
__device__ __forceinline__ unsigned warp_left() { return threadIdx.x / WARP % 4 * 16; }

__device__ __forceinline__ void multiply_fragment(float (&sums)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
                 " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

// COUNT rows, eight apart: a piece of each. k is dealt out to the lanes in the same order for A and B.
template <unsigned COUNT>
__device__ __forceinline__ void load_rows(const uint4 *part, unsigned top, uint4 (&rows)[COUNT]) {
    const unsigned lane = threadIdx.x % WARP;
#pragma unroll
    for (unsigned i = 0; i < COUNT; ++i) rows[i] = part[mma_place(top + 8 * i + lane / 4, lane % 4)];
}

// sums ← sums + the product along the first or the second half of the pieces.
template <bool SECOND>
__device__ __forceinline__ void multiply_rows(WarpSums &sums, const uint4 (&a)[4], const uint4 (&b)[2]) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
        const uint4 top = a[2 * i], below = a[2 * i + 1];
        const unsigned rows[4] = {SECOND ? top.z : top.x, SECOND ? below.z : below.x, SECOND ? top.w : top.y,
                                  SECOND ? below.w : below.y};
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            multiply_fragment(sums[i][j], rows, SECOND ? b[j].z : b[j].x, SECOND ? b[j].w : b[j].y);
        }
    }
}

// Products that add to the same sum stand apart.
template <bool SECOND>
__device__ __forceinline__ void multiply_parts(WarpSums &fresh, WarpSums &small, const uint4 (&a)[PARTS][4],
                                               const uint4 (&b)[PARTS][2]) {
    multiply_rows<SECOND>(small, a[2], b[0]);
    multiply_rows<SECOND>(fresh, a[2], b[2]);
    multiply_rows<SECOND>(small, a[0], b[2]);
    multiply_rows<SECOND>(small, a[1], b[1]);
    multiply_rows<SECOND>(small, a[2], b[1]);
    multiply_rows<SECOND>(small, a[1], b[2]);
}

__device__ __forceinline__ void multiply_slab(const MmaSlab &slab, WarpSums &sums, WarpSums &small) {
    WarpSums fresh = {};
    uint4 a[PARTS][4], b[PARTS][2];
#pragma unroll
    for (int part = 0; part < PARTS; ++part) {
        load_rows(slab.a[part], warp_top(), a[part]);
        load_rows(slab.b[part], warp_left(), b[part]);
    }
    multiply_parts<false>(fresh, small, a, b);
    multiply_parts<true>(fresh, small, a, b);
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int t = i / 4, u = i % 4 / 2, e = i % 2 * 2;
        sums[t][u][e] += fresh[t][u][e];
        sums[t][u][e + 1] += fresh[t][u][e + 1];
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(MMA_THREADS, 2) matmul_split_k_mma(const __grid_constant__ SplitKProblem problem) {
#if __CUDA_ARCH__ >= 800
    __shared__ union {
        MmaSlab slab;
        float sums[SPLIT_K_TILE * SPLIT_K_PITCH];
    } shared;
    __shared__ unsigned magnitudes[2];
    constexpr unsigned DEEP = MMA_PIECES * PIECE;                  // elements along k, of a slab
    const Operand &a = problem.a, &b = problem.b;
    const unsigned tid = threadIdx.x, lane = tid % WARP, ranks = cluster_blocks();

    using Share = TileShare<SPLIT_K_TILE, MMA_PIECES, MMA_THREADS>;
    static_assert(Share::HELD == 1, "a thread brings one piece of each operand");
    const unsigned place_a = mma_place(Share::row(a.deep, 0), Share::piece(a.deep, 0));
    const unsigned place_b = mma_place(Share::row(b.deep, 0), Share::piece(b.deep, 0));
    const size_t slabs = (a.depth + DEEP - 1) / DEEP, each = (slabs + ranks - 1) / ranks;
    const size_t begin = min(cluster_rank() * each, slabs), end = min(begin + each, slabs);
    for (size_t index = blockIdx.x / ranks; index < problem.tiles; index += gridDim.x / ranks) {
        const SplitKTile tile = split_k_tile(problem, index);
        WarpSums sums = {}, small = {};
        Magnitude seen_a, seen_b;
        typename Share::Held held_a, held_b;
        if (tid < 2) magnitudes[tid] = 0;
        const auto fetch = [&](size_t slab) {
            Share::load(a, tile.a, tile.top, slab, held_a);
            Share::load(b, tile.b, tile.left, slab, held_b);
        };
        if (begin < end) fetch(begin);
        for (size_t slab = begin; slab < end; ++slab) {
            uint4 parts_a[PARTS], parts_b[PARTS];
            seen_a.see(held_a[0]);
            seen_b.see(held_b[0]);
            cut(held_a[0], parts_a);
            cut(held_b[0], parts_b);
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                shared.slab.a[part][place_a] = parts_a[part];
                shared.slab.b[part][place_b] = parts_b[part];
            }
            __syncthreads();                                       // the slab is ready
            if (slab + 1 < end) fetch(slab + 1);
            multiply_slab(shared.slab, sums, small);
            __syncthreads();                                       // all have read before the next slab is stored
        }
#pragma unroll
        for (unsigned i = 0; i < 16; ++i) {
            const unsigned t = i / 8, u = i / 4 % 2, e = i % 4;
            const unsigned row = warp_top() + t * 16 + e / 2 * 8 + lane / 4, col = warp_left() + u * 8 + lane % 4 * 2 + e % 2;
            shared.sums[row * SPLIT_K_PITCH + col] = sums[t][u][e] + small[t][u][e];
        }
        __syncthreads();                                           // magnitudes are zero also where there is no slab
        finish_tile<MMA_THREADS>(problem, tile, shared.sums, magnitudes, seen_a.bits, seen_b.bits);
    }
#endif
}

}  // namespace tensor
