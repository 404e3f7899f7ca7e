// plan.cuh — the plan of a radix sort in its scratch: histograms, which digits need a pass, and the states of the tiles.
//
//   digit d of a key   the bits 8d … 8d + 7 of its rank (prim/thread/order.cuh)
//   pass               a stable sort by one digit, from the least significant one on; a digit that all keys have in common is
//                      skipped. The k-th of K passes reads what the one before wrote, the first one the input; the last one
//                      writes the result, the one before it the spare array, and so on alternately.
//   portion            Part of a pass: a launch for at most 2^29 keys, so that the tiles' counts fit 30 bits.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "prim/grid/tile_state.cuh"
#include "prim/thread/order.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS;
constexpr int PASSES_MAX = 8;

// Of a tile and a digit: how many keys have it.
using DigitState = TileState<uint32_t>;

// ---- device helpers -------------------------------------------------------------------------------------------------

struct SortPlan {
    unsigned long long counts[PASSES_MAX][DIGITS];                 // of the keys, by digit
    unsigned blocks_done;                                          // of the kernel that counts
    int passes;                                                    // K, or negative where nothing is to be done
    int turn[PASSES_MAX];                                          // k of the pass by a digit, negative where there is none
};

template <typename Bits>
__device__ __forceinline__ unsigned digit_of(Bits rank, int digit) {
    return static_cast<unsigned>(rank >> (DIGIT_BITS * digit)) & (DIGITS - 1);
}

// The bin of a key, one of its bytes: keys whose rank has the digit d are in bin d ^ flip. That is one operation for integers of 4
// bytes, where the digit takes three.
template <typename Bits, bool IS_FLOAT>
struct BinOf {
    unsigned selector;                                             // of the byte
    unsigned negative;                                             // what the byte of a negative float is xored with
    unsigned flip;

    __device__ BinOf(const KeyOrder<Bits> &order, int digit) {
        const bool is_top = digit == sizeof(Bits) - 1;
        selector = sizeof(Bits) == 4 ? 0x4440 | digit : digit;     // bytes 4 to 7 of 4: zeros
        negative = is_top ? DIGITS / 2 - 1 : DIGITS - 1;
        flip = digit_of(order.flip, digit) ^ (IS_FLOAT && is_top ? DIGITS / 2 : 0);
    }

    __device__ __forceinline__ unsigned operator()(Bits key) const {
        if constexpr (IS_FLOAT) key = KeyOrder<Bits>::representative(key);
        const unsigned low = static_cast<unsigned>(key), high = sizeof(Bits) == 8 ? static_cast<unsigned>(uint64_t(key) >> 32) : 0;
        unsigned bin;
        asm("prmt.b32 %0, %1, %2, %3;" : "=r"(bin) : "r"(low), "r"(high), "r"(selector));
        if constexpr (sizeof(Bits) == 8) bin &= DIGITS - 1;
        if constexpr (IS_FLOAT) bin ^= static_cast<unsigned>(static_cast<int>(sizeof(Bits) == 8 ? high : low) >> 31) & negative;
        return bin;
    }

    // Makes the compiler find bins again where it would keep those of many keys in registers.
    __device__ __forceinline__ void forget() { asm volatile("" : "+r"(selector), "+r"(negative)); }
};
