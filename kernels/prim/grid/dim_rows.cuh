// dim_rows.cuh — reductions of rows, a block each: of dim_reduce.cuh, for folds of any order.
//
//   result[k] = data[0, k] ∘ … ∘ data[count - 1, k]                 data (count, outer), count neighbours, loads of LENGTH elements
//
// Algorithm  A thread has a quarter of so many loads as the block has threads, all in flight at once, and goes on behind them where the
//            row is longer; lanes are joined by shuffles, warps by the first one. That many blocks share a multiprocessor hides what a
//            row waits for: a block that goes on with the next row, copies to shared memory ahead (TMA), and a warp a row were slower.
// Cost       Reads data once. H200, 4096 rows of 4096, with count known when it was compiled: sums 17.3 us of float (3.9 TB/s), 31.9 of
//            double (4.2).
// Limits     Rows of DIM_ROWS_LEAST to DIM_ROWS_MOST loads; any number of them.
// Edges      The order of the operations depends on count alone.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
#pragma once

#include "prim/grid/dim_load.cuh"
#include "prim/grid/grid.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned DIM_ROWS_LOADS = 4;                             // in flight
constexpr unsigned DIM_ROWS_THREADS = 512;                         // at most
constexpr size_t DIM_ROWS_LEAST = 128, DIM_ROWS_MOST = 32 * DIM_ROWS_LOADS * DIM_ROWS_THREADS; // 32 rounds: short chains of roundings

// ---- device helpers -------------------------------------------------------------------------------------------------

// The values of all threads, joined in their order by the first warp; `shared` is free for the next use behind a barrier.
template <typename Fold>
__device__ __forceinline__ typename Fold::Value join_block(const Fold &fold, typename Fold::Value value, typename Fold::Value *shared) {
    const unsigned warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    value = join_lanes(fold, value, WARP);
    if (warps == 1) return value;
    if (threadIdx.x % WARP == 0) shared[warp] = value;
    __syncthreads();                                               // the values of all warps are there
    if (warp != 0) return value;
    value = threadIdx.x < warps ? shared[threadIdx.x] : fold.identity();
    return join_lanes(fold, value, warps);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <int LENGTH, typename Fold>
__global__ void __launch_bounds__(DIM_ROWS_THREADS) dim_rows(const DimArrays args, const Fold fold, const unsigned count) {
    using Load = DimLoad<DIM_ROW, LENGTH, Fold>;
    using Value = typename Fold::Value;
    __shared__ Value shared[DIM_ROWS_THREADS / WARP];
    for (size_t row = blockIdx.x; row < args.outer; row += gridDim.x) {
        const size_t first = row * args.count;
        Value values[1] = {fold.identity()};
        for (unsigned from = threadIdx.x; from < count; from += DIM_ROWS_LOADS * blockDim.x) {
            Load loads[DIM_ROWS_LOADS];
#pragma unroll
            for (unsigned u = 0; u < DIM_ROWS_LOADS; ++u) {
                const unsigned j = from + u * blockDim.x;
                if (j < count) loads[u].load(fold, args, first + size_t(j) * LENGTH);
            }
#pragma unroll
            for (unsigned u = 0; u < DIM_ROWS_LOADS; ++u) {
                const unsigned j = from + u * blockDim.x;
                if (j < count) loads[u].take(fold, j, values);
            }
        }
        const Value value = join_block(fold, values[0], shared);
        if (threadIdx.x == 0) fold.store(args, row, value);
        if (row + gridDim.x < args.outer) __syncthreads();         // shared is free again
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether rows of `count` loads, each reduced at once, are for dim_rows.
inline bool has_block_rows(size_t count, size_t splits) { return splits == 1 && count >= DIM_ROWS_LEAST && count <= DIM_ROWS_MOST; }

template <int LENGTH, typename Fold>
void launch_dim_rows(const Fold &fold, const DimArrays &args, size_t count, cudaStream_t stream) {
    unsigned threads = WARP;
    while (threads < DIM_ROWS_THREADS && threads * DIM_ROWS_LOADS < count) threads *= 2;
    const unsigned blocks = static_cast<unsigned>(at_most(args.outer, GRID_X_MAX));
    dim_rows<LENGTH><<<blocks, threads, 0, stream>>>(args, fold, static_cast<unsigned>(count));
}
