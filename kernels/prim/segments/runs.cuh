// runs.cuh — what all tiles before a tile leave to it: how many runs began there, and the reduction of the run that is still
// open.
//
//   before (t) = states of tiles 0 … t - 1, joined in their order
//
// Algorithm  Decoupled look-back: a tile publishes what it found itself as soon as it knows it, and the count of all tiles up
//            to it as soon as it knows that. A warp reads the states before its tile in groups of 32, the nearest first, until
//            one knows a count of all. The open reduction begins at the last tile in which a run ended. Where none did for
//            long, groups are reduced in trees, and joined from left to right; the last tile of a group publishes what the
//            groups up to its own have open. Which states a warp happens to meet changes neither operands nor order, so floats
//            have the same bits each time.
// Cost       16 bytes a tile, written twice and read a few times.
// Limits     2^61 runs. A block waits for those of lower numbers, which have to have started: blocks start in the order of their
//            numbers on every device so far, though nothing promises it. Tiles by ticket would not need that; one H200 took
//            7 % longer with them at 2^28 elements and 11 % at 10^7, since a block waits for its number before it can load.
// Edges      States are zeros before the launch.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/relaxed.cuh"
#include "prim/segments/operator.cuh"
#include "prim/tune.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// How many runs began in the tile, or up to its end; neither: it is not there yet.
constexpr uint64_t RUNS_OF_TILE = 1, RUNS_OF_ALL = 2, RUNS_KIND = 3;
constexpr uint64_t RUNS_END = 4;                                   // a run ended in the tile; of groups, they are there
constexpr int RUNS_SHIFT = 3;                                      // behind it: how many

// ---- device helpers -------------------------------------------------------------------------------------------------

// The value is what is open at the end: of what lies in the tile, or in and before the group.
using RunsState = WordAndValue;

// States of a launch.
struct RunsStates {
    RunsState *tiles, *groups;                                     // a group is WARP tiles
};

// What is before a tile, and for the last tile of a group what is open behind it.
template <typename T>
struct RunsBefore {
    uint64_t runs;
    T open, behind;
};

// One operation, chosen at run time.
template <typename T>
__device__ __forceinline__ T operate(int op, T left, T right) {
    T result = left;
    with_operator<T>(op, [&](auto operation) { result = operation(left, right); });
    return result;
}

// The reduction of the values of lanes from … end - 1, in a tree; lane 0 has it, and then all.
template <typename T>
__device__ __forceinline__ T tree_of_lanes(int op, T value, int from, int end) {
    const int lane = threadIdx.x % WARP;
    with_operator<T>(op, [&](auto operation) {
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
__device__ __forceinline__ RunsBefore<T> runs_before(const RunsStates &states, size_t tile, int op, T own) {
    const int lane = threadIdx.x % WARP, in_group = static_cast<int>(tile % WARP);
    const size_t group = tile / WARP;
    RunsBefore<T> before = {0, T(0), T(0)};
    T open = T(0);                                                 // lane w: of the w-th group back
    bool counted = false, closed = false;
    int groups = 0;

    auto look = [&](int back) {                                    // the group `back` groups before
        const bool is_there = group >= size_t(back) && lane < (back == 0 ? in_group : WARP);
        return is_there ? load_relaxed(states.tiles + (group - back) * WARP + lane) : RunsState{RUNS_OF_TILE, 0};
    };
    RunsState state = look(0), next = look(1);
    for (int back = 0; !(counted && closed); ++back) {
        while (__any_sync(ALL_LANES, (state.word & RUNS_KIND) == 0)) state = look(back);
        const int end = back == 0 ? in_group : WARP;

        const unsigned know_all = __ballot_sync(ALL_LANES, (state.word & RUNS_KIND) == RUNS_OF_ALL);
        const int from = know_all == 0 ? 0 : WARP - 1 - __clz(know_all);
        uint64_t runs = !counted && lane >= from && lane < end ? state.word >> RUNS_SHIFT : 0;
#pragma unroll
        for (int offset = WARP / 2; offset > 0; offset /= 2) runs += __shfl_xor_sync(ALL_LANES, runs, offset);
        before.runs += runs;
        counted = counted || know_all != 0;

        if (!closed) {
            const unsigned have_end = __ballot_sync(ALL_LANES, (state.word & RUNS_END) != 0);
            const int last = have_end == 0 ? 0 : WARP - 1 - __clz(have_end);
            const T value = value_of_bits<T>(state.value);
            bool is_known = false;
            if (back > 0 && have_end == 0) {
                RunsState whole = load_relaxed(states.groups + (group - back));
                while (back == WARP - 1 && whole.word == 0) whole = load_relaxed(states.groups + (group - back));
                is_known = whole.word != 0;
                if (lane == back && is_known) open = value_of_bits<T>(whole.value);
            }
            if (!is_known) {
                const T tree = last == end - 1 ? __shfl_sync(ALL_LANES, value, last) : tree_of_lanes(op, value, last, end);
                if (lane == back) open = tree;
            }
            if (back == 0 && in_group == WARP - 1) {
                before.behind = tree_of_lanes(op, lane == WARP - 1 ? own : value, last, WARP);
            }
            groups = back;
            closed = have_end != 0 || is_known || size_t(back) == group;
        }
        state = next;
        next = look(back + 2);
    }

    before.open = __shfl_sync(ALL_LANES, open, groups);
    for (int back = groups - 1; back >= 0; --back) {
        if (back == 0 && in_group == WARP - 1) before.behind = operate(op, before.open, before.behind);
        before.open = operate(op, before.open, __shfl_sync(ALL_LANES, open, back));
    }
    return before;
}
