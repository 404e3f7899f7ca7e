// order.cuh — the order of keys, as unsigned integers that compare as the keys do.
//
//   rank (a) < rank (b)   iff   a comes before b
//
// Algorithm  Of the bits of a key: an unsigned integer as it is, a signed one with its sign flipped, a float with its sign set where
//            that was 0 and all bits flipped where it was 1. -0 ranks as 0, every NaN behind +infinity. A descending order flips
//            all bits of the rank. Keys move as bits of their size; their type is data, not a template parameter.
// Cost       Two operations for integers, six for floats.
// Source     M. Herf, "Radix Tricks", 2001 (floats as ordered integers).
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

// The numbers of gpumex_dtype.
enum Dtype { DTYPE_F32 = 0, DTYPE_F64 = 1, DTYPE_I32 = 4, DTYPE_I64 = 5, DTYPE_U32 = 8, DTYPE_U64 = 9 };

// ---- device helpers -------------------------------------------------------------------------------------------------

// Bits is uint32_t or uint64_t.
template <typename Bits>
struct KeyOrder {
    static constexpr Bits SIGN = Bits(1) << (8 * sizeof(Bits) - 1);
    static constexpr Bits INFINITE = sizeof(Bits) == 4 ? Bits(0x7F800000u) : Bits(0x7FF0000000000000ull);

    Bits flip;                                                     // what an integer's bits are xored with
    bool is_float;

    // The order of keys of a dtype of this size.
    static KeyOrder of(int dtype, bool descending) {
        const bool is_signed = dtype == DTYPE_I32 || dtype == DTYPE_I64;
        return {Bits((is_signed ? SIGN : Bits(0)) ^ (descending ? ~Bits(0) : Bits(0))), dtype == DTYPE_F32 || dtype == DTYPE_F64};
    }

    __host__ __device__ __forceinline__ Bits rank(Bits key) const {
        if (!is_float) return key ^ flip;
        const Bits magnitude = key & ~SIGN;
        Bits rank = magnitude == key || magnitude == 0 ? magnitude | SIGN : ~key;
        if (magnitude > INFINITE) rank = ~Bits(0);
        return rank ^ flip;
    }
};
