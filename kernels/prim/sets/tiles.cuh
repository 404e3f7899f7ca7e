// tiles.cuh — what kernels share that go through two sorted arrays tile by tile, in one pass, with results of unknown length.
//
// Algorithm  A partition kernel cuts both arrays into tiles, a block each. A block counts the results of its tile, adds up the
//            counts of the tiles before in a decoupled look-back, and so knows where its own results go. A state is one word,
//            published by one store: two bits say what it is, the rest is a count. The partition kernel clears the states; a
//            single tile needs none.
// Cost       8 bytes a tile written twice and read some hundred times, from the L2 cache. Blocks wait for the slowest of those
//            before them: a quarter of the time of those kernels (H200), less where they have something to do meanwhile.
// Limits     Counts below 2^62. A block waits for blocks with lower numbers. They need not all be on the device, but have to
//            start no later: every device so far starts blocks in the order of their numbers, as CUB's scans rely on as well.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/tune.cuh"

namespace sets {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr uint64_t COUNT_OF_TILE = uint64_t(1) << 62;              // the state is the count of this tile alone
constexpr uint64_t COUNT_SO_FAR = uint64_t(2) << 62;               // of this tile and all before
constexpr uint64_t COUNT = COUNT_OF_TILE - 1;                      // the bits of the count; a state of 0 is not there yet

// ---- device helpers -------------------------------------------------------------------------------------------------

// The sum of the values of the threads before, and *total ← that of all; slots has one a warp.
template <int NT, typename T>
__device__ __forceinline__ T sum_before(T value, T *slots, T *total) {
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    T sum = value;
#pragma unroll
    for (int offset = 1; offset < WARP; offset *= 2) {
        const T before = __shfl_up_sync(ALL_LANES, sum, offset);
        if (lane >= unsigned(offset)) sum += before;
    }
    if (lane == WARP - 1) slots[warp] = sum;
    __syncthreads();                                               // the sums of all warps are there
    T before = 0, all = 0;
#pragma unroll
    for (unsigned w = 0; w < NT / WARP; ++w) {
        if (w == warp) before = all;
        all += slots[w];
    }
    *total = all;
    return before + sum - value;
}

__device__ __forceinline__ uint64_t state_of(const uint64_t *states, size_t tile) {
    return *static_cast<const volatile uint64_t *>(states + tile);
}

// Publishes the count of a tile; one thread calls.
__device__ __forceinline__ void publish(uint64_t *states, size_t tile, uint64_t count) {
    *static_cast<volatile uint64_t *>(states + tile) = (tile == 0 ? COUNT_SO_FAR : COUNT_OF_TILE) | count;
}

// The sum of the counts before a tile whose own is published; all lanes of one warp call. It looks at 32 states at a time: with
// 128 or 256 at once a join of 2^28 keys takes 5 or 7 % longer (H200).
__device__ __forceinline__ uint64_t look_back(uint64_t *states, size_t tile, uint64_t count) {
    const unsigned lane = threadIdx.x % WARP;
    uint64_t before = 0;                                           // what this lane saw
    for (size_t end = tile; end > 0;) {                            // the states before `end` are still to be added
        uint64_t seen = lane < end ? state_of(states, end - 1 - lane) : COUNT_SO_FAR;
        unsigned ends = __ballot_sync(ALL_LANES, seen >= COUNT_SO_FAR);
        unsigned missing = __ballot_sync(ALL_LANES, seen == 0);
        while ((missing & (ends == 0 ? ALL_LANES : (ends & -ends) - 1)) != 0) {
            if (seen == 0) seen = state_of(states, end - 1 - lane);
            ends = __ballot_sync(ALL_LANES, seen >= COUNT_SO_FAR);
            missing = __ballot_sync(ALL_LANES, seen == 0);
        }
        const unsigned up_to_end = ends ^ (ends - 1);              // all lanes where there is none
        if (up_to_end >> lane & 1) before += seen & COUNT;
        end = ends != 0 ? 0 : end - WARP;                          // without an end all 32 are states
    }
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2) before += __shfl_xor_sync(ALL_LANES, before, offset);
    if (lane == 0 && tile > 0) *static_cast<volatile uint64_t *>(states + tile) = COUNT_SO_FAR | (before + count);
    return before;
}

}  // namespace sets
