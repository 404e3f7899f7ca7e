// edges.cuh — where a register tile lies on a board of strips, and the boundary conditions of its cells.
//
// Algorithm  Clamp: before each generation the cells just outside the board become the edge cells nearest to them; dead: 0. Those
//            further out are arbitrary, and a generation away from being read. Torus: the halo is loaded from the opposite
//            edges, and shrinks like that of every tile. Only tiles at an edge have this work.
// Cost       Clamp and dead, of a tile at an edge: 4 LOP3 and shifts a row and generation, 11 where the number of columns is no multiple
//            of 8, and 16 LOP3 a generation. Torus: 16 cells are loaded for each row of a tile at the left and right edge, once.
// Limits     Those of life/register_tile.cuh.
// Edges      A torus of fewer than 8 columns, or rows, wraps several times within a halo.
// Source     The rules of gpumex_life; clamped edges are those of MathWorks, "Stencil Operations on a GPU".
#pragma once

#include "life/strips.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int STEPS = GPUMEXK_LIFE_STRIP_STEPS;                    // generations between load and store: the halo of a tile
static_assert(STEPS == WORDS, "a halo is one bit of each word");
constexpr int PACKETS = STEPS * WORDS / 2;                         // pairs of packets (prim/thread/tagged.cuh) of the rows of a halo, one a lane
static_assert(PACKETS == 32, "a warp sends them at once");

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

// The rows of a board that tiles store, and how: so many tiles, of `height` rows, of which the first `higher` have one more. Whether rows of
// another rank lie before and behind them; those do not end the board.
struct Span {
    size_t first, last;
    unsigned tiles, height, higher;
    bool has_above, has_below;

    __host__ __device__ Span(size_t first_, size_t last_, unsigned tiles_, bool has_above_, bool has_below_)
        : first(first_), last(last_), tiles(tiles_), height(unsigned((last - first) / tiles)), higher(unsigned((last - first) % tiles)),
          has_above(has_above_), has_below(has_below_) {}
};

template <int H, bool FIXED = has_fixed_edges<H>>
__device__ __forceinline__ RegisterTile register_tile_of(const Board &board, const Span &span, unsigned number, unsigned strip) {
    RegisterTile tile;
    tile.strip = strip;
    tile.first = span.first + size_t(number) * span.height + min(number, span.higher);
    tile.last = tile.first + span.height + (number < span.higher);
    tile.at_top = number == 0 && !span.has_above, tile.at_bottom = number == span.tiles - 1 && !span.has_below;
    tile.top = (FIXED && tile.at_bottom ? int64_t(board.rows) - register_tile_height<H> : tile.first) - STEPS;
    tile.at_left = strip == 0, tile.at_right = (size_t(strip) + 1) * STRIP_COLS + WORDS > board.cols;
    tile.is_inside = !tile.has_edges() && tile.top + 32 * H <= int64_t(board.rows);
    return tile;
}

