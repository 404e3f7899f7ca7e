// philox.cuh — Philox4x32-10, random bits as a function of a counter and a key.
//
// Algorithm  Ten rounds of two 32 × 32 → 64-bit products each, whose halves are swapped and mixed with the key; the key takes
//            a step before each round but the first. No state: any element can be had without those before it.
// Cost       20 wide products for 128 random bits.
// Source     J. Salmon, M. Moraes, R. Dror, D. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC'11.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PHILOX_ROUNDS = 10;
constexpr uint32_t PHILOX_M0 = 0xD2511F53, PHILOX_M1 = 0xCD9E8D57;  // the factors
constexpr uint32_t PHILOX_W0 = 0x9E3779B9, PHILOX_W1 = 0xBB67AE85;  // the steps of the key

// ---- device helpers -------------------------------------------------------------------------------------------------

struct PhiloxBlock {
    uint32_t x[4];
};

// The block with counter (lo32(b), hi32(b), 0, 0) under the key (lo32(seed), hi32(seed)).
__host__ __device__ inline PhiloxBlock philox(uint64_t b, uint64_t seed) {
    uint32_t x0 = static_cast<uint32_t>(b), x1 = static_cast<uint32_t>(b >> 32), x2 = 0, x3 = 0;
    uint32_t k0 = static_cast<uint32_t>(seed), k1 = static_cast<uint32_t>(seed >> 32);
    for (int round = 0; round < PHILOX_ROUNDS; ++round) {
        const uint64_t p0 = uint64_t(PHILOX_M0) * x0, p1 = uint64_t(PHILOX_M1) * x2;
        x0 = static_cast<uint32_t>(p1 >> 32) ^ x1 ^ k0;
        x2 = static_cast<uint32_t>(p0 >> 32) ^ x3 ^ k1;
        x1 = static_cast<uint32_t>(p1);
        x3 = static_cast<uint32_t>(p0);
        k0 += PHILOX_W0;
        k1 += PHILOX_W1;
    }
    return {{x0, x1, x2, x3}};
}
