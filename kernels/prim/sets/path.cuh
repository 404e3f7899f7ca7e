// path.cuh — where parallel workers cut two sorted arrays, so that each goes on as one worker alone would have.
//
//   merge_path      (i, j), i + j = d: the first d elements of the merge are a[0, i) and b[0, j); of equal keys a's come first
//   balanced_path   (i, j), i + j = d or d + 1: a point on the way of the sequential set operations, which step over a where it
//                   is the lesser key, over b where that is, and over both at once where they are equal
//
// Algorithm  merge_path: a binary search on diagonal d. balanced_path: from there; only of the key x at the cut may the way have
//            gone otherwise. c copies of x lie before the cut, all from a as long as that has some: where both runs go on the
//            way took one of each in turn, and where one had ended the rest from the other. A pair that the diagonal cuts in two
//            goes to the left side, which makes i + j = d + 1. With distinct keys this is one comparison.
// Cost       log2 min(d, |a|, |b|) steps of two loads, and searches that gallop to the ends of the runs of x.
// Edges      Whatever the arrays hold, 0 <= i <= |a| and 0 <= j <= |b|; where they are not sorted, cuts of neighbouring
//            diagonals may lie in any order.
// Source     S. Odeh, O. Green et al., "Merge Path", IPDPSW 2012; S. Baxter, "ModernGPU", Multisets, NVIDIA 2013 (balanced path).
#pragma once

#include <cuda_runtime.h>

#include "prim/tune.cuh"

namespace sets {

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first index in [begin, end) that fails a test which fails for all behind it; end where none fails.
template <typename Index, typename Test>
__device__ __forceinline__ Index first_failure(Index begin, Index end, Test passes) {
    while (begin < end) {
        const Index middle = begin + (end - begin) / 2;
        if (passes(middle)) begin = middle + 1;
        else end = middle;
    }
    return begin;
}

// The same by a warp, whose lanes cut what is left in 33 pieces a step.
template <typename Index, typename Test>
__device__ __forceinline__ Index first_failure_of_warp(Index begin, Index end, Test passes) {
    const Index lane = threadIdx.x % WARP;
    while (begin < end) {
        const Index piece = (end - begin) / (WARP + 1) + 1;
        const Index probe = begin + (lane + 1) * piece - 1;
        const Index passed = __popc(__ballot_sync(ALL_LANES, probe < end && passes(probe)));
        begin += passed * piece;
        end = min(end, begin + piece - 1);
    }
    return begin;
}

// The same in steps that double, for an answer near `begin`.
template <typename Index, typename Test>
__device__ __forceinline__ Index gallop(Index begin, Index end, Test passes) {
    for (Index reach = 1; begin < end; reach *= 2) {
        const Index probe = begin + min(reach, end - begin) - 1;
        if (!passes(probe)) return first_failure(begin, probe, passes);
        begin = probe + 1;
    }
    return end;
}

// The lowest index in [begin, end] from which on all before `end` pass, for an answer near `end`.
template <typename Index, typename Test>
__device__ __forceinline__ Index gallop_back(Index begin, Index end, Test passes) {
    for (Index reach = 1; begin < end; reach *= 2) {
        const Index probe = end - min(reach, end - begin);
        if (!passes(probe)) return first_failure(Index(probe + 1), end, [&](Index i) { return !passes(i); });
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

// a(i) and b(j) are the ranks of keys.
template <Searcher WHO = Searcher::THREAD, typename Index, typename A, typename B>
__device__ __forceinline__ Cut<Index> merge_path(Index d, Index a_count, Index b_count, A a, B b) {
    const Index first = d > b_count ? d - b_count : 0, last = min(d, a_count);
    const auto goes_on = [&](Index i) { return a(i) <= b(d - 1 - i); };
    const Index i = WHO == Searcher::WARP ? first_failure_of_warp(first, last, goes_on) : first_failure(first, last, goes_on);
    return {i, d - i};
}

// The point of the balanced path on diagonal d, from that of the merge path.
template <bool DISTINCT, typename Index, typename A, typename B>
__device__ __forceinline__ Cut<Index> balance(Cut<Index> cut, Index b_count, A a, B b) {
    if (cut.a == 0 || cut.b == b_count) return cut;
    const auto x = b(cut.b);
    if (a(cut.a - 1) != x) return cut;                             // no copy of x from a lies before the cut
    if (DISTINCT) return {cut.a, cut.b + 1};

    const auto is_x_in_a = [&](Index i) { return a(i) == x; };
    const auto is_x_in_b = [&](Index j) { return b(j) == x; };
    const Index a_begin = gallop_back(Index(0), cut.a, is_x_in_a), b_begin = gallop_back(Index(0), cut.b, is_x_in_b);
    const Index from_a = cut.a - a_begin, copies = from_a + (cut.b - b_begin);
    const Index fair = max(copies / 2, copies - from_a);           // what b gives if it has as many
    const Index b_run = gallop(cut.b, min(b_count, b_begin + fair + 1), is_x_in_b) - b_begin;
    const Index from_b = min(fair, b_run);
    const bool cuts_a_pair = copies - from_b == from_b + 1 && from_b < b_run;
    return {a_begin + (copies - from_b), b_begin + from_b + (cuts_a_pair ? 1 : 0)};
}

template <bool DISTINCT, Searcher WHO = Searcher::THREAD, typename Index, typename A, typename B>
__device__ __forceinline__ Cut<Index> balanced_path(Index d, Index a_count, Index b_count, A a, B b) {
    return balance<DISTINCT>(merge_path<WHO>(d, a_count, b_count, a, b), b_count, a, b);
}

}  // namespace sets
