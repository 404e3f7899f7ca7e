// number.cuh — the types in which products are summed, float, double, int32_t and int64_t: from an element, to a result.
//
// Edges      Integers wrap. A sum becomes an integer of the result's type rounded, halves away from zero, and saturated; NaN becomes 0.
#pragma once

#include <stdint.h>
#include <string.h>
#include <type_traits>

#include "prim/grid/window.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
__host__ __device__ __forceinline__ T from_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);                           // the low bytes: little-endian
    return value;
}

template <typename T>
__host__ __device__ __forceinline__ uint64_t bits_of(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

// An element as a number of the sums' type.
template <typename A, typename S>
__host__ __device__ __forceinline__ A widened(S element) {
    if constexpr (std::is_same_v<S, WindowBool>) return element.byte != 0 ? A(1) : A(0);
    else if constexpr (std::is_integral_v<A> && std::is_floating_point_v<S>) return A(0);  // not served
    else return static_cast<A>(element);
}

__device__ __forceinline__ float multiply_add(float weight, float element, float sum) { return __fmaf_rn(weight, element, sum); }
__device__ __forceinline__ double multiply_add(double weight, double element, double sum) { return __fma_rn(weight, element, sum); }

__device__ __forceinline__ int32_t multiply_add(int32_t weight, int32_t element, int32_t sum) {
    return static_cast<int32_t>(static_cast<uint32_t>(weight) * static_cast<uint32_t>(element) + static_cast<uint32_t>(sum));
}

__device__ __forceinline__ int64_t multiply_add(int64_t weight, int64_t element, int64_t sum) {
    return static_cast<int64_t>(static_cast<uint64_t>(weight) * static_cast<uint64_t>(element) + static_cast<uint64_t>(sum));
}

__device__ __forceinline__ float away_from_zero(float x) { return roundf(x); }
__device__ __forceinline__ double away_from_zero(double x) { return round(x); }

// A sum as a result.
template <typename R, typename A>
__device__ __forceinline__ R narrowed(A sum) {
    if constexpr (std::is_same_v<R, WindowBool>) {
        return WindowBool{static_cast<uint8_t>(sum != A(0))};
    } else if constexpr (std::is_floating_point_v<R>) {
        return static_cast<R>(sum);
    } else {
        constexpr bool SIGNED = std::is_signed_v<R>;
        constexpr R HIGH = SIGNED ? static_cast<R>((uint64_t(1) << (8 * sizeof(R) - 1)) - 1) : static_cast<R>(~uint64_t(0));
        constexpr R LOW = SIGNED ? static_cast<R>(-static_cast<long long>(HIGH) - 1) : R(0);
        if constexpr (std::is_floating_point_v<A>) {
            if (sum != sum) return R(0);
            const A whole = away_from_zero(sum);
            if (whole <= static_cast<A>(LOW)) return LOW;
            return whole >= static_cast<A>(HIGH) ? HIGH : static_cast<R>(whole);
        } else {
            const long long whole = sum;
            if (!SIGNED && whole < 0) return R(0);
            if (sizeof(R) == 8) return static_cast<R>(whole);
            if (whole < static_cast<long long>(LOW)) return LOW;
            return whole > static_cast<long long>(HIGH) ? HIGH : static_cast<R>(whole);
        }
    }
}
