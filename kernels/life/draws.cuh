// draws.cuh — the tiles of all steps of a launch, which warps take in order from one counter.
//
// Algorithm  A tile is ready when those around it have finished the step before: then its halo is there, and what it overwrites is no
//            longer needed. So there is no barrier between steps and no tail effect; and a tile depends on earlier ones alone,
//            which are in progress: the first of them never waits, so there is no deadlock.
// Cost       A load of each flag around, and one atomic operation a tile.
// Limits     2^32 tiles a launch.
// Edges      On a torus a step begins REACH tiles below the one before, so that those around its first tiles at the other edge,
//            too, were drawn long ago. The acquire of a flag invalidates lines of an earlier step in the L1 cache.
// Source     Dynamic work distribution by a counter, completion by flags in memory: as in stream-K products and decoupled
//            look-back.
#pragma once

#include "life/register_tile.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int REACH = 2;                                           // strips and tiles that a halo may come from, on a torus

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ unsigned load_acquire(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

__device__ __forceinline__ void store_release(unsigned *flag, unsigned value) {
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

// One tile in one step.
struct Draw {
    unsigned step, tile, strip;
};

// What all draws of a launch have in common. counter: how many there were; done (tiles, strips): how many steps of a tile are
// finished. Both start at 0.
struct Plan {
    unsigned tiles, strips, steps;
    unsigned *counter, *done;

    __device__ unsigned tiles_of_step() const { return tiles * strips; }
    __device__ Draw at(unsigned number, bool is_rotated) const {
        const unsigned step = number / tiles_of_step(), index = number % tiles_of_step();
        const unsigned tile = is_rotated ? (index / strips + step % tiles * REACH) % tiles : index / strips;
        return {step, tile, index % strips};
    }
};

__device__ __forceinline__ int wrapped(int i, int n) {
    while (i < 0) i += n;
    while (i >= n) i -= n;
    return i;
}

// A lane's tile among those around one, from which its halo may come: on a torus of columns from the other edge as well, whose last
// strip is short. False: the lane has none. Its number of rows may lie outside the board.
__device__ __forceinline__ bool tile_around(const Plan &plan, const Draw &draw, bool is_torus, int lane, int *tile, int *strip) {
    const int reach = is_torus ? REACH : 1, width = 2 * reach + 1, strips = plan.strips;
    *tile = int(draw.tile) + lane / width - REACH, *strip = int(draw.strip) + lane % width - reach;
    if (is_torus) *strip = wrapped(*strip, strips);
    return lane < (2 * REACH + 1) * width && *strip >= 0 && *strip < strips;
}
