// rank.cuh — the rank of each key among the keys of its digit in a warp (multisplit).
//
// Algorithm  A warp takes 32 keys at a time. Eight ballots give the lanes that have the same digit; the warp's counter of the
//            digit plus the number of such lanes below is the key's rank. The highest of these lanes advances the counter.
// Cost       Of a key: 32 operations of the ballots, about ten others, a load and a store of shared memory.
// Limits     65536 keys a warp, with counters and ranks of 16 bits.
// Source     S. Ashkiani et al., "GPU Multisplit", 2016 (ballots).
#pragma once

#include "prim/warp/warp.cuh"
#include "sort/plan.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// The lanes of the warp that have this bin; all lanes call. Three instructions a bit: 2^28 keys of 4 bytes took 5.3 ms on an
// H200, with what the compiler makes of __ballot_sync 6.8, and with __match_any_sync 9.2.
__device__ __forceinline__ unsigned lanes_with(unsigned bin) {
    unsigned lanes = ALL_LANES;
#pragma unroll
    for (int bit = 0; bit < DIGIT_BITS; ++bit) {
        unsigned alike;
        asm volatile("{ .reg .pred set; .reg .b32 part; and.b32 part, %1, %2; setp.ne.u32 set, part, 0;"
                     "  vote.sync.ballot.b32 %0, set, 0xFFFFFFFF; @!set not.b32 %0, %0; }"
                     : "=r"(alike) : "r"(bin), "r"(1u << bit));
        lanes &= alike;
    }
    return lanes;
}

__device__ __forceinline__ unsigned lanes_below() {
    unsigned mask;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
    return mask;
}

// Halves of words: 16 bits each.
template <int WORDS>
__device__ __forceinline__ unsigned half_of(const unsigned (&words)[WORDS], int i) { return words[i / 2] >> (i % 2 * 16) & 0xFFFF; }

template <int WORDS>
__device__ __forceinline__ void set_half(unsigned (&words)[WORDS], int i, unsigned half) {
    words[i / 2] = __byte_perm(words[i / 2], half, i % 2 == 0 ? 0x3254 : 0x5410);
}

// Half i of places ← how many keys before it, of the warp's, have its digit; seen ← how many have each.
template <bool WHOLE, int VT, typename Bits, typename Bin>
__device__ __forceinline__ void rank_in_warp(const Bits (&keys)[VT], unsigned (&places)[(VT + 1) / 2], unsigned present,
                                             const Bin &bin_of, uint16_t *seen) {
    const unsigned below = lanes_below();
#pragma unroll
    for (int i = 0; i < VT; ++i) {
        unsigned own = bin_of(keys[i]);
        if (!WHOLE && i >= present) own = bin_of.flip ^ (DIGITS - 1);
        const unsigned lanes = lanes_with(own);
        const unsigned before = seen[own] + __popc(lanes & below);
        __syncwarp();
        if (lanes <= (below | (below + 1))) seen[own] = before + 1; // the highest of them
        __syncwarp();
        set_half(places, i, before);
    }
}
