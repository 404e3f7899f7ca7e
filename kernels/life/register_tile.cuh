// register_tile.cuh — a tile of a board of strips in the registers of a warp: load, step, store.
//
// Algorithm  A register tile is 256 columns of 32·H rows, H consecutive rows a lane. A generation: lanes exchange their outer
//            rows by shuffles; sums of columns (rule.cuh) serve three words of a row. The valid part shrinks by a cell at
//            each side, so that 8 generations later 240 columns of 32·H - 16 rows are valid, and are stored.
// Cost       8 LOP3 and 1/2 shift a word of 32 cells and generation for B3/S23, 2/H shuffles; 8·H + about 60 registers. Sums of rows,
//            which serve three rows, take 1/4 shift, but 36 instructions more a lane for the rows of its neighbours, and 16 registers.
//            Useful share of a tile 0.9375 · (1 - 1/(2·H)): 88 % for H = 8.
// Limits     FIXED tiles, and all of H > 2, serve boards of at least 32·H - 16 rows, others of H = 2 any.
// Edges      Those of life/edges.cuh.
// Source     Life in registers with shuffles: Binary-Banter, "fast-game-of-life", 2023.
#pragma once

#include "life/edges.cuh"
#include "prim/grid/grid.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// A tile is transposed through shared memory: global accesses are coalesced, half a row a lane, while in
// registers a lane has H whole rows. One texel of padding a lane keeps its accesses off the banks of the others.
template <int H>
constexpr int stage_texels = 32 * (2 * H + 1);

template <int H>
__device__ __forceinline__ uint4 &staged(uint4 *stage, int texel) { return stage[texel + texel / (2 * H)]; }

__device__ __forceinline__ uint4 with_halo(uint4 own, uint4 left, uint4 right) {
    return make_uint4(own.x | left.x >> USEFUL | right.x << USEFUL, own.y | left.y >> USEFUL | right.y << USEFUL,
                      own.z | left.z >> USEFUL | right.z << USEFUL, own.w | left.w >> USEFUL | right.w << USEFUL);
}

// Torus: adds to a staged tile the 8 columns before column 0, or those from the board's end on, which are at the opposite edge.
// Not inlined, since few tiles need it; 4·H loads are in flight at a time, since others wait for these tiles.
template <int H>
__device__ __noinline__ void stage_beyond(MemoryRows rows, Board board, size_t strip, int64_t top, bool is_left, int lane, uint4 *stage) {
    constexpr int AT_ONCE = 4;                                     // columns
    const uint32_t *const words = reinterpret_cast<const uint32_t *>(rows.texels);
    uint32_t *const staged_words = reinterpret_cast<uint32_t *>(stage);
    const unsigned period = board.cols < WORDS ? static_cast<unsigned>(board.cols) : WORDS;    // a narrow board repeats
    size_t from[H];
    int to[H];                                                     // word 0 of each row
#pragma unroll
    for (int m = 0; m < H; ++m) {
        const int r = 32 * m + lane;
        from[m] = on_torus<H>(top + r, board.rows) * WORDS;
        to[m] = 4 * (2 * r + r / H);
    }
#pragma unroll 1
    for (unsigned first = 0; first < WORDS; first += AT_ONCE) {
        uint32_t fetched[AT_ONCE][H];
        unsigned bit[AT_ONCE];
#pragma unroll
        for (unsigned c = 0; c < AT_ONCE; ++c) {
            const unsigned n = first + c;
            const size_t col = is_left ? board.cols - 1 - (WORDS - 1 - n) % period : n % period;
            const uint32_t *const word = words + col / STRIP_COLS * board.rows * WORDS + col % WORDS;
            bit[c] = static_cast<unsigned>(col % STRIP_COLS) / WORDS + 1;
#pragma unroll
            for (int m = 0; m < H; ++m) fetched[c][m] = word[from[m]];
        }
#pragma unroll
        for (unsigned c = 0; c < AT_ONCE; ++c) {
            const int64_t place = (is_left ? 0 : end_of(board, strip)) + first + c;            // in the tile
            if (place >= 32 * WORDS) break;
#pragma unroll
            for (int m = 0; m < H; ++m) staged_words[to[m] + place % WORDS] |= (fetched[c][m] >> bit[c] & 1) << place / WORDS;
        }
    }
    __syncwarp();
}

