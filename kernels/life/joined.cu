// joined.cu — Life on a slab of a board whose other slabs are played on other devices at the same time.
//
//   own rows after `generations` steps                                            front, back: strips (life/strips.cuh)
//
// Algorithm  registers.cu on the slab's own rows. A tile at the end of a slab that has a neighbour sends its outer 8 rows to the other device
//            as packets (prim/thread/tagged.cuh). The first block of each device receives: it waits for packets, stores their rows into
//            the halo, and raises flags for them, as for the rows of tiles. So the other blocks do what those of registers.cu do. Of two
//            neighbours one takes its tiles from the top down and one from the bottom up, so that both draw the tiles at their common
//            edge at about the same time, a step apart. There are two buffers of packets, for even and odd steps: who sends those of
//            step s + 2 has got rows of step s + 1 that were sent by who had those of step s.
// Cost       That of registers.cu, and one block of its grid. 512 bytes cross for each strip, step and side.
// Loading    As for allreduce.cu: a launch of no generations, which waits for nobody, comes before an agreement of the ranks.
// Limits     Own rows: 512 at least. A launch takes at most 2^32 tiles; its caller keeps it short. The kernels of all ranks have to be
//            in progress: none may wait in its stream, or for multiprocessors, behind one that waits for it.
// Edges      Those of life/edges.cuh at the ends of the board. A rank that does not come: *stop, or the end of patience, ends all kernels.
// Source     life/draws.cuh; packets of data and flag in the memory of peers: the LL protocol of NCCL.

#include "kernels.h"
#include "life/draws.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/tagged.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned AT_ONCE = 8;                                    // strips that a warp receives at once
constexpr unsigned NEVER = ~0u;                                    // a step that none waits for
constexpr int ROWS_A_LANE = 8, ROWS_A_LANE_OF_RULES = 4;
static_assert(2 * PACKETS * sizeof(uint4) == GPUMEXK_LIFE_JOINED_PACKETS * sizeof(uint32_t), "kernels.h says how much memory packets take");

// A halo: the packets that come, (2, strips, PACKETS) for even and odd steps, its first row, and where its flags are; and the packets of
// the neighbour's halo.
struct Side {
    const uint4 *packets;
    uint4 *neighbours;
    size_t row;
    unsigned *done;
};

// What a launch has besides its plan. Flags of a halo lie before those of the first tiles, and behind those of the last ones.
struct Joints {
    Span span;
    Side above, below;
    bool upwards;
    unsigned *stop;
    uint64_t patience;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ size_t packets_of(const Plan &plan, unsigned step, unsigned strip) {
    return (size_t(step % 2) * plan.strips + strip) * PACKETS;
}

// Whether the tiles around have done the step before, and for a tile at the end of a slab the halo is there. A lane looks at one of them.
__device__ __forceinline__ bool is_ready(const Plan &plan, const Span &span, const Draw &draw, bool is_torus, int lane) {
    int tile, strip;
    bool looks = tile_around(plan, draw, is_torus, lane, &tile, &strip);
    const int first = span.has_above && draw.tile == 0 ? -1 : 0, last = plan.tiles - !(span.has_below && draw.tile == plan.tiles - 1);
    looks = looks && tile >= first && tile <= last;
    return __all_sync(ALL_LANES, !looks || load_acquire(plan.done + tile * int(plan.strips) + strip) >= draw.step);
}

// Waits for the packets of a step of `count` strips, a pair a lane; false: they will not come.
__device__ __forceinline__ bool receive(const Joints &joints, const uint4 *from, unsigned step, unsigned count, int lane,
                                        uint4 (&packets)[AT_ONCE]) {
    Patience patience(joints.stop, joints.patience);
    for (;;) {
        bool all = true;
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; ++i) packets[i] = load_packets(i < count, from + i * PACKETS + lane, {0, step, 0, step});
#pragma unroll
        for (unsigned i = 0; i < AT_ONCE; ++i) all &= is_of(packets[i], step);
        if (__all_sync(ALL_LANES, all)) return true;
        if (__any_sync(ALL_LANES, patience.is_over())) return false;
    }
}

// The work of the first block: a halo's rows of every step ← the packets of it. A warp has the same strips in every step.
__device__ void receive_halos(uint4 *front, uint4 *back, const Board &board, const Plan &plan, const Joints &joints) {
    const int lane = threadIdx.x % 32;
    const unsigned groups = (plan.strips + AT_ONCE - 1) / AT_ONCE, warps = blockDim.x / 32, warp = threadIdx.x / 32;
    const unsigned sides = joints.span.has_above + joints.span.has_below;
    bool goes_on = true;
    for (unsigned step = 1; step <= plan.steps && goes_on; ++step) {
        uint2 *const to = reinterpret_cast<uint2 *>(step % 2 == 0 ? front : back);
        for (unsigned group = warp; group < sides * groups && goes_on; group += warps) {
            const Side &side = joints.span.has_above && group < groups ? joints.above : joints.below;
            const unsigned strip = group % groups * AT_ONCE, count = min(AT_ONCE, plan.strips - strip);
            uint4 packets[AT_ONCE];
            goes_on = receive(joints, side.packets + packets_of(plan, step, strip), step, count, lane, packets);
#pragma unroll
            for (unsigned i = 0; i < AT_ONCE; ++i) {
                if (i < count) to[((strip + i) * board.rows + side.row) * (WORDS / 2) + lane] = make_uint2(packets[i].x, packets[i].z);
            }
            __threadfence();
            __syncwarp();
            if (lane < int(count)) store_release(side.done + strip + lane, step);
        }
    }
    if (goes_on) return;
    for (unsigned strip = threadIdx.x % 32; strip < plan.strips; strip += 32) {                 // what waits goes on, with any cells
        if (joints.span.has_above) store_release(joints.above.done + strip, NEVER);
        if (joints.span.has_below) store_release(joints.below.done + strip, NEVER);
    }
}

