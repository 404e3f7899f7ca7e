// staged.cuh — scans along a dimension whose elements lie so that threads would read far from each other: by way of shared memory.
//
//   few columns   inner of 2 to FEW_COLUMNS and a long count: a block for each split of each matrix
//   short rows    inner = 1 and a count of more than SHORTEST_ROWS, up to SHORT_ROWS: a warp for some rows
//
// Algorithm  Neighbours of memory are loaded by neighbouring threads. A thread scans ITEMS elements of a column, or of a row, out of shared
//            memory; then the threads of a column are scanned in shared memory, or those of a row, a power of two of lanes, by shuffles.
//            Results go back the way that elements came.
// Cost       As scan_dim.cuh. One H200, float, us: 3 columns of 2^24 by a thread for each split 2223, here 304; 2^20 rows of 64 by a warp for each
//            494, here 221.
// Limits     Any extents; more parts than a grid has are taken in turn.
// Edges      As scan_dim.cuh. Short rows have no splits.
// Source     scan_dim.cuh; W. Hillis, G. Steele, "Data Parallel Algorithms", CACM 1986.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/grid/dim_reduce.cuh"
#include "prim/grid/partial_prefixes.cuh"
#include "prim/thread/divider.cuh"
#include "prim/thread/fold.cuh"
#include "prim/warp/shuffle.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t FEW_COLUMNS = 32, LONG_COLUMN = 256;              // columns, and elements of each from which on they are for this
constexpr size_t SHORTEST_ROWS = 8, SHORT_ROWS = 128;              // elements of a row; with fewer a thread for each is as fast

template <typename Value>
constexpr int ROW_ITEMS = sizeof(Value) <= 8 ? 8 : 1;              // neighbouring elements of a thread

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ unsigned padded(unsigned index) { return index + index / WARP; } // without bank conflicts

// stage ← `count` elements of memory from `first` on, by THREADS threads of which this is t; staged (e): where element e goes.
template <unsigned THREADS, int ITEMS, typename Fold, typename Staged>
__device__ __forceinline__ void load_stage(const DimArrays &args, const Fold &fold, size_t first, unsigned count, unsigned t, Staged staged,
                                           typename Fold::Value *stage) {
    typename Fold::In elements[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {                              // loads first, so that they are under way together
        const unsigned e = t + i * THREADS;
        if (e < count) elements[i] = fold.read(args, first + e);
    }
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const unsigned e = t + i * THREADS;
        auto value = fold.identity();
        if (e < count) fold.step(value, elements[i], 0), stage[padded(staged(e))] = value;
    }
}

// The results at the places of those elements ← stage.
template <unsigned THREADS, int ITEMS, typename Fold, typename Staged>
__device__ __forceinline__ void store_stage(const DimArrays &args, const Fold &fold, size_t first, unsigned count, unsigned t, Staged staged,
                                            const typename Fold::Value *stage) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const unsigned e = t + i * THREADS;
        if (e < count) fold.store(args, first + e, stage[padded(staged(e))]);
    }
}

// values ← their inclusive prefixes; those that are missing are the identity.
template <int ITEMS, typename Fold, typename Value = typename Fold::Value, typename Place>
__device__ __forceinline__ void scan_items(const Fold &fold, const Value *stage, Place place, unsigned end, Value (&values)[ITEMS]) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const Value value = place(i) < end ? stage[padded(place(i))] : fold.identity();
        values[i] = i == 0 ? value : fold.merge(values[i - (i > 0)], value);
    }
}

