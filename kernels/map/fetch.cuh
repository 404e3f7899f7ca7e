// fetch.cuh — the operand of a step as words, and the result's store.
//
// Algorithm  One switch: a slot, a literal, or a dense input of one of the dtypes. Inputs that are not dense, and those of a warp whose
//            groups are not all whole, are located first, and loaded by a second switch.
#pragma once

#include "map/element.cuh"
#include "map/switch.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Word>
constexpr int MAP_LENGTH = 16 / sizeof(Word);                      // words of a group

template <typename Word>
constexpr int MAP_LANES = MAP_GROUPS * MAP_LENGTH<Word>;           // of a thread

template <typename Word>
__host__ __device__ constexpr bool serves_dtype(int dtype) { return dtype < MAP_DTYPES && (sizeof(Word) == 8 || !is_map_wide(map_type_of(dtype))); }

// The memory of a thread's slots: groups of 16 bytes, those of a slot and group side by side for the threads of the block.
template <typename Word>
struct MapSlots {
    uint4 *own;
    unsigned threads;

    __device__ __forceinline__ uint4 *at(unsigned slot, unsigned g) const { return own + (slot * MAP_GROUPS + g) * threads; }

    __device__ __forceinline__ void load(unsigned slot, Word (&words)[MAP_LANES<Word>]) const {
#pragma unroll
        for (int g = 0; g < MAP_GROUPS; ++g) memcpy(words + g * MAP_LENGTH<Word>, at(slot, g), 16);
    }

    __device__ __forceinline__ void store(unsigned slot, const Word (&words)[MAP_LANES<Word>]) const {
#pragma unroll
        for (int g = 0; g < MAP_GROUPS; ++g) memcpy(at(slot, g), words + g * MAP_LENGTH<Word>, 16);
    }
};

template <typename Word>
__device__ __forceinline__ void load_single(const MapInput &input, Word *word) {
    by_number<MAP_DTYPES>(input.dtype, [&](auto dtype) {
        constexpr int DTYPE = decltype(dtype)::value;
        if constexpr (serves_dtype<Word>(DTYPE)) *word = word_at<DTYPE, Word>(input.data, 0);
    });
}

template <int DTYPE, typename Word>
__device__ __forceinline__ void load_dense(const MapInput &input, const MapPlace &at, Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) {
        load_packet<DTYPE, LENGTH>(input.data, size_t(at.group(g)) * LENGTH, words + g * LENGTH);
    }
}

// Loads a group by an access.
template <int ACCESS, typename Word>
__device__ __forceinline__ void load_group(const MapInput &input, MapSpot spot, Word *words) {
    constexpr int DTYPE = ACCESS % MAP_DTYPES, LENGTH = MAP_LENGTH<Word>;
    if constexpr (ACCESS >= ACCESS_SHIFTED) load_shifted<DTYPE, LENGTH>(input.data, spot.offset, words);
    else if constexpr (ACCESS >= ACCESS_VECTOR) load_packet<DTYPE, LENGTH>(input.data, spot.offset, words);
    else load_elements<DTYPE, LENGTH>(input.data, input.strides[0], spot, words);
}

template <int ACCESS, typename Word>
__host__ __device__ constexpr bool serves_access() {
    constexpr int DTYPE = ACCESS % MAP_DTYPES;
    return serves_dtype<Word>(DTYPE) && (ACCESS < ACCESS_SHIFTED || map_dtype_bytes(DTYPE) * MAP_LENGTH<Word> == 4);
}

// Where the groups are is in the words that the elements replace: the offset and the last lane.
template <typename Word>
__device__ __forceinline__ void load_located(const MapShape &shape, const MapInput &input, const MapPlace &at,
                                             Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) {
        const MapSpot spot = spot_of<LENGTH>(shape, input.strides, at.group(g));
        words[g * LENGTH] = spot.offset, words[g * LENGTH + 1] = static_cast<unsigned>(spot.last);
    }
    by_number<ACCESS_SHIFTED + MAP_DTYPES>(at.is_whole ? input.access : input.dtype, [&](auto access) {
        constexpr int ACCESS = decltype(access)::value;
        if constexpr (serves_access<ACCESS, Word>()) {
#pragma unroll
            for (int g = 0; g < MAP_GROUPS; ++g) {
                const MapSpot spot = {static_cast<unsigned>(words[g * LENGTH]), static_cast<int>(words[g * LENGTH + 1])};
                load_group<ACCESS>(input, spot, words + g * LENGTH);
            }
        }
    });
}

template <typename Word>
__device__ __forceinline__ void spread(Word (&words)[MAP_LANES<Word>]) {
#pragma unroll
    for (int i = 1; i < MAP_LANES<Word>; ++i) words[i] = words[0];
}

// words ← the operand of a step; of one that is one word the first alone, unless it is spread.
template <typename Word>
__device__ __forceinline__ void fetch(const MapParameters &p, const MapStep &step, const MapPlace &at, const MapSlots<Word> &slots,
                                      Word (&words)[MAP_LANES<Word>]) {
    const MapInput &input = p.inputs[step.index() % MAP_INPUTS];
    by_number<FETCH_DENSE + MAP_DTYPES>(step.fetch(at.is_whole), [&](auto number) {
        constexpr int KIND = decltype(number)::value;
        if constexpr (KIND == FETCH_SLOT) slots.load(step.index(), words);
        if constexpr (KIND == FETCH_LITERAL || KIND == FETCH_LITERAL_SPREAD) words[0] = static_cast<Word>(p.literals[step.index()]);
        if constexpr (KIND == FETCH_SINGLE || KIND == FETCH_SINGLE_SPREAD) load_single(input, words);
        if constexpr (KIND == FETCH_LITERAL_SPREAD || KIND == FETCH_SINGLE_SPREAD) spread(words);
        if constexpr (KIND == FETCH_LOCATED) load_located(p.shape, input, at, words);
        if constexpr (KIND >= FETCH_DENSE && serves_dtype<Word>(KIND - FETCH_DENSE)) load_dense<KIND - FETCH_DENSE>(input, at, words);
    });
}

// ---- the result -----------------------------------------------------------------------------------------------------

template <int DTYPE, typename Word>
__device__ __forceinline__ void store_dense(const MapInput &result, const MapPlace &at, const Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
    using Packet = MapPacket<DTYPE, LENGTH>;
    Packet *const to = static_cast<Packet *>(const_cast<void *>(result.data));
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) __stcs(to + at.group(g), pack<DTYPE, LENGTH>(words + g * LENGTH));
}

template <int DTYPE, typename Word>
__device__ __forceinline__ void store_located(const MapShape &shape, const MapInput &result, const MapPlace &at,
                                              const Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) {
        const MapSpot spot = spot_of<LENGTH>(shape, result.strides, at.group(g));
        store_elements<DTYPE, LENGTH>(const_cast<void *>(result.data), result.strides[0], spot, words + g * LENGTH);
    }
}

template <typename Word>
__device__ __forceinline__ void store(const MapShape &shape, const MapInput &result, const MapPlace &at,
                                      const Word (&words)[MAP_LANES<Word>]) {
    by_number<2 * MAP_DTYPES>(at.is_whole ? result.access : result.dtype, [&](auto access) {
        constexpr int ACCESS = decltype(access)::value, DTYPE = ACCESS % MAP_DTYPES;
        if constexpr (serves_dtype<Word>(DTYPE) && ACCESS >= ACCESS_VECTOR) store_dense<DTYPE>(result, at, words);
        if constexpr (serves_dtype<Word>(DTYPE) && ACCESS < ACCESS_VECTOR) store_located<DTYPE>(shape, result, at, words);
    });
}
