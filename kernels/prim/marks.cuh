// marks.cuh — a block ranks the items of its tile by marks: how many marked ones lie before each.
//
// Algorithm  A mark is a byte in shared memory. A warp votes over each row of 32 items, so that a rank within the row is a count of
//            bits; the totals of the warps are added up.
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
    static constexpr unsigned TILE = NT * VT, WARPS = NT / WARP;

    alignas(16) uint8_t marked[TILE];
    size_t first, last;                                            // of the sorted positions: those first ≤ i < last lie in the tile
    unsigned total[WARPS];

    // Marks the items whose places are position(i), ascending in i < count, for the `here` items from `begin` on. rank[row] ← how
    // many marked ones lie before the item tile_item(row), rows as bits in is_marked. All threads of the block call. Returns
    // how many positions lie before the tile.
    template <typename Position>
    __device__ __forceinline__ size_t rank(size_t count, size_t begin, unsigned here, Position position, unsigned (&ranks)[VT],
                                           unsigned *is_marked) {
        static_assert(TILE % 16 == 0 && WARPS >= 2 && VT <= 32, "zeros in packets; two warps search; rows are bits of a word");
        const unsigned tid = threadIdx.x, warp = tid / WARP, lane = tid % WARP;
        for (unsigned i = tid; i < TILE / 16; i += NT) reinterpret_cast<uint4 *>(marked)[i] = make_uint4(0, 0, 0, 0);
        if (warp < 2) {
            const size_t end = warp == 0 ? begin : begin + here;
            const size_t found = warp_partition_point(0, count, [&](size_t i) { return position(i) < end; });
            if (lane == 0) (warp == 0 ? first : last) = found;
        }
        __syncthreads();                                           // first, last and the zeros are there
        const size_t from = first, to = min(last, from + TILE);    // more only where positions are equal or not sorted
        for (size_t i = from + tid; i < to; i += NT) {
            const size_t at = position(i) - begin;
            if (at < here) marked[at] = 1;
        }
        __syncthreads();                                           // all marks are there

        unsigned before = 0, bits = 0;
#pragma unroll
        for (int row = 0; row < VT; ++row) {
            const bool is_one = marked[tile_item<VT>(row)] != 0;
            const unsigned votes = __ballot_sync(ALL_LANES, is_one);
            ranks[row] = before + __popc(votes & ((1u << lane) - 1));
            before += __popc(votes);
            bits |= unsigned(is_one) << row;
        }
        *is_marked = bits;
        if (lane == 0) total[warp] = before;
        __syncthreads();                                           // the totals of all warps are there
        unsigned earlier = 0;
#pragma unroll
        for (unsigned w = 0; w + 1 < WARPS; ++w) earlier += w < warp ? total[w] : 0;
#pragma unroll
        for (int row = 0; row < VT; ++row) ranks[row] += earlier;
        return from;
    }
};
