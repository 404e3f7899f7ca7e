// parameters.cuh — what the interpreter takes as its one parameter, in constant memory.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "map/operations.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned MAP_CODE_MOV = 0xFFFF;                          // in the place of a row: acc ← operand
constexpr int MAP_THREADS_MAX = 256;                               // of a block
constexpr int MAP_GROUPS = 4;                                      // of a thread: 16 bytes of words each

// Where the operand of a step comes from. From FETCH_SINGLE on it is an input, from FETCH_DENSE on the number of its dtype is added.
enum MapFetch { FETCH_NONE = 0, FETCH_SLOT, FETCH_LITERAL, FETCH_SINGLE, FETCH_LOCATED, FETCH_DENSE };

// How a group of an input that is not dense is loaded, and the result stored; the number of the dtype is added. SHIFTED: bytes of two
// aligned words.
constexpr int MAP_DTYPES = 13;                                     // gpumex_dtype without NONE
enum MapAccess { ACCESS_ELEMENTS = 0, ACCESS_VECTOR = MAP_DTYPES, ACCESS_SHIFTED = 2 * MAP_DTYPES };

// ---- host and device helpers ----------------------------------------------------------------------------------------

// n / divisor for n < 2^31, by a multiplication.
struct MapDivider {
    unsigned divisor, factor, shift;

    static MapDivider of(unsigned divisor) {
        unsigned shift = 0;
        while ((uint64_t(1) << (shift + 1)) < divisor) ++shift;
        const uint64_t factor = ((uint64_t(1) << (32 + shift)) + divisor - 1) / divisor;
        return {divisor, static_cast<unsigned>(factor), shift};
    }

    __device__ __forceinline__ unsigned quotient(unsigned n) const { return divisor == 1 ? n : __umulhi(n, factor) >> shift; }
};

// A step as the interpreter reads it, one word: the row of MAP_CASES, a MapFetch, whether the one word of the operand goes to all
// lanes, and the step's index and other.
struct MapStep {
    uint64_t word;

    static MapStep of(unsigned code, unsigned fetch, bool spread, unsigned index, unsigned other) {
        return {code | uint64_t(fetch) << 16 | uint64_t(spread) << 24 | uint64_t(index) << 32 | uint64_t(other) << 48};
    }

    __device__ __forceinline__ unsigned code() const { return unsigned(word) & 0xFFFF; }
    __device__ __forceinline__ bool is_mov() const { return code() == MAP_CODE_MOV; }
    __device__ __forceinline__ unsigned fetch() const { return unsigned(word) >> 16 & 0xFF; }
    __device__ __forceinline__ bool is_spread() const { return unsigned(word) >> 24 != 0; }
    __device__ __forceinline__ unsigned index() const { return unsigned(word >> 32) & 0xFFFF; }
    __device__ __forceinline__ unsigned other() const { return unsigned(word >> 48); }
};

struct MapInput {
    const void *data;
    uint8_t dtype;                                                 // gpumex_dtype - 1
    uint8_t access;                                                // MapAccess
    unsigned strides[MAP_RANK];                                    // in elements
};

// Rows of `width` elements are walked in groups of 16 bytes of words; the last group of a row may be shorter.
struct MapShape {
    unsigned groups;                                               // of all rows
    unsigned whole;                                                // groups before this one need no care at the end of the arrays
    unsigned width;
    unsigned ragged;                                               // 1: the last group of each row is shorter
    unsigned rank;
    MapDivider row;                                                // groups of a row
    MapDivider extents[MAP_RANK];                                  // [d] of dimension d, 1 <= d < rank
};

struct MapParameters {
    MapShape shape;
    unsigned tiles;
    unsigned step_count;
    unsigned slots;
    MapInput result;                                               // access of whole groups: VECTOR, where they are dense, or ELEMENTS
    MapInput inputs[MAP_INPUTS];
    uint64_t literals[MAP_LITERALS];
    uint64_t steps[MAP_STEPS];                                     // MapStep
};
static_assert(sizeof(MapParameters) <= 4096, "parameters of a kernel");
