// scan.cuh — scans over the lanes of a warp, with any operator of operator.cuh.
//
// Algorithm  Hillis-Steele: each of five steps combines with the lane twice as far away. The order of the operations is fixed.
// Cost       Five shuffles (ten of 8 bytes), one more for an exclusive scan.
// Edges      All lanes call.
// Source     W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986.
#pragma once

#include <cuda_runtime.h>

#include "prim/thread/operator.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// Inclusive scan over every FIRST-th lane: each lane combines with those FIRST, 2·FIRST, … before it.
template <int FIRST = 1, typename Op, typename V>
__device__ __forceinline__ V warp_scan(const Op &op, V value) {
    const unsigned lane = threadIdx.x % WARP;
#pragma unroll
    for (int offset = FIRST; offset < WARP; offset *= 2) {
        const V before = __shfl_up_sync(ALL_LANES, value, offset);
        if (lane >= unsigned(offset)) value = op.apply(before, value);
    }
    return value;
}

// The exclusive scan of an inclusive one: the identity in lane 0.
template <typename Op, typename V>
__device__ __forceinline__ V warp_exclusive(const Op &, V inclusive) {
    const V before = __shfl_up_sync(ALL_LANES, inclusive, 1);
    return threadIdx.x % WARP == 0 ? V(Op::identity()) : before;
}

template <int FIRST = 1, typename T>
__device__ __forceinline__ T warp_inclusive_sum(T value) { return warp_scan<FIRST>(Sum<T>(), value); }
