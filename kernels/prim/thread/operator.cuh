// operator.cuh — binary operators of reductions and scans, with few instantiations.
//
//   operator            | 4 and 8 byte integers      | floats
//   --------------------|----------------------------|------------------------
//   SUM, PRODUCT        | Sum, Product, unsigned     | Sum, Product
//   MIN, MAX            | Extremum                   | Extremum
//   AND, OR, XOR        | Bitwise                    | –
//
// Algorithm  Sums and products that wrap have the same bits, signed or not. Every minimum is a maximum of unsigned integers: of
//            the ordered integers (order.cuh), flipped, to and from which load and store convert; NaN becomes 0, below all
//            others, and so the identity. AND is OR of flipped bits, and OR and XOR differ by a mask.
// Cost       Twelve types for 38 pairs of operator and dtype. Extremum and Bitwise cost one to six operations an element to load.
// Edges      Of several NaN the result is one quiet NaN. -0 is below 0.
// Source     M. Herf, "Radix Tricks", 2001 (floats as ordered integers).
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "prim/thread/order.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// The numbers of gpumex_operator.
enum Operator {
    OPERATOR_SUM = 1,
    OPERATOR_PRODUCT = 2,
    OPERATOR_MIN = 3,
    OPERATOR_MAX = 4,
    OPERATOR_AND = 5,
    OPERATOR_OR = 6,
    OPERATOR_XOR = 7
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Each has: Value, the type of elements; identity; load and store, which convert between elements and what is reduced; apply.
template <typename T>
struct Sum {
    using Value = T;
    __host__ __device__ static constexpr T identity() { return T(0); }
    __device__ __forceinline__ T load(T element) const { return element; }
    __device__ __forceinline__ T store(T value) const { return value; }
    __device__ __forceinline__ T apply(T left, T right) const { return left + right; }
};

template <typename T>
struct Product {
    using Value = T;
    __host__ __device__ static constexpr T identity() { return T(1); }
    __device__ __forceinline__ T load(T element) const { return element; }
    __device__ __forceinline__ T store(T value) const { return value; }
    __device__ __forceinline__ T apply(T left, T right) const { return left * right; }
};

template <typename Bits>
struct Extremum {
    using Value = Bits;
    static constexpr Bits SIGN = KeyOrder<Bits>::SIGN, INFINITE = KeyOrder<Bits>::INFINITE;
    static constexpr Bits QUIET_NAN = INFINITE | (INFINITE & (~INFINITE + 1)) >> 1; // the highest bit of the fraction

    Bits flip;                                                     // of the ordered integer: all bits for the minimum
    bool is_float;

    static Extremum of(int dtype, bool is_minimum) {
        return {Bits((is_signed_dtype(dtype) ? SIGN : Bits(0)) ^ (is_minimum ? ~Bits(0) : Bits(0))), is_float_dtype(dtype)};
    }

    __host__ __device__ static constexpr Bits identity() { return 0; }
    __device__ __forceinline__ Bits load(Bits element) const {
        if (!is_float) return element ^ flip;
        const Bits ordered = element & SIGN ? ~element : element | SIGN;
        return (element & ~SIGN) > INFINITE ? Bits(0) : ordered ^ flip;
    }
    __device__ __forceinline__ Bits store(Bits value) const {
        const Bits ordered = value ^ flip;
        if (!is_float) return ordered;
        return value == 0 ? QUIET_NAN : ordered & SIGN ? ordered ^ SIGN : ~ordered;
    }
    __device__ __forceinline__ Bits apply(Bits left, Bits right) const { return left > right ? left : right; }
};

template <typename Bits>
struct Bitwise {
    using Value = Bits;
    Bits flip;                                                     // AND: of all bits
    Bits both;                                                     // bits that survive where both are set: OR all, XOR none

    __host__ __device__ static constexpr Bits identity() { return 0; }
    __device__ __forceinline__ Bits load(Bits element) const { return element ^ flip; }
    __device__ __forceinline__ Bits store(Bits value) const { return value ^ flip; }
    __device__ __forceinline__ Bits apply(Bits left, Bits right) const { return (left ^ right) | (left & right & both); }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr bool is_bitwise(int number) { return number == OPERATOR_AND || number == OPERATOR_OR || number == OPERATOR_XOR; }

// Bytes of an element of a dtype that operators serve, 0 of another.
inline size_t operand_bytes(int dtype) {
    switch (dtype) {
        case DTYPE_F32: case DTYPE_I32: case DTYPE_U32: return 4;
        case DTYPE_F64: case DTYPE_I64: case DTYPE_U64: return 8;
        default: return 0;
    }
}

template <typename Bits, typename Launch>
cudaError_t dispatch_operator_of(int dtype, int number, Launch launch) {
    switch (number) {
        case OPERATOR_SUM: return launch(Sum<Bits>());
        case OPERATOR_PRODUCT: return launch(Product<Bits>());
        case OPERATOR_MIN: case OPERATOR_MAX: return launch(Extremum<Bits>::of(dtype, number == OPERATOR_MIN));
        case OPERATOR_AND: return launch(Bitwise<Bits>{Bits(~Bits(0)), Bits(~Bits(0))});
        case OPERATOR_OR: return launch(Bitwise<Bits>{0, Bits(~Bits(0))});
        case OPERATOR_XOR: return launch(Bitwise<Bits>{0, 0});
        default: return cudaErrorInvalidValue;
    }
}

// launch(op) with the type above for the operator and elements of the dtype.
template <typename Launch>
cudaError_t dispatch_operator(int dtype, int number, Launch launch) {
    const bool is_float = is_float_dtype(dtype);
    if (is_float && is_bitwise(number)) return cudaErrorInvalidValue;
    if (is_float && number == OPERATOR_SUM) return dtype == DTYPE_F32 ? launch(Sum<float>()) : launch(Sum<double>());
    if (is_float && number == OPERATOR_PRODUCT) return dtype == DTYPE_F32 ? launch(Product<float>()) : launch(Product<double>());
    switch (operand_bytes(dtype)) {
        case 4: return dispatch_operator_of<uint32_t>(dtype, number, launch);
        case 8: return dispatch_operator_of<uint64_t>(dtype, number, launch);
        default: return cudaErrorInvalidValue;
    }
}
