// tile.cuh — the matches in a block's tile of two sorted arrays: for each a its range of equal b's, and the unmatched b's.
//
//   of an a: the place of the first b that is equal to it, and how many there are         of a b: whether it is unmatched
//
// Algorithm  Merge with b first of equal keys (sorted_pair.cuh): the b's that are equal to an a have just been passed when it
//            comes. A thread that merges its VT keys remembers where the last run of b began, and needs no search; a b is
//            unmatched where the next a is another key. What is found of a's is in shared memory in their order, of b's as bits
//            that threads combine. From there on threads share a's keys evenly.
// Cost       Of an element some 18 instructions for the merge, 7·log2(tile)/VT for the cut.
// Edges      A run that begins before the tile: `further` b's of it do so besides the last one before the tile, which is there.
//            They count for those a's whose run begins at that one.
// Source     S. Odeh, O. Green et al., "Merge Path", IPDPSW 2012; S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
#pragma once

#include <stdint.h>

#include "prim/block/scan.cuh"
#include "prim/block/sorted_pair.cuh"
#include "prim/thread/predicated.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/warp.cuh"

namespace join {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int NT = 256, WARPS = NT / WARP;
template <typename Bits>
constexpr int VT = sizeof(Bits) == 4 ? 17 : 11;                    // odd: fewer bank conflicts; 4096 keys of 4 bytes are one tile
template <typename Bits>
constexpr unsigned ITEMS = NT * VT<Bits>;                          // of a tile

constexpr unsigned WINDOW_BYTES = 16384;                           // of the entries of pairs.cuh
constexpr unsigned WINDOW_MOST = WINDOW_BYTES / sizeof(uint32_t);  // pairs
constexpr unsigned UNIT = 128;                                     // pairs that a warp takes at a time

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first side is b, the second one a.
struct Tile : sets::Tile {
    uint64_t further;                                              // b's before the one before the tile that are equal to it
    bool has_next;                                                 // there is an a behind

