// resident.cu — Life on boards that the registers of all multiprocessors hold: tiles stay there, and exchange halos.
//
//   board after `generations` steps                                               front, back: strips (life/strips.cuh)
//
// Algorithm  Each warp keeps one register tile (life/register_tile.cuh) from the first generation to the last. Every 8 generations it
//            writes its outer 8 rows and columns as packets (prim/thread/tagged.cuh), and takes those of the tiles around: no fence, no flag,
//            no barrier.
//              rows     64 bits: a word of a row, and the step
//              columns  32 bits, one for each row: 8 cells of either side in bits 1 and 2 of each four, the step in bits 0 and 3
//            There are two buffers of packets, for even and odd steps. A tile writes its packets of step s + 2 when it has read those of
//            step s + 1 of all tiles around, which they wrote having read those of step s.
// Cost       8.5 LOP3 and shifts a word and generation, and 0.5 for the exchange. A step is at least the way of a packet through the L2
//            cache, 0.6 us on an H100, and 8 generations of one warp, 1.2 us with a row a lane.
// Limits     As many tiles as warps find registers at the same time: the launch is cooperative.
// Edges      Those of life/edges.cuh; on a torus tiles at opposite edges are neighbours, and the columns are a multiple of 8. At least as
//            many rows as a tile stores.
// Source     Packets of data and flag: the LL protocol of NCCL. Persistent kernels that keep a stencil's domain in registers:
//            L. Zhang et al., "PERKS", ICS 2023.

#include "kernels.h"
#include "life/register_tile.cuh"
#include "life/resident.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/tagged.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int WARPS = 4, BLOCKS = 2;                               // a warp of each block on each quarter of a multiprocessor
constexpr int ROWS_MAX = 10;                                       // of a lane: what 255 registers hold
constexpr int ROWS_OF_TUNING = 8;                                  // a tuning for fewer has no more here
constexpr uint64_t STEPS_MAX = 4096;                               // of a launch, even, to stay below the display watchdog

constexpr uint32_t TAG = 0x99999999;                               // bits 0 and 3 of each four
constexpr uint32_t TO_RIGHT = 0x44444444, TO_LEFT = 0x22222222;

// ---- device helpers -------------------------------------------------------------------------------------------------

// The packets of a tile.
template <int H>
struct Packets {
    uint4 rows[2][2 * PACKETS];                                    // [parity]: its first 8 rows and its last 8, word, step, word, step
    uint32_t columns[2][32 * H];                                   // [parity]: row i of a lane at 32·i + lane
};

// What all tiles of a launch have in common.
template <int H>
struct Domain {
    unsigned tiles, strips;
    Packets<H> *packets;                                           // (tiles, strips), 0
};

template <int N>
__device__ __forceinline__ uint32_t rotated(uint32_t x) { return __funnelshift_l(x, x, N & 31); }

// Counts in the bits of TAG.
__device__ __forceinline__ uint32_t next_tag(uint32_t tag) { return ((tag | ~TAG) + 1) & TAG; }

// Cells 240 … 247 of a row (bit 30 of word j to bit 30 + 4·j) and cells 8 … 15 (bit 1 to 1 + 4·j), with a tag.
__device__ __forceinline__ uint32_t packed_columns(const Row &row, uint32_t tag) {
    uint32_t packet = tag;
    auto add = [&](auto word) {
        constexpr int J = decltype(word)::value;
        constexpr uint32_t HERE = 1u << (30 + 4 * J) % 32 | 1u << (1 + 4 * J) % 32;
        packet |= rotated<4 * J>(row.word[J]) & HERE;
    };
    add(Constant<0>()), add(Constant<1>()), add(Constant<2>()), add(Constant<3>());
    add(Constant<4>()), add(Constant<5>()), add(Constant<6>()), add(Constant<7>());
    return packet;
}

