// scan_dim.cuh — scans along a dimension.
//
//   result[i, j, k] = data[i, 0, k] ∘ … ∘ data[i, j - 1, k]  (exclusive)   or   … ∘ data[i, j, k]  (inclusive)
//
// Algorithm  inner = 1: a warp or a block for each row: tiles pass through shared memory, where coalesced elements become neighbours
//            of a thread, which scans eight; then the lanes, and the warps. The next tile is loaded meanwhile. Short rows, and few columns
//            that are long: scan_dim/staged.cuh. Else a thread for each column, eight loads in flight. Where there are too few rows or columns for the device,
//            count is divided into splits: these are reduced (dim_reduce.cuh), their results scanned, and each split scanned from there.
// Cost       Reads data and writes result once; with splits data is read twice.
// Limits     Any extents; more blocks than a grid has are taken in turn.
// Edges      result may be data: elements are loaded before anything of their tile is stored. Reversed: position p is element count - 1
//            - p. The order of the operations depends on the extents, the device's number of multiprocessors, and whether data
//            starts at a multiple of 16.
// Source     G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/dim_reduce.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/partial_prefixes.cuh"
#include "prim/thread/fold.cuh"
#include "prim/warp/warp.cuh"
#include "scan_dim/staged.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t WARP_ROW = 2048;                                  // elements that a warp scans
constexpr size_t COLUMN_SHARE = 64;                                // elements of a thread of a split at least

// What scans, and parts of the dimension: splits of `share` elements, a multiple of 16 where there are several.
struct ScanPlan {
    enum { COLUMNS, FEW_COLUMNS, ROWS, SHORT_ROWS } by;
    size_t splits, share;
    unsigned warps;                                                // of one of the ROWS
};

// ---- kernels --------------------------------------------------------------------------------------------------------

// A thread for each split of each column.
template <typename Fold>
__global__ void __launch_bounds__(DIM_THREADS)
    dim_scan_columns(const DimArrays args, const Fold fold, const ScanPlan plan, const typename Fold::Value *partials) {
    using In = typename Fold::In;
    using Value = typename Fold::Value;
    const size_t results = args.inner * args.outer;
    const size_t origin = args.reversed ? (args.count - 1) * args.inner : 0, step = args.reversed ? 0 - args.inner : args.inner;
    const bool inclusive = args.inclusive;
    for (size_t t = grid_x(); t < results * plan.splits; t += grid_width()) {
        const size_t split = t / results, result = t - split * results, k = result / args.inner, i = result - k * args.inner;
        size_t j = split * plan.share, end = min(j + plan.share, args.count);
        size_t at = i + args.inner * args.count * k + origin + j * step;
        Value value = partials == nullptr ? fold.identity() : partials[t];
        const auto take = [&](size_t to, In element) {
            const Value before = value;
            fold.step(value, element, 0);
            fold.store(args, to, inclusive ? value : before);
        };
        for (; j + DIM_UNROLL <= end; j += DIM_UNROLL, at += DIM_UNROLL * step) {
            In elements[DIM_UNROLL];
#pragma unroll
            for (unsigned u = 0; u < DIM_UNROLL; ++u) elements[u] = fold.read(args, at + u * step);
#pragma unroll
            for (unsigned u = 0; u < DIM_UNROLL; ++u) take(at + u * step, elements[u]);
        }
        for (; j < end; ++j, at += step) take(at, fold.read(args, at));
    }
}

