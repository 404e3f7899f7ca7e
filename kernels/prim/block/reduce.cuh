// reduce.cuh — the reduction of one value a thread over a block, with any operator of operator.cuh.
//
// Algorithm  warp_reduce in each warp, then over the results of the warps, which pass through shared memory. The order of the
//            operations depends on the block's size alone.
// Cost       Ten shuffles and operations, one barrier; 32 elements of shared memory.
// Limits     Blocks of one dimension and of whole warps, not necessarily a power of two of them.
// Edges      Thread 0 alone has the result. A second call in one kernel needs a barrier before it.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007; J. Luitjens, "Faster Parallel Reductions on
//            Kepler", NVIDIA 2014 (shuffles).
#pragma once

#include <cuda_runtime.h>

#include "prim/thread/operator.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Op, typename V>
__device__ __forceinline__ V block_reduce(const Op &op, V value) {
    __shared__ V results[WARP];                                    // one a warp
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    value = warp_reduce(op, value);
    if (lane == 0) results[warp] = value;
    __syncthreads();                                               // the results of all warps are there
    if (warp != 0) return value;
    return warp_reduce(op, lane < warps ? results[lane] : V(Op::identity()));
}

template <typename T>
__device__ __forceinline__ T block_sum(T value) { return block_reduce(Sum<T>(), value); }
