// divider.cuh — division by a number that is constant for a launch.
//
//   n / divisor, 0 ≤ n < 2^31
//
// Algorithm  A multiplication by the reciprocal, rounded up, and a shift.
// Source     T. Granlund, P. L. Montgomery, "Division by Invariant Integers using Multiplication", PLDI 1994.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- host and device helpers ----------------------------------------------------------------------------------------

struct Divider {
    unsigned divisor, factor, shift;

    static Divider of(unsigned divisor) {
        unsigned shift = 0;
        while ((uint64_t(1) << (shift + 1)) < divisor) ++shift;
        const uint64_t factor = ((uint64_t(1) << (32 + shift)) + divisor - 1) / divisor;
        return {divisor, static_cast<unsigned>(factor), shift};
    }

    __device__ __forceinline__ unsigned quotient(unsigned n) const { return divisor == 1 ? n : __umulhi(n, factor) >> shift; }
};