// stage ← the results of those items, behind `before`.
template <int ITEMS, typename Fold, typename Value = typename Fold::Value, typename Place>
__device__ __forceinline__ void store_items(const Fold &fold, const Value &before, const Value (&values)[ITEMS], bool inclusive, Place place,
                                            unsigned end, Value *stage) {
#pragma unroll
    for (int i = 0; i < ITEMS; ++i) {
        const Value exclusive = i == 0 ? before : fold.merge(before, values[i - (i > 0)]);
        if (place(i) < end) stage[padded(place(i))] = inclusive ? fold.merge(before, values[i]) : exclusive;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A block for each split of each matrix. Threads of a column are `inner` apart.
template <typename Fold>
__global__ void __launch_bounds__(DIM_THREADS)
    dim_scan_few_columns(const DimArrays args, const Fold fold, size_t splits, size_t share, Divider by_inner, const typename Fold::Value *partials) {
    using Value = typename Fold::Value;
    constexpr int ITEMS = ROW_ITEMS<Value>;
    constexpr unsigned TILE = DIM_THREADS * ITEMS;
    __shared__ Value stage[TILE + TILE / WARP];
    __shared__ Value totals[2][DIM_THREADS];
    const unsigned inner = by_inner.divisor, rows = DIM_THREADS / inner, deep = rows * ITEMS;
    const unsigned t = threadIdx.x, row = by_inner.quotient(t), column = t - row * inner;
    const bool inclusive = args.inclusive, reversed = args.reversed;
    for (size_t part = blockIdx.x; part < args.outer * splits; part += gridDim.x) {
        const size_t k = part / splits, split = part - k * splits;
        const size_t from = split * share, end = min(from + share, args.count);
        Value carry = partials == nullptr ? fold.identity() : partials[(split * args.outer + k) * inner + column];
        for (size_t tile = from; tile < end; tile += deep) {
            const unsigned depth = static_cast<unsigned>(min(end - tile, size_t(deep))), count = depth * inner;
            const size_t first = (k * args.count + (reversed ? args.count - tile - depth : tile)) * inner; // of the tile's memory
            const auto staged = [&](unsigned e) {                  // where element e of that memory is
                if (!reversed) return e;
                const unsigned j = by_inner.quotient(e);
                return (depth - 1 - j) * inner + (e - j * inner);
            };
            load_stage<DIM_THREADS, ITEMS>(args, fold, first, count, t, staged, stage);
            __syncthreads();                                       // the tile is there

            const auto place = [&](int i) { return (row * ITEMS + i) * inner + column; };
            Value values[ITEMS];
            scan_items(fold, stage, place, row < rows ? count : 0, values);
            Value total = values[ITEMS - 1];
            totals[0][t] = total;
            __syncthreads();                                       // the totals of all threads are there
            unsigned turn = 0;
            for (unsigned apart = 1; apart < rows; apart *= 2, turn ^= 1) {
                if (row >= apart) total = fold.merge(totals[turn][t - apart * inner], total);
                totals[turn ^ 1][t] = total;
                __syncthreads();                                   // those of twice as many
            }
            const Value before = row == 0 ? carry : fold.merge(carry, totals[turn][t - inner]);
            carry = fold.merge(carry, totals[turn][(rows - 1) * inner + column]);
            store_items(fold, before, values, inclusive, place, row < rows ? count : 0, stage);
            __syncthreads();                                       // the results are there
            store_stage<DIM_THREADS, ITEMS>(args, fold, first, count, t, staged, stage);
            __syncthreads();                                       // the stage is free
        }
    }
}

// A warp for 32 / lanes rows, each of which `lanes` lanes have ITEMS elements of.
template <typename Fold>
__global__ void __launch_bounds__(DIM_THREADS) dim_scan_short_rows(const DimArrays args, const Fold fold, unsigned lanes, Divider by_count) {
    using Value = typename Fold::Value;
    constexpr int ITEMS = ROW_ITEMS<Value>;
    constexpr unsigned TILE = WARP * ITEMS;
    __shared__ Value stages[ROW_WARPS][TILE + TILE / WARP];
    const unsigned lane = threadIdx.x % WARP, pitch = lanes * ITEMS, row = lane / lanes, own = lane % lanes, length = by_count.divisor;
    const size_t rows = WARP / lanes;
    Value *const stage = stages[threadIdx.x / WARP];
    const bool inclusive = args.inclusive, reversed = args.reversed;
    for (size_t top = (blockIdx.x * size_t(ROW_WARPS) + threadIdx.x / WARP) * rows; top < args.outer; top += gridDim.x * size_t(ROW_WARPS) * rows) {
        const unsigned count = static_cast<unsigned>(min(args.outer - top, rows)) * length;
        const size_t first = top * length;
        const auto staged = [&](unsigned e) {                      // where element e of these rows is
            const unsigned r = by_count.quotient(e), j = e - r * length;
            return r * pitch + (reversed ? length - 1 - j : j);
        };
        load_stage<WARP, ITEMS>(args, fold, first, count, lane, staged, stage);
        __syncwarp();                                              // the rows are there

        const auto place = [&](int i) { return row * pitch + own * ITEMS + i; };
        const unsigned end = row * length < count ? row * pitch + length : 0;
        Value values[ITEMS];
        scan_items(fold, stage, place, end, values);
        Value total = values[ITEMS - 1];
        for (unsigned apart = 1; apart < lanes; apart *= 2) {
            const auto before = shuffle_up_value(total, apart);
            if (own >= apart) total = fold.merge(before, total);
        }
        const auto exclusive = shuffle_up_value(total, 1);
        store_items(fold, own == 0 ? fold.identity() : Value(exclusive), values, inclusive, place, end, stage);
        __syncwarp();                                              // the results are there
        store_stage<WARP, ITEMS>(args, fold, first, count, lane, staged, stage);
        __syncwarp();                                              // the stage is free
    }
}
