// search.cuh — partition point: the first place of a range where a monotonic condition is false.
//
//   lower bound of x    holds (i) = keys[i] < x
//   upper bound of x    holds (i) = keys[i] ≤ x
//   merge path          merge_path.cuh
//
// Algorithm  first_false         A thread: binary search.
//            warp_first_false    A warp: 33-ary search, 32 places a step; of 2^30 six steps instead of thirty, each as long
//                                as one access to global memory.
// Cost       log2 n, log33 n dependent tests.
// Limits     Any index type.
// Edges      Where the condition is not monotonic, in arrays that are not sorted, some place is the answer.
// Source     D. E. Knuth, "The Art of Computer Programming" 3, 6.2.1.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/warp/warp.cuh"

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
