// flags.cuh — ranks of the items of a block's tiles by flags: how many flagged items are before each.
//
// Algorithm  A block takes a range of tiles, and searches which of the sorted positions are in each (tile_range.cuh). A flag is
//            a byte in shared memory, so that each position is one store. A thread packs 16 of them to bits, two threads the 32
//            of a row; an item's rank is an exclusive scan of the rows' counts and a population count in its own.
// Cost       A byte of shared memory and six instructions an item, seven more for each position.
// Limits     Tiles of 16 items a thread. A warp has 16 rows of 32 neighbours: tile_item<VT> (row) is a lane's (tile_range.cuh).
// Edges      Of positions that do not ascend some are flagged; ranks count the flags that are set.
// Source     M. Harris, M. Garland, "Optimizing Parallel Prefix Operations for the Fermi Architecture", GPU Computing Gems 2,
//            2012 (binary scans by ballots and population counts).
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/block/tile_range.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/search.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// The flags of a warp's items: lanes 2r and 2r + 1 hold those of row r, and the count of the tile's before it.
struct FlagRows {
    unsigned flags, before;

    // What of a row this lane's item needs; all lanes of the warp call.
    struct Item {
        bool is_flagged;
        unsigned rank;                                             // flagged items before it
    };
    __device__ __forceinline__ Item item(int row) const {
        const unsigned bit = 1u << threadIdx.x % WARP, of_row = __shfl_sync(ALL_LANES, flags, 2 * row);
        return {(of_row & bit) != 0, __shfl_sync(ALL_LANES, before, 2 * row) + __popc(of_row & (bit - 1))};
    }
};

template <int NT>
struct TileFlags {
    static constexpr int VT = 16;
    static constexpr unsigned TILE = NT * VT, WARPS = NT / WARP, TILES_MAX = WARPS - 1;
    static constexpr unsigned BATCH = 4;                           // positions of a thread that are on their way together

    alignas(16) uint8_t flagged[TILE];                             // all zero between tiles
    size_t cuts[TILES_MAX + 1];                                    // positions in front of each tile
    unsigned totals[WARPS];                                        // flags of a warp's items

    // Finds the positions of `tiles` tiles from item `first` on; position (i) ascends in i < count. All threads of the block
    // call.
    template <typename Position>
    __device__ __forceinline__ void search(size_t count, size_t first, unsigned tiles, Position position) {
        reinterpret_cast<uint4 *>(flagged)[threadIdx.x] = make_uint4(0, 0, 0, 0);
        search_cuts<NT>(cuts, tiles + 1, [&](unsigned c) {
            const size_t begin = first + c * size_t(TILE);
            return warp_first_false(size_t(0), count, [&](size_t i) { return position(i) < begin; });
        });
        __syncthreads();                                           // cuts and zeros are there
    }

    // The flags of tile t of the range, which has `here` items: place (i) is the place of the i-th of its positions. All
    // threads of the block call.
    template <typename Place>
    __device__ __forceinline__ FlagRows set(unsigned t, unsigned here, Place place) {
        const size_t positions = max(cuts[t + 1], cuts[t]) - cuts[t];
        const unsigned inside = static_cast<unsigned>(min(positions, size_t(TILE)));
        for (unsigned first = threadIdx.x; first < inside; first += BATCH * NT) {
            decltype(place(0u)) at[BATCH];
#pragma unroll
            for (unsigned k = 0; k < BATCH; ++k) {
                if (first + k * NT < inside) at[k] = place(first + k * NT);
            }
#pragma unroll
            for (unsigned k = 0; k < BATCH; ++k) {
                if (first + k * NT < inside && at[k] < here) flagged[at[k]] = 1;
            }
        }
        __syncthreads();                                           // all flags are set
        return pack();
    }

    // Packs the flags, and clears them.
    __device__ __forceinline__ FlagRows pack() {
        const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
        uint4 *const mine = reinterpret_cast<uint4 *>(flagged) + threadIdx.x;
        const uint4 bytes = *mine;
        *mine = make_uint4(0, 0, 0, 0);
        const auto bits = [](unsigned four) { return four * 0x10204080u >> 28; }; // byte i to bit i: nothing carries
        const unsigned half = bits(bytes.x) | bits(bytes.y) << 4 | bits(bytes.z) << 8 | bits(bytes.w) << 12;
        const unsigned other = __shfl_xor_sync(ALL_LANES, half, 1);
        const unsigned flags = lane % 2 == 0 ? half | other << 16 : other | half << 16, count = __popc(flags);

        const unsigned sum = warp_inclusive_sum<2>(count);         // of this row and those before
        if (lane == WARP - 1) totals[warp] = sum;
        __syncthreads();                                           // totals are ready, all flags cleared
        unsigned before = sum - count;
#pragma unroll
        for (unsigned w = 0; w + 1 < WARPS; ++w) before += w < warp ? totals[w] : 0;
        return {flags, before};
    }
};
