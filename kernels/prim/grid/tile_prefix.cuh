// tile_prefix.cuh — exclusive prefix of the tiles' counts in one pass, for outputs whose length is known on the device alone.
//
// Algorithm  A block counts the results of its tile and publishes the count (tile_state.cuh). One warp, of a block without a
//            tile, scans the counts in the order of the tiles as they come, and makes each state inclusive (add_up); so a block
//            knows where its results go. The partition kernel clears the states; a single tile needs no prefix.
// Cost       8 bytes a tile written twice and read a few times, from the L2 cache. A block has other work while its prefix is
//            computed. With look-back by each block, 32 counts at a time, set operations of a tile a block took 3 to 5 %, outer
//            joins 8 % longer (2^28 keys, H200). With two states a lane the warp keeps up with a tile each 9 ns.
// Limits     Counts below 2^62. The block that adds up is the first to start; other blocks wait for it and for blocks with lower
//            numbers. They need not all be resident, but have to start no later: every device so far starts blocks in the
//            order of their numbers, as CUB's scans rely on as well.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016, where each block
//            looks back itself.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/tile_state.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

namespace sets {

// ---- constants ------------------------------------------------------------------------------------------------------

using CountState = TileState<uint64_t>;

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ uint64_t state_of(const uint64_t *states, size_t tile) {
    return *static_cast<const volatile uint64_t *>(states + tile);
}

// Publishes the count of a tile; one thread calls.
__device__ __forceinline__ void publish(uint64_t *states, size_t tile, uint64_t count) {
    *static_cast<volatile uint64_t *>(states + tile) = (tile == 0 ? CountState::INCLUSIVE : CountState::PARTIAL) | count;
}

// The exclusive prefix of a tile whose own count is `count`; waits for it. state: the tile's state as last read.
__device__ __forceinline__ uint64_t before(const uint64_t *states, size_t tile, uint64_t count, uint64_t state = 0) {
    if (tile == 0) return 0;
    while (state < CountState::INCLUSIVE) state = state_of(states, tile);
    return (state & CountState::VALUE) - count;
}

// Scans the counts of all tiles in order, as they come, so that each state becomes INCLUSIVE; returns their sum.
// All lanes of one warp call; a lane has EACH states at a time, and Count holds the sum of those of a warp. While some are scanned
// the next ones are loaded.
template <int EACH, typename Count>
__device__ __forceinline__ uint64_t add_up(uint64_t *states, size_t tiles) {
    const unsigned lane = threadIdx.x % WARP;
    uint64_t seen[EACH], before = 0;
    const auto look = [&](size_t own) {
#pragma unroll
        for (int k = 0; k < EACH; ++k) seen[k] = own + k < tiles ? state_of(states, own + k) : CountState::PARTIAL;
    };
    look(lane * EACH);
    for (size_t begin = 0; begin < tiles;) {                       // the states before `begin` are done
        Count counts[EACH];                                        // up to each state of the lane
        bool are_there = true;
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            are_there = are_there && seen[k] != 0;
            counts[k] = static_cast<Count>(seen[k] & CountState::VALUE) + (k > 0 ? counts[k - 1] : 0);
        }
        const unsigned missing = __ballot_sync(ALL_LANES, !are_there);
        const unsigned lanes = missing == 0 ? WARP : __ffs(missing) - 1; // whose states are valid, and all before
        const size_t own = begin + lane * EACH;
        begin += lanes * EACH;
        look(own + lanes * EACH);
        if (lanes == 0) continue;

        const Count sum = warp_inclusive_sum(counts[EACH - 1]);
        const uint64_t before_lane = before + (sum - counts[EACH - 1]);
#pragma unroll
        for (int k = 0; k < EACH; ++k) {
            if (lane >= lanes || own + k >= tiles) continue;
            *static_cast<volatile uint64_t *>(states + own + k) = CountState::INCLUSIVE | (before_lane + counts[k]);
        }
        before += __shfl_sync(ALL_LANES, sum, lanes - 1);
    }
    return before;
}

}  // namespace sets
