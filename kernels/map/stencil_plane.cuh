// stencil_plane.cuh — the parameters of the interpreters of neighbours, and where a neighbour beyond the edge is.
//
// Algorithm  A block computes a tile of the result: a warp as many rows as a thread has, a thread every 32nd column (or word of four) of
//            them. Inputs of which neighbours are read are tiles in shared memory with a halo, as words, so that an operand is a load at
//            an offset that is known when the program is encoded: it takes the place of a step's index.
// Limits     Offsets up to 7 and tiles of at most 2^16 words; the grid covers 2^31 tiles in x, in y a loop goes on.
// Edges      What lies more than 7 beyond the edge is read by no element of the result; it is filled with a constant.
#pragma once

#include "kernels.h"
#include "map/fetch.cuh"
#include "prim/grid/grid.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int STENCIL_RADIUS = 7;

enum StencilBoundary { BOUNDARY_CLAMP, BOUNDARY_DEAD, BOUNDARY_TORUS, BOUNDARY_MIRROR, BOUNDARY_REFLECT, BOUNDARY_CONSTANT, BOUNDARIES };

// Behind FETCH_LITERAL_SPREAD: from a tile, from global memory; of bytes a tile's words are shifted by 0 to 3 bytes.
enum StencilFetch { FETCH_TILE = FETCH_LITERAL_SPREAD + 1, FETCH_GLOBAL, STENCIL_FETCHES, FETCH_BYTES = FETCH_TILE };

struct StencilTap {
    uint8_t input;
    int8_t rows, cols;
};

struct StencilParameters {
    MapParameters map;                                             // steps, literals, slots; data and dtypes of the arrays
    uint64_t outside[MAP_INPUTS];
    StencilTap taps[MAP_STEPS];                                    // [s] of step s, where that is fetched from global memory
    uint8_t staged[MAP_INPUTS];                                    // inputs that are tiles, in their order in shared memory
    size_t rows, cols, tiles_x, tiles_y;
    MapDivider across;                                             // packets of a tile's row
    unsigned staged_count, halo_rows, halo_packets, tile_rows, tile_words, slots;
    int boundary;
};
static_assert(sizeof(StencilParameters) <= 4096, "parameters of a kernel");

// ---- device helpers -------------------------------------------------------------------------------------------------

// The index of the element that stands for index i of `len`; -1: what lies outside does.
__host__ __device__ __forceinline__ long long stencil_source(int boundary, long long i, long long len) {
    if (i >= 0 && i < len) return i;
    if (boundary == BOUNDARY_DEAD || boundary == BOUNDARY_CONSTANT || i > len + STENCIL_RADIUS) return -1;
    if (boundary == BOUNDARY_CLAMP) return i < 0 ? 0 : len - 1;
    const long long whole = boundary == BOUNDARY_TORUS ? len : boundary == BOUNDARY_MIRROR ? 2 * len : 2 * (len - 1);
    const long long period = whole < 1 ? 1 : whole, rest = i % period, place = rest < 0 ? rest + period : rest;
    if (boundary == BOUNDARY_TORUS) return place;
    const long long back = boundary == BOUNDARY_MIRROR ? period - 1 - place : period - place;
    return place < back ? place : back;
}

