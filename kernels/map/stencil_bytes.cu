// stencil_bytes.cu — an expression of neighbours whose values are all integers from 0 to 255, four elements to a word.
//
//   result[y, x] = f (input[k][y + dy, x + dx], …)      inputs BOOL and U8, the result of any dtype
//
// Algorithm  As stencil.cu, on tiles of 256 columns and 8 rows a warp, with words of four neighbouring elements: the decoding of a step is
//            shared by 64 elements of a thread. A neighbour to the left or right is in two words of the tile, which are shifted into one.
// Cost       Reads each input about 1.15 times, mostly from L2 what is read twice, and writes the result once. Of 64 elements a step
//            takes about 35 instructions to decode, 16 loads and, of a shifted word, 16 loads and shifts more, and 16 of a sum, 80 of a test.
// Limits     As stencil.cu; all inputs that are read have to fit into shared memory, else nothing is enqueued.
// Edges      As stencil.cu: a byte that is not 0 is 1 in a BOOL.
// Source     L. Lamport, "Multiple byte processing with full-word instructions", Communications of the ACM 18, 1975.

#include "kernels.h"
#include "map/stencil_bytes.cuh"

namespace {

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(MAP_THREADS_MAX, 4) stencil_byte_tiles(const __grid_constant__ StencilParameters p) {
    extern __shared__ uint4 stencil_memory[];                      // slots (slots, MAP_GROUPS, threads), tiles (staged, tile_rows, PITCH)
    const MapSlots<uint32_t> slots = {stencil_memory + threadIdx.x, blockDim.x};
    uint32_t *const tiles = reinterpret_cast<uint32_t *>(stencil_memory + p.slots * MAP_GROUPS * blockDim.x);
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    for_each_stencil_tile(p, [&](size_t x, size_t y) {
        const long long row = static_cast<long long>(y * (blockDim.x / WARP) * BYTE_ROWS), col = static_cast<long long>(x * BYTE_WIDTH);
        __syncthreads();                                           // nobody reads the tiles before any more
        for (unsigned t = 0; t < p.staged_count; ++t) load_bytes(p, p.staged[t], row, col, tiles + t * p.tile_words);
        __syncthreads();
        const BytePlace at = {row + warp * BYTE_ROWS, col + 4 * lane, tiles + warp * BYTE_ROWS * BYTE_PITCH + lane};
        uint32_t acc[BYTE_WORDS];
        for (unsigned s = 0; s < p.map.step_count; ++s) {
            const MapStep step = p.map.steps[s];
            if (step.is_mov()) {
                fetch(p, step, at, slots, acc);
                continue;
            }
            uint32_t operand[BYTE_WORDS];
            fetch(p, step, at, slots, operand);
            by_number<BYTE_CASES_COUNT>(step.code(), [&](auto number) { run_bytes<decltype(number)::value>(step, slots, acc, operand); });
        }
        if (map_dtype_bytes(p.map.result.dtype) == 1) store_bytes(p, at, acc);
        else store_widened(p, at, slots, acc);
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// Encodes the steps; false: there is one that the interpreter does not serve.
bool plan_steps(const gpumexk_stencil_args &args, StencilParameters &p) {
    for (size_t s = 0; s < args.step_count; ++s) {
        const gpumexk_map_step &step = args.steps[s];
        const gpumexk_stencil_tap *tap = tap_of(args, s);
        unsigned index = step.index, fetch = step.operand == OPERAND_LITERAL ? FETCH_LITERAL : step.operand == OPERAND_SLOT ? FETCH_SLOT : FETCH_NONE;
        if (tap != nullptr) {
            const int column = static_cast<int>(BYTE_PACKET) + tap->cols, row = static_cast<int>(p.halo_rows) + tap->rows;
            fetch = FETCH_BYTES + static_cast<unsigned>(column % 4);
            index = static_cast<unsigned>(tile_of(p, tap->input)) * p.tile_words + static_cast<unsigned>(row) * BYTE_PITCH + static_cast<unsigned>(column / 4);
        }
        const int code = step.op == OP_MOV ? 0 : byte_case_of(step.op, step.reverse != 0);
        if (code < 0 || index > 0xFFFF) return false;
        p.map.steps[s] = MapStep::of(step.op == OP_MOV ? MAP_CODE_MOV : static_cast<unsigned>(code), fetch, index, step.other);
    }
    return true;
}

bool is_served(const gpumexk_stencil_args &args, const gpumexk_tuning &tuning) {
    for (size_t i = 0; i < args.input_count; ++i) {
        if (args.inputs[i].dtype < 1 || args.inputs[i].dtype > MAP_DTYPES) return false;
    }
    for (size_t t = 0; t < args.tap_count && is_stencil_served(args, tuning); ++t) {
        const int dtype = args.inputs[args.taps[t].input].dtype - 1;
        bool is_read = false;
        for (size_t s = 0; s < args.step_count; ++s) is_read = is_read || tap_of(args, s) == &args.taps[t];
        if (is_read && dtype != MAP_BOOL && dtype != MAP_U8) return false;
    }
    return args.dtype >= 1 && args.dtype <= MAP_DTYPES && is_stencil_served(args, tuning);
}

}  // namespace

int gpumexk_stencil_bytes(const gpumexk_stencil_args *args, const gpumexk_tuning *tuning, int *enqueued, gpumexk_stream stream) {
    constexpr StencilShape SHAPE = {BYTE_ROWS, BYTE_WIDTH, BYTE_PITCH, sizeof(uint32_t)};
    *enqueued = 1;
    if (!is_served(*args, *tuning)) return cudaErrorInvalidValue;
    if (args->rows == 0 || args->cols == 0) return cudaSuccess;
    StencilParameters p = {};
    StencilDevice device = {};
    unsigned halo_cols = 0;
    const cudaError_t error = stencil_device(&device);
    if (error != cudaSuccess) return error;
    plan_plane(*args, p);
    p.slots = p.map.slots > 0 ? p.map.slots : 1;                   // one at least, through which results are widened
    plan_staged(*args, true, p, &halo_cols);
    const unsigned staged = p.staged_count, warps = plan_warps(p, SHAPE, static_cast<unsigned>(tuning->threads) / WARP, device);
    if (p.staged_count < staged) {
        *enqueued = 0;
        return cudaSuccess;
    }
    p.halo_packets = 1, p.across = MapDivider::of(BYTE_WIDTH / BYTE_PACKET + 2);
    for (size_t i = 0; i < args->literal_count; ++i) p.map.literals[i] = (args->literals[i] & 255) * BYTE_ONES;
    if (!plan_steps(*args, p)) return cudaErrorInvalidValue;
    return launch_stencil<stencil_byte_tiles>(p, SHAPE, warps, device, tuning->cache, stream);
}
