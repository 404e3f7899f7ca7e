// scan.cuh — the kernel that scans what a program makes of its inputs.
//
// Algorithm  The groups of the interpreter are an array (columns, depth, outer), the first index fastest, that is scanned along depth. A
//            thread runs the program for four groups at a time, whose lanes are registers. Where the scanned dimensions are the fastest
//            ones, a result has one column, and up to 32 neighbouring threads share a row: each scans the lanes of its group, their
//            totals are scanned by shuffles, and the last one is carried to the next group. Else a group has neighbouring columns,
//            and its thread goes along depth alone. Where rows or columns are too few for the device, depth is divided into splits:
//            the kernel runs once for the totals of each, whose prefixes partial_prefixes makes, and once more from there.
//            Reversed: the memory is walked from its end, four groups at a time, with groups, threads and lanes in the other order.
// Cost       The program, twice where there are splits; a fold of 2 to 4 instructions a lane, and in rows 12 to 20 for shuffles and what
//            stands before a lane. Tried: tiles of a block with decoupled look-back in place of splits, which compute once. 1.28e8
//            sums of products of floats took 1.03 to 1.18 ms, against 1.16 ms: with the registers of the interpreter three blocks
//            are resident, and most of a tile's time is waiting (H100).
// Limits     2^30 elements a launch, so that no number of a group reaches 2^32.
// Edges      A place outside of a split is a group at its end once more, which is not folded and not stored.
#pragma once

#include "map/interpreter.cuh"
#include "map/scan_fold.cuh"
#include "prim/grid/partial_prefixes.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// How a launch is shared out: splits of `share` groups, `lanes` threads of a row, 1 of a column; items: of all blocks.
struct ScanShape {
    size_t splits, share, items;
    unsigned lanes;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Fold>
struct ScanParameters {
    MapParameters map;                                             // the strides of its result are those of the totals
    Fold fold;
    DimArrays args;                                                // result: of the box
    ScanShape plan;
    unsigned columns, depth, outer;                                // groups
    bool is_row;                                                   // the lanes of a group follow one another along depth
    bool is_vector;                                                // groups that are whole are stored as vectors
    bool is_stored;                                                // false: totals alone, to partials
    unsigned strides[MAP_RANK];                                    // of the prefixes
    size_t base;                                                   // the first total
    size_t part, parts;                                            // the box's first split, and all splits
    typename Fold::Value *partials;                                // (parts, totals), or NULL
};

// Four groups of a thread, `step` apart in the memory; those before `begin` and from `end` on along depth are others once more.
struct ScanPlace {
    unsigned origin, columns;
    int first, step, begin, end;
    bool is_whole;

    __device__ __forceinline__ int depth(int g) const { return first + g * step; }
    __device__ __forceinline__ bool has(int g) const { return depth(g) >= begin && depth(g) < end; }
    __device__ __forceinline__ unsigned group(int g) const { return origin + columns * unsigned(max(min(max(depth(g), begin), end - 1), 0)); }
};

// The lanes of a thread in the order of the scan: the next group is the first one.
template <typename Word>
struct ScanLanes {
    static constexpr int LENGTH = MAP_LENGTH<Word>, LANES = MAP_LANES<Word>;
    Word words[LANES];
    unsigned elements;                                             // a bit for each lane that is one

    // is_row: the lanes of a group are reversed as well.
    __device__ __forceinline__ void reverse(bool is_row) {
        Word others[LANES];
        unsigned mask = 0;
#pragma unroll
        for (int i = 0; i < LANES; ++i) {
            const int from = LANES - 1 - i, group = LANES - LENGTH - i / LENGTH * LENGTH + i % LENGTH;
            others[i] = is_row ? words[from] : words[group];
            mask |= (is_row ? elements >> from & 1 : elements >> group & 1) << i;
        }
        memcpy(words, others, sizeof words);
        elements = mask;
    }
    __device__ __forceinline__ bool has(int i) const { return elements >> i & 1; }
    __device__ __forceinline__ void next() {
#pragma unroll
        for (int i = 0; i + LENGTH < LANES; ++i) words[i] = words[i + LENGTH];
        elements >>= LENGTH;
    }
};

// Stores the words of a group that are of elements; all LENGTH, where it is whole.
template <typename Fold, int LENGTH>
__device__ __forceinline__ void store_prefixes(const ScanParameters<Fold> &p, unsigned group, unsigned elements, const uint64_t (&words)[LENGTH]) {
    constexpr unsigned ALL = (1u << LENGTH) - 1;
    if ((elements & ALL) == 0) return;
    if (p.is_vector && (elements & ALL) == ALL) {
        store_vector(p.args, size_t(group) * LENGTH, words);
        return;
    }
    const size_t at = spot_of<LENGTH>(p.map.shape, p.strides, group).offset;
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) {
        if (elements >> i & 1) store_integer(p.args, at + i * size_t(p.strides[0]), words[i]);
    }
}

