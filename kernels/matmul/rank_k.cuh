// rank_k.cuh — matrix products with a short k, bound by the stores of C.
//
//   C ← alpha · op(A) · op(B) + beta · C           op(A) (m, k), op(B) (k, n), C (m, n), row-major, for each of a batch
//
// Algorithm  A block has a tile of C in its threads' registers. DEPTH places of A and B along k go through shared memory; those of the
//            next step are on their way in registers while these are multiplied. A thread has ROWS rows and every 32nd column: neighbours
//            in a warp store neighbours of a row, whatever the alignment of C, where tiled_product.cuh stores four in a row by one thread.
// Cost       mnk multiply-adds. A tile of HEIGHT × WIDTH reads (HEIGHT + WIDTH) · k elements and writes HEIGHT · WIDTH. One H200, us,
//            cuBLAS / tiled.cu, f64.cu / here: float 3296 × 9834 × 3 50 / 233 / 41, 7095 × 7151 × 9 141 / 352 / 96,
//            1884 × 4233 × 32 27 / 72 / 33; double 2004 × 1491 × 2 17 / 31 / 11, 3362 × 499 × 18 12 / 25 / 12.
// Pays       Against those two, and skinny.cu, where C has a side of more than 256 elements (double 512), for k ≤ 9, for k ≤ 16 where a
//            side of C has at most 16 elements, for k ≤ 24 where C is large, and for k ≤ 48 (double 42) where besides its rows are not
//            aligned to packets: by 580 random shapes. In double, for k from 10 to 48 and sides of more than 16 elements, where an
//            estimate of f64.cu says so.
// Limits     Any size.
// Edges      One fused multiply-add for each of the mnk, in the order of k: |error| ≤ γ(k+2) · (|alpha| |A| |B| + |beta| |C|). beta = 0
//            never reads C. k and alpha are not 0. NaN and infinity propagate as in IEEE arithmetic.
// Source     "Rank-k update", BLAS; S. Boehm, "How to Optimize a CUDA Matmul Kernel", 2022.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "kernels.h"
#include "matmul/epilogue.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/warp.cuh"

namespace rank_k {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, WARPS = THREADS / int(WARP);
constexpr int ROWS = 8;                                            // of C in a thread
constexpr int DEPTH = 8;                                           // along k in shared memory; 16 is slower with any k

constexpr size_t SHORT_K = 9, MIDDLE_K = 24;                       // that pay everywhere, and where C is large
constexpr size_t NARROW_K = 16, NARROW = 16;                       // and where a side of C is short
constexpr size_t SMALL_F32 = 256, SMALL_F64 = 512;                 // longer sides of C for which small tiles are as fast
constexpr size_t LONG_K_F32 = 48, LONG_K_F64 = 42;                 // and not aligned
constexpr size_t LONGEST_K = 48;                                   // that f64.cu estimates
constexpr size_t LARGE_F32 = 1 << 18, LARGE_F64 = 1 << 16;         // elements of C

// ---- device helpers -------------------------------------------------------------------------------------------------

// An operand: element (e, p), e along its edge of C and p along k, is data[e · step_edge + p · step_k]. Thread t of a block loads the
// places (t >> k_shift) & k_mask along k and (t >> edge_shift) & edge_mask along the edge, so that neighbours load neighbours.
template <typename T>
struct Operand {
    const T *data;
    size_t step_edge, step_k, edge, stride;
    unsigned k_shift, k_mask, edge_shift, edge_mask;

    __device__ unsigned k_of(unsigned t) const { return t >> k_shift & k_mask; }
    __device__ unsigned edge_of(unsigned t) const { return t >> edge_shift & edge_mask; }
};

template <typename T>
struct Args {
    Operand<T> a, b;
    Result<T> c;
    size_t stride_c, k, batch;
};

// The part of an operand that a block has of DEPTH places along k: first in registers, then in shared memory.
template <typename T, int EDGE>
struct Part {
    static constexpr int PITCH = EDGE + PACKET_LENGTH<T>, LOADS = (EDGE * DEPTH + THREADS - 1) / THREADS;
    T values[LOADS];

