// tma_f64_side.cuh — an operand of tma_f64.cuh in shared memory: how TMA brings it there, and how the lanes of a warp read it.
//
// Algorithm  Which rows, columns and places of k the lanes of an instruction have is free as long as A, B and C agree on it: they are such
//            that simultaneous reads have no bank conflicts and sums are adjacent in pairs.
// Aligned    A line of a box is 128 bytes, with the 128-byte swizzle: 16-byte piece c of line l is at c ^ (l % 8). Lane 4g + t has k =
//            2t and 2t + 1 of 8. An operand that is contiguous along its edge is read 16 bytes at a time, two rows at one k,
//            where it gives the rows of the instruction, one along k, two k of one column, where it gives the columns; so with
//            A along k and B along n, op(B) gives the rows. Only where both are contiguous along k there are two-way bank
//            conflicts.
// Shifted    TMA wants addresses and strides of 16 bytes. Where rows in memory begin at others, the even and the odd ones have a tensor map
//            each: from one to the next but one the stride is a multiple, and a map begins one element before its first row where
//            that is in the middle of 16 bytes. Lines are ROOM elements longer than what is read of them, and have no swizzle: so
//            neighbouring lines begin 16 bytes further in the banks. An operand is a box of each map. Lane 4g + t has k = 8 ⌊t/2⌋
//            + t % 2 + {0, 2} of 16, in the second half 4 more, and reads 8 bytes at a time: without bank conflicts, but for
//            two-way ones where an operand is contiguous along its edge and aligned, while the other one is not.
// Limits     Shifted: at least two rows in memory.
// Source     PTX ISA, "Matrix Fragments for mma.m16n8k8" with .f64, "Tensor copies: swizzling modes". That a box has to begin at a multiple
//            of 16 bytes in memory, or else is an illegal instruction, was found on an H200.
#pragma once

#include <cuda.h>
#include <stdint.h>

#include "matmul/pipeline.cuh"
#include "prim/warp/warp.cuh"

namespace tma {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned SLAB = 16;                                      // of k
constexpr unsigned UNIT = 16;                                      // of rows or columns: two fragments, or a line
constexpr uint32_t LINE = 128, PIECE = 16;                         // bytes
constexpr uint32_t UNIT_BYTES = UNIT * LINE;                       // either 16 lines along k, or 16 places of k of a line
constexpr uint32_t ROOM = PIECE / sizeof(double);                  // elements of a line of a shifted operand besides those that are read

enum class Rows { ALIGNED, SHIFTED };                              // in memory

// An operand: one tensor map, or those of its even and its odd rows.
struct Operand {
    CUtensorMap maps[2];
    unsigned shifts[2];                                            // bytes from where a line begins to what is read of it
    int batched;                                                   // 1: matrix z of the map, else always 0
};

// ---- device helpers -------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// EDGE rows of op(A), or columns of op(B), as a block has them in a place of the ring, and how the lanes of a warp read UNITS · 16
// of them for 8 of k, number `half` of the slab: in the order in which the instruction takes them as its 16 rows (TALL) or its 8
// columns. A unit has two fragments f, a lane two elements p of each.
template <int EDGE, int UNITS, bool ALONG_K, bool TALL>
struct AlignedSide {
    using Values = double[UNITS][2][2];                            // TALL [p][f], else [f][p]
    static constexpr uint32_t BYTES = EDGE * LINE;
    static constexpr bool WIDE = ALONG_K != TALL;                  // 16 bytes in memory are neighbours in that order
    uint32_t lane[2][2];                                           // along k: [half][f], else [p][f]

    // `first` is the warp's.
    __device__ AlignedSide(const Operand &, uint32_t first) {
        const uint32_t g = threadIdx.x % WARP / 4, t = threadIdx.x % 4;
#pragma unroll
        for (uint32_t x = 0; x < 2; ++x) {
#pragma unroll
            for (uint32_t f = 0; f < 2; ++f) {
                const uint32_t at = edge(g, f), line = ALONG_K ? at : 2 * t + x, piece = ALONG_K ? 4 * x + t : at / 2;
                lane[x][f] = (first + line) * LINE + (piece ^ line % 8) * PIECE + (ALONG_K ? 0 : at % 2 * sizeof(double));
            }
        }
    }

    // Where in a unit the lanes of group g have fragment f.
    static __device__ __forceinline__ uint32_t edge(uint32_t g, uint32_t f) {
        return ALONG_K ? f + g / 2 % 2 * 2 + g % 2 * 4 + g / 4 * 8 : TALL ? 2 * g + f : g + 8 * f;
    }

