// formula.cuh — the ray caster's arithmetic, shared by all of its kernels.
//
//   pixel (i, j), i = column, j = row, looks along z from (ox, oy) = (i - width/2, j - height/2):
//   dx = ox - x, dy = oy - y, d = fma(dy, dy, dx·dx)      hit iff radius > 0 and d < radius·radius
//   dz = √fma(radius, radius, -d), t = z + dz             the largest t wins, the first sphere on a tie, NaN never
//   channel = trunc(clamp((colour · (dz / radius)) · 255, 0, 255)), NaN gives 0; background 0, 0, 0; alpha 255
//
// Algorithm  Every operation is one IEEE rounding, spelled out: the compiler may neither fuse nor flush, so a picture is
//            bit for bit that of the CPU. Rounding is monotonic: over a rectangle of pixels d is least, and dz and t are
//            greatest, at the point nearest to the sphere's centre, in these very operations. So a rectangle that the
//            point's own d does not hit has no pixel that is hit, and no pixel's t is above the point's; no margin is needed.
// Limits     Pixel numbers above 2^24 round, upward or downward, but monotonically.
// Edges      The memory space of a sphere is the caller's choice: these functions are compiled into each kernel.
// Source     J. Sanders, E. Kandrot, "CUDA by Example", chapter 6, 2010.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

// ---- constants ------------------------------------------------------------------------------------------------------

enum { RED, GREEN, BLUE, RADIUS, X, Y, Z, FLOATS };                // one sphere

// ---- device helpers -------------------------------------------------------------------------------------------------

// i - width/2
__device__ __forceinline__ float origin(size_t i, size_t width) {
    return __fsub_rn(__ull2float_rn(i), __fmul_rn(__ull2float_rn(width), 0.5f));
}
__device__ __forceinline__ float origin(unsigned i, unsigned width) {
    return __fsub_rn(__uint2float_rn(i), __fmul_rn(__uint2float_rn(width), 0.5f));
}

// d of the ray from (ox, oy) and a centre.
__device__ __forceinline__ float squared_distance(float ox, float oy, float x, float y) {
    const float dx = __fsub_rn(ox, x);
    const float dy = __fsub_rn(oy, y);
    return __fmaf_rn(dy, dy, __fmul_rn(dx, dx));
}

// dz: height of the hit above the centre's plane.
__device__ __forceinline__ float rise(float d, float radius) { return __fsqrt_rn(__fmaf_rn(radius, radius, -d)); }

// trunc(clamp((colour · shade) · 255, 0, 255)); fmaxf prefers 0 to NaN.
__device__ __forceinline__ unsigned char channel(float colour, float shade) {
    const float value = __fmul_rn(__fmul_rn(colour, shade), 255.0f);
    return static_cast<unsigned char>(__float2uint_rz(fminf(fmaxf(value, 0.0f), 255.0f)));
}

// What a pixel shows of the sphere that it hits with dz.
__device__ __forceinline__ uchar4 shaded(const float *sphere, float dz) {
    const float shade = __fdiv_rn(dz, sphere[RADIUS]);
    return make_uchar4(channel(sphere[RED], shade), channel(sphere[GREEN], shade), channel(sphere[BLUE], shade), 255);
}

__device__ __forceinline__ uchar4 background() { return make_uchar4(0, 0, 0, 255); }
