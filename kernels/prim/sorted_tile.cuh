// sorted_tile.cuh — two sorted arrays, cut into tiles of their merge: what an element finds in the other array lies in its tile.
//
// Algorithm  A tile is a piece of the merge path of NT·VT elements: of A those from a.begin on, of B those from b.begin on, and
//            with them in shared memory, as ranks, one neighbour on each side. Where keys are equal those of A come first, or
//            those of B: a key of the first lies before its equals in the other array, so that its lower bound there is within
//            the tile, and so is the upper bound of a key of the second.
//            A block walks up to TILES_MAX neighbouring tiles. Two warps search both ends of its stretch among all elements, 33
//            parts a step; then all warps those between, which lie near.
// Cost       Reads A and B once, and about 6 KB for the searches of a block.
// Limits     sizeof (Bits) · (NT·VT + 4) bytes of shared memory.
// Edges      In arrays that are not sorted tiles are some tiles, within the arrays.
// Source     O. Green, R. McColl, D. Bader, "GPU Merge Path", 2012; S. Baxter, "ModernGPU", Vectorized Sorted Search, 2013.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid.cuh"
#include "prim/order.cuh"
#include "prim/search.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned TILES_MAX = 16;                                 // that a block walks

// ---- device helpers -------------------------------------------------------------------------------------------------

// One array's part of a tile.
template <typename Bits>
struct SortedPart {
    const Bits *ranks;                                             // ranks[-1], ranks[count]: the neighbours, where there are any
    size_t begin, total;                                           // where the part begins in its array, and how long that is
    unsigned count;

    // at[k] ← how many elements of the part lie before keys[k], equal ones included or not. The searches go side by side.
    template <int N>
    __device__ __forceinline__ void find(const Bits (&keys)[N], bool behind_equal, unsigned (&at)[N]) const {
#pragma unroll
        for (int k = 0; k < N; ++k) at[k] = 0;
        if (count == 0) return;
        unsigned rest = count;
        while (rest > 1) {
            const unsigned half = rest / 2;
#pragma unroll
            for (int k = 0; k < N; ++k) {
                const Bits rank = ranks[at[k] + half - 1];
                if (behind_equal ? rank <= keys[k] : rank < keys[k]) at[k] += half;
            }
            rest -= half;
        }
#pragma unroll
        for (int k = 0; k < N; ++k) {
            const Bits rank = ranks[at[k]];
            at[k] += behind_equal ? rank <= keys[k] : rank < keys[k];
        }
    }

    // Whether an element equals the key whose place is `at`.
    __device__ __forceinline__ bool has(Bits key, unsigned at, bool behind_equal) const {
        const int equal = behind_equal ? int(at) - 1 : int(at);    // where there would be one
        return begin + equal < total && ranks[equal] == key;       // 0 - 1 is beyond every total
    }
};

template <int NT, int VT, typename Bits>
struct SortedTiles {
    static constexpr size_t TILE = NT * VT;
    static constexpr unsigned WARPS = NT / WARP;
    static_assert(WARPS >= 2, "two warps search");

    Bits ranks[TILE + 4];
    size_t ends[TILES_MAX + 1];                                    // elements of A before each tile, and up to the last one's end

    // work (a, b) for each of the `tiles` ≤ TILES_MAX tiles from the block's first one on. All threads of the block call.
    template <typename Work>
    __device__ __forceinline__ void walk(const Bits *a, size_t a_count, const Bits *b, size_t b_count, KeyOrder<Bits> order,
                                         bool a_first, unsigned tiles, Work work) {
        const unsigned tid = threadIdx.x;
        const size_t all = a_count + b_count, first = size_t(blockIdx.x) * tiles * TILE;
        const unsigned here = static_cast<unsigned>(min(size_t(tiles), (all - first + TILE - 1) / TILE));
        search(a, a_count, b, b_count, order, a_first, first, all, here);

        for (unsigned t = 0; t < here; ++t) {
            const size_t begin = first + t * TILE, a_begin = ends[t];
            const unsigned length = static_cast<unsigned>(min(TILE, all - begin));
            const unsigned from_a = static_cast<unsigned>(min(max(ends[t + 1], a_begin) - a_begin, size_t(length)));
            const unsigned from_b = length - from_a;
            const SortedPart<Bits> part_a = {ranks + 1, a_begin, a_count, from_a};
            const SortedPart<Bits> part_b = {ranks + from_a + 3, begin - a_begin, b_count, from_b};

            // ranks: a neighbour, from_a of A, two neighbours, from_b of B, a neighbour.
            const Bits *const at_a = a + a_begin, *const at_b = b + part_b.begin - from_a;
            Bits tile[VT];
#pragma unroll
            for (int i = 0; i < VT; ++i) {
                const unsigned slot = tid + i * NT;
                if (slot < length) tile[i] = (slot < from_a ? at_a : at_b)[slot];
            }
            if (t > 0) __syncthreads();                            // nobody searches the tile before any more
            if (tid < 2) {
                const size_t at = tid == 0 ? a_begin - 1 : a_begin + from_a;
                if (at < a_count) ranks[tid == 0 ? 0 : from_a + 1] = order.rank(a[at]);
            } else if (tid < 4) {
                const size_t at = begin - a_begin + (tid == 2 ? size_t(-1) : from_b);
                if (at < b_count) ranks[tid == 2 ? from_a + 2 : length + 3] = order.rank(b[at]);
            }
#pragma unroll
            for (int i = 0; i < VT; ++i) {
                const unsigned slot = tid + i * NT;
                if (slot < length) ranks[slot + (slot < from_a ? 1 : 3)] = order.rank(tile[i]);
            }
            __syncthreads();                                       // the tile is there
            work(part_a, part_b);
        }
    }

    // ends[t] for the `here` tiles from `first` on.
    __device__ __forceinline__ void search(const Bits *a, size_t a_count, const Bits *b, size_t b_count, KeyOrder<Bits> order,
                                           bool a_first, size_t first, size_t all, unsigned here) {
        const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
        const auto find = [&](size_t diagonal, size_t low, size_t high) {
            return warp_first_false(low, high, [&](size_t i) {
                const Bits left = order.rank(a[i]), right = order.rank(b[diagonal - 1 - i]);
                return a_first ? left <= right : left < right;
            });
        };
        const auto lowest = [&](size_t diagonal) { return diagonal > b_count ? diagonal - b_count : 0; };
        if (warp < 2) {
            const size_t diagonal = warp == 0 ? first : min(first + here * TILE, all);
            const size_t found = find(diagonal, lowest(diagonal), min(diagonal, a_count));
            if (lane == 0) ends[warp == 0 ? 0 : here] = found;
        }
        __syncthreads();                                           // both ends are there
        for (unsigned t = 1 + warp; t < here; t += WARPS) {
            const size_t diagonal = first + t * TILE;
            const size_t low = max(ends[0], lowest(diagonal)), high = min(ends[here], diagonal);
            const size_t found = find(diagonal, min(low, high), high);
            if (lane == 0) ends[t] = max(found, lowest(diagonal));
        }
        if (here > 1) __syncthreads();                             // all ends are there
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// How many tiles a block walks: one where there are few, so that all multiprocessors have work.
constexpr unsigned tiles_of_block(size_t tiles) {
    constexpr size_t BLOCKS_ENOUGH = 528;                          // what an H200 holds at once, four a multiprocessor
    return static_cast<unsigned>(at_most(at_most(ceil_div(tiles, BLOCKS_ENOUGH), TILES_MAX), tiles > 0 ? tiles : 1));
}
