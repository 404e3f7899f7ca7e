// binned.cu — ray cast of spheres with binning and per-tile culling.
//
//   each pixel shows the sphere that its ray hits first (raytrace/formula.cuh)
//   spheres (count, 7) f32: r, g, b, radius, x, y, z      image: of any form (raytrace/picture.cuh)
//
// Algorithm  Lists of the spheres by cells of the picture (raytrace/binning.cuh): regions of 256 × 256 pixels where the spheres
//            are few, else a pyramid of cells. Then a block a tile of 32 × 32 pixels, a warp 16 × 8 of them, a thread 4 adjacent
//            ones, searches the tile's cells (raytrace/search.cuh), shades each pixel once, and stores 16 bytes.
// Cost       One H200: 2048² with 2048 spheres of radius 20 to 120, 0.040 ms; 4096² with 10^6 of radius 1 to 8, 0.55 ms. Bound by
//            the issue rate, most of it intersections of pixels with spheres.
// Limits     Scratch of 16 bytes a sphere and 4 an entry: 4 entries a sphere, or with few spheres at most 2^20; 16 to 24 a tile.
//            2^29 spheres, 2^31 pixels a side.
// Edges      As raytrace.cu. However the spheres lie, a pixel is intersected with none twice; a tile tests each once.
// Source     Those of the headers; exact tests of rectangles by monotonic rounding are this library's.