// A row's bits 0 and 31 ← the packets of the tiles at its left and right.
__device__ __forceinline__ void unpack_columns(uint32_t left, uint32_t right, Row &row) {
    const uint32_t cells = rotated<2>(left & TO_RIGHT) | rotated<-2>(right & TO_LEFT);
    auto take = [&](auto word) {
        constexpr int J = decltype(word)::value;
        row.word[J] = merge(OWN, row.word[J], rotated<-4 * J>(cells));
    };
    take(Constant<0>()), take(Constant<1>()), take(Constant<2>()), take(Constant<3>());
    take(Constant<4>()), take(Constant<5>()), take(Constant<6>()), take(Constant<7>());
}

// A bit of all words ← another one.
template <int H>
__device__ __forceinline__ void copy_bit(Row (&x)[H], unsigned from, unsigned to) {
#pragma unroll
    for (int i = 0; i < H; ++i) {
#pragma unroll
        for (int j = 0; j < WORDS; ++j) {
            const uint32_t word = x[i].word[j];
            x[i].word[j] = merge(1u << to, __funnelshift_l(word, word, to - from), word);
        }
    }
}

// A packet of columns: 32 bits.
__device__ __forceinline__ uint32_t load_packet(bool has, const uint32_t *from, uint32_t otherwise) {
    uint32_t value = otherwise;
    asm volatile("{.reg .pred has; setp.ne.u32 has, %2, 0; @has ld.relaxed.gpu.global.u32 %0, [%1];}"
                 : "+r"(value) : "l"(from), "r"(unsigned(has)) : "memory");
    return value;
}

__device__ __forceinline__ void store_packet(uint32_t *to, uint32_t value) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

// What a warp sends, and receives: rows above and below, and for each of these the packets of columns at its left and right.
struct Stage {
    uint4 rows[PACKETS];
    uint32_t columns[2][2 * STEPS];
};

// The bit of the last 8 columns of a strip that the strip behind it takes; of the last strip of a torus the board's last ones.
__device__ __forceinline__ unsigned right_bit(const Board &board, size_t strip) {
    return board.boundary == TORUS && strip + 1 == board.strips ? unsigned(board.cols - strip * STRIP_COLS) / WORDS : unsigned(USEFUL);
}

// A tile among the others.
template <int H>
struct Neighbourhood {
    int first, last;                                               // of the tile's rows: its own; its halo lies around them
    unsigned right_edge;                                           // the bit of its outer cells at the right
    bool has_above, has_below, has_left, has_right, has_corner;
    Packets<H> *own;
    const Packets<H> *above, *below, *left, *right;
    const uint32_t *corner;                                        // of a row of the halo, left or right of the tile: a lane takes one

    __device__ Neighbourhood(const Domain<H> &domain, const Board &board, const RegisterTile &tile, unsigned number, int lane)
        : first(int(tile.first - tile.top)), last(int(tile.last - tile.top)), right_edge(right_bit(board, tile.strip)) {
        const unsigned strip = static_cast<unsigned>(tile.strip), tiles = domain.tiles, strips = domain.strips;
        const bool is_torus = board.boundary == TORUS;
        has_above = is_torus || number > 0, has_below = is_torus || number + 1 < tiles;
        has_left = is_torus || strip > 0, has_right = is_torus || strip + 1 < strips;
        const unsigned higher = number > 0 ? number - 1 : tiles - 1, lower = number + 1 < tiles ? number + 1 : 0;
        const unsigned before = strip > 0 ? strip - 1 : strips - 1, behind = strip + 1 < strips ? strip + 1 : 0;
        const auto packets_of = [&](unsigned n, unsigned s) { return domain.packets + size_t(n) * strips + s; };
        own = packets_of(number, strip), above = packets_of(higher, strip), below = packets_of(lower, strip);
        left = packets_of(number, before), right = packets_of(number, behind);

        const bool is_right = lane >= 2 * STEPS, is_below = lane % (2 * STEPS) >= STEPS;
        has_corner = (is_below ? has_below : has_above) && (is_right ? has_right : has_left);
        const unsigned other = is_below ? lower : higher;
        const RegisterTile there = register_tile_of<H, true>(board, tiles, other, strip);
        const int row = lane % STEPS, at = int((is_below ? there.first + row : there.last - STEPS + row) - there.top);
        corner = packets_of(other, is_right ? behind : before)->columns[0] + at % H * 32 + at / H;
    }
};

