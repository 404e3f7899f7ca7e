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
__host__ __device__ constexpr bool serves_dtype(int dtype) { return dtype < MAP_LOADED && (sizeof(Word) == 8 || !is_map_wide(map_type_of(dtype))); }

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
    by_number<MAP_LOADED>(input.dtype, [&](auto dtype) {
        constexpr int DTYPE = decltype(dtype)::value;
        if constexpr (serves_dtype<Word>(DTYPE)) *word = word_at<DTYPE, Word>(input.data, 0);
    });
}

template <int DTYPE, typename Word, typename Place>
__device__ __forceinline__ void load_dense(const MapInput &input, const Place &at, Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) {
        load_packet<DTYPE, LENGTH>(input.data, size_t(at.group(g)) * LENGTH, words + g * LENGTH);
    }
}

// Loads a group by an access.
template <int ACCESS, typename Word>
__device__ __forceinline__ void load_group(const MapInput &input, MapSpot spot, Word *words) {
    constexpr int DTYPE = ACCESS % MAP_LOADED, LENGTH = MAP_LENGTH<Word>;
    if constexpr (ACCESS >= ACCESS_SHIFTED) load_shifted<DTYPE, LENGTH>(input.data, spot.offset, words);
    else if constexpr (ACCESS >= ACCESS_VECTOR) load_packet<DTYPE, LENGTH>(input.data, spot.offset, words);
    else load_elements<DTYPE, LENGTH>(input.data, input.strides[0], spot, words);
}

template <int ACCESS, typename Word>
__host__ __device__ constexpr bool serves_access() {
    constexpr int DTYPE = ACCESS % MAP_LOADED;
    return serves_dtype<Word>(DTYPE) && (ACCESS < ACCESS_SHIFTED || map_dtype_bytes(DTYPE) * MAP_LENGTH<Word> == 4);
}

// Where the groups are is in the words that the elements replace: the offset and the last lane.
template <typename Word, typename Place>
__device__ __forceinline__ void load_located(const MapShape &shape, const MapInput &input, const Place &at,
                                             Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) {
        const MapSpot spot = spot_of<LENGTH>(shape, input.strides, at.group(g));
        words[g * LENGTH] = spot.offset, words[g * LENGTH + 1] = static_cast<unsigned>(spot.last);
    }
    by_number<ACCESS_SHIFTED + MAP_LOADED>(at.is_whole ? input.access : input.dtype, [&](auto access) {
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
template <typename Word, typename Place>
__device__ __forceinline__ void fetch(const MapParameters &p, const MapStep &step, const Place &at, const MapSlots<Word> &slots,
                                      Word (&words)[MAP_LANES<Word>]) {
    const MapInput &input = p.inputs[step.index() % MAP_INPUTS];
    by_number<FETCH_DENSE + MAP_LOADED>(step.fetch(at.is_whole), [&](auto number) {
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
    by_number<ACCESS_VECTOR + MAP_DTYPES>(at.is_whole ? result.access : result.dtype, [&](auto access) {
        constexpr int ACCESS = decltype(access)::value, DTYPE = ACCESS % MAP_LOADED;
        if constexpr (is_map_part(DTYPE)) __builtin_unreachable();
        else if constexpr (serves_dtype<Word>(DTYPE) && ACCESS >= ACCESS_VECTOR) store_dense<DTYPE>(result, at, words);
        else if constexpr (serves_dtype<Word>(DTYPE)) store_located<DTYPE>(shape, result, at, words);
    });
}

// Complex numbers: the words of their real parts are in a slot, those of the imaginary ones given. PART: the bits of a part.
template <typename Part, typename Word>
__device__ __forceinline__ void store_pairs(const MapParameters &p, const MapPlace &at, const MapSlots<Word> &slots,
                                            const Word (&imaginary)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>, PACKETS = 2 * LENGTH * sizeof(Part) / sizeof(uint4);
    const bool is_dense = at.is_whole && p.result.access >= ACCESS_VECTOR;
    Part *const to = static_cast<Part *>(const_cast<void *>(p.result.data));
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) {
        Word real[LENGTH];
        memcpy(real, slots.at(p.real_slot, g), 16);
        Part pairs[2 * LENGTH];
#pragma unroll
        for (int j = 0; j < LENGTH; ++j) {
            pairs[2 * j] = static_cast<Part>(real[j]), pairs[2 * j + 1] = static_cast<Part>(imaginary[g * LENGTH + j]);
        }
        if (is_dense) {
            uint4 packets[PACKETS];
            memcpy(packets, pairs, sizeof(packets));
#pragma unroll
            for (int k = 0; k < PACKETS; ++k) __stcs(reinterpret_cast<uint4 *>(to) + (size_t(at.group(g)) * PACKETS + k), packets[k]);
            continue;
        }
        const MapSpot spot = spot_of<LENGTH>(p.shape, p.result.strides, at.group(g));
#pragma unroll
        for (int j = 0; j < LENGTH; ++j) {
            if (j > spot.last) continue;
            Part *const pair = to + 2 * (size_t(spot.offset) + j * size_t(p.result.strides[0]));
            pair[0] = pairs[2 * j], pair[1] = pairs[2 * j + 1];
        }
    }
}

// The result of the program: the accumulator, or with the slot of real parts complex numbers.
template <typename Word>
__device__ __forceinline__ void store_result(const MapParameters &p, const MapPlace &at, const MapSlots<Word> &slots,
                                             const Word (&acc)[MAP_LANES<Word>]) {
    if (p.real_slot < 0) {
        store(p.shape, p.result, at, acc);
    } else if (p.result.dtype == MAP_C64_REAL) {
        store_pairs<unsigned>(p, at, slots, acc);
    } else {
        if constexpr (sizeof(Word) == 8) store_pairs<unsigned long long>(p, at, slots, acc);
    }
}
