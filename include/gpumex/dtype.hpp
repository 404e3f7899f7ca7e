/// @file
/// @brief The gpumex_dtype of an element type, at compile time.
#pragma once

#include <gpumex/enums.hpp>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace gpumex {

/// Storage of an IEEE 754 binary16 number: its bits. It is filled, copied, gathered and scattered.
struct f16 {
    std::uint16_t bits;
};

/// Storage of a bfloat16 number: the upper half of the bits of a float.
struct bf16 {
    std::uint16_t bits;
};

/// @cond
namespace detail {

template <class> inline constexpr bool never = false;

template <class T> constexpr gpumex::dtype dtype_of() {
    if constexpr (std::is_same_v<T, void>) return gpumex::dtype::none;
    else if constexpr (std::is_same_v<T, float>) return gpumex::dtype::f32;
    else if constexpr (std::is_same_v<T, double>) return gpumex::dtype::f64;
    else if constexpr (std::is_same_v<T, f16>) return gpumex::dtype::f16;
    else if constexpr (std::is_same_v<T, bf16>) return gpumex::dtype::bf16;
    else if constexpr (std::is_same_v<T, bool>) return gpumex::dtype::bool_;
    else if constexpr (std::is_same_v<T, std::complex<float>>) return gpumex::dtype::c64;
    else if constexpr (std::is_same_v<T, std::complex<double>>) return gpumex::dtype::c128;
    else if constexpr (std::is_integral_v<T> && sizeof(T) <= 8) {
        constexpr int row = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        constexpr gpumex::dtype of_signed[] = {gpumex::dtype::i8, gpumex::dtype::i16, gpumex::dtype::i32,
                                               gpumex::dtype::i64};
        constexpr gpumex::dtype of_unsigned[] = {gpumex::dtype::u8, gpumex::dtype::u16, gpumex::dtype::u32,
                                                 gpumex::dtype::u64};
        return std::is_signed_v<T> ? of_signed[row] : of_unsigned[row];
    } else {
        static_assert(never<T>, "gpumex: this element type has no gpumex::dtype; there are float, double, gpumex::f16, "
                                "gpumex::bf16, bool, integers of 1 to 8 bytes and std::complex of float and double");
        return gpumex::dtype::none;
    }
}

template <class T>
inline constexpr bool is_complex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

template <class T> inline constexpr bool is_half = std::is_same_v<T, f16> || std::is_same_v<T, bf16>;

/// Any dtype.
template <class T> constexpr std::int32_t any_dtype() {
    static_assert(!std::is_void_v<T>, "gpumex: this array must not be left out");
    return static_cast<std::int32_t>(dtype_of<T>());
}

/// Vectors of gpumex_add, gpumex_axpy and gpumex_scale.
template <class T> constexpr std::int32_t float_dtype() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                  "gpumex: this operation has float and double elements only");
    return static_cast<std::int32_t>(dtype_of<T>());
}

/// Vectors of gpumex_dot; matrices that are not of 16-bit floats.
template <class T> constexpr std::int32_t factor_dtype() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || is_complex<T>,
                  "gpumex: this operation has elements of float, double and std::complex of them only");
    return static_cast<std::int32_t>(dtype_of<T>());
}

/// Matrices of gpumex_matmul.
template <class T> constexpr std::int32_t matrix_dtype() {
    if constexpr (is_half<T>) return static_cast<std::int32_t>(dtype_of<T>());
    else return factor_dtype<T>();
}

/// Keys, and whatever is compared or added up: void stands for an array that is left out.
template <class T> constexpr std::int32_t key_dtype() {
    static_assert(!is_half<T>, "gpumex: this operation has no elements of 16-bit floats; there are float, double, "
                               "integers and bool");
    return static_cast<std::int32_t>(dtype_of<T>());
}

/// Elements of 4 or 8 bytes: void stands for an array that is left out.
template <class T> constexpr std::int32_t wide_dtype() {
    if constexpr (!std::is_void_v<T>)
        static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                      "gpumex: this operation has elements of float, double and integers of 4 or 8 bytes only");
    return static_cast<std::int32_t>(dtype_of<T>());
}

/// Positions and counts: void stands for an array that is left out.
template <class T> constexpr std::int32_t index_dtype() {
    if constexpr (!std::is_void_v<T>)
        static_assert(std::is_integral_v<T> && std::is_unsigned_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                      "gpumex: positions, offsets and counts are uint32_t or uint64_t");
    return static_cast<std::int32_t>(dtype_of<T>());
}

/// Values that move with keys bit by bit: any plain type of 4 or 8 bytes, void for none.
template <class T> constexpr std::int32_t value_dtype() {
    if constexpr (std::is_void_v<T>) {
        return GPUMEX_DTYPE_NONE;
    } else {
        static_assert(std::is_trivially_copyable_v<T> && (sizeof(T) == 4 || sizeof(T) == 8) && alignof(T) == sizeof(T),
                      "gpumex: values that move with keys are trivially copyable, of 4 or 8 bytes and aligned to that");
        return sizeof(T) == 4 ? GPUMEX_DTYPE_U32 : GPUMEX_DTYPE_U64;
    }
}

/// bool and a byte may stand for each other: std::vector<bool> has no elements in memory.
template <class A, class B> constexpr bool compare_alike() {
    if constexpr (std::is_void_v<A> || std::is_void_v<B> || std::is_same_v<A, B>) return true;
    else return std::is_integral_v<A> && std::is_integral_v<B> && sizeof(A) == sizeof(B) &&
                std::is_signed_v<A> == std::is_signed_v<B>;
}
template <class A, class B> inline constexpr bool are_alike = compare_alike<A, B>();

template <class A, class B> constexpr void require_alike() {
    static_assert(are_alike<A, B>, "gpumex: two arrays of this call must have the same element type");
}

/// The element of a std::vector that holds elements of T.
template <class T> using stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

} // namespace detail
/// @endcond

/// The dtype of an element type; an error at compile time where it has none.
template <class T> inline constexpr gpumex::dtype dtype_v = detail::dtype_of<std::remove_cv_t<T>>();

} // namespace gpumex
