// reduce.cuh — reductions over the lanes of a warp, with any operator of operator.cuh.
//
// Algorithm  A butterfly, so that every lane has the result; the order of the operations is fixed. The maximum of unsigned integers is
//            one instruction from 8.0 on.
// Cost       Five shuffles (ten of 8 bytes).
// Edges      All lanes call. warp_min ignores NaN.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007.
#pragma once

#include <cuda_runtime.h>

#include "prim/thread/operator.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// The reduction over the warp, in every lane.
template <typename Op, typename V>
__device__ __forceinline__ V warp_reduce(const Op &op, V value) {
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2) value = op.apply(value, V(__shfl_xor_sync(ALL_LANES, value, offset)));
    return value;
}

template <typename T>
__device__ __forceinline__ T warp_sum(T value) { return warp_reduce(Sum<T>(), value); }

__device__ __forceinline__ unsigned warp_max(unsigned value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL_LANES, value);
#else
    for (int offset = WARP / 2; offset > 0; offset /= 2) value = max(value, __shfl_xor_sync(ALL_LANES, value, offset));
    return value;
#endif
}

__device__ __forceinline__ float warp_min(float value) {
    for (int offset = WARP / 2; offset > 0; offset /= 2) value = fminf(value, __shfl_xor_sync(ALL_LANES, value, offset));
    return value;
}
