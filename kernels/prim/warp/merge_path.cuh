// merge_path.cuh — where the merge of two ascending runs crosses a diagonal.
//
//   a_0 ≤ a_1 ≤ ..., b_0 ≤ b_1 ≤ ...        diagonal d: the first d elements of the merge of a and b
//   path (d) = how many of them are a's, the smallest i with a_i > b_{d-1-i}; of equal elements those of a come first
//
// Algorithm  On a grid with a along one side and b along the other, the merge is a path from corner to corner, and each diagonal
//            meets it once: in front of that point a_i ≤ b_{d-1-i}, behind it no more, so that a search finds it (search.cuh).
//            Any number of workers cut the path where they like, and each merges its piece with nothing to ask the others.
//            merge_path         one thread.
//            warp_merge_path    a warp: first among the multiples of GRID, where all diagonals that are multiples of GRID ask for
//                               the same n / GRID elements, which caches hold; then between two of them.
// Cost       log2 n steps of two loads (one thread), log33 n (warp).
// Limits     Any index type; runs are functions from an index to an unsigned rank.
// Edges      An empty run is fine. Where a run does not ascend, some point of the diagonal is the answer, within both runs.
// Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012; S. Baxter,
//            "ModernGPU", Merge, NVIDIA 2013.
#pragma once

#include "prim/warp/search.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

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
