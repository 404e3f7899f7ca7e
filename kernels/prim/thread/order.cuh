// order.cuh — keys as unsigned integers that compare as the keys do (radix-sort order).
//
//   rank (a) < rank (b)   iff   a comes before b
//
// Algorithm  An unsigned integer as it is, a signed one with its sign flipped, a float with its sign set where that was 0 and
//            all bits flipped where it was 1. -0 ranks as 0, every NaN behind +infinity; of floats of 4 bytes a sum with 0
//            canonicalises these. A descending order flips all bits of the rank. Keys are handled as bits of their size; their
//            type is data, not a template parameter.
// Cost       Two operations for integers, four for floats of 4 bytes, seven for those of 8.
// Source     M. Herf, "Radix Tricks", 2001 (floats as ordered integers).
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

// The numbers of gpumex_dtype.
enum Dtype { DTYPE_F32 = 1, DTYPE_F64 = 2, DTYPE_I32 = 7, DTYPE_I64 = 8, DTYPE_U32 = 11, DTYPE_U64 = 12 };

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr bool is_wide_dtype(int dtype) { return dtype == DTYPE_F64 || dtype == DTYPE_I64 || dtype == DTYPE_U64; }    // 8 bytes
constexpr bool is_float_dtype(int dtype) { return dtype == DTYPE_F32 || dtype == DTYPE_F64; }
constexpr bool is_signed_dtype(int dtype) { return dtype == DTYPE_I32 || dtype == DTYPE_I64; }                         // integer

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
        return {Bits((is_signed_dtype(dtype) ? SIGN : Bits(0)) ^ (descending ? ~Bits(0) : Bits(0))), is_float_dtype(dtype)};
    }

    // The one of all floats that compare as equal to this one: of zeros that without a sign, of NaNs the greatest positive one.
    __host__ __device__ __forceinline__ static Bits representative(Bits key) {
#ifdef __CUDA_ARCH__
        if constexpr (sizeof(Bits) == 4) {
            float sum;                                             // -0 + 0 is 0; sums that are NaN all have these bits
            asm("add.rn.f32 %0, %1, 0f00000000;" : "=f"(sum) : "f"(__uint_as_float(key)));
            return __float_as_uint(sum);
        }
#endif
        const Bits magnitude = key & ~SIGN;
        return magnitude > INFINITE ? ~SIGN : magnitude == 0 ? Bits(0) : key;
    }

    __host__ __device__ __forceinline__ Bits rank(Bits key) const {
        if (!is_float) return key ^ flip;
        key = representative(key);
        return (key & SIGN ? ~key : key | SIGN) ^ flip;
    }
};