// x ← the lane's rows of the tile, with their halo of 8 columns; beyond is the same board, for what lies there on a torus; halos () puts
// rows from elsewhere into the stage.
template <int H, typename Rows, typename Halos>
__device__ __forceinline__ void load_register_tile_as(bool is_inside, const Rows &rows, MemoryRows beyond, const Board &board,
                                                      const RegisterTile &tile, int lane, uint4 *stage, Row (&x)[H], const Halos &halos) {
    const bool has_left = is_inside || tile.strip > 0, has_right = is_inside || tile.strip + 1 < board.strips;
    const bool is_torus = !is_inside && board.boundary == TORUS;
    const int64_t n = board.rows, column = 2 * n;                  // texels of a strip
#pragma unroll
    for (int k = 0; k < 2 * H; ++k) {
        int64_t row = tile.top + 16 * k + lane / 2;
        if (!is_inside) row = is_torus ? on_torus<H>(row, n) : row < 0 ? 0 : min(row, n - 1);   // else nobody looks outside
        const size_t at = 2 * (tile.strip * board.rows + row) + lane % 2;
        const uint4 none = {};
        staged<H>(stage, 32 * k + lane) = with_halo(rows(at), has_left ? rows(at - column) : none, has_right ? rows(at + column) : none);
    }
    __syncwarp();
    if (is_torus && tile.at_left) stage_beyond<H>(beyond, board, tile.strip, tile.top, true, lane, stage);
    if (is_torus && tile.at_right) stage_beyond<H>(beyond, board, tile.strip, tile.top, false, lane, stage);
    halos();
#pragma unroll
    for (int i = 0; i < H; ++i) x[i] = load_row(MemoryRows{stage + lane * (2 * H + 1)}, i);
    __syncwarp();
}

struct NoHalos {
    __device__ void operator()() const {}
};

template <int H, typename Rows, typename Halos = NoHalos>
__device__ __forceinline__ void load_register_tile(const Rows &rows, MemoryRows beyond, const Board &board, const RegisterTile &tile,
                                                   int lane, uint4 *stage, Row (&x)[H], const Halos &halos = {}) {
    if (tile.is_inside) load_register_tile_as(true, rows, beyond, board, tile, lane, stage, x, halos);
    else load_register_tile_as(false, rows, beyond, board, tile, lane, stage, x, halos);
}

__device__ __forceinline__ Row row_of_lane(const Row &row, int lane) {
    Row other;
#pragma unroll
    for (int j = 0; j < WORDS; ++j) other.word[j] = __shfl_sync(ALL_LANES, row.word[j], lane);
    return other;
}

// The next generation of a row between two others. Columns are summed first: these sums serve three words of the row, and a lane needs
// no sums of the rows of others.
template <typename Rule>
__device__ __forceinline__ Row next_row(const Rule &rule, const Row &above, const Row &row, const Row &below) {
    RowSum columns[WORDS];
#pragma unroll
    for (int j = 0; j < WORDS; ++j) columns[j] = row_sum(above.word[j], row.word[j], below.word[j]);
    const RowSum first = columns[0], last = columns[WORDS - 1];
    const RowSum before = {last.ones << 1, last.twos << 1}, behind = {first.ones >> 1, first.twos >> 1};
    Row next;
#pragma unroll
    for (int j = 0; j < WORDS; ++j) {
        const RowSum &left = j > 0 ? columns[(j + WORDS - 1) % WORDS] : before;
        const RowSum &right = j + 1 < WORDS ? columns[(j + 1) % WORDS] : behind;
        next.word[j] = rule.next(left, columns[j], right, above.word[j], row.word[j], below.word[j]);
    }
    return next;
}

