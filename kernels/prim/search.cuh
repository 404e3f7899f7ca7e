// search.cuh — where a condition ends that holds for the first positions of a range: every search of sorted arrays is one.
//
//   partition point     the first i in begin ≤ i < end with !before(i), end where there is none
//   lower bound of x    before(i) = keys[i] < x
//   upper bound of x    before(i) = keys[i] ≤ x
//   merge path          the number of elements of A among the first d of A and B merged: before(i) = A[i] ≤ B[d - 1 - i] for
//                       max(0, d - |B|) ≤ i < min(d, |A|); with < instead of ≤ those of B come first where keys are equal
//
// Algorithm  partition_point       A thread halves the range: the steps depend on its length alone, so that a warp stays together.
//            warp_partition_point  A warp tests 32 positions that cut the range in 33 parts: log33 of its length steps, each
//                                  as long as one access to global memory.
// Edges      Where `before` is no prefix of the range, as in arrays that are not sorted, the answer is some position of the range.
// Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path", 2012; D. E. Knuth, "The Art of Computer
//            Programming" 3, 6.2.1.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/tune.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Position, typename Before>
__device__ __forceinline__ Position partition_point(Position begin, Position end, Before before) {
    if (begin >= end) return begin;
    Position rest = end - begin;
    while (rest > 1) {
        const Position half = rest / 2;
        if (before(begin + half - 1)) begin += half;
        rest -= half;
    }
    return begin + (before(begin) ? 1 : 0);
}

// All lanes of the warp call with the same range, and get the same answer.
template <typename Before>
__device__ __forceinline__ size_t warp_partition_point(size_t begin, size_t end, Before before) {
    const unsigned lane = threadIdx.x % WARP;
    while (begin < end) {
        const size_t step = (end - begin + WARP) / (WARP + 1);
        const size_t probe = begin + (lane + 1) * step - 1;
        const unsigned after = ~__ballot_sync(ALL_LANES, probe < end && before(probe));
        const unsigned held = after != 0 ? __ffs(after) - 1 : WARP; // probes up to which the condition holds
        if (held < WARP) end = min(end, begin + (held + 1) * step - 1);
        begin += held * step;
    }
    return begin;
}

// The warp's merge path search: how many elements of A come before the diagonal. before(i, j): A[i] comes before B[j].
template <typename Before>
__device__ __forceinline__ size_t warp_merge_path(size_t a_count, size_t b_count, size_t diagonal, Before before) {
    const size_t begin = diagonal > b_count ? diagonal - b_count : 0;
    return warp_partition_point(begin, min(diagonal, a_count), [&](size_t i) { return before(i, diagonal - 1 - i); });
}
