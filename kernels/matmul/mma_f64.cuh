// mma_f64.cuh — the warp-level matrix instruction in double (DMMA).
//
//   C (16, 8) ← C + A (16, d) · B (d, 8)           d = 4 or 8
//
// Algorithm  Tensor cores from compute capability 8.0 on: one instruction from 9.0, else 8 × 8 in each. Before, fused
//            multiply-adds of fragments exchanged by shuffles.
// Edges      One rounding an addition; along k in ascending order before 8.0, in the hardware's from there on.
// Source     PTX ISA, "Matrix Fragments for mma.m8n8k4, m16n8k4, m16n8k8", with .f64.
#pragma once

#include <cuda_runtime.h>

#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int MMA_F64_ROWS = 16, MMA_F64_COLS = 8, MMA_F64_DEPTH = 4;  // of the smallest step of a warp

// ---- device helpers -------------------------------------------------------------------------------------------------

// Four sums of a warp's 16 × 8, of rows g and g + 8 and columns 2t and 2t + 1 for lane 4g + t, ← plus the products along MERGED
// times MMA_F64_DEPTH places of k; the lane has rows g and g + 8 of A and column g of B, at places t, t + 4, … of k.
template <int MERGED>
__device__ __forceinline__ void mma_f64(double &upper0, double &upper1, double &lower0, double &lower1,
                                        const double (&a)[MERGED][2], const double (&b)[MERGED]) {
#if __CUDA_ARCH__ >= 900
    static_assert(MERGED <= 2, "fragments take turns");
    if constexpr (MERGED == 1) {
        asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                     : "+d"(upper0), "+d"(upper1), "+d"(lower0), "+d"(lower1) : "d"(a[0][0]), "d"(a[0][1]), "d"(b[0]));
    } else {
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                     "{%0, %1, %2, %3};"
                     : "+d"(upper0), "+d"(upper1), "+d"(lower0), "+d"(lower1)
                     : "d"(a[0][0]), "d"(a[0][1]), "d"(a[1][0]), "d"(a[1][1]), "d"(b[0]), "d"(b[1]));
    }
#elif __CUDA_ARCH__ >= 800
#pragma unroll
    for (int p = 0; p < MERGED; ++p) {
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(upper0), "+d"(upper1) : "d"(a[p][0]), "d"(b[p]));
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(lower0), "+d"(lower1) : "d"(a[p][1]), "d"(b[p]));
    }
#else
    const int lane = threadIdx.x % WARP, group = lane / 4, col = lane % 4 * 2;
#pragma unroll
    for (int p = 0; p < MERGED; ++p) {
#pragma unroll
        for (int t = 0; t < MMA_F64_DEPTH; ++t) {
            const double upper = __shfl_sync(ALL_LANES, a[p][0], 4 * group + t);
            const double lower = __shfl_sync(ALL_LANES, a[p][1], 4 * group + t);
            const double left = __shfl_sync(ALL_LANES, b[p], 4 * col + t), right = __shfl_sync(ALL_LANES, b[p], 4 * (col + 1) + t);
            upper0 = fma(upper, left, upper0), upper1 = fma(upper, right, upper1);
            lower0 = fma(lower, left, lower0), lower1 = fma(lower, right, lower1);
        }
    }
#endif
}
