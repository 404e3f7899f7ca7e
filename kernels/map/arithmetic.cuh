// arithmetic.cuh — operations that are the same bits on every backend.
//
// Algorithm  As src/model/expression/lane.rs. Sums and products of floats are rounded one by one: nothing is contracted.
// Edges      Integers wrap. x / 0 and x rem 0 are 0, x mod 0 is x. The saturating ones end at the range of their type, x / 0 by the
//            sign of x. min and max take the other number where one is NaN. A shift by less than 0 or the width and more is 0, or -1.
#pragma once

#include "map/words.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct MapRange {
    static constexpr bool IS_SIGNED = std::is_signed_v<T>;
    static constexpr int BITS = 8 * sizeof(T);
    static constexpr T MOST = IS_SIGNED ? T((uint64_t(1) << (BITS - 1)) - 1) : T(~uint64_t(0));
    static constexpr T LEAST = T(~MOST);
    using Unsigned = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
};

__device__ __forceinline__ float sum(float x, float y) { return __fadd_rn(x, y); }
__device__ __forceinline__ double sum(double x, double y) { return __dadd_rn(x, y); }
__device__ __forceinline__ float difference(float x, float y) { return __fsub_rn(x, y); }
__device__ __forceinline__ double difference(double x, double y) { return __dsub_rn(x, y); }
__device__ __forceinline__ float product(float x, float y) { return __fmul_rn(x, y); }
__device__ __forceinline__ double product(double x, double y) { return __dmul_rn(x, y); }
__device__ __forceinline__ float quotient(float x, float y) { return __fdiv_rn(x, y); }
__device__ __forceinline__ double quotient(double x, double y) { return __ddiv_rn(x, y); }
__device__ __forceinline__ float root(float x) { return __fsqrt_rn(x); }
__device__ __forceinline__ double root(double x) { return __dsqrt_rn(x); }

template <typename T>
using Unsigned = typename MapRange<T>::Unsigned;

template <typename T>
__device__ __forceinline__ T sum(T x, T y) { return T(Unsigned<T>(x) + Unsigned<T>(y)); }
template <typename T>
__device__ __forceinline__ T difference(T x, T y) { return T(Unsigned<T>(x) - Unsigned<T>(y)); }
template <typename T>
__device__ __forceinline__ T product(T x, T y) { return T(Unsigned<T>(x) * Unsigned<T>(y)); }

template <typename T>
__device__ __forceinline__ bool is_negative(T x) {
    if constexpr (std::is_signed_v<T>) return x < 0;
    else return false;
}

// |x|, which the unsigned type holds.
template <typename T>
__device__ __forceinline__ Unsigned<T> magnitude(T x) { return is_negative(x) ? Unsigned<T>(0) - Unsigned<T>(x) : Unsigned<T>(x); }

template <typename T>
__device__ __forceinline__ T signed_as(Unsigned<T> magnitude, bool negative) { return T(negative ? Unsigned<T>(0) - magnitude : magnitude); }

// |y|, and 1 in the place of 0: there are no branches, around which the lanes of the accumulator would be copied.
template <typename T>
__device__ __forceinline__ Unsigned<T> divisor_of(T y) { return y == 0 ? Unsigned<T>(1) : magnitude(y); }

template <typename T>
__device__ __forceinline__ T quotient(T x, T y) {
    const T result = signed_as<T>(magnitude(x) / divisor_of(y), is_negative(x) != is_negative(y));
    return y == 0 ? 0 : result;
}

template <typename T>
__device__ __forceinline__ T rest_of(T x, T y) { return signed_as<T>(magnitude(x) % divisor_of(y), is_negative(x)); }

template <typename T>
__device__ __forceinline__ T modulo(T x, T y) {
    const T rest = rest_of(x, y), other = rest != 0 && is_negative(rest) != is_negative(y) ? sum(rest, y) : rest;
    return y == 0 ? x : other;
}

template <typename T>
__device__ __forceinline__ T add_saturated(T x, T y) {
    const T total = sum(x, y);
    if constexpr (std::is_signed_v<T>) {
        return ((x ^ total) & (y ^ total)) < 0 ? (x < 0 ? MapRange<T>::LEAST : MapRange<T>::MOST) : total;
    } else {
        return total < x ? MapRange<T>::MOST : total;
    }
}

template <typename T>
__device__ __forceinline__ T sub_saturated(T x, T y) {
    const T less = difference(x, y);
    if constexpr (std::is_signed_v<T>) {
        return ((x ^ y) & (x ^ less)) < 0 ? (x < 0 ? MapRange<T>::LEAST : MapRange<T>::MOST) : less;
    } else {
        return x < y ? 0 : less;
    }
}

__device__ __forceinline__ uint32_t high_half(uint32_t x, uint32_t y) { return __umulhi(x, y); }
__device__ __forceinline__ uint64_t high_half(uint64_t x, uint64_t y) { return __umul64hi(x, y); }

template <typename T>
__device__ __forceinline__ T mul_saturated(T x, T y) {
    const Unsigned<T> a = magnitude(x), b = magnitude(y), product = a * b;
    const bool negative = is_negative(x) != is_negative(y);
    const Unsigned<T> most = Unsigned<T>(MapRange<T>::MOST) + (negative ? 1 : 0);
    return signed_as<T>(high_half(a, b) != 0 || product > most ? most : product, negative);
}

