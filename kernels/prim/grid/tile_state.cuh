// tile_state.cuh — states of tiles that blocks publish to each other: a status and a value in one word.
//
// Algorithm  Decoupled look-back: a tile publishes its own aggregate (PARTIAL) as soon as it knows it, then what it and all
//            tiles before it make (INCLUSIVE). Status and value are written and read by one relaxed access of the device's
//            scope, so that no fence is needed; 0 is a tile that has published nothing. Words of 4 and 8 bytes have the status
//            in their two highest bits; of 16 bytes, half is the status and what belongs to it, half a value of 8 bytes.
// Limits     Values of 30 and 62 bits. Compute capability 7.0.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016; PTX ISA, "Memory
//            Consistency Model".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

// ---- constants ------------------------------------------------------------------------------------------------------

template <typename Word>
struct TileState {
    static constexpr Word PARTIAL = Word(1) << (8 * sizeof(Word) - 2); // the value is of this tile alone
    static constexpr Word INCLUSIVE = Word(2) << (8 * sizeof(Word) - 2); // of this tile and all before it
    static constexpr Word VALUE = PARTIAL - 1;                     // the bits of the value
};

struct alignas(16) WordAndValue {
    uint64_t word, value;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ void store_relaxed(uint32_t *at, uint32_t word) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(word) : "memory");
}

__device__ __forceinline__ void store_relaxed(uint64_t *at, uint64_t word) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(word) : "memory");
}

__device__ __forceinline__ void store_relaxed(WordAndValue *at, const WordAndValue &both) {
    asm volatile("{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.global.b128 [%0], both; }"
                 :
                 : "l"(at), "l"(both.word), "l"(both.value)
                 : "memory");
}

__device__ __forceinline__ uint32_t load_relaxed(const uint32_t *at) {
    uint32_t word;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(at) : "memory");
    return word;
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

// A value of 4 or 8 bytes as bits, and back.
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
