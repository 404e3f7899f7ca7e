// strips.cuh — boards of Life in strips: rows of 240 cells whose neighbours lie in neighbouring words.
//
// Layout     The board is cut in strips of 240 columns, each rows × 8 words. Bit b = 1 … 30 of word j is column
//            240·strip + 8·(b - 1) + j: the neighbours of a cell are the same bit of the words beside it, and only
//            word 0's left and word 7's right neighbour take a shift. Bits 0 and 31 are 0 in memory; a warp
//            fills them with the 8 columns before the strip and the 8 behind it.
// Cost       16/15 of the memory of a packed board; 1/4 shift a word where rows of plain bits take two.
// Limits     None.
// Edges      Bits of columns behind the board's last are 0.
// Source     Interleaved columns spare the shifts, as transposed layouts do in bit-sliced stencils.
#pragma once

#include "life/rule.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int WORDS = 8;                                           // of a row of a strip
constexpr int USEFUL = 30;                                         // bits of a word that are the strip's own
constexpr uint32_t OWN = 0x7FFFFFFE;                               // which ones
constexpr unsigned STRIP_COLS = USEFUL * WORDS;
static_assert(STRIP_COLS == GPUMEXK_LIFE_STRIP_COLS, "kernels.h says how large a board of strips is");

// ---- rows -----------------------------------------------------------------------------------------------------------

struct Board {
    size_t rows, cols, strips;
    int boundary;
};

// 256 columns.
struct Row {
    uint32_t word[WORDS];
};

__device__ __forceinline__ uint32_t left_of(const Row &row, int j) {
    return j > 0 ? row.word[(j + WORDS - 1) % WORDS] : row.word[WORDS - 1] << 1;
}

__device__ __forceinline__ uint32_t right_of(const Row &row, int j) {
    return j + 1 < WORDS ? row.word[(j + 1) % WORDS] : row.word[0] >> 1;
}

// A board of strips in memory, two texels of 16 bytes a row.
struct MemoryRows {
    const uint4 *texels;
    __device__ uint4 operator()(size_t i) const { return texels[i]; }
};

template <typename Rows>
__device__ __forceinline__ Row load_row(const Rows &rows, size_t row) {
    const uint4 a = rows(2 * row), b = rows(2 * row + 1);
    return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
}

__device__ __forceinline__ void store_row(uint4 *texels, size_t row, const Row &x) {
    texels[2 * row] = make_uint4(x.word[0], x.word[1], x.word[2], x.word[3]);
    texels[2 * row + 1] = make_uint4(x.word[4], x.word[5], x.word[6], x.word[7]);
}

// Where the board ends, in columns from the first one of a tile of this strip.
__device__ __forceinline__ int64_t end_of(const Board &board, size_t strip) {
    return int64_t(board.cols) - int64_t(strip * STRIP_COLS) + WORDS;
}

// The bits of word j that lie before the end.
__device__ __forceinline__ uint32_t bits_before(unsigned end, int j) {
    const unsigned n = (end - j + WORDS - 1) / WORDS;
    return n < 32 ? (1u << n) - 1 : ~0u;
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline Board board_of(const gpumexk_life_game &game) {
    return {game.rows, game.cols, (game.cols + STRIP_COLS - 1) / STRIP_COLS, game.boundary};
}
