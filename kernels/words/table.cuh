// table.cuh — a hash table of words and their counts in device memory.
//
// Algorithm  Open addressing with linear probing. A compare-and-swap of a slot's key from 0 claims it; the owner of a longer
//            word then publishes the address of its bytes, for which others wait before they compare. Counts are added, first
//            positions are maximised as complements, so that zeroed memory is an empty table.
// Cost       One sector of 32 bytes a word that is present: a load and an addition.
// Limits     Load factor 1/2; beyond it OVERFLOWN is set, and the counts are void.
// Source     D. Knuth, "The Art of Computer Programming" vol. 3, 6.4, algorithm L.
#pragma once

#include "words/spelling.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

using Wide = unsigned long long;                                   // the 64-bit type atomics know

enum TableState { USED, WORDS, LONG_WORDS, OVERFLOWN };            // what table.state counts
constexpr unsigned PROBES_BETWEEN_LOOKS = 64;                      // at OVERFLOWN, when the table may be full

struct alignas(32) Slot {
    Wide key;                                                      // 0: empty
    Wide count;
    Wide earliest;                                                 // ~position of the first appearance
    Wide where;                                                    // address of a longer word's bytes
};

struct Table {
    Slot *slots;
    unsigned bits;                                                 // 2^bits of them
    Wide *state;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
__device__ __forceinline__ T seen(const T *value) { return *static_cast<const volatile T *>(value); }

__device__ __forceinline__ bool is_overflown(const Table &table) { return seen(&table.state[OVERFLOWN]) != 0; }

// A text as the device holds it, with the copies of words from earlier texts, which end with a byte 0.
template <bool UTF8, bool FOLD>
struct Text {
    const uint8_t *begin, *end;
    CharClasses classes;

    __device__ Walk<UTF8, FOLD> walk(const uint8_t *from) const {
        const bool is_here = from >= begin && from < end;
        return {from, is_here ? end : reinterpret_cast<const uint8_t *>(~uintptr_t(0)), classes};
    }
    __device__ bool are_same(const uint8_t *a, const uint8_t *b) const { return a == b || same_word(walk(a), walk(b)); }
};

// The bytes of the word in a claimed slot; waits until their address is published.
__device__ __forceinline__ const uint8_t *bytes_of(const Slot *slot) {
    Wide where = seen(&slot->where);
    while (where == 0) where = seen(&slot->where);
    return reinterpret_cast<const uint8_t *>(where);
}

// Adds to a word. is_same(bytes) compares a longer word with this one; keep() gives the address where a new one's bytes stay.
template <typename IsSame, typename Keep>
__device__ void add_word(const Table &table, uint64_t key, Wide count, Wide earliest, IsSame is_same, Keep keep) {
    const Wide mask = (Wide(1) << table.bits) - 1;
    Wide at = scattered(key, table.bits);
    for (unsigned probes = 1;; ++probes, at = (at + 1) & mask) {
        Slot *const slot = &table.slots[at];
        Wide found = seen(&slot->key);
        bool is_mine = false;
        if (found == 0) {
            found = atomicCAS(&slot->key, Wide(0), Wide(key));
            is_mine = found == 0;
        }
        if (is_mine) {
            if (is_hash(key)) *static_cast<volatile Wide *>(&slot->where) = reinterpret_cast<Wide>(keep());
            if (atomicAdd(&table.state[USED], Wide(1)) >= (mask + 1) / 2) table.state[OVERFLOWN] = 1;
        }
        if (is_mine || (found == key && (!is_hash(key) || is_same(bytes_of(slot))))) {
            atomicAdd(&slot->count, count);
            if (seen(&slot->earliest) < earliest) atomicMax(&slot->earliest, earliest);
            return;
        }
        if (probes % PROBES_BETWEEN_LOOKS == 0 && is_overflown(table)) return;
    }
}

// Whether a word is there.
template <typename IsSame>
__device__ bool has_word(const Table &table, uint64_t key, IsSame is_same) {
    const Wide mask = (Wide(1) << table.bits) - 1;
    for (Wide at = scattered(key, table.bits);; at = (at + 1) & mask) {
        const Slot *const slot = &table.slots[at];
        if (slot->key == 0) return false;
        if (slot->key == key && (!is_hash(key) || is_same(bytes_of(slot)))) return true;
    }
}
