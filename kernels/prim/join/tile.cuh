// tile.cuh — what a block finds in its tile of two sorted arrays: which b's each a is equal to, and which b's are alone.
//
//   of an a: the place of the first b that is equal to it, and how many there are         of a b: whether it is alone
//
// Algorithm  The merge, of equal keys b first (sides.cuh): the b's that are equal to an a have just gone by when it comes. A
//            thread that merges its VT keys keeps in mind where the last run of b began, and has nothing to search; and a b is
//            alone where the next a is another key. For that a tile holds the a behind as well. What is found stands in shared
//            memory in the order of the arrays. From there on threads share a's keys evenly.
// Cost       Of an element some 20 instructions for the merge, log2(tile)·10/VT for the cut.
// Edges      A run that begins before the tile: `further` b's of it do so besides the one at place 0. They count for those a's
//            whose run begins there.
// Source     S. Odeh, O. Green et al., "Merge Path", IPDPSW 2012; S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013.
#pragma once

#include <stdint.h>

#include "prim/sets/sides.cuh"
#include "prim/sets/tiles.cuh"

namespace join {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int NT = 256, WARPS = NT / WARP;
template <typename Bits>
constexpr int VT = sizeof(Bits) == 4 ? 17 : 11;                    // odd: fewer bank conflicts; 4096 keys of 4 bytes are one tile
template <typename Bits>
constexpr unsigned ITEMS = NT * VT<Bits>;                          // of a tile

constexpr unsigned WINDOW_BYTES = 16384;                             // of the entries of pairs.cuh
constexpr unsigned WINDOW_MOST = WINDOW_BYTES / sizeof(uint32_t);  // pairs
constexpr unsigned UNIT = 128;                                     // pairs that a warp takes at a time

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first side is b, the second one a.
struct Tile : sets::Tile {
    uint64_t further;                                              // b's before the one at place 0 that are equal to it
    bool has_next;                                                 // there is an a behind

    __device__ __forceinline__ unsigned a_count() const { return second_count; }
    __device__ __forceinline__ unsigned b_count() const { return first_count; }
    __device__ __forceinline__ unsigned a_begin() const { return first_end(); } // places
};

template <typename Bits>
struct Memory {
    static constexpr unsigned PLACES = ITEMS<Bits> + VT<Bits> + 2; // a tile, the a behind, some that are touched but not used
    union {
        Bits ranks[PLACES];
        char entries[WINDOW_BYTES];                                // of pairs.cuh, when ranks are not needed any more
    };
    uint32_t found[PLACES];                                        // of an a: place | count << 16; of a b: 1 if it is alone
    alignas(16) uint8_t marks[WINDOW_MOST];                        // of pairs.cuh
    unsigned bases[WINDOW_MOST / UNIT];
    uint64_t slots[WARPS];
};

// ranks ← those of the tile. The caller synchronises.
template <typename Bits>
__device__ __forceinline__ void load(const sets::Sides<Bits> &sides, const Tile &tile, Memory<Bits> &memory) {
    sets::load_tile<NT, VT<Bits>>(sides, tile, memory.ranks);
    if (threadIdx.x == WARP) memory.ranks[tile.end()] = tile.has_next ? sides.rank_of_second(tile.second + tile.a_count()) : 0;
}

// found ← what VT steps of the merge find from place i of a and j of b on, whose last run begins at place `run`.
template <bool MEETS_ENDS, typename Bits>
__device__ __forceinline__ void walk(const Tile &tile, Memory<Bits> &memory, unsigned i, unsigned j, unsigned run) {
    const Bits *const ranks = memory.ranks;
    const unsigned a_begin = tile.a_begin(), a_end = tile.end(), none = tile.has_next ? ~0u : a_end; // none: no a is there
    Bits in_a = ranks[i], in_b = ranks[j], last = ranks[j - 1];
#pragma unroll
    for (int k = 0; k < VT<Bits>; ++k) {
        bool is_b = in_b <= in_a, is_alone = in_b != in_a;
        if (MEETS_ENDS) {
            is_b = j < a_begin && (is_b || i >= a_end);
            is_alone = is_alone || i == none;
        }
        const unsigned place = is_b ? j : i, next_place = place + 1;
        const Bits next = ranks[next_place];
        const bool goes_on = (is_b ? in_b : in_a) == last;
        const unsigned partners = goes_on ? (j - run) * 65536 + run : 0;
        memory.found[place] = is_b ? unsigned(is_alone) : partners;
        if (is_b && !goes_on) run = j;
        last = is_b ? in_b : last;
        in_b = is_b ? next : in_b;
        in_a = is_b ? in_a : next;
        j = is_b ? next_place : j;
        i = is_b ? i : next_place;
    }
}

// found ← what there is; ranks are those of the tile.
template <typename Bits>
__device__ __forceinline__ void find(const Tile &tile, Memory<Bits> &memory) {
    const auto cut = sets::cut_in_tile(tile, memory.ranks, min(threadIdx.x * VT<Bits>, tile.count()));
    const unsigned run = sets::run_begin(tile, memory.ranks, cut.a);
    if (cut.a + VT<Bits> <= tile.a_begin() && cut.b + VT<Bits> <= tile.end()) walk<false>(tile, memory, cut.b, cut.a, run);
    else walk<true>(tile, memory, cut.b, cut.a, run);
}

// The pairs of an a of which `found` says what it does; least: 1 where it is kept without a partner. Count holds them all.
template <typename Count>
__device__ __forceinline__ Count pairs_of(uint32_t found, Count further, unsigned least) {
    const unsigned pairs = max(found >> 16, least);
    return pairs + ((found & 0xFFFF) == 0 && found != 0 ? further : 0);
}

// The places of a's of this thread.
struct Share {
    unsigned begin, end;
};

__device__ __forceinline__ Share share_of(const Tile &tile) {
    const unsigned each = ((tile.a_count() + NT - 1) / NT) | 1;    // odd: no bank conflicts
    const unsigned begin = min(tile.a_begin() + threadIdx.x * each, tile.end());
    return {begin, min(begin + each, tile.end())};
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
        const unsigned here = pairs_of(memory.found[m], 0u, least);
        pairs += here;
        keys += min(here, 1u);
    }
    uint64_t own = pairs;
    if (tile.further > 0) {
        for (unsigned m = share.begin; m < share.end; ++m) {
            own += pairs_of(memory.found[m], tile.further, 0) - pairs_of(memory.found[m], uint64_t(0), 0);
        }
    }
    uint64_t all;
    const uint64_t sum = sets::sum_before<NT>(own << KEY_BITS | keys, memory.slots, &all);
    constexpr unsigned KEYS = (1 << KEY_BITS) - 1;
    *before = {sum >> KEY_BITS, static_cast<unsigned>(sum) & KEYS};
    return {all >> KEY_BITS, static_cast<unsigned>(all) & KEYS};
}

}  // namespace join
