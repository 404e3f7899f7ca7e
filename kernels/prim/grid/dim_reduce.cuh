// dim_reduce.cuh — reductions along a dimension: of reduce_dim, and of the parts that scan_dim scans.
//
//   result[i, k] = data[i, 0, k] ∘ … ∘ data[i, count - 1, k]        data (inner, count, outer), the first index fastest
//
// Algorithm  A block is X lanes of neighbouring columns, R rows and K matrices (X·R·K threads at most 256). A thread strides through
//            its columns, eight loads in flight, and the R partial results are joined by shuffles or in shared memory. Where
//            there are too few results for the device, count is divided into splits, whose results a second kernel joins. VECTOR
//            folds load up to 16 bytes at once: neighbouring columns, or neighbouring elements of a row where inner = 1; whole rows of
//            some length are left to dim_rows.cuh, short ones to dim_short_rows.cuh.
// Cost       Reads data once. Splits: 16 elements a thread and partial result at least, which are written and read once.
// Limits     Any extents; more blocks than a grid has are taken in turn.
// Edges      Ordered folds give each thread neighbouring elements, and join neighbours. The order of the operations depends on the
//            extents, the device's number of multiprocessors, and whether data starts at a multiple of 16.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "prim/grid/dim_load.cuh"
#include "prim/grid/dim_rows.cuh"
#include "prim/grid/dim_short_rows.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/fold.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int DIM_THREADS = 256;
constexpr unsigned DIM_UNROLL = 8;                                 // loads in flight
constexpr unsigned DIM_BLOCKED = 32;                               // rounds whose sum is added at once: shorter chains of roundings
constexpr size_t DIM_SHARE = 16;                                   // elements of a thread of a split at least
constexpr size_t DIM_WAVES = 8;                                    // blocks a multiprocessor that splits aim at

// The shape of a launch.
struct DimPlan {
    unsigned x, r, k;                                              // threads of a block: columns, rows, matrices
    unsigned length;                                               // elements of a load
    size_t columns;                                                // loads that a row of inner elements takes
    size_t count;                                                  // loads along the dimension
    size_t tiles;                                                  // of columns; 1: a block has whole rows
    size_t splits, share;                                          // parts of the dimension, and loads of each
    size_t blocks;
    int mode;
};

// ---- kernels --------------------------------------------------------------------------------------------------------

// result, or with partials != NULL partials (splits, results), ← the reductions.
template <int MODE, int LENGTH, typename Fold>
__global__ void __launch_bounds__(DIM_THREADS)
    dim_reduce(const DimArrays args, const Fold fold, const DimPlan plan, typename Fold::Value *partials) {
    using Load = DimLoad<MODE, LENGTH, Fold>;
    using Value = typename Fold::Value;
    constexpr int VALUES = Load::VALUES;
    __shared__ Value shared[VALUES][DIM_THREADS];
    const unsigned t = threadIdx.x, x = t % plan.x, r = t / plan.x % plan.r, kk = t / plan.x / plan.r;
    const size_t length = MODE == DIM_COLUMNS ? LENGTH : 1;        // columns of a load
    const size_t ascending = MODE == DIM_ROW ? LENGTH : args.inner; // elements from a load along the dimension to the next
    const size_t step = args.reversed ? 0 - ascending : ascending, origin = args.reversed ? (plan.count - 1) * ascending : 0;
    for (size_t block = blockIdx.x; block < plan.blocks; block += gridDim.x) {
        const size_t split = block % plan.splits, tile = block / plan.splits;
        const size_t column = (plan.tiles == 1 ? 0 : tile % plan.tiles * plan.x) + x;
        const size_t k = plan.tiles == 1 ? tile * plan.k + kk : tile / plan.tiles;
        const bool is_used = kk < plan.k && column < plan.columns && k < args.outer;
        size_t j = split * plan.share, end = min(j + plan.share, plan.count);
        const size_t first = column * length + args.inner * args.count * k + origin;

        Value values[VALUES];
#pragma unroll
        for (int p = 0; p < VALUES; ++p) values[p] = fold.identity();
        if (is_used && Fold::ORDERED) {
            const size_t each = (end - j + plan.r - 1) / plan.r;
            j = min(j + r * each, end);
            end = min(j + each, end);
            for (; j < end; ++j) {
                Load load;
                load.load(fold, args, first + j * step);
                load.take(fold, j, values);
            }
        } else if (is_used) {
            const size_t rows = plan.r;
            for (j += r; j < end;) {
                Value sums[VALUES];
#pragma unroll
                for (int p = 0; p < VALUES; ++p) sums[p] = fold.identity();
                for (unsigned round = 0; round < DIM_BLOCKED && j < end; ++round) {
                    Load loads[DIM_UNROLL];
                    if (j + (DIM_UNROLL - 1) * rows < end) {
#pragma unroll
                        for (unsigned u = 0; u < DIM_UNROLL; ++u) loads[u].load(fold, args, first + (j + u * rows) * step);
#pragma unroll
                        for (unsigned u = 0; u < DIM_UNROLL; ++u) loads[u].take(fold, j + u * rows, sums);
                    } else {                                       // the last ones, all in flight as well
#pragma unroll
                        for (unsigned u = 0; u < DIM_UNROLL; ++u) {
                            if (j + u * rows < end) loads[u].load(fold, args, first + (j + u * rows) * step);
                        }
#pragma unroll
                        for (unsigned u = 0; u < DIM_UNROLL; ++u) {
                            if (j + u * rows < end) loads[u].take(fold, j + u * rows, sums);
                        }
                    }
                    j += DIM_UNROLL * rows;
                }
#pragma unroll
                for (int p = 0; p < VALUES; ++p) values[p] = fold.merge(values[p], sums[p]);
            }
        }

        // The rows of the block, in order: neighbouring lanes, and what is left in shared memory.
        unsigned apart = 1;                                        // rows between two that hold results
        if (plan.x == 1 && plan.r > 1) {
            apart = min(plan.r, unsigned(WARP));
#pragma unroll
            for (int p = 0; p < VALUES; ++p) values[p] = join_lanes(fold, values[p], apart);
        }
        if (plan.r > apart) {
#pragma unroll
            for (int p = 0; p < VALUES; ++p) shared[p][t] = values[p];
            __syncthreads();                                       // the values of all threads are there
            for (unsigned step_of = apart; step_of < plan.r; step_of *= 2) {
                if (r % (2 * step_of) == 0 && r + step_of < plan.r && kk < plan.k) {
#pragma unroll
                    for (int p = 0; p < VALUES; ++p) {
                        values[p] = fold.merge(values[p], shared[p][t + step_of * plan.x]);
                        shared[p][t] = values[p];
                    }
                }
                __syncthreads();                                   // those of this step are there, or at last free
            }
        }
        if (!is_used || r != 0) continue;
        const size_t at = column * length + args.inner * k;
#pragma unroll
        for (int p = 0; p < VALUES; ++p) {
            if (partials == nullptr) {
                fold.store(args, at + p, values[p]);
            } else {
                partials[split * (args.inner * args.outer) + at + p] = values[p];
            }
        }
    }
}