    static __device__ __forceinline__ void fetch(uint32_t to, const Operand &operand, int first, int k, int z, uint32_t barrier) {
        const CUtensorMap *const map = &operand.maps[0];
        z *= operand.batched;
        if (ALONG_K) {
            tensor::copy_box(to, map, k, first, z, barrier);
        } else {
#pragma unroll 1
            for (int u = 0; u < EDGE / int(UNIT); ++u) tensor::copy_box(to + u * UNIT_BYTES, map, first + u * UNIT, k, z, barrier);
        }
    }

    // `next` is one element behind `slab`, which the compiler must not know: else it would read both at once and move them.
    __device__ __forceinline__ void read(Values &values, uint32_t slab, uint32_t next, int half) const {
#pragma unroll
        for (int u = 0; u < UNITS; ++u) {
#pragma unroll
            for (int x = 0; x < 2; ++x) {
                double *const pair = values[u][x];
                if constexpr (WIDE) {
                    const uint32_t from = ALONG_K ? lane[half][x] : lane[x][0] + half * 8 * LINE;
                    asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];" : "=d"(pair[0]), "=d"(pair[1])
                                 : "r"(slab + from + u * UNIT_BYTES));
                } else {
#pragma unroll
                    for (int y = 0; y < 2; ++y) {
                        const int p = TALL ? x : y, f = TALL ? y : x;
                        const uint32_t from = ALONG_K ? lane[half][f] : lane[p][f] + half * 8 * LINE;
                        const uint32_t base = ALONG_K && p == 1 ? next : slab;
                        asm volatile("ld.shared.f64 %0, [%1];" : "=d"(pair[y]) : "r"(base + from + u * UNIT_BYTES));
                    }
                }
            }
        }
    }
};

// The same of an operand whose rows may begin anywhere. Lines of even rows in memory come first.
template <int EDGE, int UNITS, bool ALONG_K, bool TALL>
struct ShiftedSide {
    using Values = double[UNITS][2][2];                            // as above
    static constexpr uint32_t LINE_BYTES = ((ALONG_K ? SLAB : EDGE) + ROOM) * sizeof(double), LINES = ALONG_K ? EDGE : SLAB;
    static constexpr uint32_t ODD = LINES / 2 * LINE_BYTES, BYTES = 2 * ODD, NEXT_UNIT = ALONG_K ? UNIT / 2 * LINE_BYTES : LINE;
    uint32_t lane[2];                                              // [f]

    __device__ ShiftedSide(const Operand &operand, uint32_t first) {
        const uint32_t g = threadIdx.x % WARP / 4, t = threadIdx.x % 4, far = t / 2, odd = t % 2;
#pragma unroll
        for (uint32_t f = 0; f < 2; ++f) {
            lane[f] = ALONG_K ? f * ODD + (first / 2 + g) * LINE_BYTES + (8 * far + odd) * sizeof(double) + operand.shifts[f]
                              : odd * ODD + 4 * far * LINE_BYTES + (first + edge(g, f)) * sizeof(double) + operand.shifts[odd];
        }
    }

    static __device__ __forceinline__ uint32_t edge(uint32_t g, uint32_t f) { return 2 * g + f; }

    static __device__ __forceinline__ void fetch(uint32_t to, const Operand &operand, int first, int k, int z, uint32_t barrier) {
        const int x = ALONG_K ? k : first, y = (ALONG_K ? first : k) / 2;
        z *= operand.batched;
        tensor::copy_box(to, &operand.maps[0], x, y, z, barrier);
        tensor::copy_box(to + ODD, &operand.maps[1], x, y, z, barrier);
    }

    __device__ __forceinline__ void read(Values &values, uint32_t slab, uint32_t, int half) const {
#pragma unroll
        for (int v = 0; v < UNITS * 4; ++v) {
            const int u = v / 4, x = v / 2 % 2, y = v % 2, p = TALL ? x : y, f = TALL ? y : x;
            const uint32_t from = ALONG_K ? lane[f] + (4 * half + 2 * p) * sizeof(double) : lane[f] + (2 * half + p) * LINE_BYTES;
            asm volatile("ld.shared.f64 %0, [%1];" : "=d"(values[u][x][y]) : "r"(slab + from + u * NEXT_UNIT));
        }
    }
};

#endif

}  // namespace tma
