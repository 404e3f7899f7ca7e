// float_split.cuh — float32 operands for tensor cores: split into three BF16 numbers (BF16x3).
//
//   x = x0 + x1 + x2,  x2 = x rounded to 8 significant bits, x1 = x - x2 rounded to 8 bits, x0 = x - x2 - x1: exact
//   a·b ≈ a2·b0 + a0·b2 + a1·b1 + a2·b1 + a1·b2 + a2·b2, the smallest first
//
// Cost       Of two elements three conversions and eight other operations, and three of each to track its magnitude. Six products
//            at twice the rate of TF32 take the time of the three of two TF32 parts, and lose less.
// Limits     What is left out, a1·b0 + a0·b1 + a0·b0, is less than 2^-25 of |a·b|, of either sign. The split holds while x0 is
//            normal, 2^-103 ≤ |x|, and nothing overflows, max|a|·max|b|·k < 2^126: a Magnitude records whether that was so.
// Edges      0 is split into zeros.
// Source     G. Henry, P. Tang, A. Heinecke, "Leveraging the bfloat16 Artificial Intelligence Datatype For Higher-Precision
//            Computations", ARITH 2019; PTX ISA, "cvt.rn.bf16x2.f32".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

namespace tensor {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned QUAD = 4;                                       // elements of a load of 16 bytes

constexpr int PARTS = 3;                                           // of an element
constexpr unsigned PIECE = 8;                                      // elements along k of a part in 16 bytes, the unit that threads move
constexpr unsigned SMALLEST = (127 - 103) << 23;                   // bits of 2^-103
constexpr unsigned LARGEST = (127 + 127) << 23;                    // bits of 2^127
constexpr double LARGEST_SUM = 85070591730234615865843651857942052864.0;  // 2^126
constexpr unsigned UNFIT = 0xFFFFFFFF;                             // a Magnitude that has seen what cannot be split

// One operand as `rows` rows of `depth` elements along k: the rows of op(A), the columns of op(B).
struct Operand {
    const float *data;
    size_t rows, depth;
    size_t ld, stride;
    bool deep;                                                     // elements along k are neighbours, else those of a column are
    bool whole;                                                    // deep, and aligned: quads of a row can be loaded at once
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline Operand make_operand(const void *data, size_t rows, size_t depth, size_t ld, size_t stride, bool deep, size_t batch) {
    const bool aligned = reinterpret_cast<size_t>(data) % sizeof(float4) == 0 && ld % QUAD == 0 &&
                         (batch == 1 || stride % QUAD == 0);
    return {static_cast<const float *>(data), rows, depth, ld, stride, deep, deep && aligned};
}

// ---- device helpers -------------------------------------------------------------------------------------------------

// Two numbers rounded to BF16, the first in the low half; what is left of them.
__device__ __forceinline__ unsigned cut_pair(float &x, float &y) {
    unsigned pair = 0;
#if __CUDA_ARCH__ >= 800
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(y), "f"(x));
#endif
    x -= __uint_as_float(pair << 16);
    y -= __uint_as_float(pair & 0xFFFF0000u);
    return pair;
}

// The parts of a piece, finest first.
__device__ __forceinline__ void cut(float (&piece)[PIECE], uint4 (&parts)[PARTS]) {
#pragma unroll
    for (int part = PARTS - 1; part >= 0; --part) {
        parts[part] = {cut_pair(piece[0], piece[1]), cut_pair(piece[2], piece[3]), cut_pair(piece[4], piece[5]),
                       cut_pair(piece[6], piece[7])};
    }
}

// The largest magnitude seen, as bits; UNFIT once one was too small to be split.
struct Magnitude {
    unsigned bits = 0;

    __device__ __forceinline__ void see(float x) {
        const unsigned size = __float_as_uint(x) & 0x7FFFFFFFu;
        bits = max(bits, size - 1 < SMALLEST - 1 ? UNFIT : size);
    }

    template <unsigned COUNT>
    __device__ __forceinline__ void see(const float (&piece)[COUNT]) {
#pragma unroll
        for (unsigned i = 0; i < COUNT; ++i) see(piece[i]);
    }
};

// Whether sums of k products of such numbers are out of the split's reach.
__device__ inline bool is_unfit(unsigned magnitude_a, unsigned magnitude_b, size_t k) {
    if (magnitude_a >= LARGEST || magnitude_b >= LARGEST) return true;
    return static_cast<double>(__uint_as_float(magnitude_a)) * static_cast<double>(__uint_as_float(magnitude_b)) *
               static_cast<double>(k) >= LARGEST_SUM;
}

}  // namespace tensor
