// load_balance.cuh — load-balancing search: maps each work item of a block's tile to its object.
//
//   object of item k = upper_bound (scan, k) - 1        scan (objects) ascending: where the items of an object begin
//
// Algorithm  A block takes a range of tiles, and searches which objects begin in each (tile_range.cuh). Each object that begins
//            in a tile, the last of those that begin together, writes its number at its first item, in shared memory; the last
//            one of a warp's items is carried to the warps behind. Then each warp computes a maximum scan over its own items: a
//            lane over four neighbours, a ballot and a shuffle over the lanes, a carry from row to row.
//            Where a tile has far more objects than items, most are empty; there each item searches for its own.
// Cost       Reads what of scan is in the tiles, and what searches touch; about six instructions and two bytes of shared
//            memory an item. No block does more than the work of its items and four times as many objects, whatever the counts.
// Limits     NT·VT ≤ 65535, VT a multiple of 8. A warp has VT·32 neighbouring items: tile_item (row) is a lane's in a row of 32.
// Edges      Items before scan[0] belong to object 0. In a scan that is not sorted an item's object is any one of the array: mark() then
//            has threads write to the same item, which racecheck reports; each writes the number of an object of the tile, in one
//            store, so that whichever stays is within the array.
// Source     S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013, which merges; the maximum scan is ours.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/block/tile_range.cuh"
#include "prim/warp/search.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// A tile before its items are mapped.
struct BalancedTile {
    size_t begin;                                                  // its first item
    unsigned here;                                                 // items
    size_t before;                                                 // objects that begin in front of it
    unsigned starting;                                             // in it; or one more than are given numbers
};

template <int NT, int VT>
struct LoadBalance {
    static constexpr unsigned TILE = NT * VT, WARPS = NT / WARP, SEGMENT = WARP * VT, TILES_MAX = WARPS - 1;
    static constexpr unsigned NUMBERED = 4 * TILE < 65535 ? 4 * TILE : 65535; // objects of a tile that are given numbers
    static_assert(TILE <= 65535 && VT % 8 == 0, "numbers are 16 bits, eight a packet");

    alignas(16) uint16_t numbers[TILE];                            // of the items' objects: 1 is the first that begins there
    size_t cuts[TILES_MAX + 1];                                    // objects that begin in front of each tile
    unsigned carry[2][WARPS];                                      // the last object that begins in a warp's items; or 0

    // For each of the block's `tiles` tiles of `count` items: prepare (tile), by all threads, then work (tile, first, number_of):
    // first + number_of (item) is the object of one of this warp's items, by its place in the tile. `first` may be one in front
    // of all, where no number is 0. All threads of the block call; objects ≥ 1.
    template <typename Index, typename Prepare, typename Work>
    __device__ __forceinline__ void walk(const Index *scan, size_t objects, size_t count, unsigned tiles, Prepare prepare,
                                         Work work) {
        const size_t first = size_t(blockIdx.x) * tiles * TILE;
        search_cuts<NT>(cuts, tiles + 1, [&](unsigned c) {
            const size_t begin = first + c * size_t(TILE);
            return begin < count ? warp_first_false(size_t(0), objects, [&](size_t i) { return scan[i] < begin; }) : objects;
        });
        if (threadIdx.x < WARPS) carry[0][threadIdx.x] = 0;
        for (unsigned t = 0; t < tiles && first + t * size_t(TILE) < count; ++t) {
            BalancedTile tile;
            tile.begin = first + t * size_t(TILE), tile.here = static_cast<unsigned>(min(count - tile.begin, size_t(TILE)));
            clear();
            __syncthreads();                                       // cuts and zeros are ready, the tile before is done
            tile.before = cuts[t];
            const size_t after = max(cuts[t + 1], tile.before);
            tile.starting = static_cast<unsigned>(min(after - tile.before, size_t(NUMBERED + 1)));
            if (threadIdx.x < WARPS) carry[(t + 1) % 2][threadIdx.x] = 0;
            prepare(tile);
            if (tile.starting > NUMBERED) {
                __syncthreads();                                   // what was prepared is ready
                work(tile, size_t(0), [=](unsigned item) {
                    const size_t item_of_all = tile.begin + item;
                    const size_t behind = first_false(tile.before, after, [=](size_t i) { return scan[i] <= item_of_all; });
                    return max(behind, size_t(1)) - 1;
                });
            } else {
                mark(scan + tile.before, tile, carry[t % 2]);
                __syncthreads();                                   // all numbers of objects are set
                spread(tile.before == 0 ? 1 : 0, carry[t % 2]);
                __syncwarp();                                      // the numbers of the warp's items are ready
                const uint16_t *const of = numbers;
                work(tile, tile.before - 1, [=](unsigned item) { return unsigned(of[item]); });
                __syncwarp();
            }
        }
    }

private:
    // Zeros for the warp's items.
    __device__ __forceinline__ void clear() {
        uint4 *const mine = reinterpret_cast<uint4 *>(numbers) + threadIdx.x / WARP * (SEGMENT / 8);
#pragma unroll
        for (unsigned i = threadIdx.x % WARP; i < SEGMENT / 8; i += WARP) mine[i] = make_uint4(0, 0, 0, 0);
    }

    // A number for each object that begins in the tile, the last one's of a warp to `last`.
    template <typename Index>
    __device__ __forceinline__ void mark(const Index *starts, const BalancedTile &tile, unsigned *last) {
        for (unsigned i = threadIdx.x; i < tile.starting; i += NT) {
            const Index from = Index(tile.begin), at = starts[i] - from;
            const Index next = i + 1 < tile.starting ? starts[i + 1] - from : Index(TILE);
            if (at >= TILE || next == at) continue;                // beyond the tile only where scan is not sorted
            numbers[at] = static_cast<uint16_t>(i + 1);
            if (next >= TILE || next / SEGMENT != at / SEGMENT) last[at / SEGMENT] = i + 1;
        }
    }

    // Every item's number; `before`: that of the items in front of the first object.
    __device__ __forceinline__ void spread(unsigned before, const unsigned *last) {
        const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
#pragma unroll
        for (unsigned w = 0; w + 1 < WARPS; ++w) before = w < warp ? max(before, last[w]) : before;
#pragma unroll
        for (int row = 0; row < VT / 4; ++row) {
            uint2 *const four = reinterpret_cast<uint2 *>(numbers) + warp * (SEGMENT / 4) + row * WARP + lane;
            const uint2 started = *four;
            const unsigned a = started.x & 0xFFFF, b = max(a, started.x >> 16), c = max(b, started.y & 0xFFFF);
            const unsigned d = max(c, started.y >> 16);
            const unsigned votes = __ballot_sync(ALL_LANES, d != 0), below = votes & ((1u << lane) - 1);
            const unsigned nearest = __shfl_sync(ALL_LANES, d, (31 - __clz(below)) & 31);
            const unsigned carried = below != 0 ? nearest : before;
            *four = make_uint2(max(a, carried) | max(b, carried) << 16, max(c, carried) | max(d, carried) << 16);
            before = __shfl_sync(ALL_LANES, max(d, carried), WARP - 1);
        }
    }
};
