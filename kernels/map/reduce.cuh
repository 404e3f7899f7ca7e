// reduce.cuh — the kernel that reduces what a program makes of its inputs, and how a launch is shared out.
//
// Algorithm  The groups of the interpreter are an array (columns, depth, outer), the first index fastest, that is reduced along depth as in
//            prim/grid/dim_reduce.cuh. Where the reduced dimensions are the fastest ones, a result has one column, whose groups are
//            elements of it; else a group has neighbouring results. A thread runs the program for four groups along depth at a time
//            and folds their lanes, which are registers. Its values join those in shared memory every 32 times, which keeps the
//            chains of roundings short; then the threads of a column are joined in order. Where there are too few results for the
//            device, depth is divided into splits, whose results dim_join joins.
// Limits     2^30 elements a launch, so that no number of a group reaches 2^32.
// Edges      A place behind the last group of a split is that group once more, and not folded.
#pragma once

#include "map/interpreter.cuh"
#include "map/reduce_fold.cuh"
#include "prim/grid/dim_reduce.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned REDUCE_ROUNDS = 32;                             // whose lanes are joined before they join others
constexpr size_t REDUCE_SHARE = 16;                                // groups of a thread of a split at least
constexpr size_t REDUCE_WAVES = 6;                                 // blocks a multiprocessor that splits aim at

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Fold>
struct ReduceParameters {
    MapParameters map;                                             // the strides of its result are those of the results
    Fold fold;
    DimArrays args;
    DimPlan plan;
    unsigned columns, depth, outer;                                // groups
    bool is_row;                                                   // the lanes of a group are elements of one result
    unsigned slots;                                                // with those of functions
    size_t base;                                                   // the first result
    size_t slot;                                                   // of the first split
    uint64_t position, positions[MAP_RANK];                        // of the first element, and from one to the next
    typename Fold::Value *partials;                                // (slots, inner, outer), or NULL
};

// Groups of a thread, none behind `last`.
struct ReducePlace {
    unsigned first, step, last;
    bool is_whole;

    __device__ __forceinline__ unsigned group(int g) const { return min(first + g * step, last); }
};

// The position of the element whose number among lanes is id.
template <int LENGTH, typename Parameters>
__device__ __forceinline__ uint64_t position_of(const Parameters &p, unsigned id) {
    const MapShape &shape = p.map.shape;
    unsigned column = id / LENGTH, rest = 0;
    if (shape.rank > 1) {
        rest = shape.row.quotient(column);
        column -= rest * shape.row.divisor;
    }
    uint64_t position = p.position + uint64_t(column * LENGTH + id % LENGTH) * p.positions[0];
    for (unsigned d = 1; d < shape.rank; ++d) {
        const unsigned quotient = d + 1 < shape.rank ? shape.extents[d].quotient(rest) : 0;
        position += uint64_t(rest - quotient * shape.extents[d].divisor) * p.positions[d];
        rest = quotient;
    }
    return position;
}

// The thread's memory: a value of each lane of a group, those of a lane side by side for the threads of the block.
template <typename Fold, int LENGTH>
struct ReduceTotals {
    using Value = typename Fold::Value;
    Value *own;

    __device__ __forceinline__ Value &at(int p) const { return own[p * blockDim.x]; }
    __device__ __forceinline__ void clear(const Fold &fold) const {
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) at(p) = fold.identity();
    }
    // Joins the values, which are the identity then.
    template <typename Parameters>
    __device__ __forceinline__ void join(const Parameters &p, Value (&values)[LENGTH]) const {
#pragma unroll
        for (int i = 0; i < LENGTH; ++i) {
            p.fold.place(values[i], [&](unsigned id) { return position_of<LENGTH>(p, id); });
            at(i) = p.fold.merge(at(i), values[i]);
            values[i] = p.fold.identity();
        }
    }
};

// The threads of a column, joined in order by its first one.
template <typename Fold, int LENGTH>
__device__ __forceinline__ void join_rows(const Fold &fold, const DimPlan &plan, const ReduceTotals<Fold, LENGTH> &totals, int lanes, unsigned r,
                                          bool is_one) {
    for (unsigned step = 1; step < plan.r; step *= 2) {
        __syncthreads();                                           // the totals of the step before are there
        if (!is_one || r % (2 * step) != 0 || r + step >= plan.r) continue;
        for (int p = 0; p < lanes; ++p) totals.at(p) = fold.merge(totals.at(p), (&totals.at(p))[step * plan.x]);
    }
}

