// load_balance.cuh — a block finds the object of each work item of its tile.
//
//   object of item k = upper_bound (scan, k) - 1        scan (objects) ascending: where the items of an object begin
//
// Algorithm  Two warps search the objects of the tile's first and last item. Each object that begins between, the last of those
//            that begin together, writes its number at its first item, in shared memory. An item's object is then the last
//            number written up to it: a vote and a shuffle for each row of 32 items, a carry from row to row and from warp to
//            warp. Where the objects outnumber the items of the tile, most are empty; there each item searches for its own.
// Cost       Reads what of scan lies in the tile, and what two searches touch; a dozen instructions an item. No block does more
//            than the work of its items and as many objects, whatever the counts.
// Limits     NT·VT ≤ 65535. An item's place in the tile: tile_item(row), rows of 32 neighbours a warp.
// Edges      Items before scan[0] belong to object 0. In a scan that is not sorted an item's object is any one of the array.
// Source     S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013, which merges; the rest is here.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/search.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// Where in the tile this thread's item of a row lies: a warp has VT rows of 32 items, one after another.
template <int VT>
__device__ __forceinline__ unsigned tile_item(int row) {
    return threadIdx.x / WARP * (WARP * VT) + row * WARP + threadIdx.x % WARP;
}

template <int NT, int VT>
struct LoadBalance {
    static constexpr unsigned TILE = NT * VT, WARPS = NT / WARP;
    static_assert(TILE <= 65535 && TILE % 8 == 0 && WARPS >= 2, "numbers of objects are 16 bits; two warps search");

    alignas(16) uint16_t started[TILE];                            // the object that begins with this item, from `first` on; or 0
    size_t first, last;                                            // the objects of the tile's first and last item
    unsigned carry[WARPS];                                         // the last object that begins in a warp's items; or 0

    // object[row] ← that of item begin + tile_item(row), for the `here` ≥ 1 items of the tile; some object for those beyond.
    // All threads of the block call; objects ≥ 1.
    template <typename Index>
    __device__ __forceinline__ void search(const Index *scan, size_t objects, size_t begin, unsigned here, Index (&object)[VT]) {
        const unsigned tid = threadIdx.x, warp = tid / WARP, lane = tid % WARP;
        for (unsigned i = tid; i < TILE / 8; i += NT) reinterpret_cast<uint4 *>(started)[i] = make_uint4(0, 0, 0, 0);
        if (warp < 2) {
            const size_t item = warp == 0 ? begin : begin + here - 1;
            const size_t behind = warp_partition_point(0, objects, [&](size_t i) { return scan[i] <= item; });
            if (lane == 0) (warp == 0 ? first : last) = behind > 0 ? behind - 1 : 0;
        }
        __syncthreads();                                           // first, last and the zeros are there
        const size_t from = first, to = max(first, last);

        if (to - from > TILE) {
#pragma unroll
            for (int row = 0; row < VT; ++row) {
                const size_t item = begin + tile_item<VT>(row);
                object[row] = Index(partition_point(from + 1, to + 1, [&](size_t i) { return scan[i] <= item; }) - 1);
            }
            return;
        }

        for (size_t i = from + 1 + tid; i <= to; i += NT) {
            const size_t at = scan[i] - begin;                     // beyond the tile only where scan is not sorted
            if (at < TILE && (i == to || scan[i + 1] != scan[i])) started[at] = static_cast<uint16_t>(i - from);
        }
        __syncthreads();                                           // all that begin in the tile are there

        unsigned number[VT], before = 0;                           // before: the last object of the rows so far
#pragma unroll
        for (int row = 0; row < VT; ++row) {
            const unsigned starts = started[tile_item<VT>(row)];
            const unsigned up_to_here = __ballot_sync(ALL_LANES, starts != 0) & (ALL_LANES >> (WARP - 1 - lane));
            const unsigned nearest = __shfl_sync(ALL_LANES, starts, (31 - __clz(up_to_here)) & 31);
            number[row] = up_to_here != 0 ? nearest : before;
            before = __shfl_sync(ALL_LANES, number[row], WARP - 1);
        }
        if (lane == 0) carry[warp] = before;
        __syncthreads();                                           // the carries of all warps are there
        unsigned carried = 0;
#pragma unroll
        for (unsigned w = 0; w + 1 < WARPS; ++w) carried = w < warp ? max(carried, carry[w]) : carried;
#pragma unroll
        for (int row = 0; row < VT; ++row) object[row] = Index(from + (number[row] != 0 ? number[row] : carried));
    }
};
