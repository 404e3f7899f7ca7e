// balanced_path.cuh — the balanced path: a merge path that cuts no pair of equal keys.
//
//   merge path      (i, j), i + j = d: the first d elements of the merge are a[0, i) and b[0, j); of equal keys a's come first
//   balanced path   (i, j), i + j = d or d + 1: of equal keys a's and b's come alternately, a's first, until one array has no
//                   more of them; a pair of an a and a b is not cut
//
// Algorithm  From the merge path's cut (merge_path.cuh) galloping searches find the run of equal keys that crosses the
//            diagonal; the part of it before the cut is shared out again.
// Cost       2 log2 (length of the run) loads.
// Edges      Whatever the arrays hold, 0 <= i <= |a| and 0 <= j <= |b|; where they are not sorted, cuts of neighbouring
//            diagonals may lie in any order.
// Source     S. Baxter, "ModernGPU", Multisets, NVIDIA 2013; J. Bentley, A. Yao, "An almost optimal algorithm for unbounded
//            searching", 1976 (galloping).
#pragma once

#include <cuda_runtime.h>

#include "prim/warp/search.cuh"

namespace sets {

// ---- device helpers -------------------------------------------------------------------------------------------------

// first_false of search.cuh by galloping from `begin`, for an answer near it.
template <typename Index, typename Test>
__device__ __forceinline__ Index gallop(Index begin, Index end, Test passes) {
    for (Index reach = 1; begin < end; reach *= 2) {
        const Index probe = begin + min(reach, end - begin) - 1;
        if (!passes(probe)) return first_false(begin, probe, passes);
        begin = probe + 1;
    }
    return end;
}

// The lowest index in [begin, end] from which on all before `end` pass, by galloping back from `end`.
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

// The balanced cut of the diagonal of a merge path's `cut`, where x = b(cut.b) is the key whose run may cross it. a_begin(i),
// b_begin(j): where the run of x begins that ends before i, j; b_end(j, limit): where, before `limit`, the run of x at j ends.
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