// The results of a column, or its partial results.
template <typename Fold, int LENGTH>
__device__ __forceinline__ void store_totals(const ReduceParameters<Fold> &p, const ReduceTotals<Fold, LENGTH> &totals, size_t split,
                                             unsigned origin) {
    const unsigned *const strides = p.map.result.strides;
    const MapSpot spot = spot_of<LENGTH>(p.map.shape, strides, origin);
    const int elements = p.is_row ? 1 : spot.last + 1;
    for (int i = 0; i < elements; ++i) {
        const size_t result = p.base + spot.offset + i * size_t(strides[0]);
        if (p.partials == nullptr) {
            p.fold.store(p.args, result, totals.at(i));
        } else {
            p.partials[(p.slot + split) * (p.args.inner * p.args.outer) + result] = totals.at(i);
        }
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY, typename Fold>
__global__ void __launch_bounds__(DIM_THREADS, ELEMENTARY ? 2 : 3) map_reduce(const __grid_constant__ ReduceParameters<Fold> p) {
    using Value = typename Fold::Value;
    constexpr int LENGTH = MAP_LENGTH<Word>;
    extern __shared__ uint4 map_slots[];                           // slots (slots + scratch, MAP_GROUPS, threads), totals (LENGTH, threads)
    const MapSlots<Word> slots = {map_slots + threadIdx.x, blockDim.x};
    const ReduceTotals<Fold, LENGTH> totals = {reinterpret_cast<Value *>(map_slots + p.slots * MAP_GROUPS * blockDim.x) + threadIdx.x};
    const DimPlan &plan = p.plan;
    const MapShape &shape = p.map.shape;
    const unsigned t = threadIdx.x, x = t % plan.x, r = t / plan.x % plan.r, kk = t / plan.x / plan.r;
    const int lanes = p.is_row ? 1 : LENGTH;
    for (size_t block = blockIdx.x; block < plan.blocks; block += gridDim.x) {
        const size_t split = block % plan.splits, tile = block / plan.splits;
        const size_t c = (plan.tiles == 1 ? 0 : tile % plan.tiles * plan.x) + x;
        const size_t k = plan.tiles == 1 ? tile * plan.k + kk : tile / plan.tiles;
        const bool is_one = kk < plan.k && c < p.columns && k < p.outer;
        const unsigned column = static_cast<unsigned>(min(c, size_t(p.columns - 1)));
        const unsigned origin = column + p.columns * p.depth * static_cast<unsigned>(min(k, size_t(p.outer - 1)));
        unsigned begin = static_cast<unsigned>(min(split * plan.share, size_t(p.depth)));
        unsigned end = static_cast<unsigned>(min((split + 1) * plan.share, size_t(p.depth)));

        totals.clear(p.fold);
        const unsigned each = (end - begin + plan.r - 1) / plan.r, rounds = (each + MAP_GROUPS - 1) / MAP_GROUPS;
        const unsigned step = Fold::ORDERED ? 1 : plan.r;          // of the groups of a thread along depth
        if (Fold::ORDERED) {
            begin = min(begin + r * each, end);
            end = min(begin + each, end);
        } else {
            begin += r;
        }
        const unsigned last = origin + p.columns * (max(end, 1u) - 1);
        Value values[LENGTH];
#pragma unroll
        for (int i = 0; i < LENGTH; ++i) values[i] = p.fold.identity();
        for (unsigned round = 0; round < rounds; ++round) {        // all threads of the block, as those of a warp agree on what is whole
            const unsigned d = begin + round * MAP_GROUPS * step;
            ReducePlace at = {origin + p.columns * d, p.columns * step, last, true};
            at.is_whole = are_whole(shape, at);
            Word acc[MAP_LANES<Word>];
            run_program<ELEMENTARY>(p.map, at, slots, acc);
            int lasts[MAP_GROUPS];
            unsigned ids[MAP_GROUPS];
#pragma unroll
            for (int g = 0; g < MAP_GROUPS; ++g) {
                ids[g] = at.group(g) * LENGTH;
                lasts[g] = !is_one || d + g * step >= end ? -1 : at.is_whole ? LENGTH - 1 : last_lane<LENGTH>(shape, at.group(g));
            }
            p.fold.template take<LENGTH, MAP_GROUPS>(acc, lasts, ids, values);
            if (round % REDUCE_ROUNDS == REDUCE_ROUNDS - 1) totals.join(p, values);
        }
        totals.join(p, values);
        if (p.is_row) {
            for (int i = 1; i < LENGTH; ++i) totals.at(0) = p.fold.merge(totals.at(0), totals.at(i));
        }
        join_rows(p.fold, plan, totals, lanes, r, is_one);
        if (is_one && r == 0) store_totals(p, totals, split, origin);
        if (plan.r > 1) __syncthreads();                           // nobody reads them any more
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// The launch for groups (columns, depth, outer); splits: as many, of share groups; 0: as is good.
inline DimPlan plan_reduce(size_t columns, size_t depth, size_t outer, size_t threads, size_t sms, size_t splits, size_t share) {
    DimPlan plan = {};
    plan.length = 1, plan.mode = DIM_SCALAR, plan.columns = columns, plan.count = depth;
    const bool is_plenty = columns * outer >= sms * 1024;          // a thread for each column
    size_t x = columns <= threads ? columns : ceil_div(ceil_div(columns, ceil_div(columns, threads)), WARP) * WARP, r = 1;
    if (columns == 1) {
        r = at_most(power_of_two_from(ceil_div(depth, MAP_GROUPS)), threads);
    } else if (columns < 32) {
        r = at_most(ceil_div(depth, MAP_GROUPS), threads / x);
    } else if (!is_plenty) {
        x = columns <= threads / 2 ? columns : WARP;
        r = at_most(ceil_div(depth, MAP_GROUPS), threads / x);
    }
    const bool is_whole = x == columns;
    plan.x = static_cast<unsigned>(x), plan.r = static_cast<unsigned>(r);
    plan.k = static_cast<unsigned>(is_whole ? at_most(threads / (x * r), outer) : 1);
    plan.tiles = ceil_div(columns, x);
    const size_t blocks = is_whole ? ceil_div(outer, plan.k) : plan.tiles * outer;
    if (splits == 0) {
        splits = blocks < sms * REDUCE_WAVES / 2 ? at_most(ceil_div(sms * REDUCE_WAVES, blocks), depth / (r * REDUCE_SHARE)) : 1;
        share = ceil_div(depth, splits < 1 ? 1 : splits);
        splits = ceil_div(depth, share);
    }
    plan.splits = splits, plan.share = share, plan.blocks = blocks * splits;
    return plan;
}
