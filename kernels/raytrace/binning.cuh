// binning.cuh — lists of the spheres that may be visible in each cell of a picture.
//
//   balls (count) ← x, y, z, radius of the spheres      lists ← their numbers by cells (raytrace/pyramid.cuh)
//
// Algorithm  Regions: with few spheres a block tests all of them against its one large square of the picture. Pyramid: count
//            the entries of each cell; allocate each its part of the list, by one atomic addition for 256 cells; fill. A sphere
//            that covers a cell is an occluder: it gives all its pixels a least t, the floor (as of a hierarchical z-buffer);
//            spheres below a cell's floor throughout the cell are culled there, and from tiles within it.
// Cost       Pyramid: two passes over the spheres, 2 to 8 atomic additions each: 0.1 ms for 10^6 on an H200, in a random order.
// Limits     32 bits number spheres and entries.
// Edges      Entries of a cell come in any order. What is culled is strictly below the floor, so that no tie is lost.
// Source     N. Greene, M. Kass, G. Miller, "Hierarchical Z-buffer visibility", SIGGRAPH 1993: floors of squares.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "raytrace/bound.cuh"
#include "raytrace/picture.cuh"
#include "raytrace/pyramid.cuh"
#include "prim/grid/grid.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned ENTER_THREADS = 256;                            // a block
constexpr float COVER_MIN = 16.0f;                                 // no smaller radius covers a cell, but at a picture's edge

