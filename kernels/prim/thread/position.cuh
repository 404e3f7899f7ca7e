// position.cuh — elements of index vectors as positions in a dimension.
//
// Edges      What is no whole number, and what is not from 0 on, below the extent, gives OUTSIDE.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr uint64_t OUTSIDE = ~uint64_t(0);

enum IndexDtype { INDEX_F64 = 2, INDEX_I32 = 7, INDEX_I64 = 8, INDEX_U32 = 11, INDEX_U64 = 12 };  // gpumex_dtype

// ---- host and device helpers ----------------------------------------------------------------------------------------

inline bool is_index_dtype(int dtype) {
    return dtype == INDEX_F64 || dtype == INDEX_I32 || dtype == INDEX_I64 || dtype == INDEX_U32 || dtype == INDEX_U64;
}

// A whole number as it is; INT64_MIN, which no start brings into range (|start| ≤ 2^62), for others.
__device__ __forceinline__ int64_t whole_number(double number) {
    const int64_t integer = __double2ll_rz(number);
    return __ll2double_rn(integer) == number && fabs(number) < 4611686018427387904.0 ? integer : INT64_MIN;
}

__device__ __forceinline__ int64_t index_at(const void *indices, int dtype, size_t i) {
    switch (dtype) {
        case INDEX_U32: return __ldg(static_cast<const uint32_t *>(indices) + i);
        case INDEX_I32: return __ldg(static_cast<const int32_t *>(indices) + i);
        case INDEX_F64: return whole_number(__ldg(static_cast<const double *>(indices) + i));
        case INDEX_I64: return __ldg(static_cast<const long long *>(indices) + i);
        default: {
            const uint64_t index = __ldg(static_cast<const unsigned long long *>(indices) + i);
            return index >> 63 != 0 ? INT64_MIN : static_cast<int64_t>(index);
        }
    }
}

// start + indices[i], or OUTSIDE. The sum wraps: with |start| ≤ 2^62 what wraps is not below an extent of memory.
__device__ __forceinline__ uint64_t position_at(const void *indices, int dtype, size_t i, int64_t start, size_t extent) {
    const uint64_t position = static_cast<uint64_t>(index_at(indices, dtype, i)) + static_cast<uint64_t>(start);
    return position < extent ? position : OUTSIDE;
}
