// segment_heads.cuh — head flags of an array's segments as bits in shared memory.
//
// Algorithm  Offsets, or words of flags, become a bit an element. A second level, a bit a word, skips words without heads.
// Cost       A shared atomic an offset; a search touches a word or two where segments are short, else a word for 1024 elements.
// Edges      Invalid offsets (not ascending, out of range) are skipped. Element 0 always begins a segment.
// Source     S. Baxter, "ModernGPU", Segmented Sort, NVIDIA 2013 (head flags).
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "prim/warp/search.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

enum class Heads { NONE, OFFSETS_U32, OFFSETS_U64, FLAGS };

// ---- device helpers -------------------------------------------------------------------------------------------------

// The segments of `elements` elements, as a caller gives them: ascending positions, or a bit an element.
struct Segments {
    Heads kind;
    const void *heads;
    size_t count, elements;
};

// Bits of the elements of a tile that begin a segment, and of the words that are not 0.
template <unsigned TILE>
struct HeadBits {
    static constexpr unsigned WORDS = TILE / 32, GROUPS = (WORDS + 31) / 32;
    unsigned words[WORDS], groups[GROUPS];

    __device__ unsigned highest(unsigned word) const { return 31 - __clz(word); }

    // The last head in front of `place`, or `otherwise`.
    __device__ unsigned before(unsigned place, unsigned otherwise) const {
        if (place == 0) return otherwise;
        unsigned word = (place - 1) / 32;
        const unsigned bits = words[word] & (ALL_LANES >> (31 - (place - 1) % 32));
        if (bits != 0) return word * 32 + highest(bits);
        if (word == 0) return otherwise;
        --word;
        unsigned group = word / 32, used = groups[group] & (ALL_LANES >> (31 - word % 32));
        while (used == 0) {
            if (group == 0) return otherwise;
            used = groups[--group];
        }
        word = group * 32 + highest(used);
        return word * 32 + highest(words[word]);
    }

    // The first head from `place` on, or `otherwise`.
    __device__ unsigned from(unsigned place, unsigned otherwise) const {
        if (place >= TILE) return otherwise;
        unsigned word = place / 32;
        const unsigned bits = words[word] & (ALL_LANES << place % 32);
        if (bits != 0) return word * 32 + __ffs(bits) - 1;
        if (++word == WORDS) return otherwise;
        unsigned group = word / 32, used = groups[group] & (ALL_LANES << word % 32);
        while (used == 0) {
            if (++group == GROUPS) return otherwise;
            used = groups[group];
        }
        word = group * 32 + __ffs(used) - 1;
        return word * 32 + __ffs(words[word]) - 1;
    }

    // The bits of `count` elements from `place` on.
    __device__ unsigned bits(unsigned place, unsigned count) const {
        const unsigned word = place / 32, next = word + 1 < WORDS ? words[word + 1] : 0;
        return __funnelshift_r(words[word], next, place % 32) & ((1u << count) - 1);
    }
};

// Sets the bits of the positions among `heads` that lie in [begin, begin + TILE).
template <unsigned TILE, typename Index>
__device__ void mark_offsets(HeadBits<TILE> &bits, const Index *heads, size_t head_count, size_t begin, size_t *first) {
    if (threadIdx.x < WARP) {
        const size_t found = warp_first_false(size_t(0), head_count, [&](size_t i) { return heads[i] < begin; });
        if (threadIdx.x == 0) *first = found;
    }
    __syncthreads();
    for (size_t i = *first + threadIdx.x; i < head_count; i += blockDim.x) {
        const size_t place = size_t(heads[i]) - begin;
        if (place >= TILE) break;
        atomicOr(&bits.words[place / 32], 1u << place % 32);
    }
    __syncthreads();
}

// The bits of the tile from `begin` on, a multiple of 32, by all threads of the block; `first` is shared memory.
template <unsigned TILE>
__device__ void find_heads(HeadBits<TILE> &bits, const Segments &segments, size_t begin, size_t *first) {
    const size_t words = (segments.elements + 31) / 32;
    for (unsigned w = threadIdx.x; w < bits.WORDS; w += blockDim.x) {
        const size_t word = begin / 32 + w;
        const bool is_there = segments.kind == Heads::FLAGS && word < min(segments.count, words);
        unsigned found = is_there ? static_cast<const unsigned *>(segments.heads)[word] : 0;
        if (word == words - 1 && segments.elements % 32 != 0) found &= (1u << segments.elements % 32) - 1;
        if (word == 0) found |= 1;
        bits.words[w] = found;
    }
    __syncthreads();
    if (segments.kind == Heads::OFFSETS_U32) {
        mark_offsets(bits, static_cast<const uint32_t *>(segments.heads), segments.count, begin, first);
    } else if (segments.kind == Heads::OFFSETS_U64) {
        mark_offsets(bits, static_cast<const uint64_t *>(segments.heads), segments.count, begin, first);
    }
    for (unsigned w = threadIdx.x; w < bits.GROUPS * 32; w += blockDim.x) {
        const unsigned used = __ballot_sync(ALL_LANES, w < bits.WORDS && bits.words[w < bits.WORDS ? w : 0] != 0);
        if (w % 32 == 0) bits.groups[w / 32] = used;
    }
    __syncthreads();
}