    __device__ __forceinline__ unsigned a_count() const { return second_count; }
    __device__ __forceinline__ unsigned b_count() const { return first_count; }
    __device__ __forceinline__ unsigned a_begin() const { return second_at; } // places
    __device__ __forceinline__ unsigned a_end() const { return second_end(); }
    __device__ __forceinline__ unsigned b_begin() const { return first_at; }
    __device__ __forceinline__ unsigned b_end() const { return first_end(); }
};

template <typename Bits>
struct Memory {
    static constexpr unsigned PLACES = sets::PLACES<ITEMS<Bits>, Bits> + VT<Bits>; // some are touched but not used
    union {
        alignas(16) Bits ranks[PLACES];
        char entries[WINDOW_BYTES];                                // of pairs.cuh, when ranks are not needed any more
    };
    uint32_t found[PLACES];                                        // of an a, at its place
    uint32_t unmatched_flags[ITEMS<Bits> / WARP + 2];              // a bit a b
    alignas(16) uint8_t flags[WINDOW_MOST];                        // of pairs.cuh
    unsigned bases[WINDOW_MOST / UNIT];
    uint64_t slots[WARPS];
};

template <typename Bits>
__device__ __forceinline__ void clear_unmatched(Memory<Bits> &memory) {
    for (unsigned i = threadIdx.x; i < sizeof(memory.unmatched_flags) / sizeof(uint32_t); i += NT) memory.unmatched_flags[i] = 0;
}

// Of an a, found is where the run of its partners begins, counted from the b before the tile, and 16 bits higher how many there
// are, both in bytes of keys.
template <typename Bits>
constexpr int COUNT_SHIFT = sizeof(Bits) == 4 ? 16 + 2 : 16 + 3;
__device__ __forceinline__ unsigned run_of(uint32_t found) { return found & 0xFFFF; }

// What VT steps of the merge find from addresses i of a and j of b on; run: where the last run of b began. Returns a bit a b.
template <bool MEETS_ENDS, typename Bits>
__device__ __forceinline__ unsigned walk(const Tile &tile, const Memory<Bits> &memory, unsigned i, unsigned j, unsigned run) {
    constexpr int SIZE = sizeof(Bits);
    constexpr unsigned STRIDE = sizeof(Bits) / sizeof(uint32_t);
    const unsigned ranks = shared_address(memory.ranks), found = shared_address(memory.found) - ranks / STRIDE;
    const unsigned before = ranks + (tile.b_begin() - 1) * SIZE;
    const unsigned a_end = ranks + tile.a_end() * SIZE, b_end = ranks + tile.b_end() * SIZE;
    const unsigned none = tile.has_next ? ~0u : a_end;             // where no a is
    Bits in_a = 0, in_b = 0, last = 0;
    load_shared_if(true, i, in_a);
    load_shared_if(true, j, in_b);
    load_shared_if<-SIZE>(true, j, last);
    unsigned unmatched_flags = 0, bit = 1;                         // of the next b
    run -= before;
#pragma unroll
    for (int k = 0; k < VT<Bits>; ++k) {
        bool is_b = in_b <= in_a, is_unmatched = in_b != in_a;
        if (MEETS_ENDS) {
            is_b = j < b_end && (is_b || i >= a_end);
            is_unmatched = is_unmatched || i == none;
        }
        const bool matches = in_a == last && !is_b, begins = in_b != last && is_b;
        is_unmatched = is_unmatched && is_b;
        const uint32_t partners = (j - before - run) * 65536 + run;
        store_shared_if(!is_b, found + i / STRIDE, matches ? partners : 0u);
        if (begins) run = j - before;
        if (is_b) last = in_b;
        add_if(is_unmatched, unmatched_flags, bit);
        add_if(is_b, bit, bit);
        load_shared_if<SIZE>(is_b, j, in_b);
        load_shared_if<SIZE>(!is_b, i, in_a);
        if (is_b) j += SIZE;
        if (!is_b) i += SIZE;
    }
    return unmatched_flags;
}

// found, and where b's are kept alone, which was 0 ← what there is; ranks are those of the tile.
template <typename Bits>
__device__ __forceinline__ void find(const Tile &tile, bool keeps_b, Memory<Bits> &memory) {
    const Bits *const ranks = memory.ranks;
    const auto cut = sets::cut_in_tile<ITEMS<Bits>>(tile, ranks, min(threadIdx.x * VT<Bits>, tile.count()));
    const unsigned least = tile.b_begin() - (tile.first > 0 ? 1 : 0);
    const unsigned run = cut.a == least ? least : sets::run_begin(ranks, least, cut.a - 1, ranks[cut.a - 1]);
    const unsigned b = shared_address(ranks + cut.a), a = shared_address(ranks + cut.b), run_at = shared_address(ranks + run);
    const unsigned bits = tile.is_inside ? walk<false>(tile, memory, a, b, run_at) : walk<true>(tile, memory, a, b, run_at);
    if (keeps_b && bits != 0) {
        const unsigned first = cut.a - tile.b_begin(), behind = __funnelshift_l(bits, 0, first % WARP);
        atomicOr(memory.unmatched_flags + first / WARP, bits << first % WARP);
        if (behind != 0) atomicOr(memory.unmatched_flags + first / WARP + 1, behind);
    }
}

// The number of pairs of an a with this `found`; least: 1 where it is kept without a match. Count holds them all.
template <typename Bits, typename Count>
__device__ __forceinline__ Count pairs_of(uint32_t found, Count further, unsigned least) {
    const unsigned pairs = max(found >> COUNT_SHIFT<Bits>, least);
    return pairs + (run_of(found) == 0 && found != 0 ? further : 0);
}

// The places of a's of this thread.
struct Share {
    unsigned begin, end;
};

__device__ __forceinline__ Share share_of(const Tile &tile) {
    const unsigned each = ((tile.a_count() + NT - 1) / NT) | 1;    // odd: no bank conflicts
    const unsigned begin = min(tile.a_begin() + threadIdx.x * each, tile.a_end());
    return {begin, min(begin + each, tile.a_end())};
}

// Pairs, and keys of a that have some: of the tile, or of the threads before this one.
struct Counts {
    uint64_t pairs;
    unsigned keys;
};

// *before ← the counts of the threads before; returns those of the tile.
template <typename Bits>
__device__ __forceinline__ Counts count_pairs(const Tile &tile, unsigned least, Memory<Bits> &memory, Counts *before) {
    constexpr int KEY_BITS = 13;                                   // ITEMS at most; pairs < 2^51
    const Share share = share_of(tile);
    unsigned pairs = 0, keys = 0;
#pragma unroll 4
    for (unsigned m = share.begin; m < share.end; ++m) {
        const unsigned here = pairs_of<Bits>(memory.found[m], 0u, least);
        pairs += here;
        keys += min(here, 1u);
    }
    uint64_t own = pairs;
    if (tile.further > 0) {
        for (unsigned m = share.begin; m < share.end; ++m) {
            own += pairs_of<Bits>(memory.found[m], tile.further, 0) - pairs_of<Bits>(memory.found[m], uint64_t(0), 0);
        }
    }
    uint64_t all;
    const uint64_t sum = block_exclusive_sum<NT>(own << KEY_BITS | keys, memory.slots, &all);
    constexpr unsigned KEYS = (1 << KEY_BITS) - 1;
    *before = {sum >> KEY_BITS, static_cast<unsigned>(sum) & KEYS};
    return {all >> KEY_BITS, static_cast<unsigned>(all) & KEYS};
}

}  // namespace join
