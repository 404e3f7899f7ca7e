// sorted_tile.cuh — two sorted arrays, cut into tiles of their merge: what each element of one finds in the other lies in its tile.
//
// Algorithm  A tile is a piece of the merge path of NT·VT elements: of A those from a.begin on, of B those from b.begin on, and with
//            them in shared memory, as ranks, one neighbour on each side. Where keys are equal those of A come first, or those of B:
//            a key of the first lies before its equals in the other array, so that its lower bound there is within the tile, and
//            so is the upper bound of a key of the second.
//            A block walks several tiles: two warps search the ends of its first one among all elements, 33 parts a step; the
//            end of each next one is searched among as many elements as a tile has, while the tile before is worked on.
// Cost       Reads A and B once, and about 3 KB for the search of a block.
// Limits     sizeof (Bits) · (NT·VT + 4) bytes of shared memory.
// Edges      In arrays that are not sorted tiles are some tiles, within the arrays.
// Source     O. Green, R. McColl, D. Bader, "GPU Merge Path", 2012; S. Baxter, "ModernGPU", Vectorized Sorted Search, 2013.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/order.cuh"
#include "prim/search.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// One array's part of a tile.
template <typename Bits>
struct SortedPart {
    const Bits *ranks;                                             // ranks[-1] and ranks[count] are the neighbours, where there are any
    size_t begin, total;                                           // where the part begins in its array, and how long that is
    unsigned count;

    // The position in the whole array, at which a key of the other array is put: behind the equal ones or before.
    // *is_there: whether there are any.
    __device__ __forceinline__ size_t find(Bits rank, bool behind_equal, bool *is_there) const {
        const unsigned at = behind_equal ? partition_point(0u, count, [&](unsigned i) { return ranks[i] <= rank; })
                                         : partition_point(0u, count, [&](unsigned i) { return ranks[i] < rank; });
        const int equal = behind_equal ? int(at) - 1 : int(at);    // where there would be one
        *is_there = begin + equal < total && ranks[equal] == rank; // 0 - 1 is beyond every total
        return begin + at;
    }
};

template <int NT, int VT, typename Bits>
struct SortedTiles {
    static constexpr size_t TILE = NT * VT;
    static_assert(NT / WARP >= 2, "two warps search");

    Bits ranks[TILE + 4];
    size_t ends[2];                                                // how many elements of A lie before the tile, and up to its end

    // work (a, b) for each of the `tiles` tiles from the block's first one on. All threads of the block call.
    template <typename Work>
    __device__ __forceinline__ void walk(const Bits *a, size_t a_count, const Bits *b, size_t b_count, KeyOrder<Bits> order,
                                         bool a_first, unsigned tiles, Work work) {
        const unsigned tid = threadIdx.x, warp = tid / WARP, lane = tid % WARP;
        const size_t all = a_count + b_count;
        const auto before = [&](size_t i, size_t j) {
            const Bits left = order.rank(a[i]), right = order.rank(b[j]);
            return a_first ? left <= right : left < right;
        };
        size_t begin = size_t(blockIdx.x) * tiles * TILE, end = min(begin + TILE, all);
        const size_t last = min(begin + tiles * TILE, all);
        if (warp < 2) {
            const size_t found = warp_merge_path(a_count, b_count, warp == 0 ? begin : end, before);
            if (lane == 0) ends[warp] = found;
        }
        __syncthreads();                                           // both ends are there

        while (begin < last) {
            const size_t length = end - begin, a_begin = ends[0];
            const size_t a_end = min(max(ends[1], a_begin), a_begin + length);
            const unsigned from_a = static_cast<unsigned>(a_end - a_begin), from_b = static_cast<unsigned>(length) - from_a;
            const SortedPart<Bits> part_a = {ranks + 1, a_begin, a_count, from_a};
            const SortedPart<Bits> part_b = {ranks + from_a + 3, begin - a_begin, b_count, from_b};

            // ranks: a neighbour, from_a of A, two neighbours, from_b of B, a neighbour.
            Bits tile[VT];
#pragma unroll
            for (int i = 0; i < VT; ++i) {
                const unsigned slot = tid + i * NT;
                if (slot < length) tile[i] = slot < from_a ? a[a_begin + slot] : b[part_b.begin + slot - from_a];
            }
            if (tid < 2) {
                const size_t at = tid == 0 ? a_begin - 1 : a_end;
                if (at < a_count) ranks[tid == 0 ? 0 : from_a + 1] = order.rank(a[at]);
            } else if (tid < 4) {
                const size_t at = tid == 2 ? part_b.begin - 1 : part_b.begin + from_b;
                if (at < b_count) ranks[tid == 2 ? from_a + 2 : length + 3] = order.rank(b[at]);
            }
#pragma unroll
            for (int i = 0; i < VT; ++i) {
                const unsigned slot = tid + i * NT;
                if (slot < length) ranks[slot + (slot < from_a ? 1 : 3)] = order.rank(tile[i]);
            }
            __syncthreads();                                       // the tile is there; its ends were read

            begin = end;
            end = min(begin + TILE, all);
            if (warp == 0 && begin < last) {                       // the end of the next one
                const size_t low = max(a_end, end > b_count ? end - b_count : 0), high = min(a_end + (end - begin), a_count);
                const size_t found = warp_partition_point(low, high, [&](size_t i) { return before(i, end - 1 - i); });
                if (lane == 0) {
                    ends[0] = a_end;
                    ends[1] = found;
                }
            }
            work(part_a, part_b);
            __syncthreads();                                       // the tile is free; the next ends are there
        }
    }
};