template <int H, bool FIXED = has_fixed_edges<H>>
__device__ __forceinline__ RegisterTile register_tile_of(const Board &board, unsigned tiles, unsigned number, unsigned strip) {
    return register_tile_of<H, FIXED>(board, Span(0, board.rows, tiles, false, false), number, strip);
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

// The bit of column `end`, just behind the board's last, in a row of a tile of this strip; none where it lies beyond.
__device__ __forceinline__ Row edge_of(const Board &board, size_t strip) {
    const unsigned end = static_cast<unsigned>(min(end_of(board, strip), int64_t(64 * WORDS)));
    Row edge;
#pragma unroll
    for (int j = 0; j < WORDS; ++j) edge.word[j] = end % WORDS == j && end / WORDS < 32 ? 1u << end / WORDS : 0;
    return edge;
}

// x where mask is 0; elsewhere what lies outside the board next to `inside`.
__device__ __forceinline__ uint32_t outside(bool is_clamp, uint32_t mask, uint32_t inside, uint32_t x) {
    return is_clamp ? merge(mask, inside, x) : x & ~mask;
}

// Sets the cells just left and right of the board: bit 0 of word 7, and the bit `edge`. All tiles at an edge run the same few
// instructions: tests of what they are at would take longer.
template <int H>
__device__ __forceinline__ void fix_columns(const Board &board, const RegisterTile &tile, const Row &edge, Row (&x)[H]) {
    const bool is_clamp = board.boundary == CLAMP;
    const uint32_t left = tile.at_left ? 1 : 0;
#pragma unroll
    for (int i = 0; i < H; ++i) {
        const Row old = x[i];
        x[i].word[WORDS - 1] = outside(is_clamp, left, old.word[0] >> 1, old.word[WORDS - 1]);
        x[i].word[0] = outside(is_clamp, edge.word[0], left_of(old, 0), old.word[0]);
    }
    if (board.cols % WORDS == 0) return;                           // then it is a bit of word 0
#pragma unroll
    for (int i = 0; i < H; ++i) {
        const Row old = x[i];
#pragma unroll
        for (int j = 1; j < WORDS; ++j) x[i].word[j] = outside(is_clamp, edge.word[j], left_of(old, j), old.word[j]);
    }
}

// Lanes that have the rows before and behind those of a lane.
struct Around {
    int before, behind;
};

// Of tiles of a row a lane: where the board ends and edges are clamped, the lane itself.
template <int H, bool FIXED>
constexpr bool clamps_by_lanes = FIXED && H == 1;

template <int H, bool FIXED>
__device__ __forceinline__ Around lanes_around(const Board &board, const RegisterTile &tile, int lane) {
    const bool is_first = clamps_by_lanes<H, FIXED> && board.boundary == CLAMP && tile.at_top && lane == STEPS;
    const bool is_last = clamps_by_lanes<H, FIXED> && board.boundary == CLAMP && tile.at_bottom && lane == 31 - STEPS;
    return {is_first ? lane : max(lane - 1, 0), is_last ? lane : min(lane + 1, 31)};
}

// Sets the rows just above and below the board. The lane has x and the rows around it. FIXED: they are the tile's rows 7 and 32·H - 8,
// else wherever they are.
template <int H, bool FIXED>
__device__ __forceinline__ void fix_rows(const Board &board, const RegisterTile &tile, int lane, Row (&x)[H], Row &before,
                                         Row &behind) {
    const bool is_clamp = board.boundary == CLAMP;
    if (clamps_by_lanes<H, FIXED> && is_clamp) return;
    if constexpr (FIXED) {
        constexpr int ABOVE = STEPS - 1, BELOW = 32 * H - STEPS;
        constexpr bool IS_BEFORE = ABOVE % H == H - 1, IS_BEHIND = BELOW % H == 0;              // a row of the lane before, or behind
        const uint32_t above = tile.at_top && lane == ABOVE / H + IS_BEFORE ? ~0u : 0;
        const uint32_t below = tile.at_bottom && lane == BELOW / H - IS_BEHIND ? ~0u : 0;
        Row &row_above = IS_BEFORE ? before : x[ABOVE % H], &row_below = IS_BEHIND ? behind : x[BELOW % H];
        const Row &first = x[IS_BEFORE ? 0 : (ABOVE + 1) % H], &last = x[IS_BEHIND ? H - 1 : (BELOW + H - 1) % H];
#pragma unroll
        for (int j = 0; j < WORDS; ++j) row_above.word[j] = outside(is_clamp, above, first.word[j], row_above.word[j]);
#pragma unroll
        for (int j = 0; j < WORDS; ++j) row_below.word[j] = outside(is_clamp, below, last.word[j], row_below.word[j]);
    } else {
        static_assert(H == 2, "the first row of a lane, or the second");
        if (!tile.at_top && !tile.at_bottom) return;
        const int64_t top = tile.top + 2 * lane, below = int64_t(board.rows) - top; // of the row outside, from the lane's first
        const Row none = {}, first = x[0], last = x[1];
        if (top == -1) x[0] = is_clamp ? last : none;
        if (top == -2) x[1] = is_clamp ? behind : none;
        if (below == 0) x[0] = is_clamp ? before : none;
        if (below == 1) x[1] = is_clamp ? first : none;
        if (top == 0) before = is_clamp ? first : none;
        if (below == 2) behind = is_clamp ? last : none;
    }
}
