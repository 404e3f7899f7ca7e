// parameters.cuh — what the interpreter takes as its one parameter, in constant memory.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "map/operations.cuh"
#include "prim/thread/divider.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned MAP_CODE_MOV = 0xFFFF;                          // in the place of a row: acc ← operand
constexpr int MAP_THREADS_MAX = 256;                               // of a block
constexpr int MAP_GROUPS = 4;                                      // of a thread: 16 bytes of words each

// Where the operand of a step comes from; to FETCH_DENSE the number of the dtype is added. SPREAD: the one word goes to all lanes, else
// to the first alone.
enum MapFetch {
    FETCH_NONE, FETCH_SLOT, FETCH_LITERAL, FETCH_LITERAL_SPREAD, FETCH_SINGLE, FETCH_SINGLE_SPREAD, FETCH_LOCATED, FETCH_DENSE
};

// How a group of an input that is not dense is loaded, and the result stored; the number of the dtype is added. SHIFTED: bytes of two
// aligned words.
constexpr int MAP_DTYPES = 13;                                     // real ones: gpumex_dtype from F32 to BOOL
constexpr int MAP_LOADED = MAP_DTYPES + 4;                         // of inputs: with the parts of complex numbers
enum MapAccess { ACCESS_ELEMENTS = 0, ACCESS_VECTOR = MAP_LOADED, ACCESS_SHIFTED = 2 * MAP_LOADED };

// ---- host and device helpers ----------------------------------------------------------------------------------------

using MapDivider = Divider;                                        // of what is below 2^31

// A step as the interpreter reads it: the row of MAP_CASES, the MapFetch of warps whose groups are whole and that of the others; the
// step's index and other.
struct alignas(8) MapStep {
    unsigned low, high;

    static MapStep of(unsigned code, unsigned fetch, unsigned index, unsigned other) {
        const unsigned careful = fetch >= FETCH_DENSE ? unsigned(FETCH_LOCATED) : fetch;
        return {code | fetch << 16 | careful << 24, index | other << 16};
    }

    __device__ __forceinline__ unsigned code() const { return low & 0xFFFF; }
    __device__ __forceinline__ bool is_mov() const { return code() == MAP_CODE_MOV; }
    __device__ __forceinline__ unsigned fetch(bool is_whole) const { return is_whole ? low >> 16 & 0xFF : low >> 24; }
    __device__ __forceinline__ unsigned index() const { return high & 0xFFFF; }
    __device__ __forceinline__ unsigned other() const { return high >> 16; }
};

struct MapInput {
    const void *data;
    uint8_t dtype;                                                 // MapDtype
    uint8_t access;                                                // MapAccess
    unsigned strides[MAP_RANK];                                    // in elements
};

// Rows of `width` elements are walked in groups of 16 bytes of words; the last group of a row may be shorter.
struct MapShape {
    unsigned groups;                                               // of all rows
    unsigned begin, whole;                                         // groups from begin on, before whole, need no care at the arrays' ends
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
    int real_slot;                                                 // of a complex result, whose imaginary part is the accumulator; else -1
    MapInput result;                                               // access of whole groups: VECTOR, where they are dense, or ELEMENTS
    MapInput inputs[MAP_INPUTS];
    uint64_t literals[MAP_LITERALS];
    MapStep steps[MAP_STEPS];
};
static_assert(sizeof(MapParameters) <= 4096, "parameters of a kernel");
