// load_balance.cuh — a block finds the object of each work item of its tile.
//
//   object of item k = upper_bound (scan, k) - 1        scan (objects) ascending: where the items of an object begin
//
// Algorithm  Two warps search the objects of the tile's first and last item. Each object that begins between, the last of those
//            that begin together, writes its number at its first item, in shared memory; the last one in the items of a warp
//            leaves it for the warps behind. Then each warp spreads the numbers over its own items: a lane over four neighbours,
//            a vote and a shuffle over the lanes, a carry from row to row.
//            Where the objects outnumber the items of the tile, most are empty; there each item searches for its own.
// Cost       Reads what of scan lies in the tile, and what two searches touch; about six instructions and two bytes of shared
//            memory an item. No block does more than the work of its items and as many objects, whatever the counts.
// Limits     NT·VT ≤ 65535, VT a multiple of 4. A warp has VT·32 neighbouring items: tile_item (row) is a lane's in a row of 32.
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
    static constexpr unsigned TILE = NT * VT, WARPS = NT / WARP, SEGMENT = WARP * VT;
    static_assert(TILE <= 65535 && VT % 4 == 0 && WARPS >= 2, "numbers are 16 bits, four a lane; two warps search");

    alignas(16) uint16_t numbers[TILE];                            // of the items' objects, from `first` on
    size_t first, last;                                            // the objects of the tile's first and last item
    unsigned carry[WARPS];                                         // the last object that begins in a warp's items; or 0

    // Finds the objects of the items begin + i, i < here, here ≥ 1. All threads of the block call; objects ≥ 1. A warp knows
    // those of its own items when it returns.
    template <typename Index>
    __device__ __forceinline__ void search(const Index *scan, size_t objects, size_t begin, unsigned here) {
        const unsigned tid = threadIdx.x, warp = tid / WARP, lane = tid % WARP;
#pragma unroll
        for (unsigned i = tid; i < TILE / 8; i += NT) reinterpret_cast<uint4 *>(numbers)[i] = make_uint4(0, 0, 0, 0);
        if (tid < WARPS) carry[tid] = 0;
        if (warp < 2) {
            const size_t item = warp == 0 ? begin : begin + here - 1;
            const size_t behind = warp_first_false(size_t(0), objects, [&](size_t i) { return scan[i] <= item; });
            if (lane == 0) (warp == 0 ? first : last) = behind > 0 ? behind - 1 : 0;
        }
        __syncthreads();                                           // first, last and the zeros are there
        if (is_crowded()) return;

        const unsigned starting = static_cast<unsigned>(max(first, last) - first);
        const Index *const starts = scan + first;
        for (unsigned i = 1 + tid; i <= starting; i += NT) {
            const Index at = starts[i] - Index(begin), next = i < starting ? starts[i + 1] - Index(begin) : Index(TILE);
            if (at >= TILE || next == at) continue;                // beyond the tile only where scan is not sorted
            numbers[at] = static_cast<uint16_t>(i);
            if (next >= TILE || next / SEGMENT != at / SEGMENT) carry[at / SEGMENT] = i;
        }
        __syncthreads();                                           // all that begin in the tile are there

        unsigned before = 0;                                       // the last object that begins in front of the row
#pragma unroll
        for (unsigned w = 0; w + 1 < WARPS; ++w) before = w < warp ? max(before, carry[w]) : before;
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
        __syncwarp();                                              // the numbers of the warp's items are there
    }

    // work (object) with what gives the object of one of this warp's items, by its place in the tile.
    template <typename Index, typename Work>
    __device__ __forceinline__ void with_objects(const Index *scan, size_t begin, Work work) const {
        if (is_crowded()) {
            const size_t low = first + 1, high = last + 1;
            work([=](unsigned item) {
                return Index(first_false(low, high, [=](size_t i) { return scan[i] <= begin + item; }) - 1);
            });
        } else {
            const Index from = Index(first);
            const uint16_t *const behind = numbers;
            work([=](unsigned item) { return Index(from + behind[item]); });
        }
    }

    // Whether more objects than items begin in the tile.
    __device__ __forceinline__ bool is_crowded() const { return last > first && last - first > TILE; }
};