// Writes the outer rows and columns of a tile, those of step `step`.
template <int H>
__device__ __forceinline__ void send_halo(const Neighbourhood<H> &around, unsigned step, uint32_t tag, int lane, Stage &stage, Row (&x)[H]) {
    Packets<H> *const own = around.own;
    const unsigned parity = step % 2;
    if (around.right_edge != USEFUL) copy_bit(x, around.right_edge, USEFUL); // the tile does not use that one
#pragma unroll
    for (int i = 0; i < H; ++i) {
        const int r = lane * H + i, above = r - around.first, below = r - (around.last - STEPS);
        if (unsigned(above) < unsigned(STEPS)) store_row(stage.rows, above, x[i]);
        if (unsigned(below) < unsigned(STEPS)) store_row(stage.rows, STEPS + below, x[i]);
        store_packet(own->columns[parity] + 32 * i + lane, packed_columns(x[i], tag));
    }
    __syncwarp();
#pragma unroll
    for (int k = 0; k < 2; ++k) {
        const uint2 pair = reinterpret_cast<const uint2 *>(stage.rows)[PACKETS * k + lane];
        store_packets(own->rows[parity] + PACKETS * k + lane, make_uint4(pair.x, step, pair.y, step));
    }
    __syncwarp();
}

// Waits for the packets of step `step`, and sets the halo of a tile.
template <int H>
__device__ __forceinline__ void take_halo(const Neighbourhood<H> &around, unsigned step, uint32_t tag, int lane, Stage &stage, Row (&x)[H]) {
    const unsigned parity = step % 2;
    const uint4 *const from_above = around.above->rows[parity] + PACKETS + lane, *const from_below = around.below->rows[parity] + lane;
    const uint32_t *const from_left = around.left->columns[parity] + lane, *const from_right = around.right->columns[parity] + lane;
    const uint4 none = {0, step, 0, step};
    uint4 above, below;
    uint32_t left[H], right[H], corner;
    bool ready;
    do {
        above = load_packets(around.has_above, from_above, none), below = load_packets(around.has_below, from_below, none);
        corner = load_packet(around.has_corner, around.corner + parity * (32 * H), tag);
#pragma unroll
        for (int i = 0; i < H; ++i) {
            left[i] = load_packet(around.has_left, from_left + 32 * i, tag);
            right[i] = load_packet(around.has_right, from_right + 32 * i, tag);
        }
        uint32_t wrong = (above.y ^ step) | (above.w ^ step) | (below.y ^ step) | (below.w ^ step) | ((corner ^ tag) & TAG);
#pragma unroll
        for (int i = 0; i < H; ++i) wrong |= ((left[i] ^ tag) | (right[i] ^ tag)) & TAG;
        ready = wrong == 0;
    } while (!__all_sync(ALL_LANES, ready));
    uint2 *const pairs = reinterpret_cast<uint2 *>(stage.rows);
    pairs[lane] = make_uint2(above.x, above.z), pairs[PACKETS + lane] = make_uint2(below.x, below.z);
    stage.columns[lane / (2 * STEPS)][lane % (2 * STEPS)] = corner;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < H; ++i) {
        const int r = lane * H + i, over = r - (around.first - STEPS), under = r - around.last;
        const bool is_above = around.has_above && unsigned(over) < unsigned(STEPS);
        const bool is_below = around.has_below && unsigned(under) < unsigned(STEPS);
        const bool is_halo = is_above || is_below;
        const int row = is_above ? over : (STEPS + under) % (2 * STEPS);
        const int at = is_halo ? row : 0;
        const Row taken = load_row(MemoryRows{stage.rows}, at);
#pragma unroll
        for (int j = 0; j < WORDS; ++j) x[i].word[j] = is_halo ? taken.word[j] : x[i].word[j];
        unpack_columns(is_halo ? stage.columns[0][at] : left[i], is_halo ? stage.columns[1][at] : right[i], x[i]);
    }
    if (around.right_edge != USEFUL) copy_bit(x, USEFUL + 1, around.right_edge + 1);
    __syncwarp();                                                  // before the stage is written again
}

