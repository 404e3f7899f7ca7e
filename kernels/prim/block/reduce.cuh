// reduce.cuh — the sum of one value a thread over a block.
//
// Algorithm  A tree of shuffles in each warp, then one over the sums of the warps, which pass through shared memory. The order
//            of the additions depends on the block's size alone.
// Cost       Ten shuffles and additions, one barrier; 32 elements of shared memory.
// Limits     Blocks of one dimension and of whole warps, not necessarily a power of two of them.
// Edges      Thread 0 alone has the sum. A second call in one kernel needs a barrier before it.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007; J. Luitjens, "Faster Parallel Reductions on
//            Kepler", NVIDIA 2014 (shuffles).
#pragma once

#include <cuda_runtime.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

// Lane 0 has the sum over the warp.
template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

// Thread 0 has the sum over the block.
template <typename T>
__device__ __forceinline__ T block_sum(T value) {
    __shared__ T sums[32];                                         // one a warp
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    value = warp_sum(value);
    if (lane == 0) sums[warp] = value;
    __syncthreads();                                               // all sums are there before the first warp adds them
    return warp == 0 ? warp_sum(lane < warps ? sums[lane] : T(0)) : T(0);
}
