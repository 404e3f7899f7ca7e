// dim_load.cuh — what the kernels of dim_reduce.cuh load at once, and how the values of neighbouring lanes are joined.
//
// Algorithm  A load is 1 to 16 bytes; its elements are unpacked where they are used, so that several loads are in flight. Values are
//            exchanged by shuffles of 32-bit words and joined in the order of the lanes.
// Limits     Loads of more than one element start at a multiple of their size.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "prim/thread/fold.cuh"
#include "prim/warp/shuffle.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

enum DimMode { DIM_SCALAR, DIM_COLUMNS, DIM_ROW };                 // a thread loads an element, or those of neighbouring columns, or of its row

// ---- device helpers -------------------------------------------------------------------------------------------------

// The values of `lanes` neighbouring lanes, a power of two, joined in order; all lanes of the warp call.
template <typename Fold>
__device__ __forceinline__ typename Fold::Value join_lanes(const Fold &fold, typename Fold::Value value, unsigned lanes) {
    for (unsigned offset = 1; offset < lanes; offset *= 2) {
        const auto other = shuffle_xor_value(value, static_cast<int>(offset));
        value = threadIdx.x & offset ? fold.merge(other, value) : fold.merge(value, other);
    }
    return value;
}

// So many bytes, loaded at once, and unpacked where they are used.
template <size_t BYTES>
struct alignas(BYTES) Packed {
    uint32_t words[BYTES / 4];
};
template <>
struct Packed<1> {
    uint8_t word;
};
template <>
struct Packed<2> {
    uint16_t word;
};

// The elements of a load, and what they do to values. MODE: see DimMode.
template <int MODE, int LENGTH, typename Fold>
struct DimLoad {
    using In = typename Fold::In;
    static constexpr int VALUES = MODE == DIM_COLUMNS ? LENGTH : 1;
    Packed<sizeof(In) * LENGTH> packed;

    __device__ __forceinline__ void load(const Fold &fold, const DimArrays &args, size_t at) {
        if constexpr (LENGTH == 1) {
            const In element = fold.read(args, at);
            memcpy(&packed, &element, sizeof(In));
        } else {
            packed = *reinterpret_cast<const Packed<sizeof(In) * LENGTH> *>(static_cast<const In *>(args.data) + at);
        }
    }
    __device__ __forceinline__ void take(const Fold &fold, size_t j, typename Fold::Value (&values)[VALUES]) const {
        In elements[LENGTH];
        memcpy(elements, &packed, sizeof elements);
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            if constexpr (MODE == DIM_COLUMNS) {
                fold.step(values[p], elements[p], j);
            } else {
                fold.step(values[0], elements[p], j * LENGTH + p);
            }
        }
    }
};
