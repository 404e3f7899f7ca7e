// partial_prefixes.cuh — prefixes over the parts of a dimension, from which each part is scanned.
//
//   partials[s, r] ← partials[0, r] ∘ … ∘ partials[s - 1, r]        (splits, results), the last index fastest
//
// Algorithm  A warp for each result, 32 parts at a time: the lanes are scanned by shuffles, and the last one is carried on.
// Cost       Reads and writes the partial results once.
// Limits     Any extents; more warps than a grid has are taken in turn.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/dim_reduce.cuh"
#include "prim/grid/grid.cuh"
#include "prim/warp/shuffle.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int ROW_WARPS = DIM_THREADS / WARP;

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename V>
__device__ __forceinline__ V last_lane_value(const V &value) {
    return lane_value(value, WARP - 1);
}

// The inclusive scan of the lanes' values.
template <typename Fold>
__device__ __forceinline__ typename Fold::Value scan_lanes(const Fold &fold, typename Fold::Value value) {
#pragma unroll
    for (unsigned offset = 1; offset < WARP; offset *= 2) {
        const auto before = shuffle_up_value(value, offset);
        if (threadIdx.x % WARP >= offset) value = fold.merge(before, value);
    }
    return value;
}

// That of the lanes before.
template <typename Fold>
__device__ __forceinline__ typename Fold::Value exclusive_of(const Fold &fold, const typename Fold::Value &inclusive) {
    const auto before = shuffle_up_value(inclusive, 1);
    return threadIdx.x % WARP == 0 ? fold.identity() : before;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// partials (splits, results) ← their exclusive prefixes over the splits; a warp for each result.
template <typename Fold>
__global__ void __launch_bounds__(DIM_THREADS)
    partial_prefixes(const Fold fold, typename Fold::Value *partials, size_t splits, size_t results) {
    using Value = typename Fold::Value;
    const unsigned lane = threadIdx.x % WARP;
    for (size_t at = blockIdx.x * size_t(ROW_WARPS) + threadIdx.x / WARP; at < results; at += gridDim.x * size_t(ROW_WARPS)) {
        Value carry = fold.identity();
        for (size_t from = 0; from < splits; from += WARP) {
            const size_t split = from + lane;
            const Value value = split < splits ? partials[split * results + at] : fold.identity();
            const Value inclusive = scan_lanes(fold, value);
            const Value before = fold.merge(carry, exclusive_of(fold, inclusive));
            if (split < splits) partials[split * results + at] = before;
            carry = fold.merge(carry, last_lane_value(inclusive));
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename Fold>
void launch_partial_prefixes(const Fold &fold, typename Fold::Value *partials, size_t splits, size_t results, cudaStream_t stream) {
    const unsigned blocks = unsigned(at_most(ceil_div(results, ROW_WARPS), GRID_X_MAX));
    partial_prefixes<<<blocks, DIM_THREADS, 0, stream>>>(fold, partials, splits, results);
}
