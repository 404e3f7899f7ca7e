// merge_path.cuh — where the merge of two ascending runs crosses a diagonal.
//
//   a_0 ≤ a_1 ≤ ..., b_0 ≤ b_1 ≤ ...        diagonal d: the first d elements of the merge of a and b
//   path (d) = how many of them are a's, the smallest i with a_i > b_{d-1-i}; of equal elements those of a come first
//
// Algorithm  On a grid with a along one side and b along the other, the merge is a path from corner to corner, and each diagonal
//            meets it once: in front of that point a_i ≤ b_{d-1-i}, behind it no more, so that bisection finds it. Any number of
//            workers cut the path where they like, and each merges its piece with nothing to ask the others.
//            first_false        one thread: half of what is left in each step.
//            warp_first_false   a warp: 32 places at a time, 33 pieces; of 2^30 six steps in the place of thirty.
//            warp_merge_path    first among the multiples of GRID, where all diagonals that are multiples of GRID ask for the
//                               same n / GRID elements, which caches hold; then between two of them.
// Cost       log2 n steps of two loads (one thread), log33 n (warp).
// Limits     Any index type; runs are functions from an index to an unsigned rank.
// Edges      An empty run is fine. Where a run does not ascend, some point of the diagonal is the answer, within both runs.
// Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012; S. Baxter,
//            "ModernGPU", Merge, NVIDIA 2013.
#pragma once

#include "prim/tune.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first i in [low, high) where holds (i) is false, or high; holds is true up to there.
template <typename Index, typename Holds>
__device__ __forceinline__ Index first_false(Index low, Index high, Holds holds) {
    while (low < high) {
        const Index middle = low + (high - low) / 2;
        if (holds(middle)) low = middle + 1;
        else high = middle;
    }
    return low;
}

// The same, found by all lanes of a warp together.
template <typename Index, typename Holds>
__device__ __forceinline__ Index warp_first_false(Index low, Index high, Holds holds) {
    const Index lane = threadIdx.x % WARP;
    while (low < high) {
        const Index step = (high - low) / (WARP + 1) + 1;          // 33 of them are more than is left
        const Index place = low + (lane + 1) * step - 1;
        const Index held = __popc(__ballot_sync(ALL_LANES, place < high && holds(place)));
        low += held * step;
        high = min(high, low + step - 1);
    }
    return low;
}

// path (diagonal), of runs of a_count and b_count elements.
template <typename Index, typename A, typename B>
__device__ __forceinline__ Index merge_path(Index diagonal, Index a_count, Index b_count, A a, B b) {
    const Index low = diagonal > b_count ? diagonal - b_count : 0, high = min(diagonal, a_count);
    return first_false(low, high, [&](Index i) { return a(i) <= b(diagonal - 1 - i); });
}

// The same by a warp, of the points low ≤ i ≤ high of a diagonal: holds (i) says whether a_i ≤ b_{d-1-i}.
template <unsigned GRID, typename Index, typename Holds>
__device__ __forceinline__ Index warp_merge_path(Index low, Index high, Holds holds) {
    if (high - low > GRID && low < high) {
        const Index first = (low + GRID - 1) / GRID, end = (high - 1) / GRID + 1;
        const Index coarse = warp_first_false(first, end, [&](Index i) { return holds(i * GRID); });
        if (coarse > first) low = (coarse - 1) * GRID + 1;
        if (coarse < end) high = coarse * GRID;
    }
    return warp_first_false(low, high, holds);
}
