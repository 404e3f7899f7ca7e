// char_class.cuh — character classes of a text: letters and digits, and case folding.
//
// Algorithm  ASCII is classified by arithmetic, four characters at a time in a 32-bit word. All others are looked up in a
//            two-stage table: table[code / 256] gives a block of 256 bits, the class, and a block of 256 differences, the fold.
//            Equal blocks are shared, so that the table has some 50 KB, of which a text touches little.
// Limits     A sequence of bytes is a character when it is well-formed UTF-8: no surrogates, nothing above U+10FFFF, no overlong
//            forms. Any other byte is no character; it separates words.
// Source     L. Lamport, "Multiple byte processing with full-word instructions", 1975; The Unicode Standard, table 3-7.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned CODE_BLOCKS = 0x110000 / 256;                   // first stage; classes follow, 8 words a block
constexpr unsigned APOSTROPHE = 0x27;
constexpr unsigned CURLY_APOSTROPHE = 0x2019;
constexpr uint32_t HIGH_BITS = 0x80808080;

struct CharClasses {
    const uint32_t *table;
    unsigned folds;                                                // where the blocks of differences begin in it
};

// A character and how many bytes it has; code 0 where none begins.
struct Character {
    uint32_t code;
    unsigned bytes;
};

// ---- device helpers: four bytes at a time ---------------------------------------------------------------------------

// 0x80 in each byte that is a letter of ASCII.
__device__ __forceinline__ uint32_t ascii_letters(uint32_t four) {
    const uint32_t lower = (four & ~HIGH_BITS) | 0x20202020;
    return (lower + 0x1F1F1F1F) & ~(lower + 0x05050505) & ~four & HIGH_BITS;
}

__device__ __forceinline__ uint32_t ascii_digits(uint32_t four) {
    const uint32_t low = four & ~HIGH_BITS;
    return (low + 0x50505050) & ~(low + 0x46464646) & ~four & HIGH_BITS;
}

// 0x80 in each byte that is `byte`.
__device__ __forceinline__ uint32_t equal_bytes(uint32_t four, unsigned byte) {
    const uint32_t difference = four ^ (byte * 0x01010101);
    return ~((difference & ~HIGH_BITS) + 0x7F7F7F7F | difference) & HIGH_BITS;
}

__device__ __forceinline__ uint32_t ascii_folded(uint32_t four) { return four | ascii_letters(four) >> 2; }

// Bit 7 of each byte, as four neighbouring bits.
__device__ __forceinline__ uint32_t gathered(uint32_t high_bits) { return (high_bits >> 7) * 0x01020408 >> 24 & 0xF; }

// ---- device helpers: one character ----------------------------------------------------------------------------------

__device__ __forceinline__ bool is_ascii_letter_or_digit(uint32_t code) {
    return (code | 0x20) - 'a' < 26 || code - '0' < 10;
}

__device__ __forceinline__ bool is_letter(const CharClasses &classes, uint32_t code) {
    if (code < 0x80) return is_ascii_letter_or_digit(code);
    const uint32_t block = classes.table[code >> 8] & 0xFFFF;
    return classes.table[CODE_BLOCKS + block * 8 + (code >> 5 & 7)] >> (code & 31) & 1;
}

__device__ __forceinline__ uint32_t folded(const CharClasses &classes, uint32_t code) {
    if (code < 0x80) return code - 'A' < 26 ? code | 0x20 : code;
    const uint32_t block = classes.table[code >> 8] >> 16;
    return code + classes.table[classes.folds + block * 256 + (code & 255)];
}

// How many bytes a character takes that begins with this one; 0 where none does.
__device__ __forceinline__ unsigned sequence_length(uint32_t lead) {
    return lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
}

// The character of several bytes that lies in these four, the first one lowest; bytes behind the text are 0.
__device__ __forceinline__ Character decoded(uint32_t four) {
    const unsigned bytes = sequence_length(four & 0xFF);
    const uint32_t tail = four >> 8;
    const uint32_t wanted = bytes < 2 ? 0 : 0x00C0C0C0u >> 8 * (4 - bytes);
    if (bytes < 2 || (tail & wanted) != (0x00808080u & wanted)) return {0, 1};
    const uint32_t a = tail & 0x3F, b = tail >> 8 & 0x3F, c = tail >> 16 & 0x3F, lead = four & 0xFF;
    const uint32_t code = bytes == 2   ? (lead & 0x1F) << 6 | a
                          : bytes == 3 ? (lead & 0x0F) << 12 | a << 6 | b
                                       : (lead & 0x07) << 18 | a << 12 | b << 6 | c;
    const bool is_short = bytes == 3 ? code < 0x800 : bytes == 4 && code < 0x10000; // it needed fewer bytes
    if (is_short || code - 0xD800 < 0x800 || code > 0x10FFFF) return {0, 1};
    return {code, bytes};
}

__device__ __forceinline__ unsigned encoded_length(uint32_t code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

// The bytes of a character, the first one lowest.
__device__ __forceinline__ uint32_t encoded(uint32_t code) {
    const uint32_t a = (code & 0x3F) | 0x80, b = (code >> 6 & 0x3F) | 0x80, c = (code >> 12 & 0x3F) | 0x80;
    if (code < 0x80) return code;
    if (code < 0x800) return 0xC0 | code >> 6 | a << 8;
    if (code < 0x10000) return 0xE0 | code >> 12 | b << 8 | a << 16;
    return 0xF0 | code >> 18 | c << 8 | b << 16 | a << 24;
}
