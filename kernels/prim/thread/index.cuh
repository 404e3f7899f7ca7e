// index.cuh — indices, positions and offsets of 4 or 8 bytes, the width known at run time.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ size_t load_index(const void *indices, unsigned bytes, size_t at) {
    if (bytes == 8) return static_cast<const unsigned long long *>(indices)[at];
    return static_cast<const uint32_t *>(indices)[at];
}

__device__ __forceinline__ void store_index(void *indices, unsigned bytes, size_t at, size_t index) {
    if (bytes == 8) static_cast<unsigned long long *>(indices)[at] = index;
    else static_cast<uint32_t *>(indices)[at] = static_cast<uint32_t>(index);
}
