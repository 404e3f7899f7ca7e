// relaxed.cuh — words that blocks leave for each other in global memory, each written and read at once.
//
// Algorithm  A word carries its own sign that it is there: relaxed accesses of the device's scope are enough, and no fence is
//            needed. Words of 8 bytes, or of 16 with a number of 8 in them.
// Limits     Compute capability 7.0.
// Source     PTX ISA, "ld", "st" and "Memory Consistency Model".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

struct alignas(16) WordAndValue {
    uint64_t word, value;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ void store_relaxed(uint64_t *at, uint64_t word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
}

__device__ __forceinline__ void store_relaxed(WordAndValue *at, const WordAndValue &both) {
    asm volatile("{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.global.b128 [%0], both; }"
                 :
                 : "l"(at), "l"(both.word), "l"(both.value)
                 : "memory");
}

__device__ __forceinline__ uint64_t load_relaxed(const uint64_t *at) {
    uint64_t word;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(at) : "memory");
    return word;
}

__device__ __forceinline__ WordAndValue load_relaxed(const WordAndValue *at) {
    WordAndValue both;
    asm volatile("{ .reg .b128 both; ld.relaxed.gpu.global.b128 both, [%2]; mov.b128 {%0, %1}, both; }"
                 : "=l"(both.word), "=l"(both.value)
                 : "l"(at)
                 : "memory");
    return both;
}

// A number of 4 or 8 bytes as bits, and back.
template <typename T>
__device__ __forceinline__ uint64_t bits_of_value(T value) {
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <typename T>
__device__ __forceinline__ T value_of_bits(uint64_t bits) {
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
