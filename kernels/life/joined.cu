// joined.cu — Life on a slab of a board whose other slabs are played on other devices at the same time.
//
//   own rows after `generations` steps                                            front, back: strips (life/strips.cuh)
//
// Algorithm  registers.cu on the slab's own rows. A tile at the end of a slab that has a neighbour sends its outer 8 rows to the other device
//            as packets (life/packets.cuh), which hold data and the number of the step; that neighbour's tile is ready when it has those of
//            its strip and the strips beside it, and takes its halo from them. In the last step of a launch the rows are stored into the
//            neighbour's halo instead, on a torus in every step, before a fence and the packets. Of two neighbours one takes its tiles from the top down and one from the bottom up, so that both
//            draw the tiles at their common edge at about the same time, a step apart. There are two buffers of packets, for even and odd
//            steps: who writes those of step s + 2 has read those of step s + 1, which were written by who had read those of step s.
// Cost       That of registers.cu: 512 bytes cross for each strip, step and side, 768 on a torus.
// Limits     Own rows: 512 at least. A launch takes at most 2^32 tiles; its caller keeps it short. The kernels of all ranks have to be
//            in progress: none may wait in its stream, or for multiprocessors, behind one that waits for it.
// Edges      Those of life/edges.cuh at the ends of the board. A rank that does not come: *stop, or the end of patience, ends all kernels.
// Source     life/draws.cuh; packets of data and flag in the memory of peers: the LL protocol of NCCL.

#include "kernels.h"
#include "life/draws.cuh"
#include "life/packets.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned TURNS = 256;                                    // of a wait, from one look at the host's memory to the next
constexpr int ROWS_A_LANE = 8, ROWS_A_LANE_OF_RULES = 4;
static_assert(2 * PACKETS * sizeof(uint4) == GPUMEXK_LIFE_JOINED_PACKETS * sizeof(uint32_t), "kernels.h says how much memory packets take");

// The slab of a neighbour.
struct Side {
    uint4 *boards[2];                                              // front and back
    size_t rows, halo;
    uint4 *packets;
};

