// marks.cuh — a block ranks the items of its tile by marks: how many marked ones lie before each.
//
// Algorithm  Two warps search the sorted positions that lie in the tile. A mark is a byte in shared memory; the first position
//            in the items of a warp tells how many lie before these. Then each warp votes over rows of 32 items, so that a rank
//            within the row is a count of bits.
// Cost       A byte of shared memory an item; about six instructions an item.
// Source     M. Harris, M. Garland, "Optimizing Parallel Prefix Operations for the Fermi Architecture", GPU Computing Gems 2,
//            2012 (votes as a scan of bits).
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/load_balance.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <int NT, int VT>
struct Marks {
    static constexpr unsigned TILE = NT * VT, WARPS = NT / WARP, SEGMENT = WARP * VT;
    static_assert(TILE % 16 == 0 && WARPS >= 2, "zeros in packets; two warps search");

    alignas(16) uint8_t marked[TILE];
    size_t first, last;                                            // of the positions: those first ≤ i < last lie in the tile
    unsigned front[WARPS];                                         // the first position in a warp's items, counted from `first`

    // Marks the items whose places are position (i), ascending in i < count, among the `here` items from `begin` on. All threads
    // of the block call. Returns how many of the tile's positions lie before the items of this warp.
    template <typename Position>
    __device__ __forceinline__ unsigned mark(size_t count, size_t begin, unsigned here, Position position) {
        const unsigned tid = threadIdx.x, warp = tid / WARP, lane = tid % WARP;
#pragma unroll
        for (unsigned i = tid; i < TILE / 16; i += NT) reinterpret_cast<uint4 *>(marked)[i] = make_uint4(0, 0, 0, 0);
        if (tid < WARPS) front[tid] = TILE;
        if (warp < 2) {
            const size_t end = warp == 0 ? begin : begin + here;
            const size_t found = warp_first_false(size_t(0), count, [&](size_t i) { return position(i) < end; });
            if (lane == 0) (warp == 0 ? first : last) = found;
        }
        __syncthreads();                                           // first, last and the zeros are there
        const unsigned inside = static_cast<unsigned>(min(last > first ? last - first : 0, size_t(TILE))); // at most, if sorted
        for (unsigned i = tid; i < inside; i += NT) {
            const size_t at = position(first + i) - begin;
            if (at >= here) continue;
            marked[at] = 1;
            const unsigned segment = static_cast<unsigned>(at) / SEGMENT;
            if (i == 0 || (position(first + i - 1) - begin) / SEGMENT != segment) front[segment] = i;
        }
        __syncthreads();                                           // all marks are there
        unsigned before = inside;
#pragma unroll
        for (unsigned w = 0; w < WARPS; ++w) before = w >= warp ? min(before, front[w]) : before;
        return before;
    }

    // work (row, item, is_marked, rank) for this thread's items; rank: marked ones before the item. `before`: what mark () said.
    template <typename Work>
    __device__ __forceinline__ void for_each_row(unsigned before, Work work) const {
        const unsigned below = (1u << threadIdx.x % WARP) - 1;
#pragma unroll
        for (int row = 0; row < VT; ++row) {
            const unsigned item = tile_item<VT>(row);
            const bool is_marked = marked[item] != 0;
            const unsigned votes = __ballot_sync(ALL_LANES, is_marked);
            work(row, item, is_marked, min(before + __popc(votes & below), item)); // it is less, where the positions ascend
            before += __popc(votes);
        }
    }
};