// x ← the lane's rows of a tile, with the halo of 8 columns. Rows outside a board that is no torus are arbitrary.
template <int H>
__device__ __forceinline__ void load_resident_tile(const MemoryRows &rows, const Board &board, const RegisterTile &tile, int lane, Row (&x)[H]) {
    const bool is_torus = board.boundary == TORUS;
    const size_t before = tile.strip > 0 ? tile.strip - 1 : board.strips - 1, behind = tile.strip + 1 < board.strips ? tile.strip + 1 : 0;
    const bool has_left = is_torus || tile.strip > 0, has_right = is_torus || tile.strip + 1 < board.strips;
    const unsigned right = right_bit(board, tile.strip), right_before = right_bit(board, before);
    const int64_t n = board.rows;
#pragma unroll
    for (int i = 0; i < H; ++i) {
        int64_t row = tile.top + lane * H + i;
        row = is_torus ? (row < 0 ? row + n : row >= n ? row - n : row) : max(int64_t(0), min(row, n - 1));
        x[i] = load_row(rows, tile.strip * n + row);
        const Row none = {}, left = has_left ? load_row(rows, before * n + row) : none;
        const Row from_right = has_right ? load_row(rows, behind * n + row) : none;
#pragma unroll
        for (int j = 0; j < WORDS; ++j) x[i].word[j] |= left.word[j] >> right_before | (from_right.word[j] >> 1 & 1) << (right + 1);
    }
}

