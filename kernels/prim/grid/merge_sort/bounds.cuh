// bounds.cuh — for each boundary between tiles, where the segment that crosses it begins and ends.
//
// Algorithm  A maximum scan forwards and a minimum scan backwards of the tiles' heads (tiles.cuh), in one block.
// Cost       Four words of 8 bytes a tile.
// Source     W. D. Hillis, G. L. Steele, "Data parallel algorithms", CACM 29, 1986.
#pragma once

#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/merge_sort/arrays.cuh"
#include "prim/grid/merge_sort/tiles.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int BOUNDS_THREADS = 1024;

// ---- kernels --------------------------------------------------------------------------------------------------------

// segment_begin[t] ← the last head before tile t, segment_end[t] ← the first one from there on: running extrema, in one block.
template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(BOUNDS_THREADS) find_bounds(const __grid_constant__ MergeSort<Key, FLOAT> sort) {
    __shared__ size_t begins[BOUNDS_THREADS], ends[BOUNDS_THREADS];
    pdl_wait();
    pdl_trigger();
    const unsigned each = (sort.tiles + BOUNDS_THREADS - 1) / BOUNDS_THREADS, tid = threadIdx.x;
    const unsigned low = min(tid * each, sort.tiles), high = min(low + each, sort.tiles);

    // Of this thread's tiles, then of all threads before and behind it.
    size_t begin = 0, end = NO_HEAD;
#pragma unroll 8
    for (unsigned t = low; t < high; ++t) {
        begin = max(begin, sort.segment_begin[t]);
        end = min(end, sort.segment_end[t]);
    }
    begins[tid] = begin, ends[tid] = end;
    __syncthreads();
    for (unsigned distance = 1; distance < BOUNDS_THREADS; distance *= 2) {
        if (tid >= distance) begin = max(begin, begins[tid - distance]);
        if (tid + distance < BOUNDS_THREADS) end = min(end, ends[tid + distance]);
        __syncthreads();
        begins[tid] = begin, ends[tid] = end;
        __syncthreads();
    }
    begin = tid > 0 ? begins[tid - 1] : 0, end = tid + 1 < BOUNDS_THREADS ? ends[tid + 1] : NO_HEAD;
#pragma unroll 8
    for (unsigned t = low; t < high; ++t) sort.segment_begin[t] = begin = max(begin, sort.segment_begin[t]);
#pragma unroll 8
    for (unsigned t = high; t > low; --t) sort.segment_end[t - 1] = end = min(end, sort.segment_end[t - 1]);
}

}  // namespace
