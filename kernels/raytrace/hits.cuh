// hits.cuh — the nearest hits of four adjacent pixels of a thread.
//
// Algorithm  Spheres come in any order: the greatest t wins, of equal ones the smaller number. A pixel without a hit has
//            t = -inf and a number above all others, so that even a sphere at -inf wins there.
// Cost       Some 70 instructions for four pixels and a sphere.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "raytrace/bound.cuh"
#include "raytrace/picture.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PIXELS = 4;                                          // of a thread, on the fast axis
constexpr unsigned NONE = ~0u;                                     // no sphere has this number

struct Hits {
    float t[PIXELS], dz[PIXELS];
    unsigned sphere[PIXELS];
};

// IS_COLUMNS: the fast axis is y.
template <bool IS_COLUMNS>
struct Four {
    float fast[PIXELS], slow;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ void clear(Hits *hits) {
#pragma unroll
    for (int k = 0; k < PIXELS; ++k) hits->t[k] = -infinity(), hits->dz[k] = 0.0f, hits->sphere[k] = NONE;
}

// What all four have reached: a sphere whose bound is below this is not seen.
__device__ __forceinline__ float floor_of(const Hits &hits) {
    return fminf(fminf(hits.t[0], hits.t[1]), fminf(hits.t[2], hits.t[3]));
}

template <bool IS_COLUMNS>
__device__ __forceinline__ float distance(const Four<IS_COLUMNS> &rays, int k, const Ball &ball) {
    if (IS_COLUMNS) return squared_distance(rays.slow, rays.fast[k], ball.x, ball.y);
    return squared_distance(rays.fast[k], rays.slow, ball.x, ball.y);
}

// Intersects the four pixels with a sphere whose radius is above 0. IS_PLAIN: it has plain roots, without a branch.
template <bool IS_PLAIN, bool IS_COLUMNS>
__device__ __forceinline__ void intersect(const Four<IS_COLUMNS> &rays, const Ball &ball, unsigned sphere, Hits *hits) {
    const float squared = __fmul_rn(ball.radius, ball.radius);
#pragma unroll
    for (int k = 0; k < PIXELS; ++k) {
        const float d = distance(rays, k, ball), rest = __fmaf_rn(ball.radius, ball.radius, -d);
        const float dz = IS_PLAIN ? plain_root(rest) : __fsqrt_rn(rest), t = __fadd_rn(ball.z, dz);
        const bool is_nearer = (t > hits->t[k]) | ((t == hits->t[k]) & (sphere < hits->sphere[k]));
        const bool wins = (d < squared) & is_nearer;
        hits->t[k] = wins ? t : hits->t[k];
        hits->dz[k] = wins ? dz : hits->dz[k];
        hits->sphere[k] = wins ? sphere : hits->sphere[k];
    }
}

__device__ __forceinline__ unsigned word_of(uchar4 value) {
    return value.x | value.y << 8 | value.z << 16 | static_cast<unsigned>(value.w) << 24;
}

// Paints the four pixels from (u, v) on. Where one has hit a sphere there is a sphere 0, which stands in for none.
__device__ __forceinline__ void show(const Picture &picture, uint8_t *image, unsigned u, unsigned v, const float *spheres,
                                     const Hits &hits) {
    unsigned words[PIXELS];
#pragma unroll
    for (int k = 0; k < PIXELS; ++k) words[k] = word_of(background());
    if ((hits.sphere[0] & hits.sphere[1] & hits.sphere[2] & hits.sphere[3]) != NONE) {
#pragma unroll
        for (int k = 0; k < PIXELS; ++k) {
            const bool is_hit = hits.sphere[k] != NONE;
            const unsigned colour = word_of(shaded(spheres + size_t(is_hit ? hits.sphere[k] : 0) * FLOATS, hits.dz[k]));
            if (is_hit) words[k] = colour;
        }
    }
    if (u + PIXELS <= picture.fast() && store_four(picture, image, u, v, words)) return;
#pragma unroll
    for (int k = 0; k < PIXELS; ++k) {
        if (u + k < picture.fast()) store_uv(picture, image, u + k, v, words[k]);
    }
}
