// edges.cuh — where a register tile lies on a board of strips, and the boundary conditions of its cells.
//
// Algorithm  Clamp: before each generation the cells just outside the board become the edge cells nearest to them; dead: 0. Those
//            further out are arbitrary, and a generation away from being read. Torus: the halo is loaded from the opposite
//            edges, and shrinks like that of every tile. Only tiles at an edge have this work.
// Cost       Clamp and dead: 1 LOP3 a word and generation at the left and right edge, 16 selections a generation at the upper and
//            lower. Torus: 16 cells are loaded for each row of a tile at the left and right edge, once.
// Limits     Those of life/register_tile.cuh.
// Edges      A torus of fewer than 8 columns, or rows, wraps several times within a halo.
// Source     The rules of gpumex_life; clamped edges are those of MathWorks, "Stencil Operations on a GPU".
#pragma once

#include "life/strips.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int STEPS = GPUMEXK_LIFE_STRIP_STEPS;                    // generations between load and store: the halo of a tile
static_assert(STEPS == WORDS, "a halo is one bit of each word");

// ---- tiles --------------------------------------------------------------------------------------------------------

template <int H>
constexpr int register_tile_height = 32 * H - 2 * STEPS;           // rows that a tile stores

// 256 columns of 32·H rows, from row `top` on; it stores the rows first … last - 1.
struct RegisterTile {
    size_t strip;
    int64_t top, first, last;
    bool at_left, at_right, at_top, at_bottom;                     // whether cells outside the board take part
    bool is_inside;                                                // whether all its cells are on the board

    __device__ bool has_edges() const { return at_left || at_right || at_top || at_bottom; }
};

// Tiles have the same height, but for one row. The lowest one's tile ends 8 rows below the board, so that the rows outside have a
// fixed place; but a lane of two rows looks for them, and serves boards that are lower than a tile.
template <int H>
constexpr bool has_fixed_edges = H > 2;

// The rows of a board that tiles store, and whether rows of another rank lie before and behind them; those do not end the board.
struct Span {
    size_t first, last;
    bool has_above, has_below;
};

template <int H>
__device__ __forceinline__ RegisterTile register_tile_of(const Board &board, const Span &span, unsigned tiles, unsigned number,
                                                         unsigned strip) {
    const size_t rows = span.last - span.first, height = rows / tiles, higher = rows % tiles;
    RegisterTile tile;
    tile.strip = strip;
    tile.first = span.first + number * height + min(size_t(number), higher), tile.last = tile.first + height + (number < higher);
    tile.at_top = number == 0 && !span.has_above, tile.at_bottom = number == tiles - 1 && !span.has_below;
    tile.top = (has_fixed_edges<H> && tile.at_bottom ? int64_t(board.rows) - register_tile_height<H> : tile.first) - STEPS;
    tile.at_left = strip == 0, tile.at_right = (size_t(strip) + 1) * STRIP_COLS + WORDS > board.cols;
    tile.is_inside = !tile.has_edges() && tile.top + 32 * H <= int64_t(board.rows);
    return tile;
}

template <int H>
__device__ __forceinline__ RegisterTile register_tile_of(const Board &board, unsigned tiles, unsigned number, unsigned strip) {
    return register_tile_of<H>(board, {0, board.rows, false, false}, tiles, number, strip);
}

// ---- torus ----------------------------------------------------------------------------------------------------------

// The board's row where row `row` of a tile on a torus is. A board that is lower than the tile goes round several times.
template <int H>
__device__ __forceinline__ int64_t on_torus(int64_t row, int64_t rows) {
    if constexpr (has_fixed_edges<H>) {
        return row < 0 ? row + rows : row >= rows ? row - rows : row;
    } else {
        while (row < 0) row += rows;
        while (row >= rows) row -= rows;
        return row;
    }
}

// ---- clamp and dead -------------------------------------------------------------------------------------------------

