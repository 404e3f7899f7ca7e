// shared_address.cuh — the 32-bit address of a place in shared memory, as inline PTX takes it.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ uint32_t shared_address(const void *place) {
    return static_cast<uint32_t>(__cvta_generic_to_shared(place));
}
