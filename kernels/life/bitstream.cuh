// bitstream.cuh — packs a range of byte cells into a bit stream in shared memory, and back.
//
//   stream bit head + i = (cell[i] != 0)          head = address of cell 0 mod 16, i = 0 … n-1
//
// Algorithm  The block processes the range in the aligned 16-byte groups of memory, so that every access is wide and each byte
//            moves once whatever the length of a row; the incomplete groups at either end go byte by byte.
// Cost       1/16 load or store a byte, five instructions for four cells either way.
// Limits     stream holds bits_of_range(n) bits.
// Edges      Bits of the stream outside the range are 0 after stream_in(), and ignored by stream_out().
// Source     Gathering and spreading bits by multiplication: H. S. Warren, "Hacker's Delight", 2nd ed., section 7.
#pragma once

#include <stddef.h>
#include <stdint.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

constexpr unsigned GROUP = 16;                                     // bytes of a wide access

__host__ __device__ constexpr unsigned bits_of_range(unsigned n) { return n + 2 * GROUP; }

__device__ inline unsigned head_of(const void *cells) { return static_cast<unsigned>(reinterpret_cast<uintptr_t>(cells) % GROUP); }

// One bit a byte of four: whether it is not 0.
__device__ inline uint32_t gather(uint32_t bytes) {
    const uint32_t alive = ((bytes | ((bytes & 0x7F7F7F7F) + 0x7F7F7F7F)) >> 7) & 0x01010101;
    return alive * 0x01020408 >> 24;
}

__device__ inline uint32_t spread(uint32_t bits) { return (bits & 0xF) * 0x00204081 & 0x01010101; }

__device__ inline void stream_in(const uint8_t *cells, unsigned n, uint16_t *stream) {
    constexpr int DEPTH = 8;                                       // loads under way at once
    const unsigned head = head_of(cells), end = head + n;
    const uint8_t *const origin = cells - head;
    const unsigned groups = (end + GROUP - 1) / GROUP, stride = blockDim.x;
    auto whole = [&](unsigned g) { return g * GROUP >= head && (g + 1) * GROUP <= end; };

    for (unsigned base = threadIdx.x; base < groups; base += DEPTH * stride) {
        uint4 cell[DEPTH];
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const unsigned g = base + k * stride;
            if (whole(g)) cell[k] = *reinterpret_cast<const uint4 *>(origin + size_t(g) * GROUP);
        }
#pragma unroll
        for (int k = 0; k < DEPTH; ++k) {
            const unsigned g = base + k * stride;
            if (whole(g)) {
                stream[g] = static_cast<uint16_t>(gather(cell[k].x) | gather(cell[k].y) << 4 | gather(cell[k].z) << 8 |
                                                  gather(cell[k].w) << 12);
            }
        }
    }
    if (threadIdx.x < min(groups, 2u)) {                           // the first group and the last one
        const unsigned g = threadIdx.x == 0 ? 0 : groups - 1;
        if (!whole(g)) {
            uint32_t bits = 0;
            for (unsigned i = max(g * GROUP, head); i < min((g + 1) * GROUP, end); ++i) {
                bits |= (origin[i] != 0 ? 1u : 0u) << i % GROUP;
            }
            stream[g] = static_cast<uint16_t>(bits);
        }
    }
}

__device__ inline void stream_out(const uint16_t *stream, unsigned n, uint8_t *cells) {
    const unsigned head = head_of(cells), end = head + n;
    uint8_t *const origin = cells - head;
    const unsigned groups = (end + GROUP - 1) / GROUP;
    for (unsigned g = threadIdx.x; g < groups; g += blockDim.x) {
        const uint32_t bits = stream[g];
        if (g * GROUP >= head && (g + 1) * GROUP <= end) {
            const uint4 cell = {spread(bits), spread(bits >> 4), spread(bits >> 8), spread(bits >> 12)};
            *reinterpret_cast<uint4 *>(origin + size_t(g) * GROUP) = cell;
        } else {
            for (unsigned i = max(g * GROUP, head); i < min((g + 1) * GROUP, end); ++i) origin[i] = bits >> i % GROUP & 1;
        }
    }
}

// Bits begin … begin+31 of a stream.
__device__ inline uint32_t bits_at(const uint32_t *stream, unsigned begin) {
    return __funnelshift_r(stream[begin / 32], stream[begin / 32 + 1], begin % 32);
}

// Puts the bits of a word that are in `mask` to begin … begin+31 of a stream that holds zeros there.
__device__ inline void put_bits(uint32_t *stream, unsigned begin, uint32_t word) {
    const unsigned by = begin % 32;
    atomicOr(&stream[begin / 32], word << by);
    if (by > 0 && word >> (32 - by) != 0) atomicOr(&stream[begin / 32 + 1], word >> (32 - by));
}