// A group of a row in each of `lanes` threads; carry: of what is before them, then of all. results ← the prefixes.
template <typename In, typename Typed, typename Word, typename Fold>
__device__ __forceinline__ void scan_row(const ScanParameters<Fold> &p, const Typed &fold, const ScanLanes<Word> &of,
                                         typename Typed::Value &carry, uint64_t (&results)[MAP_LENGTH<Word>]) {
    using Value = typename Typed::Value;
    constexpr int LENGTH = MAP_LENGTH<Word>;
    const bool reversed = p.args.reversed, inclusive = p.args.inclusive;
    const unsigned lanes = p.plan.lanes, lane = threadIdx.x % WARP, own = lane % lanes;
    const unsigned rank = reversed ? lanes - 1 - own : own;        // in the order of the scan
    const auto lane_before = [&](unsigned by) { return reversed ? lane + by : lane - by; };
    const unsigned final_lane = reversed ? lane - own : lane - own + lanes - 1;
    Value total = fold.identity();
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) {
        if (of.has(i)) fold.step(total, number_of<In>(of.words[i]), 0);
    }
    Value scanned = total;
#pragma unroll 1
    for (unsigned by = 1; by < lanes; by *= 2) {
        const Value before = lane_value(scanned, lane_before(by));
        if (rank >= by) scanned = fold.merge(before, scanned);
    }
    const Value neighbour = lane_value(scanned, lane_before(1)), all = lane_value(scanned, final_lane);
    Value value = rank == 0 ? carry : fold.merge(carry, neighbour);
    carry = fold.merge(carry, all);
    if (!p.is_stored) return;
#pragma unroll
    for (int i = 0; i < LENGTH; ++i) {
        const Value before = value;
        if (of.has(i)) fold.step(value, number_of<In>(of.words[i]), 0);
        results[i] = result_word(p.args, fold, inclusive ? value : before);
    }
}

// A group of neighbouring columns.
template <typename In, typename Typed, typename Word, typename Fold>
__device__ __forceinline__ void scan_columns(const ScanParameters<Fold> &p, const Typed &fold, const ScanLanes<Word> &of,
                                             typename Fold::Value (&values)[MAP_LENGTH<Word>], uint64_t (&results)[MAP_LENGTH<Word>]) {
    using Value = typename Typed::Value;
#pragma unroll
    for (int i = 0; i < MAP_LENGTH<Word>; ++i) {
        const Value before = as_value<Value>(values[i]);
        Value value = before;
        if (of.has(i)) fold.step(value, number_of<In>(of.words[i]), 0);
        values[i] = as_value<typename Fold::Value>(value);
        if (p.is_stored) results[i] = result_word(p.args, fold, p.args.inclusive ? value : before);
    }
}