// work (x, y) for each tile of this block; all threads of the block make the same calls.
template <typename Work>
__device__ __forceinline__ void for_each_stencil_tile(const StencilParameters &p, Work work) {
    for (size_t y = blockIdx.y; y < p.tiles_y; y += gridDim.y) {
        for (size_t x = blockIdx.x; x < p.tiles_x; x += gridDim.x) work(x, y);
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// What each of the interpreters has of its own: the words of a tile.
struct StencilShape {
    unsigned rows_of_warp, width, pitch;                           // rows and elements of a warp; words of a tile's row
    size_t word_bytes;
};

// Of the current device: memory that a block may have, and multiprocessors.
struct StencilDevice {
    size_t shared, sms;
};

inline cudaError_t stencil_device(StencilDevice *device) {
    return remembered(device, [](int number, StencilDevice *to) {
        int limit = 0;
        const cudaError_t error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, number);
        to->shared = static_cast<size_t>(limit);
        return error == cudaSuccess ? multiprocessors(&to->sms) : error;
    });
}

inline bool is_stencil_served(const gpumexk_stencil_args &args, const gpumexk_tuning &tuning) {
    if (args.step_count > MAP_STEPS || args.literal_count > MAP_LITERALS || args.input_count > MAP_INPUTS) return false;
    if (args.slots < 0 || args.slots > MAP_SLOTS || args.boundary < 0 || args.boundary >= BOUNDARIES) return false;
    for (size_t s = 0; s < args.step_count; ++s) {
        if (args.steps[s].operand == OPERAND_INPUT && args.steps[s].index >= args.tap_count) return false;
    }
    for (size_t t = 0; t < args.tap_count; ++t) {
        const gpumexk_stencil_tap &tap = args.taps[t];
        const bool is_near = tap.rows >= -STENCIL_RADIUS && tap.rows <= STENCIL_RADIUS && tap.cols >= -STENCIL_RADIUS && tap.cols <= STENCIL_RADIUS;
        if (!is_near || tap.input < 0 || static_cast<size_t>(tap.input) >= args.input_count) return false;
    }
    return is_block(tuning.threads) && tuning.threads <= MAP_THREADS_MAX && tuning.values == 1;
}

// Arrays, boundary and limits of a program.
inline void plan_plane(const gpumexk_stencil_args &args, StencilParameters &p) {
    for (size_t i = 0; i < args.input_count; ++i) {
        p.map.inputs[i].data = args.inputs[i].data;
        p.map.inputs[i].dtype = static_cast<uint8_t>(args.inputs[i].dtype - 1);
        p.outside[i] = args.inputs[i].outside;
    }
    p.map.result.data = args.result, p.map.result.dtype = static_cast<uint8_t>(args.dtype - 1);
    p.map.step_count = static_cast<unsigned>(args.step_count), p.map.slots = static_cast<unsigned>(args.slots);
    p.rows = args.rows, p.cols = args.cols, p.boundary = args.boundary;
}

// The tap of a step that reads an input, or null.
inline const gpumexk_stencil_tap *tap_of(const gpumexk_stencil_args &args, size_t s) {
    return args.steps[s].operand == OPERAND_INPUT ? &args.taps[args.steps[s].index] : nullptr;
}

// Stages the inputs with neighbours that several steps read, or all that are read, and finds how far neighbours are.
inline void plan_staged(const gpumexk_stencil_args &args, bool all, StencilParameters &p, unsigned *halo_cols) {
    for (size_t i = 0; i < args.input_count; ++i) {
        unsigned reads = 0;
        bool is_far = false;
        for (size_t s = 0; s < args.step_count; ++s) {
            const gpumexk_stencil_tap *tap = tap_of(args, s);
            if (tap == nullptr || static_cast<size_t>(tap->input) != i) continue;
            ++reads, is_far = is_far || tap->rows != 0 || tap->cols != 0;
        }
        if (all ? reads > 0 : is_far && reads > 1) p.staged[p.staged_count++] = static_cast<uint8_t>(i);
    }
    *halo_cols = 0;
    for (size_t s = 0; s < args.step_count; ++s) {
        const gpumexk_stencil_tap *tap = tap_of(args, s);
        if (tap == nullptr) continue;
        const unsigned rows = static_cast<unsigned>(tap->rows < 0 ? -tap->rows : tap->rows);
        const unsigned cols = static_cast<unsigned>(tap->cols < 0 ? -tap->cols : tap->cols);
        if (rows > p.halo_rows) p.halo_rows = rows;
        if (cols > *halo_cols) *halo_cols = cols;
    }
}

inline size_t stencil_bytes(const StencilParameters &p, const StencilShape &shape, unsigned warps) {
    const size_t slots = size_t(p.slots) * warps * WARP * MAP_GROUPS * sizeof(uint4);
    return slots + size_t(p.staged_count) * (warps * shape.rows_of_warp + 2 * p.halo_rows) * shape.pitch * shape.word_bytes;
}

// Whether fewer warps a block are better: the array has no rows for more, two blocks have no room on a multiprocessor, or there are not
// two blocks for each and less than half of the rows that smaller ones load would be those of a halo.
inline bool has_smaller_tiles(const StencilParameters &p, const StencilShape &shape, unsigned warps, const StencilDevice &device) {
    if (warps / 2 >= ceil_div(p.rows, size_t(shape.rows_of_warp)) || stencil_bytes(p, shape, warps) > device.shared / 2) return true;
    const size_t down = ceil_div(p.rows, size_t(warps) * shape.rows_of_warp), across = ceil_div(p.cols, size_t(shape.width));
    const bool is_few = down < 2 * device.sms && across < 2 * device.sms && down * across < 2 * device.sms;
    return is_few && warps / 2 * shape.rows_of_warp > 2 * p.halo_rows;
}

// Chooses the warps of a block; inputs for which there is no room beside one warp are not staged.
inline unsigned plan_warps(StencilParameters &p, const StencilShape &shape, unsigned most, const StencilDevice &device) {
    unsigned warps = most;
    while (warps > 1 && has_smaller_tiles(p, shape, warps, device)) warps /= 2;
    while (p.staged_count > 0 && stencil_bytes(p, shape, warps) > device.shared) --p.staged_count;
    p.tile_rows = warps * shape.rows_of_warp + 2 * p.halo_rows;
    p.tile_words = p.tile_rows * shape.pitch;
    p.tiles_x = ceil_div(p.cols, size_t(shape.width)), p.tiles_y = ceil_div(p.rows, size_t(warps) * shape.rows_of_warp);
    return warps;
}

// The number of the tile of an input, or -1.
inline int tile_of(const StencilParameters &p, int input) {
    for (unsigned t = 0; t < p.staged_count; ++t) {
        if (p.staged[t] == input) return static_cast<int>(t);
    }
    return -1;
}

template <auto KERNEL>
cudaError_t launch_stencil(const StencilParameters &p, const StencilShape &shape, unsigned warps, const StencilDevice &device, int cache,
                           cudaStream_t stream) {
    const size_t bytes = stencil_bytes(p, shape, warps);
    cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error == cudaSuccess && bytes > size_t(48) << 10) {        // another thread must not take back what this one needs
        error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(device.shared));
    }
    if (error != cudaSuccess) return error;
    const dim3 grid(static_cast<unsigned>(at_most(p.tiles_x, GRID_X_MAX)), static_cast<unsigned>(at_most(p.tiles_y, GRID_Y_MAX)));
    KERNEL<<<grid, warps * WARP, bytes, stream>>>(p);
    return cudaGetLastError();
}