// What an edge does to a row: clamp, the bit of column `end`, which becomes what is left of it; dead, the bits that stay.
__device__ __forceinline__ Row edge_of(const Board &board, size_t strip) {
    const unsigned end = static_cast<unsigned>(min(end_of(board, strip), int64_t(64 * WORDS)));   // or beyond the tile
    Row edge;
#pragma unroll
    for (int j = 0; j < WORDS; ++j) {
        const uint32_t bit = end % WORDS == j && end / WORDS < 32 ? 1u << end / WORDS : 0;
        edge.word[j] = board.boundary == CLAMP ? bit : bits_before(end, j) & (strip == 0 ? ~1u : ~0u);
    }
    return edge;
}

// Sets the cells just left and right of the board.
__device__ __forceinline__ void fix_columns(const Board &board, bool at_left, const Row &edge, Row &row) {
    const Row old = row;
    if (board.boundary == DEAD) {
#pragma unroll
        for (int j = 0; j < WORDS; ++j) row.word[j] &= edge.word[j];
    } else {
#pragma unroll
        for (int j = 0; j < WORDS; ++j) row.word[j] = merge(edge.word[j], left_of(old, j), old.word[j]);
        if (at_left) row.word[WORDS - 1] = merge(1, old.word[0] >> 1, row.word[WORDS - 1]);
    }
}

// Sets the rows just above and below the board, which are the tile's rows 7 and 32·H - 8. The lane has x
// and the rows around it.
template <int H>
__device__ __forceinline__ void fix_rows(const Board &board, const RegisterTile &tile, int lane, Row (&x)[H], Row &before,
                                         Row &behind) {
    constexpr int ABOVE = STEPS - 1, BELOW = 32 * H - STEPS;
    const Row none = {};
    const bool is_clamp = board.boundary == CLAMP;
    if (tile.at_top) {
        if (ABOVE % H == H - 1) before = lane != ABOVE / H + 1 ? before : is_clamp ? x[0] : none;
        else x[ABOVE % H] = lane != ABOVE / H ? x[ABOVE % H] : is_clamp ? x[(ABOVE + 1) % H] : none;
    }
    if (tile.at_bottom) {
        if (BELOW % H == 0) behind = lane != BELOW / H - 1 ? behind : is_clamp ? x[H - 1] : none;
        else x[BELOW % H] = lane != BELOW / H ? x[BELOW % H] : is_clamp ? x[(BELOW + H - 1) % H] : none;
    }
}

// The same wherever they are.
__device__ __forceinline__ void fix_rows(const Board &board, const RegisterTile &tile, int lane, Row (&x)[2], Row &before,
                                         Row &behind) {
    const int64_t top = tile.top + 2 * lane, below = int64_t(board.rows) - top; // of the row outside, from the lane's first
    const Row none = {}, first = x[0], last = x[1];
    const bool is_clamp = board.boundary == CLAMP;
    if (top == -1) x[0] = is_clamp ? last : none;
    if (top == -2) x[1] = is_clamp ? behind : none;
    if (below == 0) x[0] = is_clamp ? before : none;
    if (below == 1) x[1] = is_clamp ? first : none;
    if (top == 0) before = is_clamp ? first : none;
    if (below == 2) behind = is_clamp ? last : none;
}

// Sets the cells just outside the board; edge is edge_of the strip.
template <int H>
__device__ __forceinline__ void fix_edges(const Board &board, const RegisterTile &tile, const Row &edge, int lane, Row (&x)[H],
                                          Row &before, Row &behind) {
    if (tile.at_left || tile.at_right) {
#pragma unroll
        for (int i = 0; i < H; ++i) fix_columns(board, tile.at_left, edge, x[i]);
        fix_columns(board, tile.at_left, edge, before), fix_columns(board, tile.at_left, edge, behind);
    }
    if (tile.at_top || tile.at_bottom) fix_rows(board, tile, lane, x, before, behind);
}
