// stencil.cu — an expression of the neighbours of an element, in two dimensions.
//
//   result[y, x] = f (input[k][y + dy, x + dx], …)      offsets up to 7, any dtypes; beyond the edges as the boundary says
//
// Algorithm  The interpreter of map.cu on tiles of 128 columns (64 with words of 64 bits) and 4 rows a warp. Inputs of which neighbours are
//            read lie in shared memory as words, with a halo; the others, and those for which there is no room, are read where they are.
//            Programs whose values fit in bytes have an interpreter of their own: stencil_bytes.cu.
// Cost       Reads each input about 1.1 times, of which the rows of a halo mostly come from L2, and writes the result once. A step with a
//            neighbour as its operand: 16 loads from shared memory, without bank conflicts, for 16 words.
// Limits     160 steps, 64 literals, 8 slots, 16 inputs; any size.
// Edges      stencil_plane.cuh. The same bits as on the CPU, but for elementary functions.
// Source     V. Volkov, "Better performance at lower occupancy", GTC 2010 (several elements a thread); map.cu.

#include "kernels.h"
#include "map/encode.cuh"
#include "map/stencil_words.cuh"

namespace {

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY>
__global__ void __launch_bounds__(MAP_THREADS_MAX, ELEMENTARY ? 3 : 4) stencil_tiles(const __grid_constant__ StencilParameters p) {
    extern __shared__ uint4 stencil_memory[];                      // slots (slots, MAP_GROUPS, threads), tiles (staged, tile_rows, PITCH)
    const MapSlots<Word> slots = {stencil_memory + threadIdx.x, blockDim.x};
    Word *const tiles = reinterpret_cast<Word *>(stencil_memory + p.slots * MAP_GROUPS * blockDim.x);
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    for_each_stencil_tile(p, [&](size_t x, size_t y) {
        const long long row = static_cast<long long>(y * (blockDim.x / WARP) * MAP_GROUPS);
        const long long col = static_cast<long long>(x * STENCIL_WIDTH<Word>);
        __syncthreads();                                           // nobody reads the tiles before any more
        load_tiles(p, row, col, tiles);
        __syncthreads();
        const StencilPlace<Word> at = {row + warp * MAP_GROUPS, col + lane, tiles + warp * MAP_GROUPS * STENCIL_PITCH<Word> + lane};
        Word acc[MAP_LANES<Word>];
        for (unsigned s = 0; s < p.map.step_count; ++s) {
            const MapStep step = p.map.steps[s];
            if (step.is_mov()) {
                fetch(p, s, step, at, slots, acc);
                continue;
            }
            Word operand[MAP_LANES<Word>];
            fetch(p, s, step, at, slots, operand);
            run_step<ELEMENTARY, Word>(p.map, step, slots, {acc, operand});
        }
        store(p, at, acc);
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// Encodes the steps; false: there is one that the interpreter does not serve.
template <typename Word, bool ELEMENTARY>
bool plan_steps(const gpumexk_stencil_args &args, StencilParameters &p) {
    constexpr bool WIDE = sizeof(Word) == 8;
    for (size_t s = 0; s < args.step_count; ++s) {
        const gpumexk_map_step &step = args.steps[s];
        const gpumexk_stencil_tap *tap = tap_of(args, s);
        unsigned index = step.index, fetch = step.operand == OPERAND_LITERAL ? FETCH_LITERAL : step.operand == OPERAND_SLOT ? FETCH_SLOT : FETCH_NONE;
        if (tap != nullptr) {
            const int tile = tile_of(p, tap->input);
            fetch = tile < 0 ? FETCH_GLOBAL : FETCH_TILE;
            p.taps[s] = {static_cast<uint8_t>(tap->input), static_cast<int8_t>(tap->rows), static_cast<int8_t>(tap->cols)};
            const int within = (static_cast<int>(p.halo_rows) + tap->rows) * static_cast<int>(STENCIL_PITCH<Word>) + static_cast<int>(STENCIL_HALO) + tap->cols;
            index = tile < 0 ? 0 : static_cast<unsigned>(tile) * p.tile_words + static_cast<unsigned>(within);
        }
        if (index > 0xFFFF || !encode_step<WIDE, ELEMENTARY>(step, fetch, fetch == FETCH_LITERAL, index, &p.map.steps[s])) return false;
    }
    return true;
}

template <typename Word, bool ELEMENTARY>
cudaError_t launch_words(const gpumexk_stencil_args &args, const gpumexk_tuning &tuning, cudaStream_t stream) {
    constexpr StencilShape SHAPE = {MAP_GROUPS, STENCIL_WIDTH<Word>, STENCIL_PITCH<Word>, sizeof(Word)};
    StencilParameters p = {};
    StencilDevice device = {};
    unsigned halo_cols = 0;
    const cudaError_t error = stencil_device(&device);
    if (error != cudaSuccess) return error;
    plan_plane(args, p);
    p.slots = p.map.slots + map_scratch_slots(args.steps, args.step_count);
    plan_staged(args, false, p, &halo_cols);
    const unsigned warps = plan_warps(p, SHAPE, static_cast<unsigned>(tuning.threads) / WARP, device);
    p.halo_packets = (halo_cols + MAP_LENGTH<Word> - 1) / MAP_LENGTH<Word>;
    p.across = MapDivider::of(WARP + 2 * p.halo_packets);
    for (size_t i = 0; i < args.literal_count; ++i) p.map.literals[i] = args.literals[i];
    if (!plan_steps<Word, ELEMENTARY>(args, p)) return cudaErrorInvalidValue;
    return launch_stencil<stencil_tiles<Word, ELEMENTARY>>(p, SHAPE, warps, device, tuning.cache, stream);
}

bool is_served(const gpumexk_stencil_args &args, const gpumexk_tuning &tuning) {
    const auto is_dtype = [&](int dtype) { return dtype >= 1 && dtype <= MAP_DTYPES && (args.wide != 0 || !is_map_wide(map_type_of(dtype - 1))); };
    for (size_t i = 0; i < args.input_count; ++i) {
        if (!is_dtype(args.inputs[i].dtype)) return false;
    }
    return is_dtype(args.dtype) && is_stencil_served(args, tuning);
}

}  // namespace

int gpumexk_stencil(const gpumexk_stencil_args *args, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!is_served(*args, *tuning)) return cudaErrorInvalidValue;
    if (args->rows == 0 || args->cols == 0) return cudaSuccess;
    if (args->wide != 0) {
        return args->elementary != 0 ? launch_words<uint64_t, true>(*args, *tuning, stream) : launch_words<uint64_t, false>(*args, *tuning, stream);
    }
    return args->elementary != 0 ? launch_words<uint32_t, true>(*args, *tuning, stream) : launch_words<uint32_t, false>(*args, *tuning, stream);
}
