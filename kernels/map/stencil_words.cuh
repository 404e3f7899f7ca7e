// stencil_words.cuh — the interpreter of neighbours with words of 32 and 64 bits: tiles, operands, the result.
#pragma once

#include "map/stencil_plane.cuh"
#include "map/step.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// A thread has 4 rows, and in each a word in every 32nd column.
template <typename Word>
constexpr unsigned STENCIL_WIDTH = WARP * MAP_LENGTH<Word>;
constexpr unsigned STENCIL_HALO = 8;                               // columns on either side, of which 7 are read
template <typename Word>
constexpr unsigned STENCIL_PITCH = STENCIL_WIDTH<Word> + 2 * STENCIL_HALO;

// ---- device helpers -------------------------------------------------------------------------------------------------

// Where the lanes of a thread are: lane g·LENGTH + j at row + g, col + 32·j, in a tile at own[g·PITCH + 32·j].
template <typename Word>
struct StencilPlace {
    long long row, col;
    const Word *own;
};

template <int DTYPE, typename Word>
__device__ __forceinline__ Word element_at(const StencilParameters &p, const MapInput &input, Word outside, long long row, long long col) {
    return row < 0 || col < 0 ? outside : word_at<DTYPE, Word>(input.data, size_t(row) * p.cols + size_t(col));
}

// A packet is as many elements as 16 bytes of words. Those within the array are one load, if rows are aligned.
template <int DTYPE, typename Word>
__device__ __forceinline__ void load_tile(const StencilParameters &p, const MapInput &input, Word outside, long long row, long long col,
                                          Word *tile) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
    constexpr size_t BYTES = LENGTH * map_dtype_bytes(DTYPE);
    const bool is_aligned = p.cols % LENGTH == 0 && reinterpret_cast<uintptr_t>(input.data) % BYTES == 0;
    const long long rows = static_cast<long long>(p.rows), cols = static_cast<long long>(p.cols);
    const unsigned packets = p.tile_rows * p.across.divisor;
    for (unsigned k = threadIdx.x; k < packets; k += blockDim.x) {
        const unsigned r = p.across.quotient(k);
        const int first = (static_cast<int>(k - r * p.across.divisor) - static_cast<int>(p.halo_packets)) * LENGTH;
        const long long y = stencil_source(p.boundary, row + r - p.halo_rows, rows), x = col + first;
        Word words[LENGTH];
        if (is_aligned && y >= 0 && x >= 0 && x + LENGTH <= cols) {
            load_packet<DTYPE, LENGTH>(input.data, size_t(y) * p.cols + size_t(x), words);
        } else {
#pragma unroll
            for (int j = 0; j < LENGTH; ++j) {
                words[j] = element_at<DTYPE>(p, input, outside, y, stencil_source(p.boundary, x + j, cols));
            }
        }
        memcpy(tile + r * STENCIL_PITCH<Word> + (int(STENCIL_HALO) + first), words, 16);
    }
}

template <typename Word>
__device__ __forceinline__ void load_tiles(const StencilParameters &p, long long row, long long col, Word *tiles) {
    for (unsigned t = 0; t < p.staged_count; ++t) {
        const MapInput &input = p.map.inputs[p.staged[t]];
        const Word outside = static_cast<Word>(p.outside[p.staged[t]]);
        by_number<MAP_DTYPES>(input.dtype, [&](auto dtype) {
            constexpr int DTYPE = decltype(dtype)::value;
            if constexpr (serves_dtype<Word>(DTYPE)) load_tile<DTYPE>(p, input, outside, row, col, tiles + t * p.tile_words);
        });
    }
}

// A neighbour by its place in global memory.
template <typename Word>
__device__ __forceinline__ void load_neighbour(const StencilParameters &p, StencilTap tap, const StencilPlace<Word> &at,
                                               Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
    const MapInput &input = p.map.inputs[tap.input];
    const Word outside = static_cast<Word>(p.outside[tap.input]);
    const long long rows = static_cast<long long>(p.rows), cols = static_cast<long long>(p.cols);
    by_number<MAP_DTYPES>(input.dtype, [&](auto dtype) {
        constexpr int DTYPE = decltype(dtype)::value;
        if constexpr (serves_dtype<Word>(DTYPE)) {
#pragma unroll
            for (int j = 0; j < LENGTH; ++j) {
                const long long x = stencil_source(p.boundary, at.col + WARP * j + tap.cols, cols);
#pragma unroll
                for (int g = 0; g < MAP_GROUPS; ++g) {
                    const long long y = stencil_source(p.boundary, at.row + g + tap.rows, rows);
                    words[g * LENGTH + j] = element_at<DTYPE>(p, input, outside, y, x);
                }
            }
        }
    });
}

template <typename Word>
__device__ __forceinline__ void fetch(const StencilParameters &p, unsigned s, const MapStep &step, const StencilPlace<Word> &at,
                                      const MapSlots<Word> &slots, Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
    by_number<STENCIL_FETCHES>(step.fetch(true), [&](auto number) {
        constexpr int KIND = decltype(number)::value;
        if constexpr (KIND == FETCH_SLOT) slots.load(step.index(), words);
        if constexpr (KIND == FETCH_LITERAL || KIND == FETCH_LITERAL_SPREAD) words[0] = static_cast<Word>(p.map.literals[step.index()]);
        if constexpr (KIND == FETCH_LITERAL_SPREAD) spread(words);
        if constexpr (KIND == FETCH_TILE) {
            const Word *const from = at.own + step.index();
#pragma unroll
            for (int i = 0; i < MAP_LANES<Word>; ++i) words[i] = from[i / LENGTH * STENCIL_PITCH<Word> + i % LENGTH * WARP];
        }
        if constexpr (KIND == FETCH_GLOBAL) load_neighbour(p, p.taps[s], at, words);
    });
}

template <typename Word>
__device__ __forceinline__ void store(const StencilParameters &p, const StencilPlace<Word> &at, const Word (&words)[MAP_LANES<Word>]) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
    by_number<MAP_DTYPES>(p.map.result.dtype, [&](auto dtype) {
        constexpr int DTYPE = decltype(dtype)::value;
        if constexpr (serves_dtype<Word>(DTYPE)) {
            using Element = MapElement<DTYPE>;
            auto *const to = static_cast<typename Element::Bits *>(const_cast<void *>(p.map.result.data));
#pragma unroll
            for (int i = 0; i < MAP_LANES<Word>; ++i) {
                const size_t row = size_t(at.row) + i / LENGTH, col = size_t(at.col) + i % LENGTH * WARP;
                if (row < p.rows && col < p.cols) to[row * p.cols + col] = Element::bits(number_of<typename Element::Number>(words[i]));
            }
        }
    });
}