template <int H, typename Rule>
__device__ __forceinline__ void step_rows(const Rule &rule, Row (&x)[H], const Row &before, const Row &behind) {
    Row above = before;
#pragma unroll
    for (int i = 0; i < H; ++i) {
        const Row row = x[i];
        x[i] = next_row(rule, above, row, i + 1 < H ? x[(i + 1) % H] : behind);
        above = row;
    }
}

// x ← x after `steps` generations. Tiles at an edge run the same code as the others, and theirs besides: two copies of the
// long loop would drive each other out of the instruction cache.
template <int H, bool FIXED = has_fixed_edges<H>, typename Rule>
__device__ __forceinline__ void step_register_tile(const Rule &rule, const Board &board, const RegisterTile &tile, int lane,
                                                   int steps, Row (&x)[H]) {
    const bool has_edges = board.boundary != TORUS && tile.has_edges();
    const Row edge = edge_of(board, tile.strip);
    const Around around = lanes_around<H, FIXED>(board, tile, lane);
#pragma unroll 1
    for (int s = 0; s < steps; ++s) {
        if (has_edges) fix_columns(board, tile, edge, x);
        Row before = row_of_lane(x[H - 1], around.before), behind = row_of_lane(x[0], around.behind);
        if (has_edges) fix_rows<H, FIXED>(board, tile, lane, x, before, behind);
        step_rows(rule, x, before, behind);
    }
}

// next ← the rows and columns of the tile that are its own.
template <int H>
__device__ __forceinline__ void store_register_tile(const Board &board, const RegisterTile &tile, int lane, uint4 *stage,
                                                    const Row (&x)[H], uint4 *next) {
    const unsigned end = static_cast<unsigned>(min(end_of(board, tile.strip), int64_t(64 * WORDS)));
#pragma unroll
    for (int i = 0; i < H; ++i) {
        Row row;
#pragma unroll
        for (int j = 0; j < WORDS; ++j) {
            row.word[j] = x[i].word[j] & OWN;
            if (tile.at_right) row.word[j] &= bits_before(end, j);
        }
        store_row(stage + lane * (2 * H + 1), i, row);
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 2 * H; ++k) {
        const int64_t row = tile.top + 16 * k + lane / 2;
        if (row < tile.first || row >= tile.last) continue;
        next[2 * (tile.strip * board.rows + row) + lane % 2] = staged<H>(stage, 32 * k + lane);
    }
    __syncwarp();
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr unsigned REGISTER_TILE_WARPS = 4;                        // of a block; each has a tile

template <int H>
constexpr int register_tile_blocks = H > 4 ? 3 : 4;                // that share a multiprocessor at least, by their registers

// More of them hide more latency; but a multiprocessor does not share its time out fairly, and a warp that is late holds up others where a
// step has few rounds of tiles. An H100, Tcell/s with 3 and 4 blocks of H = 8: 16384^2 43.8 and 40.2, 65536^2 44.6 and 46.8.
constexpr int register_tile_blocks_of_many = 4;
constexpr size_t ROUNDS_OF_MANY = 4;

template <int H>
size_t tiles_of(const Board &board) { return ceil_div(board.rows, register_tile_height<H>); }

// Whether there are tiles for all warps `rounds` times, and the board is as high as a tile.
template <int H>
bool fills(const Board &board, size_t sms, size_t rounds) {
    const size_t warps = REGISTER_TILE_WARPS * register_tile_blocks<H> * sms;
    return board.rows >= register_tile_height<H> && tiles_of<H>(board) * board.strips > rounds * warps;
}

// Whether a step has rounds enough for more blocks.
template <int H>
bool fills_with_more_blocks(const Board &board, size_t sms) {
    return tiles_of<H>(board) * board.strips > ROUNDS_OF_MANY * REGISTER_TILE_WARPS * register_tile_blocks_of_many * sms;
}

// How many rows a lane takes, `most` or fewer: the more the better, as long as all warps have tiles enough.
inline int rows_a_lane(const Board &board, int most, size_t sms, size_t rounds) {
    if (most >= 8 && fills<8>(board, sms, rounds)) return 8;
    if (most >= 4 && fills<4>(board, sms, rounds)) return 4;
    return most < 2 ? most : 2;
}
