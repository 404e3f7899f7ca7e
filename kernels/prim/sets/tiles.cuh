// tiles.cuh — what kernels share that go through two sorted arrays tile by tile, in one pass, with results of unknown length.
//
// Algorithm  A partition kernel cuts both arrays into tiles, a block each. A block counts the results of its tile, adds up the
//            counts of the tiles before in a decoupled look-back, and so knows where its own results go. A state is one word,
//            published by one store: two bits say what it is, the rest is a count. The partition kernel clears the states.
// Cost       8 bytes a tile written twice and read some thirty times, from the L2 cache.
// Limits     Counts below 2^62. A block waits for blocks with lower numbers, which start first; they need not all be on the
//            device.
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
constexpr int LOOKS = 8;                                           // of a lane: prefixes travel 256 tiles in a trip to the L2

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

// The sum of the counts before a tile whose own is published; all lanes of one warp call.
__device__ __forceinline__ uint64_t look_back(uint64_t *states, size_t tile, uint64_t count) {
    const unsigned lane = threadIdx.x % WARP;
    uint64_t before = 0;
    for (size_t end = tile; end > 0;) {                            // the states before `end` are still to be added
        uint64_t seen[LOOKS];                                      // WARP each, the nearest first
#pragma unroll
        for (int k = 0; k < LOOKS; ++k) {
            seen[k] = k * WARP + lane < end ? state_of(states, end - 1 - (k * WARP + lane)) : COUNT_SO_FAR;
        }
#pragma unroll
        for (int k = 0; k < LOOKS; ++k) {
            unsigned ends = __ballot_sync(ALL_LANES, seen[k] >= COUNT_SO_FAR);
            unsigned missing = __ballot_sync(ALL_LANES, seen[k] == 0);
            while ((missing & (ends == 0 ? ALL_LANES : (ends & -ends) - 1)) != 0) {
                if (seen[k] == 0) seen[k] = state_of(states, end - 1 - lane);
                ends = __ballot_sync(ALL_LANES, seen[k] >= COUNT_SO_FAR);
                missing = __ballot_sync(ALL_LANES, seen[k] == 0);
            }
            const unsigned last = ends == 0 ? WARP - 1 : __ffs(ends) - 1;
            uint64_t part = lane <= last ? seen[k] & COUNT : 0;
#pragma unroll
            for (int offset = WARP / 2; offset > 0; offset /= 2) part += __shfl_xor_sync(ALL_LANES, part, offset);
            before += part;
            end = ends != 0 ? 0 : end - WARP;                      // without an end all 32 are states
            if (end == 0) break;
        }
    }
    if (lane == 0 && tile > 0) *static_cast<volatile uint64_t *>(states + tile) = COUNT_SO_FAR | (before + count);
    return before;
}

// The part of both arrays that a tile has, [a, a + a_count) and [b, b + b_count).
struct Range {
    size_t a, b;
    unsigned a_count, b_count;
};

// From one cut to the next, as many elements of the arrays as there are, ITEMS + 1 at most whatever the cuts say.
template <unsigned ITEMS>
__device__ __forceinline__ Range range_between(size_t a, size_t b, size_t a_end, size_t b_end) {
    const unsigned a_count = a_end > a ? static_cast<unsigned>(min(a_end - a, size_t(ITEMS + 1))) : 0;
    const unsigned b_count = b_end > b ? static_cast<unsigned>(min(b_end - b, size_t(ITEMS + 1 - a_count))) : 0;
    return {a, b, a_count, b_count};
}

// store(index, key) for the keys of a's part, and those of b's part behind them.
template <int NT, int VT, typename Bits, typename Store>
__device__ __forceinline__ void for_each_key(const Bits *a, const Bits *b, const Range &range, Store store) {
    const unsigned count = range.a_count + range.b_count;
    const Bits *const from_a = a + range.a, *const from_b = b + range.b - range.a_count;
    Bits keys[VT];
    const bool is_whole = count >= NT * VT;                        // all but the last tile
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        const unsigned index = NT * k + threadIdx.x;
        if (is_whole || index < count) keys[k] = (index < range.a_count ? from_a : from_b)[index];
    }
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        const unsigned index = NT * k + threadIdx.x;
        if (is_whole || index < count) store(index, keys[k]);
    }
    if (threadIdx.x == 0 && count > NT * VT) store(NT * VT, (range.a_count > NT * VT ? from_a : from_b)[NT * VT]);
}

// ranks ← those of a's part and of b's part behind them; ITEMS + 1 places. The caller synchronises.
template <int NT, int VT, typename Order, typename Bits>
__device__ __forceinline__ void load_range(const Bits *a, const Bits *b, const Range &range, const Order &order, Bits *ranks) {
    if (order.is_float) {
        for_each_key<NT, VT>(a, b, range, [&](unsigned index, Bits key) { ranks[index] = order.rank(key); });
    } else {
        for_each_key<NT, VT>(a, b, range, [&](unsigned index, Bits key) { ranks[index] = key ^ order.flip; });
    }
}

}  // namespace sets