// inner = 1: WARPS warps, one or all of a block, for each split of each row.
template <unsigned WARPS, typename Fold>
__global__ void __launch_bounds__(DIM_THREADS)
    dim_scan_rows(const DimArrays args, const Fold fold, const ScanPlan plan, const typename Fold::Value *partials) {
    using In = typename Fold::In;
    using Value = typename Fold::Value;
    constexpr int ITEMS = ROW_ITEMS<Value>;
    constexpr unsigned PART = WARP * ITEMS, TILE = WARPS * PART, GROUPS = ROW_WARPS / WARPS;
    __shared__ Value stages[ROW_WARPS][PART + PART / WARP];
    __shared__ Value totals[2][ROW_WARPS];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, own = warp % WARPS;
    Value *const stage = stages[warp];
    const bool inclusive = args.inclusive, reversed = args.reversed;
    unsigned turn = 0;                                             // of totals: a tile's are read while the next one's are written
    for (size_t part = blockIdx.x * size_t(GROUPS) + warp / WARPS; part < args.outer * plan.splits; part += gridDim.x * size_t(GROUPS)) {
        const size_t row = part / plan.splits, split = part - row * plan.splits;
        const size_t from = split * plan.share, end = min(from + plan.share, args.count);
        const auto place = [&](size_t p) { return row * args.count + (reversed ? args.count - 1 - p : p); };
        const auto load = [&](size_t tile, In (&elements)[ITEMS]) {
#pragma unroll
            for (int i = 0; i < ITEMS; ++i) {
                const size_t p = tile + own * PART + i * WARP + lane;
                elements[i] = p < end ? fold.read(args, place(p)) : In(0);
            }
        };
        Value carry = partials == nullptr ? fold.identity() : partials[split * args.outer + row];
        In elements[ITEMS];
        load(from, elements);
        for (size_t tile = from; tile < end; tile += TILE, turn ^= 1) {
            // Coalesced elements become neighbours of a lane.
#pragma unroll
            for (int i = 0; i < ITEMS; ++i) {
                Value value = fold.identity();
                if (tile + own * PART + i * WARP + lane < end) fold.step(value, elements[i], 0);
                stage[padded(i * WARP + lane)] = value;
            }
            if (tile + TILE < end) load(tile + TILE, elements);
            __syncwarp();

            Value values[ITEMS];
#pragma unroll
            for (int i = 0; i < ITEMS; ++i) {
                const Value value = stage[padded(lane * ITEMS + i)];
                values[i] = i == 0 ? value : fold.merge(values[i - (i > 0)], value);
            }
            const Value scanned = scan_lanes(fold, values[ITEMS - 1]);
            Value before = carry;
            if constexpr (WARPS == 1) {
                carry = fold.merge(carry, last_lane_value(scanned));
            } else {
                if (lane == WARP - 1) totals[turn][warp] = scanned;
                __syncthreads();                                   // the totals of all warps are there
#pragma unroll
                for (unsigned w = 0; w < WARPS; ++w) {
                    if (w == own) before = carry;
                    carry = fold.merge(carry, totals[turn][w]);
                }
            }
            before = fold.merge(before, exclusive_of(fold, scanned));
#pragma unroll
            for (int i = 0; i < ITEMS; ++i) {
                const Value exclusive = i == 0 ? before : fold.merge(before, values[i - (i > 0)]);
                stage[padded(lane * ITEMS + i)] = inclusive ? fold.merge(before, values[i]) : exclusive;
            }
            __syncwarp();
#pragma unroll
            for (int i = 0; i < ITEMS; ++i) {
                const size_t p = tile + own * PART + i * WARP + lane;
                if (p < end) fold.store(args, place(p), stage[padded(i * WARP + lane)]);
            }
            __syncwarp();                                          // the stage is free
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename Fold>
cudaError_t plan_dim_scan(const DimArrays &args, ScanPlan *plan) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const size_t results = args.inner * args.outer, count = args.count;
    *plan = {ScanPlan::COLUMNS, 1, count, 0};
    const bool is_short = args.inner == 1 && count <= at_most(SHORT_ROWS, WARP * size_t(ROW_ITEMS<typename Fold::Value>));
    if (is_short && count > SHORTEST_ROWS) {
        plan->by = ScanPlan::SHORT_ROWS;
        return cudaSuccess;
    }
    size_t splits = 1;
    if (args.inner == 1 && !is_short) {
        plan->by = ScanPlan::ROWS;
        if (args.outer < sms * 2) splits = at_most(ceil_div(sms * 8, args.outer), count / (4 * WARP_ROW));
    } else if (args.inner <= FEW_COLUMNS && count >= LONG_COLUMN) {
        plan->by = ScanPlan::FEW_COLUMNS;
        if (args.outer < sms * 8) splits = at_most(ceil_div(sms * 16, args.outer), count * args.inner / (4 * WARP_ROW));
    } else if (results < sms * 512) {
        splits = at_most(ceil_div(sms * 1536, results), count / COLUMN_SHARE);
    }
    if (splits == 0) splits = 1;
    plan->share = ceil_div(ceil_div(count, splits), 16) * 16;
    plan->splits = ceil_div(count, plan->share);
    if (plan->by == ScanPlan::ROWS) plan->warps = plan->share > WARP_ROW || results * plan->splits < sms * 32 ? ROW_WARPS : 1;
    if (plan->by == ScanPlan::ROWS && plan->share <= 256) plan->warps = 1;
    return cudaSuccess;
}

// The lanes of a short row.
template <typename Fold>
unsigned lanes_of_row(size_t count) { return unsigned(power_of_two_from(ceil_div(count, size_t(ROW_ITEMS<typename Fold::Value>)))); }

// Launches the scan; with bytes != NULL it only says how much scratch it needs.
template <typename Fold>
cudaError_t launch_dim_scan(const Fold &fold, const DimArrays &args, void *scratch, size_t *bytes, cudaStream_t stream) {
    using Value = typename Fold::Value;
    ScanPlan plan;
    cudaError_t error = plan_dim_scan<Fold>(args, &plan);
    if (error != cudaSuccess) return error;
    const size_t results = args.inner * args.outer;
    if (bytes != nullptr) {
        *bytes = plan.splits == 1 ? 0 : plan.splits * results * sizeof(Value);
        return cudaSuccess;
    }
    Value *const partials = plan.splits == 1 ? nullptr : static_cast<Value *>(scratch);
    if (partials != nullptr) {
        DimPlan parts;
        error = plan_dim_reduce(args, plan.share, 1, sizeof(typename Fold::In), &parts);
        if (error != cudaSuccess) return error;
        launch_dim_plan<false>(fold, args, parts, partials, stream);
        launch_partial_prefixes(fold, partials, plan.splits, results, stream);
    }
    const auto blocks_of = [](size_t threads, size_t of_block) { return unsigned(at_most(ceil_div(threads, of_block), GRID_X_MAX)); };
    const size_t parts = results * plan.splits;
    switch (plan.by) {
        case ScanPlan::COLUMNS: dim_scan_columns<<<blocks_of(parts, DIM_THREADS), DIM_THREADS, 0, stream>>>(args, fold, plan, partials); break;
        case ScanPlan::FEW_COLUMNS: {
            const Divider by_inner = Divider::of(unsigned(args.inner));
            const unsigned blocks = blocks_of(args.outer * plan.splits, 1);
            dim_scan_few_columns<<<blocks, DIM_THREADS, 0, stream>>>(args, fold, plan.splits, plan.share, by_inner, partials);
            break;
        }
        case ScanPlan::SHORT_ROWS: {
            const unsigned lanes = lanes_of_row<Fold>(args.count), blocks = blocks_of(args.outer, ROW_WARPS * (WARP / lanes));
            dim_scan_short_rows<<<blocks, DIM_THREADS, 0, stream>>>(args, fold, lanes, Divider::of(unsigned(args.count)));
            break;
        }
        case ScanPlan::ROWS:
            if (plan.warps == 1) {
                dim_scan_rows<1><<<blocks_of(parts, ROW_WARPS), DIM_THREADS, 0, stream>>>(args, fold, plan, partials);
            } else {
                dim_scan_rows<ROW_WARPS><<<blocks_of(parts, 1), DIM_THREADS, 0, stream>>>(args, fold, plan, partials);
            }
    }
    return cudaGetLastError();
}
