// operation.cuh — binary operators selected at run time, in the kernel; operator.cuh selects at compile time.
//
// Algorithm  dispatch_operation() is one uniform switch around code that is instantiated for each operator, so that its loops
//            have no branch. Integers of one size share a type: only minimum and maximum know of signs.
// Cost       A uniform branch a call; code for nine operators of integers, four of floats.
// Edges      MIN and MAX of a float and NaN are the float, and -0 is smaller than 0: what fmin and fmax of the device do.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "prim/thread/operator.cuh"
#include "prim/thread/order.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// Of signed integers: operators of the kernels alone, whose numbers are none of gpumex_operator. The others are an Operator.
constexpr int OPERATOR_MIN_SIGNED = 64, OPERATOR_MAX_SIGNED = 65;

template <typename T>
constexpr bool IS_FLOATING = T(1) / T(2) != T(0);

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct SignedOf;
template <>
struct SignedOf<uint32_t> {
    using Type = int32_t;
};
template <>
struct SignedOf<uint64_t> {
    using Type = int64_t;
};

// identity() leaves every number as it is; of floats NaN for MIN and MAX.
template <int OPERATOR, typename T>
struct Operation {
    static __device__ __forceinline__ T identity() {
        if constexpr (OPERATOR == OPERATOR_PRODUCT) return T(1);
        if constexpr (IS_FLOATING<T> && (OPERATOR == OPERATOR_MIN || OPERATOR == OPERATOR_MAX)) return T(nanf(""));
        if constexpr (!IS_FLOATING<T> && (OPERATOR == OPERATOR_MIN || OPERATOR == OPERATOR_AND)) return ~T(0);
        if constexpr (OPERATOR == OPERATOR_MIN_SIGNED) return ~T(0) >> 1;
        if constexpr (OPERATOR == OPERATOR_MAX_SIGNED) return ~(~T(0) >> 1);
        return T(0);
    }

    __device__ __forceinline__ T operator()(T left, T right) const {
        if constexpr (OPERATOR == OPERATOR_SUM) return left + right;
        if constexpr (OPERATOR == OPERATOR_PRODUCT) return left * right;
        if constexpr (IS_FLOATING<T>) {
            if constexpr (OPERATOR == OPERATOR_MIN) return sizeof(T) == 4 ? fminf(left, right) : fmin(left, right);
            if constexpr (OPERATOR == OPERATOR_MAX) return sizeof(T) == 4 ? fmaxf(left, right) : fmax(left, right);
        } else {
            using Signed = typename SignedOf<T>::Type;
            if constexpr (OPERATOR == OPERATOR_MIN) return left < right ? left : right;
            if constexpr (OPERATOR == OPERATOR_MAX) return left > right ? left : right;
            if constexpr (OPERATOR == OPERATOR_MIN_SIGNED) return Signed(left) < Signed(right) ? left : right;
            if constexpr (OPERATOR == OPERATOR_MAX_SIGNED) return Signed(left) > Signed(right) ? left : right;
            if constexpr (OPERATOR == OPERATOR_AND) return left & right;
            if constexpr (OPERATOR == OPERATOR_OR) return left | right;
            if constexpr (OPERATOR == OPERATOR_XOR) return left ^ right;
        }
        return left;
    }
};

// work(Operation<op, T>()); `op` is the same for all threads, and one that T has (has_operation): the last arm is taken for others.
template <typename T, typename Work>
__device__ __forceinline__ void dispatch_operation(int op, Work work) {
    if constexpr (IS_FLOATING<T>) {
        switch (op) {
        case OPERATOR_SUM: work(Operation<OPERATOR_SUM, T>()); break;
        case OPERATOR_PRODUCT: work(Operation<OPERATOR_PRODUCT, T>()); break;
        case OPERATOR_MIN: work(Operation<OPERATOR_MIN, T>()); break;
        default: work(Operation<OPERATOR_MAX, T>()); break;
        }
    } else {
        switch (op) {
        case OPERATOR_SUM: work(Operation<OPERATOR_SUM, T>()); break;
        case OPERATOR_PRODUCT: work(Operation<OPERATOR_PRODUCT, T>()); break;
        case OPERATOR_MIN: work(Operation<OPERATOR_MIN, T>()); break;
        case OPERATOR_MAX: work(Operation<OPERATOR_MAX, T>()); break;
        case OPERATOR_AND: work(Operation<OPERATOR_AND, T>()); break;
        case OPERATOR_OR: work(Operation<OPERATOR_OR, T>()); break;
        case OPERATOR_XOR: work(Operation<OPERATOR_XOR, T>()); break;
        case OPERATOR_MIN_SIGNED: work(Operation<OPERATOR_MIN_SIGNED, T>()); break;
        default: work(Operation<OPERATOR_MAX_SIGNED, T>()); break;
        }
    }
}

template <typename T>
__device__ __forceinline__ T identity_of(int op) {
    T identity = T(0);
    dispatch_operation<T>(op, [&](auto operation) { identity = operation.identity(); });
    return identity;
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether numbers of a dtype have an operator of gpumex_operator.
constexpr bool has_operation(int op, int dtype) {
    const bool is_of_numbers = op == OPERATOR_SUM || op == OPERATOR_PRODUCT || op == OPERATOR_MIN || op == OPERATOR_MAX;
    return is_of_numbers || (is_bitwise(op) && !is_float_dtype(dtype));
}

// The operator of numbers of a dtype whose bits are an unsigned integer's here.
constexpr int operator_of(int op, int dtype) {
    if (is_signed_dtype(dtype) && op == OPERATOR_MIN) return OPERATOR_MIN_SIGNED;
    if (is_signed_dtype(dtype) && op == OPERATOR_MAX) return OPERATOR_MAX_SIGNED;
    return op;
}

// launch(T()) with the type that carries numbers of a dtype.
template <typename Launch>
cudaError_t dispatch_operand(int dtype, Launch launch) {
    switch (dtype) {
    case DTYPE_F32: return launch(float());
    case DTYPE_F64: return launch(double());
    case DTYPE_I32:
    case DTYPE_U32: return launch(uint32_t());
    case DTYPE_I64:
    case DTYPE_U64: return launch(uint64_t());
    default: return cudaErrorInvalidValue;
    }
}