// A neighbour's halo after so many steps ← the staged tile's rows from `begin` on.
template <int H>
__device__ __forceinline__ void send_halo(const Plan &plan, const Side &side, unsigned steps, unsigned strip, int begin, int lane,
                                          uint4 *stage) {
    const int row = begin + lane / (WORDS / 2), pair = lane % (WORDS / 2);
    const uint2 words = reinterpret_cast<const uint2 *>(&staged<H>(stage, 2 * row + pair / 2))[pair % 2];
    store_packets(side.neighbours + packets_of(plan, steps, strip) + lane, make_uint4(words.x, steps, words.y, steps));
    __syncwarp();
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
    if (blockIdx.x == 0 && (joints.span.has_above || joints.span.has_below)) return receive_halos(front, back, board, plan, joints);
    unsigned number = lane == 0 ? atomicAdd(plan.counter, 1) : 0;
    for (;;) {
        number = __shfl_sync(ALL_LANES, number, 0);
        if (number >= draws) break;
        Draw draw = plan.at(number, false);
        if (joints.upwards) draw.tile = plan.tiles - 1 - draw.tile;
        while (!is_ready(plan, joints.span, draw, is_torus, lane)) __nanosleep(20);
        __syncwarp();                                              // what one lane has seen of a flag, all have

        const MemoryRows rows = {draw.step % 2 == 0 ? front : back};
        uint4 *const next = draw.step % 2 == 0 ? back : front;
        const RegisterTile tile = register_tile_of<H>(board, joints.span, draw.tile, draw.strip);
        Row x[H];
        load_register_tile(rows, rows, board, tile, lane, stage, x);
        step_register_tile(rule, board, tile, lane, draw.step + 1 < plan.steps ? STEPS : last_steps, x);
        if (lane == 0) number = atomicAdd(plan.counter, 1);        // the following draw, while this tile is stored
        store_register_tile(board, tile, lane, stage, x, next);    // ends with all lanes together
        if (lane == 0) store_release(plan.done + draw.tile * plan.strips + draw.strip, draw.step + 1);
        if (joints.span.has_above && draw.tile == 0) {
            send_halo<H>(plan, joints.above, draw.step + 1, draw.strip, int(tile.first - tile.top), lane, stage);
        }
        if (joints.span.has_below && draw.tile == plan.tiles - 1) {
            send_halo<H>(plan, joints.below, draw.step + 1, draw.strip, int(tile.last - tile.top) - STEPS, lane, stage);
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

Side side_of(const uint32_t *packets, uint32_t *neighbours, size_t row, unsigned *done) {
    return {reinterpret_cast<const uint4 *>(packets), reinterpret_cast<uint4 *>(neighbours), row, done};
}

template <int H, int BLOCKS, typename Rule>
cudaError_t play(const gpumexk_life_joined_args &args, const Board &board, const Rule &rule, uint64_t generations, gpumexk_stream stream) {
    const bool has_above = args.to_above != nullptr, has_below = args.to_below != nullptr;
    const size_t first = has_above ? STEPS : 0, last = board.rows - (has_below ? STEPS : 0), rows = last - first;
    const size_t tiles = ceil_div(rows, register_tile_height<H>), tiles_of_step = tiles * board.strips;
    const Span span(first, last, static_cast<unsigned>(tiles), has_above, has_below);
    const uint64_t steps = ceil_div(generations, STEPS);
    if (rows < GPUMEXK_LIFE_JOINED_ROWS_MIN || steps > UINT32_MAX / tiles_of_step) return cudaErrorInvalidValue;
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    unsigned *const of_halo = args.counter + 1, *const done = of_halo + board.strips;
    const Plan plan = {static_cast<unsigned>(tiles), static_cast<unsigned>(board.strips), static_cast<unsigned>(steps), args.counter, done};
    const Side above = side_of(args.packets_above, args.to_above, 0, of_halo);
    const Side below = side_of(args.packets_below, args.to_below, last, done + tiles_of_step);
    const Joints joints = {span, above, below, args.upwards != 0, args.stop, args.patience};
    const int last_steps = static_cast<int>(generations - (steps - 1) * STEPS);
    const size_t blocks = at_most(1 + ceil_div(tiles_of_step, REGISTER_TILE_WARPS), BLOCKS * sms);
    life_joined_play<H, BLOCKS, Rule><<<static_cast<unsigned>(blocks), 32 * REGISTER_TILE_WARPS, 0, stream>>>(
        reinterpret_cast<uint4 *>(args.front), reinterpret_cast<uint4 *>(args.back), board, plan, joints, last_steps, rule);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_life_joined(const gpumexk_life_joined_args *args, const gpumexk_life_game *game, uint64_t generations,
                        const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->threads != 32 * REGISTER_TILE_WARPS) return cudaErrorInvalidValue;
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
