// search.cuh — per-tile culling: a block finds the nearest sphere of each pixel of its tile among those of its cells.
//
// Algorithm  All threads test the spheres of the cells against the tile; those that hit it above the least t are the candidates. A warp
//            tests the candidates against its own 16 × 8 pixels, and its pixels are intersected with those that are left. The
//            greatest t that a sphere can get in the rectangle is its bound: where that is below what every pixel has, it is
//            culled.
// Cost       Some 20 instructions a sphere and thread, 25 for 32 candidates and warp, 70 for a sphere and 128 pixels.
// Limits     CANDIDATES_MAX at a time: when they are full they are intersected, and the search goes on above a new least t.
// Source     T. Harada, J. McKee, J. Yang, "Forward+", Eurographics 2012: culling by tiles in shared memory.
#pragma once

#include <cuda_runtime.h>

#include "raytrace/binning.cuh"
#include "raytrace/hits.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS_MAX = 256;
constexpr int ROUNDS = 2;                                          // spheres a thread tests between two barriers
constexpr unsigned CANDIDATES_MAX = THREADS_MAX * (ROUNDS + 1);

// A block's candidates, and the entries that they are taken from: those of the tile's cell of each level, numbered through.
struct Candidates {
    Ball ball[CANDIDATES_MAX];
    unsigned sphere[CANDIDATES_MAX];
    unsigned count;
    alignas(16) float floors[THREADS_MAX / WARP];                  // what the pixels of each warp have reached, in loads of its own
    unsigned segment_end[LEVELS];                                  // number of the entry behind those of a level
    unsigned segment_shift[LEVELS];                                // number + shift is an entry's place in the lists
    unsigned entries;
    unsigned floor;                                                // lower bound from the cells
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first warp opens the tile's cell of each level, a lane each; the level of the largest spheres, which hide most, first.
__device__ __forceinline__ void open_cells(const Lists &lists, const Pyramid &pyramid, unsigned col, unsigned row,
                                           Candidates *candidates) {
    const int lane = threadIdx.x, level = pyramid.levels - 1 - lane, shift = pyramid.shift + level;
    unsigned begin = 0, end = 0, floor = 0;
    if (level >= 0) {
        const unsigned cell = pyramid.first[level] + (row >> shift) * pyramid.cols[level] + (col >> shift);
        begin = lists.begins[cell], end = lists.ends[cell];
        if (lists.floors != nullptr) floor = lists.floors[cell];
    }
    const unsigned segment_end = warp_inclusive_sum(end - begin);
    candidates->segment_end[lane] = segment_end, candidates->segment_shift[lane] = end - segment_end;
    floor = warp_max(floor);
    if (lane == WARP - 1) candidates->entries = segment_end;
    if (lane == 0) candidates->count = 0, candidates->floor = floor;
}

// Adds those of the next entries that the tile may see; nothing below the floor is.
__device__ __forceinline__ void gather(const Lists &lists, const Ball *balls, unsigned number, const Rays &tile, float floor,
                                       Candidates *candidates) {
    bool is_seen = false;
    unsigned sphere = 0;
    Ball ball;
    if (number < candidates->entries) {
        int level = 0;
        while (number >= candidates->segment_end[level]) ++level;
        sphere = lists.entries[number + candidates->segment_shift[level]];
        ball = balls[sphere];
        is_seen = is_hit(least_distance(ball, tile), ball.radius);
        if (floor > -infinity()) is_seen = is_seen && !(bound_of(ball, tile).t < floor);
    }
    const unsigned place = place_for(is_seen, &candidates->count);
    if (is_seen) candidates->ball[place] = ball, candidates->sphere[place] = sphere;
}

// Intersects a warp's pixels with the candidates that its rectangle may see. A lane tests one of 32; of the first 32, and
// once all pixels have a hit, the highest bound comes first, until no pixel is below it.
template <bool IS_COLUMNS>
__device__ __forceinline__ void take(const Candidates &candidates, const Rays &own, const Four<IS_COLUMNS> &rays, Hits *hits) {
    const unsigned lane = threadIdx.x % WARP, count = candidates.count;
    for (unsigned base = 0; base < count; base += WARP) {
        Bound bound = {false, 0.0f};
        bool is_plain = true;
        if (base + lane < count) {
            const Ball ball = candidates.ball[base + lane];
            bound = bound_of(ball, own), is_plain = has_plain_roots(ball.radius);
        }
        const bool are_plain = __all_sync(ALL_LANES, is_plain);
        const bool is_sorted = base == 0 || __all_sync(ALL_LANES, floor_of(*hits) > -infinity());
        unsigned key = bound.is_seen ? ordered(bound.t) : 0, left = __ballot_sync(ALL_LANES, bound.is_seen);
        while (left != 0) {
            int next = __ffs(left) - 1;
            if (is_sorted) {
                const unsigned most = warp_max(key);
                next = __ffs(__ballot_sync(ALL_LANES, key == most)) - 1;
                if (__all_sync(ALL_LANES, __shfl_sync(ALL_LANES, bound.t, next) < floor_of(*hits))) break;
                if (int(lane) == next) key = 0;
            }
            left &= ~(1u << next);
            const Ball ball = candidates.ball[base + next];
            const unsigned sphere = candidates.sphere[base + next];
            if (are_plain) intersect<true>(rays, ball, sphere, hits);
            else intersect<false>(rays, ball, sphere, hits);
        }
    }
}

// Empties the candidates; what every pixel of the tile has reached. All warps are done with them, and return together.
__device__ __forceinline__ float flush_candidates(float reached, Candidates *candidates) {
    reached = warp_min(reached);
    if (threadIdx.x % WARP == 0) candidates->floors[threadIdx.x / WARP] = reached;
    __syncthreads();                                               // floors are ready, the candidates are free
    for (unsigned warp = 0; warp < blockDim.x / WARP; ++warp) reached = fminf(reached, candidates->floors[warp]);
    if (threadIdx.x == 0) candidates->count = 0;
    __syncthreads();
    return reached;
}
