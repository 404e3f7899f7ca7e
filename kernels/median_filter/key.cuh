// key.cuh — elements as integers whose order is that of the numbers, and the mean of two elements, bit by bit as src/model/median.rs.
//
// Edges      -0 is less than 0; NaN, of either sign, is larger than all numbers, and becomes the positive quiet one.
#pragma once

#include <stdint.h>
#include <string.h>
#include <type_traits>

#include "prim/grid/window.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename S>
using KeyOf = std::conditional_t<sizeof(S) == 8, uint64_t, uint32_t>;

template <typename S>
__host__ __device__ __forceinline__ S element_of_bits(uint64_t bits) {
    S element;
    memcpy(&element, &bits, sizeof element);                       // the low bytes: little-endian
    return element;
}

template <typename S>
__host__ __device__ __forceinline__ KeyOf<S> float_bits(S element) {
    KeyOf<S> bits;
    memcpy(&bits, &element, sizeof bits);
    return bits;
}

// The key, of as many bits as the element; of a BOOL of one.
template <typename S>
__host__ __device__ __forceinline__ KeyOf<S> key_of(S element) {
    using Key = KeyOf<S>;
    constexpr Key SIGN = Key(1) << (8 * sizeof(S) - 1);
    if constexpr (std::is_same_v<S, WindowBool>) {
        return element.byte != 0;
    } else if constexpr (std::is_floating_point_v<S>) {
        const Key bits = float_bits(element), key = (bits & SIGN) != 0 ? ~bits : bits | SIGN;
        return element != element ? ~Key(0) : key;
    } else if constexpr (std::is_signed_v<S>) {
        return static_cast<Key>(static_cast<std::make_unsigned_t<S>>(element)) ^ SIGN;
    } else {
        return element;
    }
}

template <typename S>
__device__ __forceinline__ S quiet_nan() {
    return element_of_bits<S>(sizeof(S) == 8 ? uint64_t(0x7ff8) << 48 : uint64_t(0x7fc00000));
}

template <typename S>
__device__ __forceinline__ S element_of(KeyOf<S> key) {
    using Key = KeyOf<S>;
    constexpr Key SIGN = Key(1) << (8 * sizeof(S) - 1);
    if constexpr (std::is_same_v<S, WindowBool>) {
        return WindowBool{static_cast<uint8_t>(key)};
    } else if constexpr (std::is_floating_point_v<S>) {
        if (key == ~Key(0)) return quiet_nan<S>();
        return element_of_bits<S>((key & SIGN) != 0 ? key ^ SIGN : static_cast<Key>(~key));
    } else if constexpr (std::is_signed_v<S>) {
        return static_cast<S>(key ^ SIGN);
    } else {
        return static_cast<S>(key);
    }
}

// The mean of two elements, rounded, of integers halves away from zero.
template <typename S>
__device__ __forceinline__ S mean_of(S a, S b) {
    if constexpr (std::is_same_v<S, WindowBool>) {
        return WindowBool{static_cast<uint8_t>(a.byte | b.byte)};
    } else if constexpr (std::is_same_v<S, float>) {
        const float mean = static_cast<float>((static_cast<double>(a) + static_cast<double>(b)) / 2.0);
        return mean != mean ? quiet_nan<S>() : mean;
    } else if constexpr (std::is_same_v<S, double>) {
        const double sum = a + b, mean = isinf(sum) ? a / 2.0 + b / 2.0 : sum / 2.0;
        return mean != mean ? quiet_nan<S>() : mean;
    } else if constexpr (std::is_signed_v<S>) {
        const long long x = a, y = b, below = (x & y) + ((x ^ y) >> 1);
        return static_cast<S>(below >= 0 ? below + ((x ^ y) & 1) : below);
    } else {
        const unsigned long long x = a, y = b;
        return static_cast<S>((x | y) - ((x ^ y) >> 1));
    }
}
