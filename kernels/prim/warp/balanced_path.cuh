// balanced_path.cuh — where parallel workers cut two sorted arrays, so that each goes on merging as one worker alone would have.
//
//   merge_path      (i, j), i + j = d: the first d elements of the merge are a[0, i) and b[0, j); of equal keys a's come first
//   balanced        (i, j), i + j = d or d + 1: the same where of equal keys a's and b's come in turn, a's first, until one array
//                   has no more of them, and where such a pair is not cut
//
// Algorithm  A search on diagonal d, by a thread or by a warp (prim/warp/search.cuh). Runs of equal keys are searched from one end, in
//            steps that double. Of the run that a diagonal meets, the elements before it are handed out again for balanced.
// Cost       log2 min(d, |a|, |b|) steps of two loads; balanced: 2 log2 (length of the run) more, of one.
// Edges      Whatever the arrays hold, 0 <= i <= |a| and 0 <= j <= |b|; where they are not sorted, cuts of neighbouring
//            diagonals may lie in any order.
// Source     S. Odeh, O. Green et al., "Merge Path", IPDPSW 2012; S. Baxter, "ModernGPU", Multisets, NVIDIA 2013, for balanced.
#pragma once

#include <cuda_runtime.h>

#include "prim/warp/search.cuh"
#include "prim/warp/warp.cuh"

namespace sets {

// ---- device helpers -------------------------------------------------------------------------------------------------

// first_false of search.cuh in steps that double, for an answer near `begin`.
template <typename Index, typename Test>
__device__ __forceinline__ Index gallop(Index begin, Index end, Test passes) {
    for (Index reach = 1; begin < end; reach *= 2) {
        const Index probe = begin + min(reach, end - begin) - 1;
        if (!passes(probe)) return first_false(begin, probe, passes);
        begin = probe + 1;
    }
    return end;
}

// The lowest index in [begin, end] from which on all before `end` pass, for an answer near `end`.
template <typename Index, typename Test>
__device__ __forceinline__ Index gallop_back(Index begin, Index end, Test passes) {
    for (Index reach = 1; begin < end; reach *= 2) {
        const Index probe = end - min(reach, end - begin);
        if (!passes(probe)) return first_false(Index(probe + 1), end, [&](Index i) { return !passes(i); });
        end = probe;
    }
    return begin;
}

template <typename Index>
struct Cut {
    Index a, b;
};

// Whether one thread searches, or all lanes of a warp together.
enum class Searcher { THREAD, WARP };

// a(i) and b(j) are the ranks of keys. With a GRID the cut is searched among its multiples first: where diagonals are multiples
// of it as well, all of them ask for the same keys, which caches hold (2^26 keys of 4 bytes in 15421 cuts: 16 us instead of 68,
// H200).
template <Searcher WHO = Searcher::THREAD, unsigned GRID = 1, typename Index, typename A, typename B>
__device__ __forceinline__ Cut<Index> merge_path(Index d, Index a_count, Index b_count, A a, B b) {
    Index first = d > b_count ? d - b_count : 0, last = min(d, a_count);
    const auto goes_on = [&](Index i) { return a(i) <= b(d - 1 - i); };
    const auto search = [&](Index begin, Index end, auto passes) {
        return WHO == Searcher::WARP ? warp_first_false(begin, end, passes) : first_false(begin, end, passes);
    };
    if (GRID > 1 && last - first > GRID) {
        const Index begin = (first + GRID - 1) / GRID, end = (last - 1) / GRID + 1;
        const Index coarse = search(begin, end, [&](Index i) { return goes_on(i * GRID); });
        if (coarse > begin) first = (coarse - 1) * GRID + 1;
        if (coarse < end) last = coarse * GRID;
    }
    const Index i = search(first, last, goes_on);
    return {i, d - i};
}

// The balanced cut of the diagonal of a merge path's `cut`. x = b(cut.b) is the key whose run goes on there on both sides, if any
// does: a_begin(i) and b_begin(j) say where the run of x begins that ends before i or j, b_end(j, limit) where that ends before
// `limit` which goes on at j.
template <typename Index, typename BeginA, typename BeginB, typename EndB>
__device__ __forceinline__ Cut<Index> balanced(Cut<Index> cut, Index b_count, BeginA a_begin, BeginB b_begin, EndB b_end) {
    const Index run_a = a_begin(cut.a), run_b = b_begin(cut.b);
    const Index before = (cut.a - run_a) + (cut.b - run_b);
    if (before == 0) return cut;
    const Index half = max(before / 2, cut.b - run_b);             // b's share, if there are as many
    const Index run_b_end = b_end(cut.b, min(b_count, run_b + half + 1));
    const Index of_b = min(half, run_b_end - run_b), of_a = before - of_b;
    const bool cuts_pair = of_a == of_b + 1 && run_b + of_b < run_b_end;
    return {run_a + of_a, run_b + of_b + (cuts_pair ? 1 : 0)};
}

}  // namespace sets