    __device__ __forceinline__ void load(const Operand<T> &operand, const T *data, size_t first, size_t from, size_t k) {
#pragma unroll
        for (int load = 0; load < LOADS; ++load) {
            const unsigned t = threadIdx.x + load * THREADS, p = operand.k_of(t), e = operand.edge_of(t);
            const bool is_inside = p < DEPTH && from + p < k && e < EDGE && first + e < operand.edge;
            values[load] = is_inside ? data[(first + e) * operand.step_edge + (from + p) * operand.step_k] : T(0);
        }
    }

    __device__ __forceinline__ void store(const Operand<T> &operand, T (&tile)[DEPTH][PITCH]) const {
#pragma unroll
        for (int load = 0; load < LOADS; ++load) {
            const unsigned t = threadIdx.x + load * THREADS, p = operand.k_of(t), e = operand.edge_of(t);
            if (p < DEPTH && e < EDGE) tile[p][e] = values[load];
        }
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

// DOWN of the warps are one below the other; a thread has COLS columns.
template <typename T, int DOWN, int COLS>
__global__ void __launch_bounds__(THREADS, 2) matmul_rank_k(const __grid_constant__ Args<T> args) {
    constexpr int ACROSS = WARPS / DOWN, HEIGHT = DOWN * ROWS, WIDTH = ACROSS * COLS * int(WARP);
    using PartA = Part<T, HEIGHT>;
    using PartB = Part<T, WIDTH>;
    __shared__ __align__(PACKET_BYTES) T tile_a[DEPTH][PartA::PITCH];
    __shared__ T tile_b[DEPTH][PartB::PITCH];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned first_row = warp % DOWN * ROWS, first_col = warp / DOWN * COLS * WARP + lane;
    const auto step = [&](unsigned p, T (&sums)[ROWS][COLS]) {
        T a[ROWS], b[COLS];
#pragma unroll
        for (int row = 0; row < ROWS; row += PACKET_LENGTH<T>) {
            *reinterpret_cast<Packet<T> *>(&a[row]) = *reinterpret_cast<const Packet<T> *>(&tile_a[p][first_row + row]);
        }
#pragma unroll
        for (int col = 0; col < COLS; ++col) b[col] = tile_b[p][first_col + col * WARP];
#pragma unroll
        for (int row = 0; row < ROWS; ++row) {
#pragma unroll
            for (int col = 0; col < COLS; ++col) sums[row][col] = fma(a[row], b[col], sums[row][col]);
        }
    };

    // The bounds of every loop with a barrier inside are the same for the whole block.
    for (size_t product = blockIdx.z; product < args.batch; product += gridDim.z) {
        const T *const data_a = args.a.data + product * args.a.stride, *const data_b = args.b.data + product * args.b.stride;
        Result<T> c = args.c;
        c.c += product * args.stride_c;
        const size_t left = size_t(blockIdx.x) * WIDTH;
        for (size_t top = size_t(blockIdx.y) * HEIGHT; top < c.rows; top += size_t(gridDim.y) * HEIGHT) {
            T sums[ROWS][COLS] = {};
            PartA next_a;
            PartB next_b;
            next_a.load(args.a, data_a, top, 0, args.k);
            next_b.load(args.b, data_b, left, 0, args.k);
            for (size_t from = 0; from < args.k; from += DEPTH) {
                __syncthreads();                                   // all have read the parts before
                next_a.store(args.a, tile_a);
                next_b.store(args.b, tile_b);
                __syncthreads();                                   // the parts are there
                if (from + DEPTH < args.k) {
                    next_a.load(args.a, data_a, top, from + DEPTH, args.k);
                    next_b.load(args.b, data_b, left, from + DEPTH, args.k);
                }
                if (args.k - from >= DEPTH) {
#pragma unroll
                    for (unsigned p = 0; p < DEPTH; ++p) step(p, sums);
                } else {
#pragma unroll 2
                    for (unsigned p = 0; p < unsigned(args.k - from); ++p) step(p, sums);
                }
            }
#pragma unroll
            for (int row = 0; row < ROWS; ++row) {
                const size_t i = top + first_row + row;
                if (i >= c.rows) break;
#pragma unroll
                for (int col = 0; col < COLS; ++col) {
                    const size_t j = left + first_col + col * WARP;
                    if (j < c.cols) c.put_one(c.c + i * c.ld + j, sums[row][col]);
                }
            }
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether it is faster than tiles. What one row or column of C makes a product with a vector is skinny.cu's.
template <typename T>
bool pays(const gpumexk_matmul_args &p) {
    constexpr bool IS_F32 = sizeof(T) == 4;
    if (p.m < 2 || p.n < 2 || p.k == 0 || static_cast<T>(p.alpha) == T(0)) return false;
    constexpr size_t SMALL = IS_F32 ? SMALL_F32 : SMALL_F64;
    if (p.m <= SMALL && p.n <= SMALL) return false;
    if (p.k <= SHORT_K || (p.k <= NARROW_K && (p.m <= NARROW || p.n <= NARROW))) return true;
    const bool is_large = double(p.m) * double(p.n) >= double(IS_F32 ? LARGE_F32 : LARGE_F64);
    const bool in_packets = rows_in_packets<T>(p.c, p.ldc, p.stride_c, p.batch);
    return is_large && (p.k <= MIDDLE_K || (p.k <= (IS_F32 ? LONG_K_F32 : LONG_K_F64) && !in_packets));
}

// Whether f64.cu estimates that instead.
inline bool is_estimated(const gpumexk_matmul_args &p) {
    return p.k > SHORT_K && p.k <= LONGEST_K && p.m > NARROW && p.n > NARROW && p.alpha != 0;
}

inline unsigned log2_of(size_t most, size_t limit) {
    unsigned log = 0;
    while (size_t(1) << log < most && size_t(1) << log < limit) ++log;
    return log;
}

template <typename T>
Operand<T> operand_of(const void *data, bool along_k, size_t ld, size_t edge, size_t stride, size_t k, unsigned tile) {
    const T *const first = static_cast<const T *>(data);
    if (along_k) {
        const unsigned log = log2_of(k, DEPTH);
        return {first, ld, 1, edge, stride, 0, (1u << log) - 1, log, ~0u};
    }
    return {first, 1, ld, edge, stride, log2_of(tile, tile), ~0u, 0, tile - 1};
}

template <typename T, int DOWN, int COLS>
cudaError_t launch_tile(const gpumexk_matmul_args &p, int cache, cudaStream_t stream) {
    constexpr unsigned HEIGHT = DOWN * ROWS, WIDTH = WARPS / DOWN * COLS * WARP;
    Args<T> args = {};
    args.a = operand_of<T>(p.a, p.trans_a == 0, p.lda, p.m, p.stride_a, p.k, HEIGHT);
    args.b = operand_of<T>(p.b, p.trans_b != 0, p.ldb, p.n, p.stride_b, p.k, WIDTH);
    args.c = {static_cast<T *>(p.c), p.m, p.n, p.ldc, T(p.alpha), T(p.beta), false};
    args.stride_c = p.stride_c, args.k = p.k, args.batch = p.batch;
    if (ceil_div(p.n, WIDTH) > GRID_X_MAX) return cudaErrorInvalidValue;
    const dim3 grid(static_cast<unsigned>(ceil_div(p.n, WIDTH)), static_cast<unsigned>(at_most(ceil_div(p.m, HEIGHT), GRID_Y_MAX)),
                    static_cast<unsigned>(at_most(p.batch, GRID_Z_MAX)));
    return launch<matmul_rank_k<T, DOWN, COLS>>(grid, dim3(THREADS), cache, stream, args);
}

// Enqueues a product that it pays for.
template <typename T>
cudaError_t launch_any(const gpumexk_matmul_args &p, int cache, cudaStream_t stream) {
    constexpr int WIDE = 16 / sizeof(T);                           // columns of a thread that leave registers for loads
    if (p.m <= size_t(ROWS)) return launch_tile<T, 1, 1>(p, cache, stream);
    if (p.n <= WARP) return launch_tile<T, WARPS, 1>(p, cache, stream);
    if (p.n <= 2 * WARP) return launch_tile<T, WARPS, 2>(p, cache, stream);
    return launch_tile<T, WARPS, WIDE>(p, cache, stream);
}

}  // namespace rank_k
