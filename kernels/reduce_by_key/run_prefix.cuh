// run_prefix.cuh — exclusive prefix of the tiles' runs: how many began before a tile, and the reduction of the open run.
//
//   before (t) = states of tiles 0 … t - 1, combined in order
//
// Algorithm  Decoupled look-back: a tile publishes its own count and open reduction (partial), then the count of all tiles up
//            to it (inclusive). A warp reads the states before its tile in groups of 32, the nearest first, until one is
//            inclusive. The open reduction begins at the last tile in which a run ended. Where none did for long, groups are
//            reduced in trees, and combined from left to right; the last tile of a group publishes the open reduction up to its
//            own. Which states a warp happens to read changes neither operands nor order, so floats have the same bits each
//            time.
// Cost       16 bytes a tile, written twice and read a few times.
// Limits     2^61 runs. A block waits for those of lower numbers, which have to have started: blocks start in the order of their
//            numbers on every device so far, though nothing guarantees it. Tiles by ticket would not need that; one H200 took
//            7 % longer with them at 2^28 elements and 11 % at 10^7, since a block waits for its number before it can load.
// Edges      States are zeros before the launch.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/tile_state.cuh"
#include "prim/thread/operation.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// The count is of the runs that began in the tile, or up to its end; neither: nothing is published yet.
constexpr uint64_t RUNS_PARTIAL = 1, RUNS_INCLUSIVE = 2, RUNS_KIND = 3;
constexpr uint64_t RUNS_END = 4;                                   // a run ended in the tile; of groups: published
constexpr int RUNS_SHIFT = 3;                                      // behind it: how many

// ---- device helpers -------------------------------------------------------------------------------------------------

// The value is what is open at the end: of what lies in the tile, or in and before the group.
using RunState = WordAndValue;

// States of a launch.
struct RunStates {
    RunState *tiles, *groups;                                      // a group is WARP tiles
};

// The exclusive prefix of a tile, and for the last tile of a group the open reduction behind it.
template <typename T>
struct RunsBefore {
    uint64_t runs;
    T open, behind;
};

// One operation, chosen at run time.
template <typename T>
__device__ __forceinline__ T operate(int number, T left, T right) {
    T result = left;
    dispatch_operation<T>(number, [&](auto operation) { result = operation(left, right); });
    return result;
}

// The reduction of the values of lanes from … end - 1, in a tree, in all lanes.
template <typename T>
__device__ __forceinline__ T tree_of_lanes(int number, T value, int from, int end) {
    const int lane = threadIdx.x % WARP;
    dispatch_operation<T>(number, [&](auto operation) {
        if (lane < from || lane >= end) value = operation.identity();
#pragma unroll
        for (int offset = 1; offset < WARP; offset *= 2) {
            const T right = __shfl_down_sync(ALL_LANES, value, offset);
            value = operation(value, right);
        }
    });
    return __shfl_sync(ALL_LANES, value, 0);
}

// All lanes of a warp call, for a tile that is not the first and has `own` open behind its last end, and have the result.
template <typename T>
__device__ __forceinline__ RunsBefore<T> runs_before(const RunStates &states, size_t tile, int number, T own) {
    const int lane = threadIdx.x % WARP, in_group = static_cast<int>(tile % WARP);
    const size_t group = tile / WARP;
    RunsBefore<T> before = {0, T(0), T(0)};
    T open = T(0);                                                 // lane w: of the w-th group back
    bool counted = false, closed = false;
    int groups = 0;

    auto look = [&](int back) {                                    // the group `back` groups before
        const bool is_there = group >= size_t(back) && lane < (back == 0 ? in_group : WARP);
        return is_there ? load_relaxed(states.tiles + (group - back) * WARP + lane) : RunState{RUNS_PARTIAL, 0};
    };
    RunState state = look(0), next = look(1);
    for (int back = 0; !(counted && closed); ++back) {
        while (__any_sync(ALL_LANES, (state.word & RUNS_KIND) == 0)) state = look(back);
        const int end = back == 0 ? in_group : WARP;

        const unsigned know_all = __ballot_sync(ALL_LANES, (state.word & RUNS_KIND) == RUNS_INCLUSIVE);
        const int from = know_all == 0 ? 0 : WARP - 1 - __clz(know_all);
        before.runs += warp_sum(!counted && lane >= from && lane < end ? state.word >> RUNS_SHIFT : uint64_t(0));
        counted = counted || know_all != 0;

        if (!closed) {
            const unsigned have_end = __ballot_sync(ALL_LANES, (state.word & RUNS_END) != 0);
            const int last = have_end == 0 ? 0 : WARP - 1 - __clz(have_end);
            const T value = value_of_bits<T>(state.value);
            bool is_known = false;
            if (back > 0 && have_end == 0) {
                RunState whole = load_relaxed(states.groups + (group - back));
                while (back == WARP - 1 && whole.word == 0) whole = load_relaxed(states.groups + (group - back));
                is_known = whole.word != 0;
                if (lane == back && is_known) open = value_of_bits<T>(whole.value);
            }
            if (!is_known) {
                const T tree = last == end - 1 ? __shfl_sync(ALL_LANES, value, last) : tree_of_lanes(number, value, last, end);
                if (lane == back) open = tree;
            }
            if (back == 0 && in_group == WARP - 1) {
                before.behind = tree_of_lanes(number, lane == WARP - 1 ? own : value, last, WARP);
            }
            groups = back;
            closed = have_end != 0 || is_known || size_t(back) == group;
        }
        state = next;
        next = look(back + 2);
    }

    before.open = __shfl_sync(ALL_LANES, open, groups);
    for (int back = groups - 1; back >= 0; --back) {
        if (back == 0 && in_group == WARP - 1) before.behind = operate(number, before.open, before.behind);
        before.open = operate(number, before.open, __shfl_sync(ALL_LANES, open, back));
    }
    return before;
}