// What a launch has besides its plan. packets: of the halos, (2, strips, PACKETS) for even and odd steps.
struct Joints {
    Span span;
    const uint4 *packets_above, *packets_below;
    Side above, below;
    bool upwards;
    unsigned *stop;
    uint64_t patience;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ unsigned load_acquire_of_system(const unsigned *flag) {
    unsigned value;
    asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

__device__ __forceinline__ void store_release_to_system(unsigned *flag, unsigned value) {
    asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

__device__ __forceinline__ uint64_t nanoseconds() {
    uint64_t now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

__device__ __forceinline__ size_t packets_of(const Plan &plan, unsigned step, unsigned strip) {
    return (size_t(step % 2) * plan.strips + strip) * PACKETS;
}

// A lane's pair of words of a halo, from the strip itself and from those beside it.
struct Halo {
    bool is_sent;                                                  // by packets of another device
    uint4 own, left, right;
};

// Looks for the packets of step `step`; whether they are there.
__device__ __forceinline__ bool look(const Plan &plan, const uint4 *packets, bool is_torus, unsigned step, unsigned strip, int lane,
                                     Halo *halo) {
    const uint4 none = {0, step, 0, step};
    if (is_torus) {                                                // the rows are in the board, those of strips at the other edge too
        bool ready = true;
        for (int i = -REACH; i <= REACH; ++i) {
            const unsigned near = wrapped(int(strip) + i, plan.strips);
            ready &= is_of(load_packets(true, packets + packets_of(plan, step, near) + lane, none), step);
        }
        __threadfence_system();
        return ready;
    }
    const uint4 *const own = packets + packets_of(plan, step, strip) + lane;
    halo->own = load_packets(true, own, none);
    halo->left = load_packets(strip > 0, own - PACKETS, none);
    halo->right = load_packets(strip + 1 < plan.strips, own + PACKETS, none);
    return is_of(halo->own, step) && is_of(halo->left, step) && is_of(halo->right, step);
}

// Whether the tiles around have done the step before, and for a tile at the end of the slab its halo. Few instructions, since every
// tile runs them.
__device__ __forceinline__ bool is_ready(const Plan &plan, const Joints &joints, const Draw &draw, bool is_torus, int lane, Halo *above,
                                         Halo *below) {
    int tile, strip;
    const bool looks = tile_around(plan, draw, is_torus, lane, &tile, &strip) && tile >= 0 && tile < int(plan.tiles);
    bool ready = !looks || load_acquire(plan.done + unsigned(tile) * plan.strips + strip) >= draw.step;
    if (above->is_sent) ready &= look(plan, joints.packets_above, is_torus, draw.step, draw.strip, lane, above);
    if (below->is_sent) ready &= look(plan, joints.packets_below, is_torus, draw.step, draw.strip, lane, below);
    return __all_sync(ALL_LANES, ready);
}

// Waits for a tile; false: the launch ends.
__device__ __forceinline__ bool wait_for(const Plan &plan, const Joints &joints, const Draw &draw, bool is_torus, int lane, Halo *above,
                                         Halo *below) {
    uint64_t begin = 0;
    for (unsigned turn = 1; !is_ready(plan, joints, draw, is_torus, lane, above, below); ++turn) {
        __nanosleep(20);
        if (turn % TURNS != 0) continue;
        const uint64_t now = nanoseconds();
        if (begin == 0) begin = now;
        const bool is_late = now - begin > joints.patience;
        if (is_late && lane == 0) store_release_to_system(joints.stop, 1);
        if (__any_sync(ALL_LANES, is_late || load_acquire_of_system(joints.stop) != 0)) return false;
    }
    __syncwarp();                                                  // what one lane has seen of a flag, all have
    return true;
}

// The staged tile's rows from `first` on ← a halo.
template <int H>
__device__ __forceinline__ void stage_halo(const Halo &halo, int first, int lane, uint4 *stage) {
    const int row = first + lane / (WORDS / 2), pair = lane % (WORDS / 2);
    __syncwarp();
    uint2 *const to = reinterpret_cast<uint2 *>(&staged<H>(stage, 2 * row + pair / 2)) + pair % 2;
    *to = make_uint2(halo.own.x | halo.left.x >> USEFUL | halo.right.x << USEFUL, halo.own.z | halo.left.z >> USEFUL | halo.right.z << USEFUL);
    __syncwarp();
}

// A neighbour's halo, after so many steps ← the staged tile's rows from `first` on: packets, or behind the last step the rows themselves. On
// a torus, where strips at the other edge look for cells of them, both.
template <int H>
__device__ __forceinline__ void send_halo(const Plan &plan, const Side &side, bool is_torus, unsigned steps, const RegisterTile &tile,
                                          int64_t first, int lane, uint4 *stage) {
    const int begin = static_cast<int>(first - tile.top);
    const bool is_last = steps == plan.steps;
    if ((is_last || is_torus) && lane < 2 * STEPS) {
        const int row = lane / 2;
        side.boards[steps % 2][2 * (tile.strip * side.rows + side.halo + row) + lane % 2] = staged<H>(stage, 2 * (begin + row) + lane % 2);
    }
    if (is_torus) __threadfence_system();
    __syncwarp();
    if (!is_last) {
        const int row = begin + lane / (WORDS / 2), pair = lane % (WORDS / 2);
        const uint2 words = reinterpret_cast<const uint2 *>(&staged<H>(stage, 2 * row + pair / 2))[pair % 2];
        store_packets(side.packets + packets_of(plan, steps, tile.strip) + lane, make_uint4(words.x, steps, words.y, steps));
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <int H, int BLOCKS, typename Rule>
__global__ void __launch_bounds__(32 * REGISTER_TILE_WARPS, BLOCKS)
    life_joined_play(uint4 *front, uint4 *back, Board board, Plan plan, const __grid_constant__ Joints joints, int last_steps, Rule rule) {
    const int lane = threadIdx.x % 32;
    const bool is_torus = board.boundary == TORUS;
    const unsigned draws = plan.tiles_of_step() * plan.steps;
    __shared__ uint4 stages[REGISTER_TILE_WARPS][stage_texels<H>];
    uint4 *const stage = stages[threadIdx.x / 32];
    unsigned number = lane == 0 ? atomicAdd(plan.counter, 1) : 0;
    for (;;) {
        number = __shfl_sync(ALL_LANES, number, 0);
        if (number >= draws) break;
        Draw draw = plan.at(number, false);
        if (joints.upwards) draw.tile = plan.tiles - 1 - draw.tile;
        const bool is_first = draw.tile == 0 && joints.span.has_above, is_last = draw.tile == plan.tiles - 1 && joints.span.has_below;
        Halo above = {is_first && draw.step > 0, {}, {}, {}}, below = {is_last && draw.step > 0, {}, {}, {}};
        if (!wait_for(plan, joints, draw, is_torus, lane, &above, &below)) break;

        const unsigned steps = draw.step + 1;
        const MemoryRows rows = {steps % 2 == 1 ? front : back};
        const RegisterTile tile = register_tile_of<H>(board, joints.span, plan.tiles, draw.tile, draw.strip);
        const auto halos = [&] {
            if (above.is_sent && !is_torus) stage_halo<H>(above, static_cast<int>(tile.first - tile.top) - STEPS, lane, stage);
            if (below.is_sent && !is_torus) stage_halo<H>(below, static_cast<int>(tile.last - tile.top), lane, stage);
        };
        Row x[H];
        load_register_tile(rows, rows, board, tile, lane, stage, x, halos);
        step_register_tile(rule, board, tile, lane, steps < plan.steps ? STEPS : last_steps, x);
        if (lane == 0) number = atomicAdd(plan.counter, 1);        // the following draw, while this tile is stored
        store_register_tile(board, tile, lane, stage, x, steps % 2 == 1 ? back : front);
        if (lane == 0) store_release(plan.done + draw.tile * plan.strips + draw.strip, steps); // not behind stores to the other device
        if (is_first) send_halo<H>(plan, joints.above, is_torus, steps, tile, tile.first, lane, stage);
        if (is_last) send_halo<H>(plan, joints.below, is_torus, steps, tile, tile.last - STEPS, lane, stage);
        __syncwarp();
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

Side side_of(const gpumexk_life_side *side) {
    if (side == nullptr) return {};
    return {{reinterpret_cast<uint4 *>(side->front), reinterpret_cast<uint4 *>(side->back)}, side->rows, side->halo,
            reinterpret_cast<uint4 *>(side->packets)};
}

template <int H, int BLOCKS, typename Rule>
cudaError_t play(const gpumexk_life_joined_args &args, const Board &board, const Rule &rule, uint64_t generations, gpumexk_stream stream) {
    const bool has_above = args.above != nullptr, has_below = args.below != nullptr;
    const Span span = {has_above ? size_t(STEPS) : 0, board.rows - (has_below ? STEPS : 0), has_above, has_below};
    const size_t rows = span.last - span.first, tiles = ceil_div(rows, register_tile_height<H>), tiles_of_step = tiles * board.strips;
    const uint64_t steps = ceil_div(generations, STEPS);
    if (rows < GPUMEXK_LIFE_JOINED_ROWS_MIN || steps > UINT32_MAX / tiles_of_step) return cudaErrorInvalidValue;
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const Plan plan = {static_cast<unsigned>(tiles), static_cast<unsigned>(board.strips), static_cast<unsigned>(steps), args.counter,
                       args.counter + 1};
    const Joints joints = {span, reinterpret_cast<const uint4 *>(args.packets_above), reinterpret_cast<const uint4 *>(args.packets_below),
                           side_of(args.above), side_of(args.below), args.upwards != 0,
                           args.stop, args.patience};
    const int last_steps = static_cast<int>(generations - (steps - 1) * STEPS);
    const size_t blocks = at_most(ceil_div(tiles_of_step, REGISTER_TILE_WARPS), BLOCKS * sms);
    life_joined_play<H, BLOCKS, Rule><<<static_cast<unsigned>(blocks), 32 * REGISTER_TILE_WARPS, 0, stream>>>(
        reinterpret_cast<uint4 *>(args.front), reinterpret_cast<uint4 *>(args.back), board, plan, joints, last_steps, rule);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_life_joined(const gpumexk_life_joined_args *args, const gpumexk_life_game *game, uint64_t generations,
                        const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->threads != 32 * REGISTER_TILE_WARPS || generations == 0) return cudaErrorInvalidValue;
    if (!is_boundary(game->boundary)) return cudaErrorInvalidValue;
    const Board board = board_of(*game);
    if (!is_conway(*game)) {
        return play<ROWS_A_LANE_OF_RULES, register_tile_blocks<ROWS_A_LANE_OF_RULES>>(*args, board, any_rule(*game), generations, stream);
    }
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    return fills_with_more_blocks<ROWS_A_LANE>(board, sms)
        ? play<ROWS_A_LANE, register_tile_blocks_of_many>(*args, board, Conway(), generations, stream)
        : play<ROWS_A_LANE, register_tile_blocks<ROWS_A_LANE>>(*args, board, Conway(), generations, stream);
}