// Where a total of the thread's group is in partials: with those of its other lanes behind it at the first stride.
template <int LENGTH, typename Fold>
__device__ __forceinline__ MapSpot total_spot(const ScanParameters<Fold> &p, unsigned origin) {
    MapSpot spot = spot_of<LENGTH>(p.map.shape, p.map.result.strides, origin);
    if (p.is_row) spot.last = 0;
    return spot;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY, typename Fold>
__global__ void __launch_bounds__(DIM_THREADS, ELEMENTARY ? 2 : 3) map_scan(const __grid_constant__ ScanParameters<Fold> p) {
    using Value = typename Fold::Value;
    constexpr int LENGTH = MAP_LENGTH<Word>;
    extern __shared__ uint4 map_slots[];                           // (slots + scratch, MAP_GROUPS, threads)
    const MapSlots<Word> slots = {map_slots + threadIdx.x, blockDim.x};
    const unsigned lanes = p.plan.lanes, own = threadIdx.x % lanes, width = blockDim.x / lanes;
    const size_t totals = p.args.inner * p.args.outer;
    const int tile = int(MAP_GROUPS * lanes), share = int(p.plan.share);
    for (size_t first = size_t(blockIdx.x) * width; first < p.plan.items; first += size_t(gridDim.x) * width) {
        const size_t item = first + threadIdx.x / lanes, held = min(item, p.plan.items - 1);
        const size_t rest = held / p.columns;
        const unsigned split = static_cast<unsigned>(rest / p.outer);
        const unsigned column = static_cast<unsigned>(held - rest * p.columns), k = static_cast<unsigned>(rest - size_t(split) * p.outer);
        const unsigned origin = column + p.columns * p.depth * k;
        const int begin = int(min(split * p.plan.share, size_t(p.depth))), end = int(min((split + 1) * p.plan.share, size_t(p.depth)));
        const size_t number = p.part + split;
        const size_t slot = (p.args.reversed ? p.parts - 1 - number : number) * totals + p.base;
        const MapSpot spot = total_spot<LENGTH>(p, origin);

        Value values[LENGTH];
#pragma unroll
        for (int i = 0; i < LENGTH; ++i) {
            const bool is_told = p.is_stored && p.partials != nullptr && i <= spot.last;
            values[i] = is_told ? p.partials[slot + spot.offset + i * size_t(p.map.result.strides[0])] : p.fold.identity();
        }
        for (int from = 0; from < share; from += tile) {           // all threads of the block, as those of a warp agree on what is whole
            const int base = (p.args.reversed ? end - from - tile : begin + from) + int(own);
            ScanPlace at = {origin, p.columns, base, int(lanes), begin, end, true};
            at.is_whole = are_whole(p.map.shape, at);
            ScanLanes<Word> of;
            run_program<ELEMENTARY>(p.map, at, slots, of.words);
            of.elements = 0;
#pragma unroll
            for (int g = 0; g < MAP_GROUPS; ++g) {
                if (item >= p.plan.items || !at.has(g)) continue;
                const int last = at.is_whole ? LENGTH - 1 : last_lane<LENGTH>(p.map.shape, at.group(g));
                of.elements |= ((2u << last) - 1) << g * LENGTH;
            }
            if (p.args.reversed) of.reverse(p.is_row);
#pragma unroll 1
            for (int turn = 0; turn < MAP_GROUPS; ++turn, of.next()) { // rolled: a fold's code is there once
                uint64_t results[LENGTH];
                p.fold.with([&](const auto &fold, auto in) {
                    using In = decltype(in);
                    if (p.is_row) {
                        auto carry = as_value<typename std::decay_t<decltype(fold)>::Value>(values[0]);
                        scan_row<In>(p, fold, of, carry, results);
                        values[0] = as_value<Value>(carry);
                    } else {
                        scan_columns<In>(p, fold, of, values, results);
                    }
                });
                if (!p.is_stored) continue;
                unsigned elements = of.elements;
                if (p.is_row && p.args.reversed) {
                    elements = __brev(elements) >> (32 - LENGTH);
#pragma unroll
                    for (int i = 0; i < LENGTH / 2; ++i) {
                        const uint64_t word = results[i];
                        results[i] = results[LENGTH - 1 - i], results[LENGTH - 1 - i] = word;
                    }
                }
                store_prefixes(p, at.group(p.args.reversed ? MAP_GROUPS - 1 - turn : turn), elements, results);
            }
        }
        if (p.is_stored || item >= p.plan.items || own != 0) continue;
#pragma unroll
        for (int i = 0; i < LENGTH; ++i) {
            if (i <= spot.last) p.partials[slot + spot.offset + i * size_t(p.map.result.strides[0])] = values[i];
        }
    }
}
