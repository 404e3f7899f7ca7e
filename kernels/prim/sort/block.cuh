// block.cuh — a small sort, by one block in one launch.
//
// Algorithm  A thread sorts VT neighbours (odd-even transposition, which is stable); then runs of VT, 2·VT, ... keys are merged
//            in pairs in shared memory, where each thread finds the start of its VT results by a search along a diagonal.
//            Sorted are the ranks of the keys and their positions; the keys and the values are gathered at the end.
// Cost       log2 of the number of threads rounds, each about 2 us with 1024 threads: on an H200, with the launch, 256 keys take
//            11 us, 4096 take 24.
// Edges      Past the end there are keys of the highest rank, which stay behind all others of that rank.
// Source     O. Green, R. McColl, D. Bader, "GPU Merge Path", 2012; S. Baxter, "ModernGPU", Mergesort, NVIDIA 2013.
#pragma once

#include "prim/sort/plan.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned BLOCK_SORT_THREADS = 1024;

// ---- device helpers -------------------------------------------------------------------------------------------------

// How many of the first `steps` results of the merge of two runs come from a.
template <typename Bits>
__device__ __forceinline__ unsigned merge_path(const Bits *a, unsigned a_length, const Bits *b, unsigned b_length,
                                               unsigned steps) {
    unsigned low = steps > b_length ? steps - b_length : 0, high = min(steps, a_length);
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (a[middle] <= b[steps - 1 - middle]) low = middle + 1;
        else high = middle;
    }
    return low;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// values NULL: the positions of the keys are the values, of value_bytes. sorted may be NULL.
template <typename Bits, int VT>
__global__ void __launch_bounds__(BLOCK_SORT_THREADS)
sort_block(const Bits *keys, unsigned count, KeyOrder<Bits> order, Bits *sorted, const void *values, void *sorted_values,
           int value_bytes) {
    extern __shared__ __align__(16) unsigned char bytes[];
    const unsigned tid = threadIdx.x, capacity = blockDim.x * VT;
    Bits *const ranks = reinterpret_cast<Bits *>(bytes);           // (capacity)
    uint16_t *const positions = reinterpret_cast<uint16_t *>(ranks + capacity);

    Bits own[VT];
    unsigned from[VT];
    for (unsigned i = tid; i < capacity; i += blockDim.x) ranks[i] = i < count ? order.rank(keys[i]) : ~Bits(0);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < VT; ++i) own[i] = ranks[VT * tid + i], from[i] = VT * tid + i;
#pragma unroll
    for (int round = 0; round < VT; ++round) {
#pragma unroll
        for (int i = round % 2; i + 1 < VT; i += 2) {
            const bool swap = own[i + 1] < own[i];
            const Bits low = swap ? own[i + 1] : own[i];
            const unsigned low_from = swap ? from[i + 1] : from[i];
            own[i + 1] = swap ? own[i] : own[i + 1], from[i + 1] = swap ? from[i] : from[i + 1];
            own[i] = low, from[i] = low_from;
        }
    }

    for (unsigned width = VT; ; width *= 2) {
#pragma unroll
        for (int i = 0; i < VT; ++i) ranks[VT * tid + i] = own[i], positions[VT * tid + i] = static_cast<uint16_t>(from[i]);
        __syncthreads();
        if (width >= count) break;

        const unsigned start = VT * tid / (2 * width) * (2 * width), steps = VT * tid - start;
        const unsigned middle = min(start + width, capacity), end = min(start + 2 * width, capacity);
        unsigned a = start + merge_path(ranks + start, middle - start, ranks + middle, end - middle, steps);
        unsigned b = middle + steps - (a - start);
        Bits next_a = a < middle ? ranks[a] : Bits(0), next_b = b < end ? ranks[b] : Bits(0);
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            const bool takes_a = b >= end || (a < middle && next_a <= next_b);
            own[i] = takes_a ? next_a : next_b;
            from[i] = positions[takes_a ? a : b];
            const unsigned next = takes_a ? ++a : ++b;
            const bool there = next < (takes_a ? middle : end);
            const Bits rank = there ? ranks[next] : Bits(0);
            if (takes_a) next_a = rank;
            else next_b = rank;
        }
        __syncthreads();
    }

    for (unsigned i = tid; i < count; i += blockDim.x) {
        const unsigned position = positions[i];
        if (sorted != nullptr) sorted[i] = keys[position];
        if (value_bytes == 4) {
            const uint32_t *const from = static_cast<const uint32_t *>(values);
            static_cast<uint32_t *>(sorted_values)[i] = from == nullptr ? position : from[position];
        } else if (value_bytes == 8) {
            const uint64_t *const from = static_cast<const uint64_t *>(values);
            static_cast<uint64_t *>(sorted_values)[i] = from == nullptr ? position : from[position];
        }
    }
}
