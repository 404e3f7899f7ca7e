// search.cuh — per-tile culling: a block finds the nearest sphere of each pixel of its tile among the candidates of its cells.
//
// Algorithm  All threads test candidates against the tile and collect those that hit it, with the floor as the least t; a warp
//            tests the collected against its own 16 × 8 pixels, and its pixels are intersected with those that are left. The
//            greatest t that a sphere can get in the rectangle is its bound: where that is below what every pixel has, it is
//            culled.
// Cost       Some 20 instructions a candidate and thread, 25 for 32 collected and warp, 70 for a sphere and 128 pixels.
// Limits     FOUND_MAX collected at a time: when they are full they are intersected, and collecting goes on above a new floor.
// Source     T. Harada, J. McKee, J. Yang, "Forward+", Eurographics 2012: culling by tiles in shared memory.
#pragma once

#include <cuda_runtime.h>

#include "raytrace/binning.cuh"
#include "raytrace/hits.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS_MAX = 256;
constexpr int ROUNDS = 2;                                          // candidates a thread tests between two barriers
constexpr unsigned FOUND_MAX = THREADS_MAX * (ROUNDS + 1);

// What a block has gathered, and the entries that it gathers from: those of the tile's cell of each level, numbered through.
struct Gathered {
    Ball ball[FOUND_MAX];
    unsigned sphere[FOUND_MAX];
    unsigned count;
    alignas(16) float floors[THREADS_MAX / WARP];                  // what the pixels of each warp have reached, in loads of its own
    unsigned segment_end[LEVELS];                                  // number of the entry behind those of a level
    unsigned segment_shift[LEVELS];                                // number + shift is an entry's place in the lists
    unsigned entries;
    unsigned floor;                                                // what the cells promise
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ unsigned warp_max(unsigned value) {
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(ALL_LANES, value);
#else
    for (int offset = WARP / 2; offset > 0; offset /= 2) value = max(value, __shfl_xor_sync(ALL_LANES, value, offset));
    return value;
#endif
}

__device__ __forceinline__ float warp_min(float value) {
    for (int offset = WARP / 2; offset > 0; offset /= 2) value = fminf(value, __shfl_xor_sync(ALL_LANES, value, offset));
    return value;
}

// The first warp opens the tile's cell of each level, a lane each; the level of the largest spheres, which hide most, first.
__device__ __forceinline__ void open_cells(const Lists &lists, const Pyramid &pyramid, unsigned col, unsigned row,
                                           Gathered *gathered) {
    const int lane = threadIdx.x, level = pyramid.levels - 1 - lane, shift = pyramid.shift + level;
    unsigned begin = 0, end = 0, floor = 0;
    if (level >= 0) {
        const unsigned cell = pyramid.first[level] + (row >> shift) * pyramid.cols[level] + (col >> shift);
        begin = lists.begins[cell], end = lists.ends[cell];
        if (lists.floors != nullptr) floor = lists.floors[cell];
    }
    const unsigned segment_end = warp_inclusive_sum(end - begin);
    gathered->segment_end[lane] = segment_end, gathered->segment_shift[lane] = end - segment_end;
    floor = warp_max(floor);
    if (lane == WARP - 1) gathered->entries = segment_end;
    if (lane == 0) gathered->count = 0, gathered->floor = floor;
}

// Gathers those of the next entries that the tile may see; nothing below the floor is.
__device__ __forceinline__ void gather(const Lists &lists, const Ball *balls, unsigned number, const Rays &tile, float floor,
                                       Gathered *gathered) {
    bool is_seen = false;
    unsigned sphere = 0;
    Ball ball;
    if (number < gathered->entries) {
        int level = 0;
        while (number >= gathered->segment_end[level]) ++level;
        sphere = lists.entries[number + gathered->segment_shift[level]];
        ball = balls[sphere];
        is_seen = is_hit(least_distance(ball, tile), ball.radius);
        if (floor > -infinity()) is_seen = is_seen && !(bound_of(ball, tile).t < floor);
    }
    const unsigned place = place_for(is_seen, &gathered->count);
    if (is_seen) gathered->ball[place] = ball, gathered->sphere[place] = sphere;
}

// Intersects a warp's pixels with the collected spheres that its rectangle may see. A lane tests one of 32; of the first 32, and
// once all pixels have a hit, the highest bound comes first, until no pixel is below it.
template <bool IS_COLUMNS>
__device__ __forceinline__ void take(const Gathered &gathered, const Rays &own, const Four<IS_COLUMNS> &rays, Hits *hits) {
    const unsigned lane = threadIdx.x % WARP, count = gathered.count;
    for (unsigned base = 0; base < count; base += WARP) {
        Bound bound = {false, 0.0f};
        bool is_plain = true;
        if (base + lane < count) {
            const Ball ball = gathered.ball[base + lane];
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
            const Ball ball = gathered.ball[base + next];
            const unsigned sphere = gathered.sphere[base + next];
            if (are_plain) intersect<true>(rays, ball, sphere, hits);
            else intersect<false>(rays, ball, sphere, hits);
        }
    }
}

// Empties the gathered; what every pixel of the tile has reached. All warps are done with the gathered, and return together.
__device__ __forceinline__ float start_anew(float reached, Gathered *gathered) {
    reached = warp_min(reached);
    if (threadIdx.x % WARP == 0) gathered->floors[threadIdx.x / WARP] = reached;
    __syncthreads();                                               // floors are ready, the collected are free
    for (unsigned warp = 0; warp < blockDim.x / WARP; ++warp) reached = fminf(reached, gathered->floors[warp]);
    if (threadIdx.x == 0) gathered->count = 0;
    __syncthreads();
    return reached;
}