#include "kernels.h"
#include "raytrace/search.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int BLOCKS = 4;                                          // a multiprocessor: all of its threads
#else
constexpr int BLOCKS = 6;                                          // a multiprocessor: 40 registers a thread
#endif
constexpr unsigned TILE_FAST = 32;                                 // pixels; the slow side is threads / 8
constexpr unsigned WARP_FAST = 16, WARP_SLOW = 8;                  // pixels of a warp
constexpr int ENTRIES = 4;                                         // of a sphere in a pyramid at most
constexpr int REGION_SHIFT = 3;                                    // regions of 256 × 256 pixels
constexpr unsigned REGION_THREADS = 1024;
constexpr size_t FEW = 4096, FEW_ENTRIES = size_t(1) << 20;        // spheres, and spheres · regions, that need no pyramid
constexpr size_t COUNT_MAX = size_t(1) << 29, SIDE_MAX = size_t(1) << 31;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <bool IS_COLUMNS>
__global__ __launch_bounds__(THREADS_MAX, BLOCKS) void raytrace_tiles(const float *__restrict__ spheres,
                                                                      const Ball *__restrict__ balls, Lists lists,
                                                                      Picture picture, Pyramid pyramid, uint8_t *image) {
    __shared__ Candidates candidates;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, threads = blockDim.x;
    const unsigned fast = unsigned(picture.fast()), slow = unsigned(picture.slow()), tile_slow = threads / 8;
    const unsigned tile_u = blockIdx.x * TILE_FAST, warp_u = tile_u + warp % 2 * WARP_FAST, u = warp_u + lane % 4 * PIXELS;

    for (unsigned tile_v = blockIdx.y * tile_slow; tile_v < slow; tile_v += gridDim.y * tile_slow) {
        const unsigned warp_v = tile_v + warp / 2 * WARP_SLOW, v = warp_v + lane / 4;
        const bool is_inside = warp_u < fast && warp_v < slow;
        Four<IS_COLUMNS> rays;
        rays.slow = origin(min(v, slow - 1), slow);
#pragma unroll
        for (int k = 0; k < PIXELS; ++k) rays.fast[k] = origin(min(u + k, fast - 1), fast);
        Hits hits;
        clear(&hits);

        const unsigned cell_u = tile_u / CELL, cell_v = tile_v / CELL;
        if (warp == 0) open_cells(lists, pyramid, IS_COLUMNS ? cell_v : cell_u, IS_COLUMNS ? cell_u : cell_v, &candidates);
        __syncthreads();                                           // cells are open, there is no candidate yet

        const Rays tile = rays_over<IS_COLUMNS>(picture, tile_u, tile_v, TILE_FAST, tile_slow);
        const Rays own = rays_over<IS_COLUMNS>(picture, warp_u, warp_v, WARP_FAST, WARP_SLOW);
        // What every pixel of the tile gets at least.
        float floor = candidates.floor == 0 ? -infinity() : unordered(candidates.floor);
        for (unsigned first = 0; first < candidates.entries; first += threads * ROUNDS) {
#pragma unroll
            for (int round = 0; round < ROUNDS; ++round) {
                gather(lists, balls, first + round * threads + threadIdx.x, tile, floor, &candidates);
            }
            __syncthreads();                                       // the candidates of these rounds are there
            const bool is_last = candidates.entries - first <= threads * ROUNDS;
            const bool is_full = is_last || candidates.count > CANDIDATES_MAX - threads * ROUNDS;
            if (is_full && is_inside) take(candidates, own, rays, &hits);
            if (is_last) break;
            if (is_full) floor = fmaxf(floor, flush_candidates(is_inside ? floor_of(hits) : infinity(), &candidates));
            else __syncthreads();                                  // all have read the count
        }
        if (u < fast && v < slow) show(picture, image, u, v, spheres, hits);
        __syncthreads();                                           // before the next tile's cells
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

Picture form_of(const gpumexk_picture &picture) { return {picture.width, picture.height, picture.channels, picture.layout}; }

// What a call keeps in scratch, behind the balls: numbers of 32 bits.
struct Plan {
    Pyramid pyramid;
    bool is_served, is_few;
    size_t cells, entries, bytes;
};

Plan plan_of(size_t count, const Picture &picture) {
    Plan plan = {};
    plan.is_served = true;
    if (count == 0 || picture.width == 0 || picture.height == 0) return plan; // no levels, so no candidates
    plan.cells = build(picture, &plan.pyramid);
    plan.is_served = plan.cells > 0 && count <= COUNT_MAX && picture.width <= SIDE_MAX && picture.height <= SIDE_MAX;
    if (!plan.is_served) return plan;

    const size_t cols = ceil_div(picture.width, CELL << REGION_SHIFT), rows = ceil_div(picture.height, CELL << REGION_SHIFT);
    plan.is_few = count <= FEW && cols * rows <= FEW_ENTRIES / count;
    if (plan.is_few) {
        plan.cells = cols * rows;
        plan.pyramid.levels = 1, plan.pyramid.shift = REGION_SHIFT, plan.pyramid.cols[0] = static_cast<unsigned>(cols);
    }
    plan.entries = (plan.is_few ? plan.cells : ENTRIES) * count;
    plan.bytes = count * sizeof(Ball) + (plan.entries + 3 * plan.cells + 1) * sizeof(unsigned);
    return plan;
}

// A thread an element, on a grid that fills any device.
dim3 blocks_for(size_t count) { return dim3(static_cast<unsigned>(at_most(ceil_div(count, ENTER_THREADS), 1 << 16))); }

// balls ← the spheres, lists ← their entries.
cudaError_t enter(const Plan &plan, const float *spheres, size_t count, const Picture &picture, Ball *balls, const Lists &lists,
                  cudaStream_t stream) {
    const unsigned cells = static_cast<unsigned>(plan.cells);
    if (plan.is_few) {
        const dim3 block(count > ENTER_THREADS ? REGION_THREADS : ENTER_THREADS);
        raytrace_regions<<<cells, block, 0, stream>>>(spheres, static_cast<unsigned>(count), picture, plan.pyramid, balls, lists);
        return cudaGetLastError();
    }
    unsigned *const cursor = lists.floors + plan.cells;
    const cudaError_t error = cudaMemsetAsync(lists.ends, 0, (2 * plan.cells + 1) * sizeof(unsigned), stream);
    if (error != cudaSuccess) return error;
    raytrace_count<<<blocks_for(count), ENTER_THREADS, 0, stream>>>(spheres, count, picture, plan.pyramid, balls, lists);
    raytrace_reserve<<<blocks_for(cells), ENTER_THREADS, 0, stream>>>(cells, lists, cursor);
    raytrace_fill<<<blocks_for(count), ENTER_THREADS, 0, stream>>>(balls, count, picture, plan.pyramid, lists);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_raytrace_binned_scratch(size_t count, const gpumexk_picture *picture, size_t *bytes, int *is_served) {
    const Plan plan = plan_of(count, form_of(*picture));
    *bytes = plan.bytes, *is_served = plan.is_served;
    return cudaSuccess;
}

int gpumexk_raytrace_binned(const float *spheres, size_t count, const gpumexk_picture *picture, void *scratch, uint8_t *image,
                            const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const Picture form = form_of(*picture);
    const Plan plan = plan_of(count, form);
    if (!plan.is_served || tuning->values != PIXELS) return cudaErrorInvalidValue;
    if (tuning->threads != 128 && tuning->threads != 256) return cudaErrorInvalidValue;
    if (form.width == 0 || form.height == 0) return cudaSuccess;

    Ball *const balls = static_cast<Ball *>(scratch);
    unsigned *const begins = reinterpret_cast<unsigned *>(balls + count), *const ends = begins + plan.cells;
    unsigned *const floors = ends + plan.cells, *const entries = floors + plan.cells + 1;   // a cursor behind the floors
    const Lists lists = {begins, ends, plan.is_few ? nullptr : floors, entries};
    if (count > 0) {
        const cudaError_t error = enter(plan, spheres, count, form, balls, lists, stream);
        if (error != cudaSuccess) return error;
    }
    const size_t across = ceil_div(form.fast(), TILE_FAST), down = ceil_div(form.slow(), size_t(tuning->threads) / 8);
    const dim3 block(tuning->threads);
    const dim3 grid(static_cast<unsigned>(across), static_cast<unsigned>(at_most(down, GRID_Y_MAX)));
    const int cache = tuning->cache;
    if (form.layout == PLANAR_COLUMNS) {
        return launch<raytrace_tiles<true>>(grid, block, cache, stream, spheres, balls, lists, form, plan.pyramid, image);
    }
    return launch<raytrace_tiles<false>>(grid, block, cache, stream, spheres, balls, lists, form, plan.pyramid, image);
}
