// tensor_map.cuh — tensor maps: how a batch of matrices lies in memory, for TMA.
//
// Algorithm  The driver encodes it. Boxes have lines of 128 bytes with the 128-byte swizzle, or others without; outside the matrices
//            they are zero.
// Limits     Data and all strides are multiples of 16 bytes; a box has at most 256 lines.
// Source     CUDA Driver API, "cuTensorMapEncodeTiled".
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr size_t MAP_LIMIT = size_t(1) << 31;                      // rows, columns, elements from a row to the next, matrices

// Whether sizes of matrices are such that coordinates and strides can be told.
inline bool is_for_map(size_t rows, size_t cols, size_t ld, size_t matrices) {
    return rows < MAP_LIMIT && cols < MAP_LIMIT && ld < MAP_LIMIT && matrices < MAP_LIMIT;
}

// Whether matrices of such sizes, of elements of `width` bytes, lie one behind the other as a map wants them.
inline bool is_apart_for_map(size_t rows, size_t ld, size_t stride, size_t matrices, size_t width) {
    return matrices == 1 || (stride * width % 16 == 0 && stride >= rows * ld && stride < MAP_LIMIT * 32);
}

// Whether they are aligned as well.
inline bool lies_for_map(const void *data, size_t rows, size_t ld, size_t stride, size_t matrices, size_t width) {
    const bool is_aligned = reinterpret_cast<size_t>(data) % 16 == 0 && ld * width % 16 == 0;
    return is_aligned && is_apart_for_map(rows, ld, stride, matrices, width);
}

struct MapExtent {
    cuuint64_t cols, rows, matrices;
};

struct MapStrides {
    cuuint64_t row, matrix;                                        // bytes
};

struct MapBox {
    cuuint32_t cols, rows, matrices;
};

// *map ← that; cudaErrorNotSupported where the driver does not do it.
inline cudaError_t make_tensor_map(CUtensorMapDataType type, const void *data, MapExtent extent, MapStrides strides, MapBox box,
                                   CUtensorMap *map, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_128B) {
    using EncodeTiled = CUresult (*)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
                                     const cuuint32_t *, const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                     CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
    static void *known = nullptr;                                  // the driver's entry, asked for once
    void *entry = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (entry == nullptr) {
        cudaDriverEntryPointQueryResult found;
        const cudaError_t error =
            cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
        if (error != cudaSuccess) return error;
        if (found != cudaDriverEntryPointSuccess) return cudaErrorNotSupported;
        __atomic_store_n(&known, entry, __ATOMIC_RELAXED);
    }
    const cuuint64_t extents[3] = {extent.cols, extent.rows, extent.matrices}, bytes[2] = {strides.row, strides.matrix};
    const cuuint32_t boxes[3] = {box.cols, box.rows, box.matrices}, steps[3] = {1, 1, 1};
    const CUresult result = reinterpret_cast<EncodeTiled>(entry)(
        map, type, 3, const_cast<void *>(data), extents, bytes, boxes, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
        swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorNotSupported;
}
