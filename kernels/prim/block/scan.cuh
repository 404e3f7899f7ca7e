// scan.cuh — exclusive sums over the threads of a block.
//
// Algorithm  A scan in each warp, then the sums of the warps in shared memory, which every thread adds up.
// Cost       Six shuffles and one barrier; a slot of shared memory a warp.
// Source     W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986.
#pragma once

#include <cuda_runtime.h>

#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// The sum of the values of the threads before, and *total ← that of all; slots (NT / WARP) of shared memory. All threads call.
template <int NT, typename T>
__device__ __forceinline__ T block_exclusive_sum(T value, T *slots, T *total) {
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const T inclusive = warp_inclusive_sum(value);
    if (lane == WARP - 1) slots[warp] = inclusive;
    __syncthreads();                                               // the sums of all warps are there
    T before = 0, all = 0;
#pragma unroll
    for (unsigned w = 0; w < NT / WARP; ++w) {
        if (w == warp) before = all;
        all += slots[w];
    }
    *total = all;
    return before + inclusive - value;
}
