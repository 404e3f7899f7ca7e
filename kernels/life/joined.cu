// joined.cu — Life on a slab of a board whose other slabs are played on other devices at the same time.
//
//   own rows after `generations` steps                                            front, back: strips (life/strips.cuh)
//
// Algorithm  registers.cu on the slab's own rows. A tile at the end of a slab that has a neighbour stores its outer 8 rows into the
//            neighbour's halo as well, in memory of the other device, and then raises a flag there. That neighbour's tile is ready when
//            the flags of its halo say so: the rule of life/draws.cuh across devices. Of two neighbours one takes its tiles from the top
//            down and one from the bottom up, so that both draw the tiles at their common edge at about the same time, a step apart.
//            A halo is overwritten when the tiles that have read it are done, since these have raised flags for the tile that
//            overwrites it.
// Cost       That of registers.cu: 256 bytes and a flag cross for each strip, step and side.
// Limits     Own rows: 512 at least. A launch takes at most 2^32 tiles; its caller keeps it short. The kernels of all ranks have to be
//            in progress: none may wait in its stream, or for multiprocessors, behind one that waits for it.
// Edges      Those of life/edges.cuh at the ends of the board. A rank that does not come: *stop, or the end of patience, ends all kernels.
// Source     life/draws.cuh; stores into the memory of peers with flags, as in NVSHMEM's and NCCL's low-latency protocols.

#include "kernels.h"
#include "life/draws.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned TURNS = 256;                                    // of a wait, from one look at the host's memory to the next
constexpr int ROWS_A_LANE = 8, ROWS_A_LANE_OF_RULES = 4;

// The slab of a neighbour.
struct Side {
    uint4 *boards[2];                                              // front and back
    size_t rows, halo;
    unsigned *done;
};

// What a launch has besides its plan. done: the flags of the halos.
struct Joints {
    Span span;
    const unsigned *done_above, *done_below;
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

// Whether the tiles around have done the step before, and for a tile at the end of the slab its halo. Few instructions, since every
// tile runs them.
__device__ __forceinline__ bool is_ready(const Plan &plan, const Joints &joints, const Draw &draw, bool is_torus, int lane) {
    int tile, strip;
    const bool looks = tile_around(plan, draw, is_torus, lane, &tile, &strip) && tile >= 0 && tile < int(plan.tiles);
    unsigned done = looks ? load_acquire(plan.done + unsigned(tile) * plan.strips + strip) : draw.step;
    if (draw.tile == 0 && joints.span.has_above && tile == -1 && unsigned(strip) < plan.strips) {
        done = load_acquire_of_system(joints.done_above + strip);
    }
    if (draw.tile == plan.tiles - 1 && joints.span.has_below && tile == int(plan.tiles) && unsigned(strip) < plan.strips) {
        done = load_acquire_of_system(joints.done_below + strip);
    }
    return __all_sync(ALL_LANES, done >= draw.step);
}

// Waits for a tile; false: the launch ends.
__device__ __forceinline__ bool wait_for(const Plan &plan, const Joints &joints, const Draw &draw, bool is_torus, int lane) {
    uint64_t begin = 0;
    for (unsigned turn = 1; !is_ready(plan, joints, draw, is_torus, lane); ++turn) {
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

// A neighbour's halo ← the staged tile's rows from `first` on; then its flag.
template <int H>
__device__ __forceinline__ void store_halo(const Side &side, unsigned parity, const RegisterTile &tile, int64_t first, int lane,
                                           uint4 *stage, unsigned done) {
    if (lane < 2 * STEPS) {
        const int row = lane / 2;
        side.boards[parity][2 * (tile.strip * side.rows + side.halo + row) + lane % 2] =
            staged<H>(stage, static_cast<int>(2 * (first + row - tile.top)) + lane % 2);
    }
    __syncwarp();
    if (lane == 0) store_release_to_system(side.done + tile.strip, done);
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
        if (!wait_for(plan, joints, draw, is_torus, lane)) break;

        const unsigned next = (draw.step + 1) % 2;
        const MemoryRows rows = {next == 1 ? front : back};
        const RegisterTile tile = register_tile_of<H>(board, joints.span, plan.tiles, draw.tile, draw.strip);
        Row x[H];
        load_register_tile(rows, rows, board, tile, lane, stage, x);
        step_register_tile(rule, board, tile, lane, draw.step + 1 < plan.steps ? STEPS : last_steps, x);
        if (lane == 0) number = atomicAdd(plan.counter, 1);        // the following draw, while this tile is stored
        store_register_tile(board, tile, lane, stage, x, next == 1 ? back : front);
        if (lane == 0) store_release(plan.done + draw.tile * plan.strips + draw.strip, draw.step + 1);
        if (draw.tile == 0 && joints.span.has_above) {
            store_halo<H>(joints.above, next, tile, tile.first, lane, stage, draw.step + 1);
        }
        if (draw.tile == plan.tiles - 1 && joints.span.has_below) {
            store_halo<H>(joints.below, next, tile, tile.last - STEPS, lane, stage, draw.step + 1);
        }
        __syncwarp();
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

Side side_of(const gpumexk_life_side *side) {
    if (side == nullptr) return {};
    return {{reinterpret_cast<uint4 *>(side->front), reinterpret_cast<uint4 *>(side->back)}, side->rows, side->halo, side->done};
}

template <int H, typename Rule>
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
    const Joints joints = {span, args.done_above, args.done_below, side_of(args.above), side_of(args.below), args.upwards != 0,
                           args.stop, args.patience};
    const int last_steps = static_cast<int>(generations - (steps - 1) * STEPS);
    const size_t blocks = at_most(ceil_div(tiles_of_step, REGISTER_TILE_WARPS), register_tile_blocks<H> * sms);
    life_joined_play<H, register_tile_blocks<H>, Rule><<<static_cast<unsigned>(blocks), 32 * REGISTER_TILE_WARPS, 0, stream>>>(
        reinterpret_cast<uint4 *>(args.front), reinterpret_cast<uint4 *>(args.back), board, plan, joints, last_steps, rule);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_life_joined(const gpumexk_life_joined_args *args, const gpumexk_life_game *game, uint64_t generations,
                        const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->threads != 32 * REGISTER_TILE_WARPS || generations == 0) return cudaErrorInvalidValue;
    if (!is_boundary(game->boundary)) return cudaErrorInvalidValue;
    const Board board = board_of(*game);
    return is_conway(*game) ? play<ROWS_A_LANE>(*args, board, Conway(), generations, stream)
                            : play<ROWS_A_LANE_OF_RULES>(*args, board, any_rule(*game), generations, stream);
}
