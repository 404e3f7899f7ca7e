// load.cuh — loads a tile of an operand into registers, in pieces of 16 bytes of one part.
//
// Algorithm  ROWS × WIDE pieces are distributed over THREADS threads: neighbours along k where elements along k are contiguous,
//            else along the rows, so that a warp reads whole cache lines. Rows past the end are read as the last row: their
//            products are dropped.
// Edges      k is padded with zeros.
#pragma once

#include "matmul/float_split.cuh"

namespace tensor {

// ---- device helpers -------------------------------------------------------------------------------------------------

template <unsigned ROWS, unsigned WIDE, unsigned THREADS>
struct TileShare {
    static constexpr unsigned HELD = ROWS * WIDE / THREADS, COUNT = PIECE, DEEP = WIDE * COUNT;
    using Held = float[HELD][COUNT];
    static_assert(THREADS % ROWS == 0 && THREADS % WIDE == 0, "a step goes along k, or along the rows");

    // Of this thread's piece number i.
    static __device__ __forceinline__ unsigned row(bool deep, unsigned i) {
        return deep ? i * (THREADS / WIDE) + threadIdx.x / WIDE : threadIdx.x % ROWS;
    }
    static __device__ __forceinline__ unsigned piece(bool deep, unsigned i) {
        return deep ? threadIdx.x % WIDE : i * (THREADS / ROWS) + threadIdx.x / ROWS;
    }

    // From row `top` and the slab on; `from` is the operand's matrix.
    static __device__ __forceinline__ void load(const Operand &operand, const float *from, size_t top, size_t slab, Held &held) {
        const size_t k = slab * DEEP;
        const unsigned left = static_cast<unsigned>(min(operand.depth - k, size_t(DEEP)));  // elements of a row
        const size_t step = operand.deep ? 1 : operand.ld;
#pragma unroll
        for (unsigned i = 0; i < HELD; ++i) {
            const unsigned at = piece(operand.deep, i) * COUNT;
            const size_t r = min(top + row(operand.deep, i), operand.rows - 1);
            const float *next = from + (operand.deep ? r * operand.ld + k + at : (k + at) * operand.ld + r);
            if (operand.whole && left == DEEP) {
#pragma unroll
                for (unsigned e = 0; e < COUNT; e += QUAD) {
                    const float4 quad = __ldg(reinterpret_cast<const float4 *>(next + e));
                    held[i][e] = quad.x;
                    held[i][e + 1] = quad.y;
                    held[i][e + 2] = quad.z;
                    held[i][e + 3] = quad.w;
                }
            } else {
#pragma unroll
                for (unsigned e = 0; e < COUNT; ++e, next += step) held[i][e] = at + e < left ? __ldg(next) : 0.0f;
            }
        }
    }
};

}  // namespace tensor