template <typename T>
__device__ __forceinline__ T div_saturated(T x, T y) {
    const Unsigned<T> a = magnitude(x), b = divisor_of(y), quotient = a / b, rest = a - quotient * b;
    const Unsigned<T> rounded = quotient + (rest >= b - rest ? 1 : 0);
    const bool negative = is_negative(x) != is_negative(y);
    const T result = !negative && rounded > Unsigned<T>(MapRange<T>::MOST) ? MapRange<T>::MOST : signed_as<T>(rounded, negative);
    const T by_zero = is_negative(x) ? MapRange<T>::LEAST : x == 0 ? T(0) : MapRange<T>::MOST;
    return y == 0 ? by_zero : result;
}

template <typename T>
__device__ __forceinline__ T sign_of(T x) {
    if constexpr (std::is_floating_point_v<T>) return x > 0 ? T(1) : x < 0 ? T(-1) : sum(x, T(0));
    else return is_negative(x) ? T(-1) : T(x > 0);
}

template <typename T>
__device__ __forceinline__ T negated(T x) {
    if constexpr (std::is_floating_point_v<T>) return -x;
    else return difference(T(0), x);
}

template <typename T>
__device__ __forceinline__ T absolute(T x) {
    if constexpr (std::is_floating_point_v<T>) return fabs(x);
    else return T(magnitude(x));
}

template <typename T>
__device__ __forceinline__ T shifted_left(T x, T y) {
    return Unsigned<T>(y) >= MapRange<T>::BITS ? T(0) : T(Unsigned<T>(x) << unsigned(y));
}

template <typename T>
__device__ __forceinline__ T shifted_right(T x, T y) {
    const unsigned count = Unsigned<T>(y) >= MapRange<T>::BITS ? MapRange<T>::BITS - 1 : unsigned(y);
    const T shifted = T(x >> count);
    return Unsigned<T>(y) >= MapRange<T>::BITS && !is_negative(x) ? T(0) : shifted;
}

// The lowest `bits` bits, extended by their sign or by zeros.
template <typename T>
__device__ __forceinline__ T wrapped(T x, unsigned bits, bool with_sign) {
    const unsigned unused = bits < MapRange<T>::BITS ? MapRange<T>::BITS - bits : 0;
    const Unsigned<T> up = Unsigned<T>(x) << unused;
    return with_sign ? T(std::make_signed_t<T>(up) >> unused) : T(up >> unused);
}

// x op y, or of y if the operation has one operand: a number of T, or 0 and 1.
template <int OP, typename T>
__device__ __forceinline__ auto map_operation(T x, T y) {
    if constexpr (OP == OP_ADD) return sum(x, y);
    else if constexpr (OP == OP_SUB) return difference(x, y);
    else if constexpr (OP == OP_MUL) return product(x, y);
    else if constexpr (OP == OP_DIV) return quotient(x, y);
    else if constexpr (OP == OP_REM) return rest_of(x, y);
    else if constexpr (OP == OP_MOD) return modulo(x, y);
    else if constexpr (OP == OP_MIN) return y < x || x != x ? y : x;
    else if constexpr (OP == OP_MAX) return y > x || x != x ? y : x;
    else if constexpr (OP == OP_ADDS) return add_saturated(x, y);
    else if constexpr (OP == OP_SUBS) return sub_saturated(x, y);
    else if constexpr (OP == OP_MULS) return mul_saturated(x, y);
    else if constexpr (OP == OP_DIVS) return div_saturated(x, y);
    else if constexpr (OP == OP_EQ) return int32_t(x == y);
    else if constexpr (OP == OP_NE) return int32_t(x != y);
    else if constexpr (OP == OP_LT) return int32_t(x < y);
    else if constexpr (OP == OP_LE) return int32_t(x <= y);
    else if constexpr (OP == OP_BITAND) return T(x & y);
    else if constexpr (OP == OP_BITOR) return T(x | y);
    else if constexpr (OP == OP_BITXOR) return T(x ^ y);
    else if constexpr (OP == OP_SHL) return shifted_left(x, y);
    else return shifted_right(x, y);
}

template <int OP, typename T>
__device__ __forceinline__ auto map_operation(T x) {
    if constexpr (OP >= OP_CONVERT_TO) return converted<MapNumber<OP - OP_CONVERT_TO>>(x);
    else if constexpr (OP == OP_NEG) return negated(x);
    else if constexpr (OP == OP_ABS) return absolute(x);
    else if constexpr (OP == OP_NEGS) return sub_saturated(T(0), x);
    else if constexpr (OP == OP_ABSS) return is_negative(x) ? sub_saturated(T(0), x) : x;
    else if constexpr (OP == OP_SIGN) return sign_of(x);
    else if constexpr (OP == OP_NOT) return int32_t(x == 0);
    else if constexpr (OP == OP_TEST) return int32_t(x != 0);
    else if constexpr (OP == OP_BITNOT) return T(~x);
    else if constexpr (OP == OP_ISNAN) return int32_t(x != x);
    else if constexpr (OP == OP_ISINF) return int32_t(isinf(x));
    else if constexpr (OP == OP_ISFINITE) return int32_t(isfinite(x));
    else if constexpr (OP == OP_FLOOR) return floor(x);
    else if constexpr (OP == OP_CEIL) return ceil(x);
    else if constexpr (OP == OP_ROUND) return round(x);
    else if constexpr (OP == OP_TRUNC) return trunc(x);
    else return root(x);
}