// The candidates by the cells of a pyramid: where in `entries` those of each begin and end, and, in the order of floats or 0,
// what every pixel of a cell gets at least (NULL: not known).
struct Lists {
    unsigned *begins, *ends, *floors, *entries;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ Ball ball_of(const float *sphere) { return {sphere[X], sphere[Y], sphere[Z], sphere[RADIUS]}; }

// Warp-aggregated allocation: *counter + 0, 1, … for each lane with `wants`; all lanes call.
__device__ __forceinline__ unsigned place_for(bool wants, unsigned *counter) {
    const unsigned who = __ballot_sync(ALL_LANES, wants), lane = threadIdx.x % WARP;
    if (who == 0) return 0;
    unsigned place = 0;
    if (lane == 0) place = atomicAdd(counter, __popc(who));
    return __shfl_sync(ALL_LANES, place, 0) + __popc(who & ((1u << lane) - 1));
}

// Warp-aggregated atomic increment: the value before its own; one addition a warp where all lanes have the same counter.
__device__ __forceinline__ unsigned add_one(unsigned *counter) {
    const unsigned here = __activemask(), lane = threadIdx.x % WARP;
    int is_same;
    __match_all_sync(here, reinterpret_cast<unsigned long long>(counter), &is_same);
    if (!is_same) return atomicAdd(counter, 1u);
    const int leader = __ffs(here) - 1;
    unsigned before = 0;
    if (int(lane) == leader) before = atomicAdd(counter, __popc(here));
    return __shfl_sync(here, before, leader) + __popc(here & ((1u << lane) - 1));
}

// The pixels of a cell of 1 << shift of the smallest cells, column and row of which are given.
__device__ __forceinline__ Rays rays_of_cell(const Picture &picture, unsigned col, unsigned row, int shift) {
    const unsigned side = CELL << shift;
    return rays_over<false>({picture.width, picture.height, 0, 0}, (col >> shift) * side, (row >> shift) * side, side, side);
}

// The promise of a sphere to the largest cell that it covers: of those around its centre, of its level and two below.
__device__ __forceinline__ void promise(const Ball &ball, const Cells &cells, const Picture &picture, const Pyramid &pyramid,
                                        unsigned *floors) {
    const unsigned col = cell_at(ball.x, picture.width), row = cell_at(ball.y, picture.height);
    for (int level = cells.level; level >= max(cells.level - 2, 0); --level) {
        float t;
        if (!covers(ball, rays_of_cell(picture, col, row, level), &t)) continue;
        unsigned *const floor = &floors[pyramid.first[level] + (row >> level) * pyramid.cols[level] + (col >> level)];
        if (*floor < ordered(t)) atomicMax(floor, ordered(t));
        return;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// The lists of regions, of each one all spheres that it may see; lists.entries (regions, count). balls ← the spheres.
static __global__ void raytrace_regions(const float *spheres, unsigned count, Picture picture, Pyramid regions, Ball *balls,
                                        Lists lists) {
    __shared__ unsigned found;
    const unsigned cols = regions.cols[0], side = CELL << regions.shift, begin = blockIdx.x * count;
    const Rays rays = rays_over<false>({picture.width, picture.height, 0, 0}, blockIdx.x % cols * side,
                                       blockIdx.x / cols * side, side, side);
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    for (unsigned first = 0; first < count; first += blockDim.x) {
        const unsigned s = first + threadIdx.x;
        bool is_seen = false;
        if (s < count) {
            const Ball ball = ball_of(spheres + size_t(s) * FLOATS);
            if (s % gridDim.x == blockIdx.x) balls[s] = ball;
            is_seen = is_hit(least_distance(ball, rays), ball.radius);
        }
        const unsigned place = place_for(is_seen, &found);
        if (is_seen) lists.entries[begin + place] = s;
    }
    __syncthreads();
    if (threadIdx.x == 0) lists.begins[blockIdx.x] = begin, lists.ends[blockIdx.x] = begin + found;
}

static __global__ void raytrace_count(const float *spheres, size_t count, Picture picture, Pyramid pyramid, Ball *balls,
                                      Lists lists) {
    for (size_t s = grid_x(); s < count; s += grid_width()) {
        const Ball ball = ball_of(spheres + s * FLOATS);
        const Cells cells = cells_of(ball, picture);
        balls[s] = ball;
        for_each_cell(pyramid, cells, [&](unsigned cell, unsigned, unsigned) { add_one(&lists.ends[cell]); });
        if (cells.level >= 0 && ball.radius > COVER_MIN) promise(ball, cells, picture, pyramid, lists.floors);
    }
}

// begins and ends ← where the entries of each cell begin, whose numbers are in ends; cells come in any order. *cursor: how many
// places are given away.
static __global__ void raytrace_reserve(unsigned cells, Lists lists, unsigned *cursor) {
    __shared__ unsigned sums[ENTER_THREADS / WARP], base;
    const unsigned warp = threadIdx.x / WARP;
    for (size_t first = size_t(blockIdx.x) * ENTER_THREADS; first < cells; first += size_t(gridDim.x) * ENTER_THREADS) {
        const size_t cell = first + threadIdx.x;
        const unsigned size = cell < cells ? lists.ends[cell] : 0, end = warp_inclusive_sum(size);
        if (threadIdx.x % WARP == WARP - 1) sums[warp] = end;
        __syncthreads();                                           // the sums of all warps are there
        unsigned before = 0, total = 0;
        for (unsigned w = 0; w < ENTER_THREADS / WARP; ++w) {
            if (w < warp) before += sums[w];
            total += sums[w];
        }
        if (threadIdx.x == 0) base = atomicAdd(cursor, total);
        __syncthreads();                                           // base is ready, sums are free
        if (cell < cells) lists.begins[cell] = lists.ends[cell] = base + before + end - size;
    }
}

// Each end moves over the entries of its cell. What no pixel of a cell can see for its floor is left out.
static __global__ void raytrace_fill(const Ball *balls, size_t count, Picture picture, Pyramid pyramid, Lists lists) {
    for (size_t s = grid_x(); s < count; s += grid_width()) {
        const Ball ball = balls[s];
        const Cells cells = cells_of(ball, picture);
        for_each_cell(pyramid, cells, [&](unsigned cell, unsigned col, unsigned row) {
            const unsigned floor = lists.floors[cell];
            if (floor != 0) {
                const Rays rays = rays_of_cell(picture, col << cells.level, row << cells.level, cells.level);
                if (bound_of(ball, rays).t < unordered(floor)) return;
            }
            lists.entries[add_one(&lists.ends[cell])] = static_cast<unsigned>(s);
        });
    }
}
