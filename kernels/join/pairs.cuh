// pairs.cuh — a block expands the matches of its tile to pairs, each as two indices, with coalesced stores.
//
// Algorithm  In windows, mostly one. Each key of a that has pairs in the window puts an entry into a table, and a head flag at
//            its first pair. An inclusive count of the flags maps a pair to its entry: a warp takes UNIT pairs at a time, for
//            which the entry of the first is known, and counts the others by ballots. An entry holds the place of a, and the
//            distance of the pairs from their b's.
// Cost       Of a pair some 20 instructions: a byte and an entry from shared memory, a ballot, two stores; of a key as many.
// Limits     Entries of 32 bits: b's up to 2^15 places before the tile. Of 64 bits: up to 2^47. Any number of pairs.
// Source     S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013, here by counting head flags.
#pragma once

#include "join/tile.cuh"
#include "prim/warp/warp.cuh"

namespace join {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned UNMATCHED = 0x8000;                             // of an a, in an entry

// An entry: where a is in its part, perhaps UNMATCHED, above `place of b - number of the pair`, modulo 2^BITS.
template <typename Entry>
struct Window {
    static constexpr int BITS = sizeof(Entry) == 4 ? 16 : 48;
    static constexpr Entry MASK = (Entry(1) << BITS) - 1;
    static constexpr unsigned PAIRS = WINDOW_BYTES / sizeof(Entry); // no more keys have some of them
};

// Where pairs go: capacity of each, indices of `index_bytes` 4 or 8 bytes.
struct Target {
    void *a_indices, *b_indices;
    size_t capacity;
    int index_bytes;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The place of the b of pair p, which may be negative; of an a that is alone any number.
__device__ __forceinline__ int64_t b_of(uint32_t entry, uint32_t p) { return static_cast<int16_t>(entry + p); }
__device__ __forceinline__ int64_t b_of(uint64_t entry, uint64_t p) { return static_cast<int64_t>((entry + p) << 16) >> 16; }

// Writes UNIT pairs, or as many as there are: `count` from this lane on. flags, low: of and at the lane's first pair; number:
// what the flags count from.
template <bool WHOLE, typename Entry, typename Index>
__device__ __forceinline__ void write_unit(const uint8_t *flags, const Entry *entries, unsigned number, Entry low, int count,
                                           Index a_first, Index b_first, Index *a_indices, Index *b_indices) {
    const unsigned up_to_lane = ALL_LANES >> (WARP - 1 - threadIdx.x % WARP);
#pragma unroll
    for (int k = 0; k < static_cast<int>(UNIT); k += WARP) {
        const unsigned begins = __ballot_sync(ALL_LANES, flags[k] != 0);
        const Entry entry = entries[(number + __popc(begins & up_to_lane)) % Window<Entry>::PAIRS];
        number += __popc(begins);
        if (!WHOLE && k >= count) continue;
        const unsigned a = static_cast<unsigned>(entry >> Window<Entry>::BITS);
        a_indices[k] = a_first + static_cast<Index>(a & ~UNMATCHED);
        const Index b = b_first + static_cast<Index>(b_of(entry, low + k));
        b_indices[k] = (a & UNMATCHED) != 0 ? ~Index(0) : b;
    }
}

template <typename Index, typename Entry, typename Bits>
__device__ __forceinline__ void write_units(const Target &to, const Tile &tile, const Memory<Bits> &memory, Entry low,
                                            unsigned count, size_t first) {
    const Entry *const entries = reinterpret_cast<const Entry *>(memory.entries);
    const Index a_first = static_cast<Index>(tile.second), b_first = static_cast<Index>(tile.first - 1);
    Index *const a_indices = static_cast<Index *>(to.a_indices) + (first + low);
    Index *const b_indices = static_cast<Index *>(to.b_indices) + (first + low);
    for (unsigned begin = threadIdx.x / WARP * UNIT; begin < count; begin += WARPS * UNIT) {
        const unsigned p = begin + threadIdx.x % WARP, number = memory.bases[begin / UNIT];
        if (begin + UNIT <= count) {
            write_unit<true>(memory.flags + p, entries, number, low + p, 0, a_first, b_first, a_indices + p, b_indices + p);
        } else {
            write_unit<false>(memory.flags + p, entries, number, low + p, static_cast<int>(count - p), a_first, b_first,
                              a_indices + p, b_indices + p);
        }
    }
}

// Writes the pairs [low, high) of the tile, whose pair 0 goes to `first`, or as many as to.capacity holds; those of a filled
// window.
template <typename Entry, typename Bits>
__device__ __forceinline__ void write_window(const Target &to, const Tile &tile, const Memory<Bits> &memory, Entry low,
                                             Entry high, uint64_t first) {
    const uint64_t begin = first + low, left = begin < to.capacity ? to.capacity - begin : 0;
    const unsigned count = static_cast<unsigned>(min(min(uint64_t(high - low), left), uint64_t(Window<Entry>::PAIRS)));
    if (to.index_bytes == 4) write_units<uint32_t>(to, tile, memory, low, count, first);
    else write_units<uint64_t>(to, tile, memory, low, count, first);
}

// Entries, flags and bases of the window that begins at pair `low`; before: the counts of the threads before. ONLY: there is no
// other window. All threads call, when flags are clear and ranks are free; the caller synchronises.
template <bool ONLY, typename Entry, typename Bits>
__device__ __forceinline__ void fill_window(const Tile &tile, unsigned least, Memory<Bits> &memory, const Counts &before,
                                            Entry low) {
    constexpr unsigned PAIRS = Window<Entry>::PAIRS;
    Entry at = static_cast<Entry>(before.pairs);
    unsigned number = before.keys;
    Entry *const entries = reinterpret_cast<Entry *>(memory.entries);
    const Share share = share_of(tile);
    const Entry further = static_cast<Entry>(tile.further);
#pragma unroll 2
    for (unsigned m = share.begin; m < share.end; ++m) {
        const uint32_t found = memory.found[m];
        const Entry pairs = pairs_of<Bits>(found, further, least), end = at + pairs;
        if (pairs > 0 && (ONLY || (at < low + PAIRS && end > low))) {
            const Entry b = run_of(found) == 0 ? Entry(0) - further : Entry(run_of(found) / sizeof(Bits));
            const unsigned a = m - tile.a_begin() + (found < 65536 ? UNMATCHED : 0);
            entries[ONLY ? number : number % PAIRS] = Entry(a) << Window<Entry>::BITS | ((b - at) & Window<Entry>::MASK);
            const unsigned begin = ONLY ? at : at > low ? static_cast<unsigned>(at - low) : 0;
            const unsigned last = (ONLY ? end : static_cast<unsigned>(min(end - low, Entry(PAIRS)))) - 1;
            memory.flags[begin] = 1;
            if (((begin - 1) ^ last) >= UNIT) {                    // a unit begins here
#pragma unroll 1
                for (unsigned u = (begin + UNIT - 1) / UNIT; u <= last / UNIT; ++u) {
                    memory.bases[u] = u * UNIT == begin ? number - 1 : number; // its flags count this key or not
                }
            }
        }
        number += pairs > 0 ? 1 : 0;
        at = end;
    }
}

template <typename Bits>
__device__ __forceinline__ void clear_flags(Memory<Bits> &memory) {
    for (unsigned i = threadIdx.x; i < WINDOW_MOST / sizeof(uint4); i += NT) reinterpret_cast<uint4 *>(memory.flags)[i] = uint4{};
}

// Writes the pairs [low, high) of the tile, whose pair 0 goes to `first`, in as many windows as it takes. All threads call, when
// flags are clear and ranks are free.
template <typename Bits>
__device__ __forceinline__ void write_windows(const Target &to, const Tile &tile, Memory<Bits> &memory, unsigned least,
                                              const Counts &before, uint64_t low, uint64_t high, uint64_t first) {
    for (; low < high; low += Window<uint64_t>::PAIRS) {
        fill_window<false>(tile, least, memory, before, low);
        __syncthreads();                                           // entries, flags and bases are ready
        write_window(to, tile, memory, low, high, first);
        __syncthreads();                                           // all of it is free
        clear_flags(memory);
        __syncthreads();                                           // flags are clear
    }
}

}  // namespace join
