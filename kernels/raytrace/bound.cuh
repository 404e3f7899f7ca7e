// bound.cuh — bounding tests of a sphere against a rectangle of pixels: whether it may be hit, and the range of t.
//
// Algorithm  All are the formula's own, at the point of the rectangle nearest to the centre or, for the least t, at the corner
//            that is farthest from it (formula.cuh says why that is exact).
//            Roots of numbers from 2^-101 up come from one approximate reciprocal root and one Newton step on its remainder:
//            what the compiler makes of sqrt.rn, without the branch for the other numbers.
// Limits     plain_root gives √s rounded to nearest for 2^-101 <= s <= FLT_MAX: compared with sqrt.rn for each of these numbers.
// Edges      A bound is never NaN: where inf - inf is one, other pixels of the rectangle may get a number, and it is inf.
// Source     P. Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", 1990: the last step.
#pragma once

#include <cuda_runtime.h>

#include "raytrace/formula.cuh"
#include "raytrace/picture.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr float PLAIN_RADIUS_MIN = 0x1p-38f, PLAIN_RADIUS_MAX = 0x1p+62f;

// A centre and a radius; 16 bytes that travel as one.
struct alignas(16) Ball {
    float x, y, z, radius;
};

// The rays from a rectangle of pixels.
struct Rays {
    float left, right, top, bottom;
};

struct Bound {
    bool is_seen;                                                  // whether a pixel may be hit
    float t;                                                       // none that is hit gets a greater one
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ float infinity() { return __int_as_float(0x7f800000); }

// Those of the pixels from (u, v) on that the picture has. IS_COLUMNS: the fast axis is y.
template <bool IS_COLUMNS>
__device__ __forceinline__ Rays rays_over(const Picture &picture, unsigned u, unsigned v, unsigned fast, unsigned slow) {
    const unsigned u_end = min(u + fast, unsigned(picture.fast())), v_end = min(v + slow, unsigned(picture.slow()));
    const float u0 = origin(u, unsigned(picture.fast())), u1 = origin(u_end - 1, unsigned(picture.fast()));
    const float v0 = origin(v, unsigned(picture.slow())), v1 = origin(v_end - 1, unsigned(picture.slow()));
    return IS_COLUMNS ? Rays{v0, v1, u0, u1} : Rays{u0, u1, v0, v1};
}

// Whether the roots of all hits of this radius are plain: a hit's radius² - d is at least half a unit in the last place of radius².
__device__ __forceinline__ bool has_plain_roots(float radius) {
    return radius >= PLAIN_RADIUS_MIN && radius <= PLAIN_RADIUS_MAX;
}

__device__ __forceinline__ float plain_root(float s) {
    float inverse;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(s));
    const float root = __fmul_rn(s, inverse);
    return __fmaf_rn(__fmaf_rn(-root, root, s), __fmul_rn(inverse, 0.5f), root);
}

// Both tests without a branch between them.
__device__ __forceinline__ bool is_hit(float d, float radius) {
    return (radius > 0.0f) & (d < __fmul_rn(radius, radius));
}

// Numbers above 0 in the order of the floats, and back.
__device__ __forceinline__ unsigned ordered(float value) {
    const unsigned bits = __float_as_uint(value);
    return bits ^ (static_cast<unsigned>(static_cast<int>(bits) >> 31) | 0x80000000u);
}
__device__ __forceinline__ float unordered(unsigned number) {
    return __uint_as_float(number ^ (static_cast<unsigned>(static_cast<int>(~number) >> 31) | 0x80000000u));
}

// d from the rectangle's nearest point.
__device__ __forceinline__ float least_distance(const Ball &ball, const Rays &rays) {
    const float x = fminf(fmaxf(ball.x, rays.left), rays.right), y = fminf(fmaxf(ball.y, rays.top), rays.bottom);
    return squared_distance(x, y, ball.x, ball.y);
}

__device__ __forceinline__ Bound bound_of(const Ball &ball, const Rays &rays) {
    const float d = least_distance(ball, rays);
    if (!is_hit(d, ball.radius)) return {false, 0.0f};
    const float t = __fadd_rn(ball.z, rise(d, ball.radius));
    return {true, t == t ? t : infinity()};
}

// Where every pixel of the rectangle hits the sphere, all with a number: *t ← what each of them gets at least.
__device__ __forceinline__ bool covers(const Ball &ball, const Rays &rays, float *t) {
    const float d = fmaxf(fmaxf(squared_distance(rays.left, rays.top, ball.x, ball.y),
                                squared_distance(rays.right, rays.top, ball.x, ball.y)),
                          fmaxf(squared_distance(rays.left, rays.bottom, ball.x, ball.y),
                                squared_distance(rays.right, rays.bottom, ball.x, ball.y)));
    *t = __fadd_rn(ball.z, rise(d, ball.radius));
    return is_hit(d, ball.radius) && *t == *t;
}
