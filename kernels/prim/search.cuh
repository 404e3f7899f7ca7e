// search.cuh — where a condition ends that holds for the first positions of a range: every search of sorted arrays is one.
//
//   partition point     the first i in begin ≤ i < end with !before(i), end where there is none
//   lower bound of x    before(i) = keys[i] < x
//   upper bound of x    before(i) = keys[i] ≤ x
//   merge path          the number of elements of A among the first d of A and B merged: before(i) = A[i] ≤ B[d - 1 - i] for
//                       max(0, d - |B|) ≤ i < min(d, |A|); with < instead of ≤ those of B come first where keys are equal
//
// Algorithm  partition_point       A thread halves the range: its length alone says how many steps, so that a warp stays together.
//            warp_partition_point  A warp tests 32 positions that cut the range in 33 parts: log33 of its length steps, each
//                                  as long as one access to global memory.
// Edges      Where `before` holds for no prefix of the range, in arrays that are not sorted, some position is the answer.
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
