// scan.cuh — reductions and prefixes over the lanes of a warp and over a block, with any operator of operator.cuh.
//
// Algorithm  Reductions: a butterfly in each warp, so that every lane has the result. Prefixes: five steps, each takes in that of
//            a lane twice as far away. The order of the operations is fixed.
// Cost       Five shuffles (ten of 8 bytes), one more where a prefix leaves out its own lane.
// Limits     Blocks of one dimension and of whole warps.
// Source     W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986; M. Harris, "Optimizing Parallel Reduction in
//            CUDA", NVIDIA 2007.
#pragma once

#include <cuda_runtime.h>

#include "prim/grid/launch.cuh"
#include "prim/thread/operator.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// Every lane has the result over the warp; all lanes call.
template <typename Op, typename V>
__device__ __forceinline__ V warp_reduce(const Op &op, V value) {
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2) value = op.apply(value, V(__shfl_xor_sync(ALL_LANES, value, offset)));
    return value;
}

// The result over the lanes up to this one; all lanes call.
template <typename Op, typename V>
__device__ __forceinline__ V warp_scan(const Op &op, V value) {
    const unsigned lane = threadIdx.x % WARP;
#pragma unroll
    for (int offset = 1; offset < WARP; offset *= 2) {
        const V before = __shfl_up_sync(ALL_LANES, value, offset);
        if (lane >= unsigned(offset)) value = op.apply(before, value);
    }
    return value;
}

// Of a warp_scan: that of the lane before, the identity for the first.
template <typename Op, typename V>
__device__ __forceinline__ V warp_before(const Op &, V scanned) {
    const V before = __shfl_up_sync(ALL_LANES, scanned, 1);
    return threadIdx.x % WARP == 0 ? V(Op::identity()) : before;
}

// Thread 0 has the result over the block. A second call in one kernel needs a barrier before it.
template <typename Op, typename V>
__device__ __forceinline__ V block_reduce(const Op &op, V value) {
    __shared__ V results[WARP];                                    // one a warp
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    value = warp_reduce(op, value);
    if (lane == 0) results[warp] = value;
    __syncthreads();                                               // all results are there before the first warp joins them
    if (warp != 0) return value;
    return warp_reduce(op, lane < warps ? results[lane] : V(Op::identity()));
}
