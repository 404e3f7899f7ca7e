// texture.cu — Life on boards of bits, fetched through texture objects, 8 generations a launch.
//
//   board after `generations` steps                                               front, back: strips (life/strips.cuh)
//
// Algorithm  A warp fetches a register tile (life/register_tile.cuh) through the texture unit, steps it and stores it. A texture
//            cache is not coherent with writes of its own kernel: a launch a step, each a dependent launch.
// Cost       That of registers.cu, and a launch and its tail each 8 generations.
// Limits     Any size. A linear texture ends after 2^27 or 2^28 texels of 16 bytes, 2 GB or 4: a larger board is a row of
//            textures, WINDOWS_MAX of them at most. What lies beyond a torus's left and right edge is read past the textures.
// Edges      Those of life/edges.cuh. Waits for the stream before it returns: using a texture object after its destruction is
//            undefined, and kernels still in the stream would.
// Source     MathWorks, "Accessing Advanced CUDA Features Using MEX", whose texture holds bytes.

#include "kernels.h"
#include "life/linear_texture.cuh"
#include "life/register_tile.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t WINDOWS_MAX = 128;                                // textures a board

// ---- device helpers -------------------------------------------------------------------------------------------------

// A board of strips in textures of 2^shift texels.
struct TextureRows {
    int shift;
    cudaTextureObject_t windows[WINDOWS_MAX];

    __device__ uint4 operator()(size_t i) const {
        return tex1Dfetch<uint4>(windows[i >> shift], static_cast<int>(i & ((size_t(1) << shift) - 1)));
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <int H, int BLOCKS, typename Rule>
__global__ void __launch_bounds__(32 * REGISTER_TILE_WARPS, BLOCKS)
    life_texture_step(const __grid_constant__ TextureRows rows, MemoryRows memory, Board board, unsigned tiles, int steps, Rule rule, uint4 *next) {
    __shared__ uint4 stages[REGISTER_TILE_WARPS][stage_texels<H>];
    uint4 *const stage = stages[threadIdx.x / 32];
    const int lane = threadIdx.x % 32;
    const unsigned strips = static_cast<unsigned>(board.strips);
    const size_t id = size_t(blockIdx.x) * REGISTER_TILE_WARPS + threadIdx.x / 32;
    pdl_wait();                                                    // the generations before are there
    pdl_trigger();
    if (id >= size_t(tiles) * strips) return;

    const unsigned number = static_cast<unsigned>(id / strips), strip = static_cast<unsigned>(id % strips);
    const RegisterTile tile = register_tile_of<H>(board, tiles, number, strip);
    Row x[H];
    load_register_tile(rows, memory, board, tile, lane, stage, x);
    step_register_tile(rule, board, tile, lane, steps, x);
    store_register_tile(board, tile, lane, stage, x, next);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// The textures of one board, created once a call.
struct Textures {
    TextureRows rows = {};
    size_t created = 0;

    cudaError_t create(uint32_t *strips, const Board &board) {
        size_t limit = 0;
        const size_t texels = 2 * board.strips * board.rows;
        cudaError_t error = texture_limit<uint4>(&limit);
        if (error != cudaSuccess) return error;

        while (rows.shift < 30 && size_t(2) << rows.shift <= limit) ++rows.shift;
        const size_t window = size_t(1) << rows.shift;
        if (ceil_div(texels, window) > WINDOWS_MAX) return cudaErrorInvalidValue;
        for (size_t first = 0; error == cudaSuccess && first < texels; first += window) {
            uint4 *const from = reinterpret_cast<uint4 *>(strips) + first;
            error = create_texture(from, at_most(texels - first, window), &rows.windows[created]);
            if (error == cudaSuccess) ++created;
        }
        return error;
    }

    cudaError_t destroy(cudaError_t error) { return destroy_textures(rows.windows, &created, error); }
};

template <int H, typename Rule>
cudaError_t play(const Textures (&textures)[2], uint32_t *const (&buffers)[2], const Board &board, const Rule &rule, uint64_t generations,
                 gpumexk_stream stream) {
    constexpr auto step = life_texture_step<H, register_tile_blocks<H>, Rule>;
    const size_t tiles = tiles_of<H>(board);
    const dim3 grid(static_cast<unsigned>(ceil_div(tiles * board.strips, REGISTER_TILE_WARPS))), block(32 * REGISTER_TILE_WARPS);
    bool pdl = false;
    cudaError_t error = supports_pdl(step, &pdl);
    for (int from = 0; error == cudaSuccess && generations > 0; from ^= 1) {
        const int now = static_cast<int>(generations < STEPS ? generations : STEPS);
        const MemoryRows memory = {reinterpret_cast<const uint4 *>(buffers[from])};
        error = launch_pdl(pdl, step, grid, block, stream, textures[from].rows, memory, board, static_cast<unsigned>(tiles), now, rule,
                               reinterpret_cast<uint4 *>(buffers[from ^ 1]));
        generations -= now;
    }
    return error;
}

}  // namespace

int gpumexk_life_texture(uint32_t *front, uint32_t *back, const gpumexk_life_game *game, uint64_t generations,
                         const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->threads != 32 * REGISTER_TILE_WARPS) return cudaErrorInvalidValue;
    if (!is_boundary(game->boundary)) return cudaErrorInvalidValue;
    const Board board = board_of(*game);
    if (generations == 0) return cudaSuccess;
    size_t sms = 0;
    cudaError_t error = multiprocessors(&sms);
    Textures textures[2];
    uint32_t *const buffers[2] = {front, back};
    for (int b = 0; error == cudaSuccess && b < 2; ++b) error = textures[b].create(buffers[b], board);
    if (error == cudaSuccess) {
        error = dispatch_value<2, 4, 8>(rows_a_lane(board, tuning->values, sms, 1), [&](auto rows) -> cudaError_t {
            constexpr int H = decltype(rows)::value;
            return is_conway(*game) ? play<H>(textures, buffers, board, Conway(), generations, stream)
                                    : play<(H < 4 ? H : 4)>(textures, buffers, board, any_rule(*game), generations, stream);
        });
        const cudaError_t waited = cudaStreamSynchronize(stream);
        if (error == cudaSuccess) error = waited;
    }
    for (Textures &each : textures) error = each.destroy(error);
    return error;
}
