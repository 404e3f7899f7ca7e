// packed_bytes.cuh — operations on four bytes of a 32-bit word at once.
//
// Algorithm  Sums, differences and products whose results are bytes carry nothing into the next one. Comparisons add or subtract with the
//            top bit of each byte kept apart, which then says what was carried or borrowed.
// Cost       Of four elements: a sum 1 instruction, a comparison 5 to 8, a minimum 10, a product 15.
// Limits     SUM, DIFFERENCE and PRODUCT: each result is within 0 to 255. A condition is 0 or 1 in each byte.
// Source     H. S. Warren, "Hacker's Delight", 2nd ed., 2012, chapter 2-18 (multibyte add, subtract), 6-1 (find a zero byte).
#pragma once

#include <stdint.h>

#include "map/operations.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr uint32_t BYTE_TOPS = 0x80808080u, BYTE_RESTS = 0x7F7F7F7Fu, BYTE_ONES = 0x01010101u;

// ---- host and device helpers ----------------------------------------------------------------------------------------

__host__ __device__ __forceinline__ uint32_t ones_of(uint32_t tops) { return tops >> 7 & BYTE_ONES; }

// 255 where a byte is 1.
__host__ __device__ __forceinline__ uint32_t mask_of(uint32_t condition) { return condition * 255; }

__host__ __device__ __forceinline__ uint32_t bytes_nonzero(uint32_t x) { return ones_of(((x & BYTE_RESTS) + BYTE_RESTS) | x); }
__host__ __device__ __forceinline__ uint32_t bytes_zero(uint32_t x) { return ones_of(~(((x & BYTE_RESTS) + BYTE_RESTS) | x)); }

// In the top bits: whether x − y borrows.
__host__ __device__ __forceinline__ uint32_t borrows(uint32_t x, uint32_t y) {
    const uint32_t rest = (x | BYTE_TOPS) - (y & BYTE_RESTS);
    return (~x & y) | (~(x ^ y) & ~rest);
}

__host__ __device__ __forceinline__ uint32_t bytes_less(uint32_t x, uint32_t y) { return ones_of(borrows(x, y)); }
__host__ __device__ __forceinline__ uint32_t bytes_selected(uint32_t condition, uint32_t x, uint32_t y) { return y ^ ((x ^ y) & mask_of(condition)); }

__host__ __device__ __forceinline__ uint32_t bytes_product(uint32_t x, uint32_t y) {
    uint32_t product = 0;
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) product += (x >> shift & 255) * (y >> shift & 255) << shift;
    return product;
}

__host__ __device__ __forceinline__ uint32_t bytes_sum_saturated(uint32_t x, uint32_t y) {
    const uint32_t sum = ((x & BYTE_RESTS) + (y & BYTE_RESTS)) ^ ((x ^ y) & BYTE_TOPS);
    return sum | mask_of(ones_of((x & y) | ((x | y) & ~sum)));
}

__host__ __device__ __forceinline__ uint32_t bytes_difference_saturated(uint32_t x, uint32_t y) {
    const uint32_t difference = ((x | BYTE_TOPS) - (y & BYTE_RESTS)) ^ (~(x ^ y) & BYTE_TOPS);
    return difference & ~mask_of(ones_of(borrows(x, y)));
}

template <int OP>
__host__ __device__ __forceinline__ uint32_t bytes_operation(uint32_t x, uint32_t y) {
    if constexpr (OP == OP_ADD) return x + y;
    else if constexpr (OP == OP_SUB) return x - y;
    else if constexpr (OP == OP_MUL) return bytes_product(x, y);
    else if constexpr (OP == OP_MIN) return bytes_selected(bytes_less(x, y), x, y);
    else if constexpr (OP == OP_MAX) return bytes_selected(bytes_less(x, y), y, x);
    else if constexpr (OP == OP_ADDS) return bytes_sum_saturated(x, y);
    else if constexpr (OP == OP_SUBS) return bytes_difference_saturated(x, y);
    else if constexpr (OP == OP_EQ) return bytes_zero(x ^ y);
    else if constexpr (OP == OP_NE) return bytes_nonzero(x ^ y);
    else if constexpr (OP == OP_LT) return bytes_less(x, y);
    else if constexpr (OP == OP_LE) return bytes_less(y, x) ^ BYTE_ONES;
    else if constexpr (OP == OP_BITAND) return x & y;
    else if constexpr (OP == OP_BITOR) return x | y;
    else if constexpr (OP == OP_BITXOR) return x ^ y;
    else if constexpr (OP == OP_NOT) return bytes_zero(x);
    else return bytes_nonzero(x);                                  // TEST
}

// ---- constants ------------------------------------------------------------------------------------------------------

// The cases of a switch; SELECT's operands are the accumulator and the operand, its condition a slot.
struct ByteCase {
    int op;
    bool reverse;
};

constexpr ByteCase BYTE_CASES[] = {
    {OP_STORE, false}, {OP_SELECT, false}, {OP_SELECT, true}, {OP_NOT, false},  {OP_TEST, false},   {OP_ADD, false},
    {OP_SUB, false},   {OP_SUB, true},     {OP_MUL, false},   {OP_MIN, false},  {OP_MAX, false},    {OP_ADDS, false},
    {OP_SUBS, false},  {OP_SUBS, true},    {OP_EQ, false},    {OP_NE, false},   {OP_LT, false},     {OP_LT, true},
    {OP_LE, false},    {OP_LE, true},      {OP_BITAND, false}, {OP_BITOR, false}, {OP_BITXOR, false}};
constexpr int BYTE_CASES_COUNT = sizeof(BYTE_CASES) / sizeof(BYTE_CASES[0]);

// The number of a case, or -1. Only SELECT, SUB, SUBS, LT and LE depend on the order of their operands.
constexpr int byte_case_of(int op, bool reverse) {
    const bool is_ordered = op == OP_SELECT || op == OP_SUB || op == OP_SUBS || op == OP_LT || op == OP_LE;
    for (int i = 0; i < BYTE_CASES_COUNT; ++i) {
        if (BYTE_CASES[i].op == op && BYTE_CASES[i].reverse == (reverse && is_ordered)) return i;
    }
    return -1;
}
