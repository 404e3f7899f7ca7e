// registers.cu — Life on boards of bits in the registers of warps, all generations in one launch.
//
//   board after `generations` steps                                               front, back: strips (life/strips.cuh)
//
// Algorithm  A step advances all register tiles (life/register_tile.cuh) by 8 generations, from one buffer to the other. Warps
//            take the tiles of all steps in order (life/draws.cuh). Boards of few tiles stay in registers instead: life/resident.cu.
// Cost       8.5 LOP3 and shifts a word of 32 cells and generation, and 2/H shuffles; 88 % of a tile is useful (H = 8). Memory traffic is
//            2.2 bits a cell and step, and the edges of the strips twice.
// Limits     Any size. A launch takes at most DRAWS_MAX tiles, to stay below the display watchdog.
// Edges      Those of life/edges.cuh.
// Source     life/draws.cuh.

#include "kernels.h"
#include "life/draws.cuh"
#include "life/resident.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t DRAWS_MAX = size_t(1) << 21;                      // tiles a launch: 40 ms on an H200
constexpr int ROWS_MIN = 2;                                        // of a lane
constexpr size_t ROUNDS = 2;                                       // of tiles in a step, so that late ones need not wait

// ---- device helpers -------------------------------------------------------------------------------------------------

// Whether the tiles around have done the step before; then their cells can be read. A lane looks at one of them.
__device__ __forceinline__ bool is_ready(const Plan &plan, const Draw &draw, bool is_torus, int lane) {
    const int tiles = plan.tiles;
    int tile, strip;
    bool looks = tile_around(plan, draw, is_torus, lane, &tile, &strip);
    if (is_torus) tile = wrapped(tile, tiles);
    looks = looks && tile >= 0 && tile < tiles;
    return __all_sync(ALL_LANES, !looks || load_acquire(plan.done + unsigned(tile) * plan.strips + strip) >= draw.step);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <int H, int BLOCKS, typename Rule>
__global__ void __launch_bounds__(32 * REGISTER_TILE_WARPS, BLOCKS)
    life_registers_play(uint4 *front, uint4 *back, Board board, Plan plan, int last_steps, Rule rule) {
    const int lane = threadIdx.x % 32;
    const bool is_torus = board.boundary == TORUS;
    const unsigned draws = plan.tiles_of_step() * plan.steps;
    __shared__ uint4 stages[REGISTER_TILE_WARPS][stage_texels<H>];
    uint4 *const stage = stages[threadIdx.x / 32];
    unsigned number = lane == 0 ? atomicAdd(plan.counter, 1) : 0;
    for (;;) {
        number = __shfl_sync(ALL_LANES, number, 0);
        if (number >= draws) break;
        const Draw draw = plan.at(number, is_torus);
        while (!is_ready(plan, draw, is_torus, lane)) __nanosleep(20);
        __syncwarp();                                              // what one lane has seen of a flag, all have

        const MemoryRows rows = {draw.step % 2 == 0 ? front : back};
        uint4 *const next = draw.step % 2 == 0 ? back : front;
        const RegisterTile tile = register_tile_of<H>(board, plan.tiles, draw.tile, draw.strip);
        Row x[H];
        load_register_tile(rows, rows, board, tile, lane, stage, x);
        step_register_tile(rule, board, tile, lane, draw.step + 1 < plan.steps ? STEPS : last_steps, x);
        if (lane == 0) number = atomicAdd(plan.counter, 1);        // the following draw, while this tile is stored
        store_register_tile(board, tile, lane, stage, x, next);    // ends with all lanes together
        if (lane == 0) store_release(plan.done + draw.tile * plan.strips + draw.strip, draw.step + 1);
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <int H, int BLOCKS, typename Rule>
cudaError_t play(uint32_t *front, uint32_t *back, const Board &board, const Rule &rule, uint64_t generations, unsigned *scratch,
                 size_t sms, gpumexk_stream stream) {
    const size_t tiles = tiles_of<H>(board), tiles_of_step = tiles * board.strips;
    const uint64_t most = tiles_of_step < DRAWS_MAX / 2 ? DRAWS_MAX / tiles_of_step / 2 * 2 : 2; // steps: even, so that the board is in front again
    const size_t blocks = at_most(ceil_div(tiles_of_step, REGISTER_TILE_WARPS), BLOCKS * sms);
    cudaError_t error = cudaSuccess;
    while (error == cudaSuccess && generations > 0) {
        const uint64_t needed = ceil_div(generations, STEPS), steps = needed < most ? needed : most;
        const uint64_t now = needed > most ? steps * STEPS : generations;
        const Plan plan = {static_cast<unsigned>(tiles), static_cast<unsigned>(board.strips), static_cast<unsigned>(steps), scratch,
                           scratch + 1};
        error = cudaMemsetAsync(scratch, 0, (1 + tiles_of_step) * sizeof *scratch, stream);
        if (error != cudaSuccess) break;
        const int last_steps = static_cast<int>(now - (steps - 1) * STEPS);
        const unsigned grid = static_cast<unsigned>(blocks);
        life_registers_play<H, BLOCKS, Rule><<<grid, 32 * REGISTER_TILE_WARPS, 0, stream>>>(
            reinterpret_cast<uint4 *>(front), reinterpret_cast<uint4 *>(back), board, plan, last_steps, rule);
        error = cudaGetLastError();
        generations -= now;
    }
    return error;
}

}  // namespace

int gpumexk_life_registers_scratch(const gpumexk_life_game *game, const gpumexk_tuning *tuning, size_t *bytes) {
    const Board board = board_of(*game);
    int resident = 0;
    size_t of_packets = 0;
    const cudaError_t error = resident_tiles(*game, *tuning, &resident, &of_packets);
    const size_t of_flags = (1 + tiles_of<ROWS_MIN>(board) * board.strips) * sizeof(unsigned);
    *bytes = of_packets > of_flags ? of_packets : of_flags;
    return error;
}

int gpumexk_life_registers(uint32_t *front, uint32_t *back, void *scratch, const gpumexk_life_game *game, uint64_t generations,
                           const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->threads != 32 * REGISTER_TILE_WARPS) return cudaErrorInvalidValue;
    if (!is_boundary(game->boundary)) return cudaErrorInvalidValue;
    int resident = 0;
    size_t bytes = 0, sms = 0;
    cudaError_t error = resident_tiles(*game, *tuning, &resident, &bytes);
    if (error == cudaSuccess && resident > 0 && generations > STEPS) {
        error = play_resident(front, back, scratch, *game, &generations, resident, stream);
        if (error != cudaErrorCooperativeLaunchTooLarge) return error;
        (void)cudaGetLastError();                                  // that launch did not begin
    }
    const Board board = board_of(*game);
    error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    unsigned *const flags = static_cast<unsigned *>(scratch);
    return dispatch_value<ROWS_MIN, 4, 8>(rows_a_lane(board, tuning->values, sms, ROUNDS), [&](auto rows) -> cudaError_t {
        constexpr int H = decltype(rows)::value;
        if (!is_conway(*game)) {
            constexpr int OF_RULES = H < 4 ? H : 4;
            return play<OF_RULES, register_tile_blocks<OF_RULES>>(front, back, board, any_rule(*game), generations, flags, sms, stream);
        }
        if (H == 8 && fills_with_more_blocks<H>(board, sms)) {
            return play<H, register_tile_blocks_of_many>(front, back, board, Conway(), generations, flags, sms, stream);
        }
        return play<H, register_tile_blocks<H>>(front, back, board, Conway(), generations, flags, sms, stream);
    });
}
