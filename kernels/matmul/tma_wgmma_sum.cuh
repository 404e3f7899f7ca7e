// tma_wgmma_sum.cuh — adds up what tma_wgmma.cuh or narrow_wgmma.cuh made of parts of k (split-K), and stores it to C.
//
//   C ← alpha · Σ_p sums[p] + beta · C             sums (parts, rows, ld) float32
//
// Algorithm  A thread adds every GROUPS-th part of four columns, some of them loaded at once; a block's threads are then added up through
//            shared memory. A dependent launch.
// Cost       Reads 4 bytes of each element and part, most of them from the L2 cache.
// Limits     Machine code for sm_90a; ld is a multiple of 4.
// Edges      The order of the additions depends on the number of parts alone.
#pragma once

#include "matmul/tma_wgmma.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"

namespace tma_wgmma {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned SUM_GROUPS = 8, SUM_THREADS = SUM_GROUPS * WARP;

struct Parts {
    const float4 *sums;
    unsigned count;
    size_t packets, part;                                          // of a row, of a part, of 16 bytes
    const unsigned *flag;                                          // null, or C is left as it is where it is not 0
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <Format T>
static __global__ void __launch_bounds__(SUM_THREADS) matmul_sum_parts(Parts parts, Output output) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ float4 held[SUM_GROUPS][WARP];
    const unsigned lane = threadIdx.x % WARP, group = threadIdx.x / WARP;
    const size_t i = size_t(blockIdx.x) * WARP + lane, row = i / parts.packets, col = i % parts.packets * 4;
    const bool is_inside = row < output.rows;
    pdl_wait();
    if (parts.flag != nullptr && *parts.flag != 0) return;
    float4 sum = {};
    const auto add = [&](const float4 &part) { sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w; };
    if (is_inside) {
#pragma unroll 8
        for (unsigned p = group; p < parts.count; p += SUM_GROUPS) add(parts.sums[p * parts.part + i]);
    }
    held[group][lane] = sum;
    __syncthreads();                                               // the sums of all groups are there
    if (group != 0 || !is_inside) return;
#pragma unroll
    for (unsigned g = 1; g < SUM_GROUPS; ++g) add(held[g][lane]);
    store_pair<T>(output, 0, row, col, false, sum.x, sum.y);
    store_pair<T>(output, 0, row, col + 2, false, sum.z, sum.w);
#else
    __trap();
#endif
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <Format T>
cudaError_t launch_sum(const Parts &parts, const Output &output, cudaStream_t stream) {
    const unsigned blocks = static_cast<unsigned>(ceil_div(parts.part, WARP));
    return launch_pdl(true, matmul_sum_parts<T>, blocks, SUM_THREADS, stream, parts, output);
}

}  // namespace tma_wgmma
