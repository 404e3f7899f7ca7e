// words.cuh — lanes of the interpreter as words, and the conversions among its five types.
//
// Limits     A 32-bit type in a 64-bit word is its lower half; the upper half is anything.
// Edges      To integers: truncated, saturated, NaN is 0. Among integers: wrapped. To floats: rounded to nearest even.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include <type_traits>

#include "map/operations.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <int TYPE>
using MapNumber = std::conditional_t<
    TYPE == TYPE_I32, int32_t,
    std::conditional_t<TYPE == TYPE_I64, int64_t,
                       std::conditional_t<TYPE == TYPE_U64, uint64_t, std::conditional_t<TYPE == TYPE_F32, float, double>>>>;

template <typename Word, typename T>
__device__ __forceinline__ Word word_of(T value) {
    if constexpr (std::is_same_v<T, float>) return __float_as_uint(value);
    else if constexpr (std::is_same_v<T, double>) return static_cast<Word>(__double_as_longlong(value));
    else if constexpr (sizeof(T) == 4) return static_cast<uint32_t>(value);
    else return static_cast<Word>(value);
}

template <typename T, typename Word>
__device__ __forceinline__ T number_of(Word word) {
    if constexpr (std::is_same_v<T, float>) return __uint_as_float(static_cast<uint32_t>(word));
    else if constexpr (std::is_same_v<T, double>) return __longlong_as_double(static_cast<long long>(word));
    else return static_cast<T>(word);
}

// NaN is tested for: PTX leaves it 2^63 where the source or the target has 64 bits.
template <typename To>
__device__ __forceinline__ To truncated(float value) {
    if constexpr (std::is_same_v<To, int32_t>) return value != value ? 0 : __float2int_rz(value);
    else if constexpr (std::is_same_v<To, int64_t>) return value != value ? 0 : __float2ll_rz(value);
    else return value != value ? 0 : __float2ull_rz(value);
}

template <typename To>
__device__ __forceinline__ To truncated(double value) {
    if constexpr (std::is_same_v<To, int32_t>) return value != value ? 0 : __double2int_rz(value);
    else if constexpr (std::is_same_v<To, int64_t>) return value != value ? 0 : __double2ll_rz(value);
    else return value != value ? 0 : __double2ull_rz(value);
}

__device__ __forceinline__ float to_float(int32_t value) { return __int2float_rn(value); }
__device__ __forceinline__ float to_float(int64_t value) { return __ll2float_rn(value); }
__device__ __forceinline__ float to_float(uint64_t value) { return __ull2float_rn(value); }
__device__ __forceinline__ float to_float(double value) { return __double2float_rn(value); }
__device__ __forceinline__ double to_double(int32_t value) { return __int2double_rn(value); }
__device__ __forceinline__ double to_double(int64_t value) { return __ll2double_rn(value); }
__device__ __forceinline__ double to_double(uint64_t value) { return __ull2double_rn(value); }
__device__ __forceinline__ double to_double(float value) { return value; }

template <typename To, typename From>
__device__ __forceinline__ To converted(From value) {
    if constexpr (std::is_same_v<To, From>) return value;
    else if constexpr (std::is_same_v<To, float>) return to_float(value);
    else if constexpr (std::is_same_v<To, double>) return to_double(value);
    else if constexpr (std::is_floating_point_v<From>) return truncated<To>(value);
    else return static_cast<To>(value);
}
