// split_k_wgmma.cuh — the product in one launch by wgmma, for small products on Hopper.
//
// Algorithm  A block of two warpgroups computes a square of C (split_k.cuh). Its threads split a slab of 128 bytes along k on
//            the way into one of two buffers in shared memory, while the tensor cores multiply the other one. Each
//            warpgroup sums one half of every slab separately and adds it to its accumulators.
//            The code is kept short: a small product ends before the instruction cache is warm.
// Cost       12mnk operations; reads of A and B: mnk / 32 elements, the cache hides most.
// Source     PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions", "fence.proxy.async".
#pragma once

#include "matmul/pack.cuh"
#include "matmul/split_k.cuh"
#include "matmul/wgmma.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned SPLIT_K_THREADS = 256, SPLIT_K_GROUP = 128;     // of a block, of a warpgroup
constexpr unsigned PART_PIECES = SPLIT_K_TILE * PIECES;            // of a slab of one part of one operand

// Pieces of one buffer: parts of A, then of B; and bytes of two, with bytes to align.
constexpr unsigned BUFFER = 2 * PARTS * PART_PIECES;
constexpr size_t SPLIT_K_BYTES = 2 * BUFFER * sizeof(uint4) + 1024;

// ---- device helpers -------------------------------------------------------------------------------------------------

// A thread's pieces of both operands on their way through registers.
struct Carried {
    using Share = TileShare<SPLIT_K_TILE, PIECES, SPLIT_K_THREADS>;
    typename Share::Held a, b;
    Magnitude seen_a, seen_b;

    __device__ __forceinline__ void fetch(const SplitKProblem &problem, const SplitKTile &tile, size_t slab) {
        Share::load(problem.a, tile.a, tile.top, slab, a);
        Share::load(problem.b, tile.b, tile.left, slab, b);
    }

    static __device__ __forceinline__ void put(bool deep, typename Share::Held &held, Magnitude &seen, uint4 *to) {
#pragma unroll
        for (unsigned i = 0; i < Share::HELD; ++i) {
            uint4 parts[PARTS];
            seen.see(held[i]);
            cut(held[i], parts);
            const unsigned place = permuted(Share::row(deep, i), Share::piece(deep, i));
#pragma unroll
            for (int part = 0; part < PARTS; ++part) to[part * PART_PIECES + place] = parts[part];
        }
    }

    // Into a buffer, visible to the tensor cores after the next barrier of the block.
    __device__ __forceinline__ void store(const SplitKProblem &problem, uint4 *buffer) {
        put(problem.a.deep, a, seen_a, buffer);
        put(problem.b.deep, b, seen_b, buffer + PARTS * PART_PIECES);
#if __CUDA_ARCH__ >= 900
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(SPLIT_K_THREADS, 2) matmul_split_k_wgmma(const __grid_constant__ SplitKProblem problem) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ char smem[];
    __shared__ unsigned magnitudes[2];
    const unsigned unaligned = shared_address(smem), padding = (1024 - unaligned % 1024) % 1024;
    uint4 *const buffers = reinterpret_cast<uint4 *>(smem + padding);
    constexpr unsigned SUMS = 32;
    const unsigned tid = threadIdx.x, lane = tid % WARP, ranks = cluster_blocks();
    const unsigned half = __shfl_sync(ALL_LANES, tid / SPLIT_K_GROUP, 0);
    const uint32_t address = unaligned + padding + half * 64;      // half of a row of 128 bytes

    const size_t slabs = (problem.a.depth + DEPTH - 1) / DEPTH, each = (slabs + ranks - 1) / ranks;
    const size_t begin = min(cluster_rank() * each, slabs), end = min(begin + each, slabs);
    for (size_t index = blockIdx.x / ranks; index < problem.tiles; index += gridDim.x / ranks) {
        const SplitKTile tile = split_k_tile(problem, index);
        float sums[SUMS] = {};
        Carried carried;
        if (tid < 2) magnitudes[tid] = 0;
        float fresh[SUMS] = {};
        const auto add = [&] {
            wait_products<0>();
            pin(fresh);
#pragma unroll
            for (unsigned i = 0; i < SUMS; ++i) sums[i] += fresh[i];
        };
#pragma unroll 1
        for (size_t slab = begin; slab < end; ++slab) {
            const unsigned turn = (slab - begin) % 2;
            carried.fetch(problem, tile, slab);
            carried.store(problem, buffers + turn * BUFFER);
            add();                                                 // the slab before; zeros at first
            __syncthreads();                                       // this slab is there, the other buffer free

            const uint32_t at = address + turn * BUFFER * sizeof(uint4);
            uint64_t a[PARTS], b[PARTS];
#pragma unroll
            for (int part = 0; part < PARTS; ++part) {
                a[part] = rows_at(at + part * PART_PIECES * sizeof(uint4));
                b[part] = rows_at(at + (PARTS + part) * PART_PIECES * sizeof(uint4));
            }
            pin(fresh);
            begin_products();
            multiply_smallest<2>(fresh, a, b);
            multiply_others<2>(fresh, a, b);
            commit_products();
        }
        add();
        __syncthreads();                                           // all products are done

        // The tile, from both warpgroups.
        float *const out = reinterpret_cast<float *>(buffers);
#pragma unroll
        for (unsigned turn = 0; turn < 2; ++turn) {
#pragma unroll
            for (unsigned i = 0; i < SUMS; ++i) {
                const unsigned row = tid % SPLIT_K_GROUP / WARP * 16 + lane / 4 + i % 4 / 2 * 8;
                const unsigned col = i / 4 * 8 + lane % 4 * 2 + i % 2;
                float *const place = &out[row * SPLIT_K_PITCH + col];
                if (turn == half) *place = turn == 0 ? sums[i] : *place + sums[i];
            }
            if (turn == 0) __syncthreads();                        // one has written before the other adds
        }
        finish_tile<SPLIT_K_THREADS>(problem, tile, out, magnitudes, carried.seen_a.bits, carried.seen_b.bits);
    }
#else
    __trap();
#endif
}

}  // namespace tensor
