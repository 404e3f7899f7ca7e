// tile_loader.cuh — loads tiles of an operand of a matrix product into shared memory, transposed or not, by cp.async.
//
//   tile[p][e] = operand (e0 + e, p0 + p)     e along the edge of C that the operand belongs to (rows of op(A), columns of op(B)),
//                                             p along k
//
// Algorithm  A thread always copies the same places of a tile, from pointers that advance by a constant. Where the operand is
//            contiguous along e and rows are aligned to packets, a copy moves 16 bytes; else one element, which may go to any
//            row of the tile: so operands that are contiguous along k are transposed, with no more work for the threads that
//            read the tile. Places outside the operand's edge read elements inside it, since they only reach elements outside C.
//            Lanes of a warp that copy one element to several places of shared memory take turns: with SPREADS they read different
//            ones, of the tile before.
//            The first tile along k is the incomplete one, padded with zeros, so that all others need no checks along k.
// Cost       A tile of 128 × 8 floats by 256 threads: 1 copy a thread in packets, 4 in elements, beside 1024 multiply-adds.
// Limits     Any size, any leading dimension. The PITCH from row to row of a tile is the kernel's: it decides the bank
//            conflicts of a warp that writes a column each of DEPTH rows when the operand is contiguous along k.
// Edges      An operand has at least one element along its edge, and in packets a whole number of them.
// Source     PTX ISA, "cp.async"; the incomplete tile first: NVIDIA CUTLASS documentation, "Efficient GEMM in CUDA".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "matmul/epilogue.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/thread/packet.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// An operand: element (e, p) is data[e · step_edge + p · step_k]; one of the steps is 1.
template <typename T>
struct Operand {
    const T *data;
    size_t step_edge, step_k;
    size_t edge;                                                   // how many there are along the edge
    size_t stride;                                                 // from one of the batch to the next
};

// place ← BYTES bytes of zeros.
template <int BYTES>
__device__ __forceinline__ void clear_shared(uint32_t place) {
#pragma unroll
    for (int w = 0; w < BYTES / 4; ++w) asm volatile("st.shared.u32 [%0], %1;" ::"r"(place + w * 4), "r"(0) : "memory");
}

// The copies of a thread for tiles of EDGE × DEPTH elements, PITCH from row to row, by a block of THREADS. With HOLDS it has a
// pointer for each copy, else one for all. With SPREADS places outside the edge read elements apart, else all of them the last one.
template <typename T, int EDGE, int DEPTH, int PITCH, int THREADS, bool IN_PACKETS, bool HOLDS, bool SPREADS>
struct TileLoader {
    static constexpr int WIDTH = IN_PACKETS ? PACKET_LENGTH<T> : 1, BYTES = WIDTH * static_cast<int>(sizeof(T));
    static constexpr int COPIES = EDGE * DEPTH / WIDTH / THREADS;
    static constexpr int ACROSS = EDGE / WIDTH < THREADS ? EDGE / WIDTH : THREADS; // threads beside each other along the edge
    static constexpr int PARTS = EDGE / WIDTH / ACROSS;            // copies that such a row takes
    static constexpr int ROWS = THREADS / ACROSS;                  // of a tile, in PARTS copies of all threads along the edge
    static constexpr int COLS = THREADS / DEPTH;                   // of a tile, in one copy of all threads along k
    static_assert(COPIES > 0 && EDGE * DEPTH % (WIDTH * THREADS) == 0, "all threads copy alike");
    static_assert(THREADS % ACROSS == 0 && THREADS % DEPTH == 0, "whole rows and columns");
    static_assert(PARTS == 1 || HOLDS, "one pointer goes from row to row");

    const char *from[HOLDS ? COPIES : 1], *source;
    size_t step, advance;                                          // bytes from copy to copy, from tile to tile
    uint32_t place, place_step, part_step;                         // bytes in the tile; from row to row, and inside a row of PARTS
    int k, k_step, last;                                           // along k in the tile; the last copy that is inside the edge

