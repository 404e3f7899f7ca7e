// prefix.cuh — what the lanes of a warp compute together.
//
// Algorithm  warp_prefix   the sum of the values up to this lane's own: five steps, each adds that of a lane twice as far away.
// Source     W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986.
#pragma once

#include <cuda_runtime.h>

#include "prim/grid/launch.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// The sum of the values of the lanes up to this one; all lanes call.
__device__ __forceinline__ unsigned warp_prefix(unsigned value) {
    const int lane = threadIdx.x % WARP;
    for (int offset = 1; offset < WARP; offset *= 2) {
        const unsigned before = __shfl_up_sync(ALL_LANES, value, offset);
        if (lane >= offset) value += before;
    }
    return value;
}