// result ← partials (splits, results) joined; `lanes` threads a result: a power of two up to 32, or the block.
template <typename Fold>
__global__ void __launch_bounds__(DIM_THREADS)
    dim_join(const DimArrays args, const Fold fold, const typename Fold::Value *partials, size_t splits, unsigned lanes) {
    using Value = typename Fold::Value;
    __shared__ Value shared[DIM_THREADS / WARP];
    const size_t results = args.inner * args.outer, each = (splits + lanes - 1) / lanes, groups = DIM_THREADS / lanes;
    const unsigned lane = threadIdx.x % lanes;
    for (size_t from = blockIdx.x * groups; from < results; from += gridDim.x * groups) {
        const size_t at = from + threadIdx.x / lanes;
        Value value = fold.identity();
        if (at < results) {
            const size_t end = min((lane + 1) * each, splits);
#pragma unroll 4
            for (size_t split = lane * each; split < end; ++split) value = fold.merge(value, partials[split * results + at]);
        }
        value = join_lanes(fold, value, min(lanes, unsigned(WARP)));
        if (lanes > WARP) {
            if (lane % WARP == 0) shared[lane / WARP] = value;
            __syncthreads();                                       // the values of all warps are there
            if (lane == 0) {
                for (unsigned warp = 1; warp < lanes / WARP; ++warp) value = fold.merge(value, shared[warp]);
            }
            __syncthreads();                                       // and free again
        }
        if (lane == 0 && at < results) fold.store(args, at, value);
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr size_t power_of_two_from(size_t n) {
    size_t power = 1;
    while (power < n) power *= 2;
    return power;
}

// The launch for loads of `length` elements, where data and extents allow it. share: elements of a split, a multiple of 16; 0: as is good.
inline cudaError_t plan_dim_reduce(const DimArrays &args, size_t share, unsigned length, size_t width, DimPlan *plan) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const size_t fast = args.inner == 1 ? args.count : args.inner;
    const bool is_vector = length > 1 && fast % length == 0 && is_aligned(args.data, length * width);
    plan->mode = !is_vector ? DIM_SCALAR : args.inner == 1 ? DIM_ROW : DIM_COLUMNS;
    plan->length = is_vector ? length : 1;
    plan->columns = plan->mode == DIM_COLUMNS ? args.inner / length : args.inner;
    plan->count = plan->mode == DIM_ROW ? args.count / length : args.count;

    const size_t columns = plan->columns, threads = DIM_THREADS;
    const size_t count = share == 0 ? plan->count : at_most(plan->mode == DIM_ROW ? share / length : share, plan->count);
    const size_t given = share == 0 ? 1 : ceil_div(plan->count, count), all = columns * args.outer * given;
    size_t x = columns <= threads ? columns : ceil_div(ceil_div(columns, ceil_div(columns, threads)), WARP) * WARP, r = 1;
    const bool is_plenty = all >= sms * 1024;                      // a thread for each column
    if (columns == 1) {
        if (count > 4 || !is_plenty) r = at_most(power_of_two_from(ceil_div(count, DIM_UNROLL)), threads);
        if (!is_plenty && all * r < sms * 1024) r = at_most(power_of_two_from(count), threads);
    } else if (columns < 32) {
        if (!is_plenty || count > 256) r = at_most(ceil_div(count, 8), threads / x);
    } else if (!is_plenty && count > 1) {
        x = columns <= 128 ? columns : 32;
        r = at_most(ceil_div(count, 4), threads / x);
    }
    const bool is_whole = x == columns;
    const size_t k = is_whole ? at_most(threads / (x * r), args.outer) : 1;
    plan->x = unsigned(x);
    plan->r = unsigned(r);
    plan->k = unsigned(k);
    plan->tiles = ceil_div(columns, x);
    const size_t blocks = is_whole ? ceil_div(args.outer, k) : plan->tiles * args.outer;
    plan->splits = given;
    if (share == 0 && blocks < sms * DIM_WAVES / 2) {
        plan->splits = at_most(ceil_div(sms * DIM_WAVES, blocks), count / (r * DIM_SHARE));
        if (plan->splits == 0) plan->splits = 1;
    }
    plan->share = share == 0 ? ceil_div(count, plan->splits) : count;
    plan->splits = ceil_div(plan->count, plan->share);
    plan->blocks = blocks * plan->splits;
    return cudaSuccess;
}

template <typename Fold>
constexpr int fold_length() {                                      // elements of a load: 16 bytes, of values that take 64 at most
    if (!Fold::TYPED || Fold::ORDERED) return 1;
    const int by_load = int(PACKET_BYTES / sizeof(typename Fold::In)), by_value = int(64 / sizeof(typename Fold::Value));
    return by_load < by_value ? by_load : by_value;
}

template <bool VECTOR, typename Fold>
void launch_dim_plan(const Fold &fold, const DimArrays &args, const DimPlan &plan, typename Fold::Value *partials,
                     cudaStream_t stream) {
    constexpr int LENGTH = VECTOR ? fold_length<Fold>() : 1;
    const unsigned blocks = unsigned(at_most(plan.blocks, GRID_X_MAX));
    if (partials == nullptr && has_short_rows(args)) return launch_dim_short_rows(fold, args, stream);
    if constexpr (LENGTH > 1) {
        if (plan.mode == DIM_COLUMNS) dim_reduce<DIM_COLUMNS, LENGTH><<<blocks, DIM_THREADS, 0, stream>>>(args, fold, plan, partials);
        if (plan.mode == DIM_ROW && partials == nullptr && has_block_rows(plan.count, plan.splits)) {
            launch_dim_rows<LENGTH>(fold, args, plan.count, stream);
        } else if (plan.mode == DIM_ROW) {
            dim_reduce<DIM_ROW, LENGTH><<<blocks, DIM_THREADS, 0, stream>>>(args, fold, plan, partials);
        }
    }
    if (plan.mode == DIM_SCALAR) dim_reduce<DIM_SCALAR, 1><<<blocks, DIM_THREADS, 0, stream>>>(args, fold, plan, partials);
}

// Launches the reduction; with bytes != NULL it only says how much scratch it needs.
template <bool VECTOR, typename Fold>
cudaError_t launch_dim_reduce(const Fold &fold, const DimArrays &args, void *scratch, size_t *bytes, cudaStream_t stream) {
    using Value = typename Fold::Value;
    constexpr int LENGTH = VECTOR ? fold_length<Fold>() : 1;
    DimPlan plan;
    const cudaError_t error = plan_dim_reduce(args, 0, LENGTH, sizeof(typename Fold::In), &plan);
    if (error != cudaSuccess) return error;
    const size_t results = args.inner * args.outer;
    if (bytes != nullptr) {
        *bytes = plan.splits == 1 ? 0 : plan.splits * results * sizeof(Value);
        return cudaSuccess;
    }
    Value *const partials = plan.splits == 1 ? nullptr : static_cast<Value *>(scratch);
    launch_dim_plan<VECTOR>(fold, args, plan, partials, stream);
    if (partials != nullptr) {
        const unsigned lanes = plan.splits > 128 ? DIM_THREADS : unsigned(at_most(power_of_two_from(ceil_div(plan.splits, 4)), WARP));
        const size_t groups = ceil_div(results, DIM_THREADS / lanes);
        dim_join<<<unsigned(at_most(groups, GRID_X_MAX)), DIM_THREADS, 0, stream>>>(args, fold, partials, plan.splits, lanes);
    }
    return cudaGetLastError();
}