    // The element along the edge that the place of element `at` reads.
    static __device__ __forceinline__ size_t inside(const Operand<T> &operand, size_t first_edge, size_t at) {
        const size_t other = SPREADS ? at - (first_edge >= EDGE ? EDGE : operand.edge) : at;
        return SPREADS && at < operand.edge ? at : min(other, operand.edge - WIDTH);
    }

    // From the first copy's place to that of copy c.
    __device__ __forceinline__ uint32_t offset(int c) const {
        return PARTS == 1 ? c * place_step : c / PARTS * place_step + c % PARTS * part_step;
    }

    // For the tiles of `operand` at first_edge, the first of them at k = begin.
    __device__ TileLoader(const Operand<T> &operand, size_t product, size_t first_edge, size_t begin) {
        const int tid = static_cast<int>(threadIdx.x);
        const bool along_k = !IN_PACKETS && operand.step_k == 1 && operand.step_edge != 1;
        const int e = along_k ? tid / DEPTH : tid % ACROSS * WIDTH;
        k = along_k ? tid % DEPTH : tid / ACROSS;
        k_step = along_k ? 0 : ROWS;
        place = (k * PITCH + e) * sizeof(T);
        place_step = (along_k ? COLS : ROWS * PITCH) * sizeof(T);
        step = (along_k ? COLS * operand.step_edge : ROWS * operand.step_k) * sizeof(T);
        advance = DEPTH * operand.step_k * sizeof(T);

        const size_t at = along_k ? min(first_edge + e, operand.edge - 1) : inside(operand, first_edge, first_edge + e);
        const size_t beyond = (operand.edge - WIDTH - at) / COLS;
        last = along_k && beyond < COPIES ? static_cast<int>(beyond) : COPIES;
        const T *const data = operand.data + product * operand.stride + at * operand.step_edge + (begin + k) * operand.step_k;
#pragma unroll
        for (int c = 0; c < (HOLDS ? COPIES : 1); ++c) from[c] = reinterpret_cast<const char *>(data) + min(c, last) * step;
        if constexpr (PARTS > 1) {
            place_step = (along_k ? PARTS * COLS : ROWS * PITCH) * sizeof(T);
            part_step = (along_k ? COLS : ACROSS * WIDTH) * sizeof(T);
#pragma unroll
            for (int c = 0; c < COPIES && !along_k; ++c) {
                const size_t part = inside(operand, first_edge, first_edge + e + c % PARTS * ACROSS * WIDTH);
                from[c] += (c / PARTS - c) * static_cast<ptrdiff_t>(step) + (part - at) * sizeof(T);
            }
        }
        source = from[0];
    }

    // Starts the copies of a tile of which only `depth` places along k are there, zeros behind them.
    __device__ void first(uint32_t tile, int depth) {
#pragma unroll
        for (int c = 0; c < COPIES; ++c) {
            const uint32_t to = tile + place + offset(c);
            if (k + c / PARTS * k_step < depth) {
                async_copy<BYTES>(to, HOLDS ? from[c] : from[0] + min(c, last) * step);
            } else {
                clear_shared<BYTES>(to);
            }
        }
#pragma unroll
        for (int c = 0; c < (HOLDS ? COPIES : 1); ++c) from[c] += depth * (advance / DEPTH);
        source = from[0];
    }

    // Starts copy c of a whole tile; all of them in order move on to the next tile.
    __device__ __forceinline__ void copy(uint32_t tile, int c) {
        if constexpr (HOLDS) {
            async_copy<BYTES>(tile + place + offset(c), from[c]);
            from[c] += advance;
        } else {
            async_copy<BYTES>(tile + place + offset(c), source);
            if (c < last) source += step;
            if (c == COPIES - 1) from[0] += advance, source = from[0];
        }
    }

    __device__ __forceinline__ void next(uint32_t tile) {
#pragma unroll
        for (int c = 0; c < COPIES; ++c) copy(tile, c);
    }
};