template <int H>
__device__ __forceinline__ void store_resident_tile(const Board &board, const RegisterTile &tile, int lane, const Row (&x)[H], uint4 *next) {
    const unsigned end = static_cast<unsigned>(min(end_of(board, tile.strip), int64_t(64 * WORDS)));
#pragma unroll
    for (int i = 0; i < H; ++i) {
        const int64_t row = tile.top + lane * H + i;
        if (row < tile.first || row >= tile.last) continue;
        Row own;
#pragma unroll
        for (int j = 0; j < WORDS; ++j) {
            own.word[j] = x[i].word[j] & OWN;
            if (tile.at_right) own.word[j] &= bits_before(end, j);
        }
        store_row(next, tile.strip * board.rows + row, own);
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <int H, typename Rule>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    life_resident_play(const uint4 *front, uint4 *next, Board board, Domain<H> domain, unsigned steps, int last_steps, Rule rule) {
    __shared__ Stage stages[WARPS];
    const int lane = threadIdx.x % 32;
    Stage &stage = stages[threadIdx.x / 32];
    const unsigned index = blockIdx.x * WARPS + threadIdx.x / 32, number = index / domain.strips;
    if (number >= domain.tiles) return;
    const RegisterTile tile = register_tile_of<H, true>(board, domain.tiles, number, index % domain.strips);
    const Neighbourhood<H> around(domain, board, tile, number, lane);
    Row x[H];
    load_resident_tile(MemoryRows{front}, board, tile, lane, x);
    uint32_t tag = 0;
    for (unsigned step = 1;; ++step) {
        step_register_tile<H, true>(rule, board, tile, lane, step < steps ? STEPS : last_steps, x);
        if (step == steps) break;
        tag = next_tag(tag);
        send_halo(around, step, tag, lane, stage, x);
        take_halo(around, step, tag, lane, stage, x);
    }
    store_resident_tile(board, tile, lane, x, next);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <int H>
size_t tiles_on(const Board &board) { return tiles_of<H>(board) * board.strips; }

// Whether warps keep all tiles, `warps` on each quarter of a multiprocessor.
template <int H>
bool keeps(const Board &board, size_t sms, size_t warps) {
    return board.rows >= register_tile_height<H> && tiles_on<H>(board) <= sms * WARPS * warps;
}

template <int... H>
int fewest_rows(const Board &board, int most, size_t sms, size_t warps) {
    int found = 0;
    (void)((H <= most && keeps<H>(board, sms, warps) && (found = H, true)) || ...);
    return found;
}

int rows_a_lane_of(const gpumexk_life_game &game, const gpumexk_tuning &tuning, size_t sms) {
    if (game.boundary == TORUS && game.cols % WORDS != 0) return 0;
    const Board board = board_of(game);
    const int most = tuning.values < ROWS_OF_TUNING ? tuning.values : ROWS_MAX;
    int rows = 0;
    for (size_t warps = 1; warps <= BLOCKS && rows == 0; ++warps) {
        rows = is_conway(game) ? fewest_rows<1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(board, most, sms, warps)
                               : fewest_rows<1, 2, 3, 4>(board, most, sms, warps);
    }
    return rows;
}

template <int H, typename Rule>
cudaError_t play(const uint32_t *front, uint32_t *next, void *scratch, const Board &board, const Rule &rule, uint64_t steps, int last_steps,
                 gpumexk_stream stream) {
    const size_t tiles = tiles_on<H>(board);
    const Domain<H> domain = {static_cast<unsigned>(tiles_of<H>(board)), static_cast<unsigned>(board.strips), static_cast<Packets<H> *>(scratch)};
    const cudaError_t error = cudaMemsetAsync(scratch, 0, tiles * sizeof(Packets<H>), stream);
    if (error != cudaSuccess) return error;
    cudaLaunchAttribute together = {};
    together.id = cudaLaunchAttributeCooperative, together.val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(ceil_div(tiles, WARPS))), config.blockDim = dim3(32 * WARPS);
    config.stream = stream, config.attrs = &together, config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, life_resident_play<H, Rule>, reinterpret_cast<const uint4 *>(front), reinterpret_cast<uint4 *>(next),
                              board, domain, static_cast<unsigned>(steps), last_steps, rule);
}

}  // namespace

cudaError_t resident_tiles(const gpumexk_life_game &game, const gpumexk_tuning &tuning, int *rows_a_lane, size_t *bytes) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    *bytes = 0;
    *rows_a_lane = rows_a_lane_of(game, tuning, sms);
    if (*rows_a_lane == 0) return cudaSuccess;
    return dispatch_value<1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(*rows_a_lane, [&](auto rows) {
        constexpr int H = decltype(rows)::value;
        *bytes = tiles_on<H>(board_of(game)) * sizeof(Packets<H>);
        return cudaSuccess;
    });
}

cudaError_t play_resident(uint32_t *front, uint32_t *back, void *scratch, const gpumexk_life_game &game, uint64_t *generations,
                          int rows_a_lane, gpumexk_stream stream) {
    const Board board = board_of(game);
    cudaError_t error = cudaSuccess;
    while (*generations > 0) {
        const uint64_t needed = ceil_div(*generations, STEPS), steps = at_most(needed, STEPS_MAX);
        const uint64_t now = needed > STEPS_MAX ? steps * STEPS : *generations;
        const int last_steps = static_cast<int>(now - (steps - 1) * STEPS);
        uint32_t *const next = steps % 2 == 0 ? front : back;
        error = is_conway(game)
            ? dispatch_value<1, 2, 3, 4, 5, 6, 7, 8, 9, 10>(rows_a_lane, [&](auto rows) {
                return play<decltype(rows)::value>(front, next, scratch, board, Conway(), steps, last_steps, stream);
            })
            : dispatch_value<1, 2, 3, 4>(rows_a_lane, [&](auto rows) {
                return play<decltype(rows)::value>(front, next, scratch, board, any_rule(game), steps, last_steps, stream);
            });
        if (error != cudaSuccess) break;
        *generations -= now;
    }
    return error;
}
