// spelling.cuh — the spelling of a word, decoded character by character, and its 64-bit key.
//
// Algorithm  A word's spelling is its characters as UTF-8, with FOLD case-folded. Up to eight bytes are the key themselves,
//            exactly; the key of a longer word is a hash over its chunks of eight bytes with the two highest bits set, which no
//            last byte of a spelling has. Equal hashes are verified: same_word() compares both spellings.
// Cost       A few instructions a chunk, some 20 a character decoded.
// Limits     Decoding ends after LONG_WORD characters: such words are left to the caller, all of them, since folding keeps their
//            number.
#pragma once

#include "words/char_class.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned LONG_WORD = 4096;                               // characters of a word that is not counted here
constexpr uint64_t IS_HASH = uint64_t(3) << 62;
constexpr uint64_t GOLDEN = 0x9E3779B97F4A7C15;                    // 2^64 / golden ratio, odd
constexpr uint64_t HASH_BITS = ~uint64_t(0);

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ uint64_t with_chunk(uint64_t hash, uint64_t chunk) {
    hash = (hash ^ chunk) * GOLDEN;
    return hash ^ hash >> 32;
}

__device__ __forceinline__ uint64_t as_key(uint64_t hash) { return (hash & HASH_BITS) | IS_HASH; }
__device__ __forceinline__ bool is_hash(uint64_t key) { return key >= IS_HASH; }

// A number of `bits` bits in which every byte of a key takes part.
__device__ __forceinline__ uint64_t scattered(uint64_t key, unsigned bits) { return (key ^ key >> 32) * GOLDEN >> (64 - bits); }

// A spelling while it is written.
struct Spelling {
    uint64_t hash = 0, chunk = 0;
    unsigned bytes = 0;

    __device__ void put_byte(uint32_t byte) {
        if (bytes > 0 && bytes % 8 == 0) hash = with_chunk(hash, chunk), chunk = 0;
        chunk |= uint64_t(byte) << 8 * (bytes % 8);
        ++bytes;
    }

    __device__ void put(uint32_t code) {
        const uint32_t four = encoded(code);
        for (unsigned i = 0; i < encoded_length(code); ++i) put_byte(four >> 8 * i & 0xFF);
    }

    __device__ uint64_t key() const { return bytes <= 8 ? chunk : as_key(with_chunk(hash, chunk)); }
};

// A walk over the characters of a word, from its first byte on.
template <bool UTF8, bool FOLD>
struct Walk {
    const uint8_t *at, *end;                                       // end of the text
    CharClasses classes;

    __device__ Character character(const uint8_t *from) const {
        if (from >= end) return {0, 0};
        const uint32_t lead = *from;
        if (lead < 0x80) return {lead, 1};
        if (!UTF8) return {0, 1};
        uint32_t four = lead;
        const unsigned bytes = sequence_length(lead);
        for (unsigned i = 1; i < bytes && from + i < end; ++i) {
            const uint32_t byte = from[i];
            if ((byte & 0xC0) != 0x80) break;                      // nothing is read behind what is no sequence
            four |= byte << 8 * i;
        }
        return decoded(four);
    }

    // The next character, folded; 0 behind the word.
    __device__ uint32_t next() {
        const Character here = character(at);
        bool goes_on = is_letter(classes, here.code);
        if (!goes_on && (here.code == APOSTROPHE || here.code == CURLY_APOSTROPHE)) {
            goes_on = is_letter(classes, character(at + here.bytes).code);
        }
        if (!goes_on) return 0;
        at += here.bytes;
        return FOLD ? folded(classes, here.code) : here.code;
    }
};

// *key ← the key of the word at `at`; false for a long word.
template <bool UTF8, bool FOLD>
__device__ bool spelled(Walk<UTF8, FOLD> walk, uint64_t *key) {
    Spelling spelling;
    for (unsigned i = 0; i <= LONG_WORD; ++i) {
        const uint32_t code = walk.next();
        if (code == 0) {
            *key = spelling.key();
            return true;
        }
        spelling.put(code);
    }
    return false;
}

// Whether two words have the same spelling.
template <bool UTF8, bool FOLD>
__device__ __noinline__ bool same_word(Walk<UTF8, FOLD> a, Walk<UTF8, FOLD> b) {
    for (;;) {
        const uint32_t code = a.next();
        if (code != b.next()) return false;
        if (code == 0) return true;
    }
}

// The bytes of a word.
template <bool UTF8>
__device__ size_t word_bytes(Walk<UTF8, false> walk) {
    const uint8_t *const from = walk.at;
    while (walk.next() != 0) {}
    return static_cast<size_t>(walk.at - from);
}
