// elementary.cuh — functions that CUDA's library computes within a few units in the last place.
//
// Edges      rem is C's fmod; mod has the sign of the divisor, and x mod 0 is x.
// Source     CUDA C++ Programming Guide, "Mathematical Functions": largest errors of each function.
#pragma once

#include "map/arithmetic.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
__device__ __forceinline__ T float_mod(T x, T y) {
    const T rest = fmod(x, y);
    if (y == 0) return x;
    return rest != 0 && (rest < 0) != (y < 0) ? sum(rest, y) : rest;
}

template <int OP, typename T>
__device__ __forceinline__ T map_function(T x, T y) {
    if constexpr (OP == OP_CBRT) return cbrt(x);
    else if constexpr (OP == OP_EXP) return exp(x);
    else if constexpr (OP == OP_EXPM1) return expm1(x);
    else if constexpr (OP == OP_EXP2) return exp2(x);
    else if constexpr (OP == OP_LOG) return log(x);
    else if constexpr (OP == OP_LOG1P) return log1p(x);
    else if constexpr (OP == OP_LOG2) return log2(x);
    else if constexpr (OP == OP_LOG10) return log10(x);
    else if constexpr (OP == OP_SIN) return sin(x);
    else if constexpr (OP == OP_COS) return cos(x);
    else if constexpr (OP == OP_TAN) return tan(x);
    else if constexpr (OP == OP_ASIN) return asin(x);
    else if constexpr (OP == OP_ACOS) return acos(x);
    else if constexpr (OP == OP_ATAN) return atan(x);
    else if constexpr (OP == OP_SINH) return sinh(x);
    else if constexpr (OP == OP_COSH) return cosh(x);
    else if constexpr (OP == OP_TANH) return tanh(x);
    else if constexpr (OP == OP_ASINH) return asinh(x);
    else if constexpr (OP == OP_ACOSH) return acosh(x);
    else if constexpr (OP == OP_ATANH) return atanh(x);
    else if constexpr (OP == OP_ERF) return erf(x);
    else if constexpr (OP == OP_ERFC) return erfc(x);
    else if constexpr (OP == OP_GAMMA) return tgamma(x);
    else if constexpr (OP == OP_LGAMMA) return lgamma(x);
    else if constexpr (OP == OP_POW) return pow(x, y);
    else if constexpr (OP == OP_ATAN2) return atan2(x, y);
    else if constexpr (OP == OP_HYPOT) return hypot(x, y);
    else if constexpr (OP == OP_REM) return fmod(x, y);
    else return float_mod(x, y);
}
