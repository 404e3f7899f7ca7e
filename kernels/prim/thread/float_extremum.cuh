// float_extremum.cuh — the largest or the smallest float along a dimension: a fold of fold.cuh, with the results of ExtremumFold.
//
// Algorithm  The PTX instructions max.f32, max.NaN.f32 and max.f64, a third of the instructions that ranks take; min (x) is
//            -max (-x). There is no max.NaN.f64, so that a NaN among doubles is noted beside their largest, and no max.NaN.f32
//            before sm_80, where NaN is looked for.
// Edges      -0 is below +0. A NaN is left out with OMITS, and else is the result; of no element, or of NaN alone, the result is NaN,
//            quiet and positive.
// Source     PTX ISA, "Floating Point Instructions: max".
#pragma once

#include <math.h>
#include <string.h>

#include "prim/thread/fold.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// +0 is larger than -0; of a number and a NaN the number is taken, or with KEEPS_NAN the NaN.
template <bool KEEPS_NAN>
__device__ __forceinline__ float larger(float left, float right) {
    float result;
#if __CUDA_ARCH__ >= 800
    if constexpr (KEEPS_NAN) {
        asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(left), "f"(right));
        return result;
    }
#endif
    asm("max.f32 %0, %1, %2;" : "=f"(result) : "f"(left), "f"(right));
    return KEEPS_NAN && (is_nan_value(left) || is_nan_value(right)) ? NAN : result;
}
__device__ __forceinline__ double larger(double left, double right) {
    double result;
    asm("max.f64 %0, %1, %2;" : "=d"(result) : "d"(left), "d"(right));
    return result;
}

struct LargestDouble {
    double largest;
    uint32_t is_nan, unused;                                       // is_nan: one of the elements
};

// flip: the sign bit where the smallest element is sought, else 0.
template <typename Float, bool OMITS>
struct FloatExtremumFold : TypedReader<Float> {
    using In = Float;
    static constexpr bool ORDERED = false, NOTES = sizeof(Float) == 8 && !OMITS;
    using Value = std::conditional_t<NOTES, LargestDouble, Float>;
    using Bits = std::conditional_t<sizeof(Float) == 8, uint64_t, uint32_t>;
    Bits flip;

    __device__ __forceinline__ Float flipped(Float element) const {
        Bits bits;
        memcpy(&bits, &element, sizeof bits);
        bits ^= flip;
        memcpy(&element, &bits, sizeof bits);
        return element;
    }
    __device__ __forceinline__ Value identity() const {
        if constexpr (NOTES) {
            return {-double(INFINITY), 0, 0};
        } else {
            return OMITS ? Float(NAN) : -Float(INFINITY);
        }
    }
    __device__ __forceinline__ Value merge(const Value &left, const Value &right) const {
        if constexpr (NOTES) {
            return {larger(left.largest, right.largest), left.is_nan | right.is_nan, 0};
        } else if constexpr (sizeof(Float) == 8) {
            return larger(left, right);
        } else {
            return larger<!OMITS>(left, right);
        }
    }
    __device__ __forceinline__ void step(Value &value, Float element, size_t) const {
        if constexpr (NOTES) {
            value = merge(value, {flipped(element), is_nan_value(element), 0});
        } else {
            value = merge(value, flipped(element));
        }
    }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, const Value &value) const {
        Float result;
        bool is_nan = args.count == 0;
        if constexpr (NOTES) {
            result = value.largest;
            is_nan |= value.is_nan != 0;
        } else {
            result = value;
            is_nan |= is_nan_value(value);
        }
        Bits bits = RankOrder<Bits>::QUIET_NAN;
        if (!is_nan) {
            result = flipped(result);
            memcpy(&bits, &result, sizeof bits);
        }
        static_cast<Bits *>(args.result)[at] = bits;
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename Float, bool OMITS>
FloatExtremumFold<Float, OMITS> float_extremum_fold(const DimArrays &args) {
    FloatExtremumFold<Float, OMITS> fold;
    fold.flip = args.op == REDUCTION_MIN ? RankOrder<decltype(fold.flip)>::SIGN : 0;
    return fold;
}
