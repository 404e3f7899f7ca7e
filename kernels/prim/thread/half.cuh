// half.cuh — floats of 16 bits as their bits: their values as float, and back, rounded to nearest even.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ float from_f16(uint16_t bits) {
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}

__device__ __forceinline__ uint16_t to_f16(float value) {
    uint16_t bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

__device__ __forceinline__ float from_bf16(uint16_t bits) { return __uint_as_float(unsigned(bits) << 16); }

__device__ __forceinline__ uint16_t to_bf16(float value) {
    const unsigned bits = __float_as_uint(value);
    const unsigned rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
    return static_cast<uint16_t>(value != value ? bits >> 16 | 0x40 : rounded);
}
