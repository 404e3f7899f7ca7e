// shmem.cu — sixteen generations of Life a launch, on tiles of bits that live in shared memory.
//
//   next[r][c] = birth[n] where board[r][c] = 0, survival[n] where it is 1              board, next (rows, cols) bits
//   n = Σ board[r + dr][c + dc] over the eight (dr, dc) ≠ (0, 0), dr and dc in -1 … 1
//
// Algorithm  A block copies its core and a halo of sixteen cells to shared memory, steps there and writes the core. A row of a
//            tile is 32 words of 32 cells, one a lane of a warp. A warp goes down a strip of rows, the sums of three rows in
//            registers, and overwrites each row behind it. Other warps read only the first and the last row of a strip: these
//            are published in places of their own, one for even and one for odd generations, so that a generation ends with
//            one barrier.
//            Drift: a bit becomes the cell to the right of the one that it was. A row's three neighbours then lie in the word
//            and in the one behind it, which takes one shuffle instead of two, and both halos together take one word of 32.
//            Rows of the halo that no longer matter are not stepped.
// Cost       A word and generation: two funnel shifts, two LOP3 for the row's sums and six for B3/S23, on a pipe of 64 lanes;
//            one load, one store and one shuffle on one of 32. A launch reads and writes the board once.
//            One H200 (driver 580, CUDA 13.0), B3/S23: 27 Tcell/s at 16384², 32 at 65536². Useful are 94 and 96 % of the
//            columns there, and of the rows core of core + 17, 95 %. The ALU bounds it, busy for three quarters of the time at
//            65536²; the barriers cost 4 %, and the first copy and the last tiles of a launch a tenth at 16384².
// Limits     2^31 tiles. Tiles are as high as shared memory allows, lower where that shares the work out better.
// Edges      Clamped: a row or column outside is the one at the edge, in every generation. Dead: nothing outside is ever born.
//            Torus: a halo comes from the opposite edge, over and over where the board is smaller than the halo.
//            Padding is ignored in front, 0 in the result. No generations: front stays as it is, with its padding.
// Source     J. H. Conway's rule; overlapped tiles in time as in J. Holewinski, L.-N. Pouchet, P. Sadayappan, "High-performance
//            code generation for stencil computations on GPU architectures", ICS 2012.

#include "kernels.h"
#include "life/rule.cuh"
#include "life/tile.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int STEPS = GPUMEXK_LIFE_SHMEM_STEPS;
constexpr int UNROLL = 6;                                          // rows; a multiple of the three that take turns
constexpr int BATCH = 4;                                           // rows on their way from or to device memory
constexpr int EDGES = 4;                                           // rows that a warp publishes: first and last, twice
constexpr size_t OVERHEAD = 24;                                    // what a tile costs beside its rows, in rows
constexpr int THREADS_RESIDENT = 1024;                             // threads that share a multiprocessor,
constexpr int BLOCKS_RESIDENT = 2;                                 // and blocks, at least,
constexpr size_t SHARED_MIN = 48 * 1024;                           // unless they were left with less than this

// ---- device helpers -------------------------------------------------------------------------------------------------

// A row's cells, their left and right neighbours and the sums of the three.
struct Row {
    RowSum sum;
    uint32_t left, centre, right;
};

template <typename Rule>
__device__ __forceinline__ uint32_t next(const Rule &rule, const Row &above, const Row &same, const Row &below) {
    return rule.next(above.sum, same.sum, below.sum, same.left, same.centre, same.right);
}

// Makes the Row one column to the right of a lane's word. At the board's sides, west and east have the bit of the cell whose
// left or right neighbour is outside.
template <int BOUNDARY, bool SIDE>
struct Reader {
    uint32_t west, east;

    __device__ Reader(long long left, size_t cols) {
        if (SIDE) west = bit(-left), east = bit(static_cast<long long>(cols) - 1 - left);
    }

    __device__ static uint32_t bit(long long column) {
        const long long b = column - WORD * (threadIdx.x % WARP);
        return b >= 0 && b < WORD ? 1u << b : 0;
    }

    __device__ __forceinline__ Row operator()(uint32_t word) const {
        const uint32_t behind = __shfl_down_sync(ALL_LANES, word, 1);
        const uint32_t centre = __funnelshift_r(word, behind, 1);
        uint32_t left = word, right = __funnelshift_r(word, behind, 2);
        if (SIDE) left = BOUNDARY == CLAMP ? merge(west, centre, left) : left & ~west;
        if (SIDE) right = BOUNDARY == CLAMP ? merge(east, centre, right) : right & ~east;
        return {row_sum(left, centre, right), left, centre, right};
    }
};

// n rows of a strip from `row` on, one generation in place, between the rows at `before` and `after`. Pointers are the lane's.
template <int BOUNDARY, bool SIDE, typename Rule>
__device__ __forceinline__ void advance(const Rule &rule, const Reader<BOUNDARY, SIDE> &reader, uint32_t *row, int n,
                                        const uint32_t *before, const uint32_t *after) {
    const uint32_t words[] = {*before, row[0], *after};            // after may be the last row, as it still is
    Row a = reader(words[0]), b = reader(words[1]), c;
    const Row last = reader(words[2]);

    // a, b and c are the rows above, at and below the one that is written; they take turns.
    for (; n > UNROLL; n -= UNROLL, row += UNROLL * WARP) {
        uint32_t words[UNROLL];
#pragma unroll
        for (int i = 0; i < UNROLL; ++i) words[i] = row[(i + 1) * WARP];
#pragma unroll
        for (int i = 0; i < UNROLL; i += 3) {
            c = reader(words[i]);
            row[i * WARP] = next(rule, a, b, c);
            a = reader(words[i + 1]);
            row[(i + 1) * WARP] = next(rule, b, c, a);
            b = reader(words[i + 2]);
            row[(i + 2) * WARP] = next(rule, c, a, b);
        }
    }
#pragma unroll 1
    for (; n > 1; --n, row += WARP) {
        c = reader(row[WARP]);
        row[0] = next(rule, a, b, c);
        a = b, b = c;
    }
    row[0] = next(rule, a, b, last);
}

// A warp's part of the block's shared memory. Pointers are the lane's.
struct Strip {
    int warp, first;                                               // of the block, and the strip's first row in the tile
    uint32_t *rows;                                                // (strip, 32)
    uint32_t *edges;                                               // (2, warps, 2, 32)  what all warps publish, by parity
    uint32_t *nothing;                                             // (32)  a row of dead cells, the block's

    __device__ Strip(uint32_t *shared, const Tiling &tiling) {
        const int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
        warp = __shfl_sync(ALL_LANES, threadIdx.x / WARP, 0);      // so that the compiler sees that lanes agree
        first = warp * tiling.strip;
        rows = shared + first * WARP + lane;
        edges = shared + warps * tiling.strip * WARP + lane;
        nothing = edges + warps * EDGES * WARP;
    }

    __device__ uint32_t *edge(int parity, int of_warp, int which) const {
        return edges + ((parity * (blockDim.x / WARP) + of_warp) * 2 + which) * WARP;
    }

    __device__ __forceinline__ void publish(int parity, const Tiling &tiling) const {
        const uint32_t top = rows[0], bottom = rows[(tiling.strip - 1) * WARP];
        edge(parity, warp, 0)[0] = top;
        edge(parity, warp, 1)[0] = bottom;
    }
};

// The strip's rows, as far as they are rows of the board or of its halo on a torus.
template <bool WRAPS>
__device__ __forceinline__ void load(const uint32_t *board, const Tiling &tiling, const Tile &tile, const Strip &strip) {
    const int begin = max(tile.begin - strip.first, 0), end = min(tile.end - strip.first, tiling.strip);
    if (begin >= end) return;
    const Window window(tiling, tile.left + WORD * (threadIdx.x % WARP), WRAPS);
    size_t y = modulo(tile.top + strip.first + begin, tiling.rows);
    const uint32_t *row = board + y * tiling.pitch;
    for (int r = begin; r < end; r += BATCH) {
        uint32_t words[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH; ++i) {
            if (r + i < end) words[i] = WRAPS ? window.read_wrapped(row, tiling.cols) : window.read(row);
            row += tiling.pitch;
            if (++y == tiling.rows) y = 0, row = board;
        }
#pragma unroll
        for (int i = 0; i < BATCH; ++i) {
            if (r + i < end) strip.rows[(r + i) * WARP] = words[i];
        }
    }
}

// The strip's rows of the core. The drift has made a lane's word one of the board's.
__device__ __forceinline__ void store(const Strip &strip, const Tiling &tiling, const Tile &tile, uint32_t *board) {
    const int begin = max(tiling.steps - strip.first, 0);
    const int end = min(tiling.steps + tile.core - strip.first, tiling.strip);
    const int lane = threadIdx.x % WARP;
    const size_t word = size_t(tile.left + tiling.steps) / WORD + lane;
    if (begin >= end || lane == CORE_WORDS || word >= tiling.pitch) return;

    const size_t cells = word * WORD < tiling.cols ? tiling.cols - word * WORD : 0;
    const uint32_t inside = cells >= WORD ? ~0u : (1u << cells) - 1;
    uint32_t *row = board + size_t(tile.top + strip.first + begin) * tiling.pitch + word;
#pragma unroll BATCH
    for (int r = begin; r < end; ++r, row += tiling.pitch) *row = strip.rows[r * WARP] & inside;
}

// All generations of a strip.
template <int BOUNDARY, bool SIDE, typename Rule>
__device__ __forceinline__ void advance_all(const Rule &rule, const Tiling &tiling, const Tile &tile, const Strip &strip) {
    const bool ends = BOUNDARY != TORUS;
    const int top = ends && tile.top <= 0 ? tile.begin - strip.first : -1; // where the board begins,
    const int bottom = ends && tile.end < tile.height ? tile.end - strip.first : -1; // and where it ends
    for (int g = 1; g <= tiling.steps; ++g) {
        const int parity = (g - 1) % 2;
        const int begin = max(max(tile.begin, g) - strip.first, 0);
        const int end = min(min(tile.end, tile.height - g) - strip.first, tiling.strip);
        if (begin < end) {
            uint32_t *const row = strip.rows + begin * WARP, *const stop = strip.rows + end * WARP;
            const uint32_t *before = begin > 0 ? row - WARP : strip.edge(parity, strip.warp - 1, 1);
            const uint32_t *after = end < tiling.strip ? stop : strip.edge(parity, strip.warp + 1, 0);
            if (begin == top) before = BOUNDARY == CLAMP ? row : strip.nothing;
            if (end == bottom) after = BOUNDARY == CLAMP ? stop - WARP : strip.nothing;
            const Reader<BOUNDARY, SIDE> reader(tile.left + g, tiling.cols);
            advance(rule, reader, row, end - begin, before, after);
        }
        strip.publish(1 - parity, tiling);
        __syncthreads();                                           // published before anyone steps on
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <int BOUNDARY, typename Rule>
__global__ void __launch_bounds__(BLOCK_MAX)
    life_shmem_tiles(const uint32_t *board, Tiling tiling, Rule rule, uint32_t *next) {
    extern __shared__ uint32_t shared[];
    const Strip strip(shared, tiling);
    const Tile tile(tiling, BOUNDARY == TORUS);
    const bool side = tile.has_side(tiling);
    if (BOUNDARY == DEAD && strip.warp == 0) strip.nothing[0] = 0;

    // Copy the tile and its halo; rows outside the board are not read later on.
    pdl_wait();                                                    // the launch before is there
    pdl_trigger();
    if (BOUNDARY == TORUS && side) load<true>(board, tiling, tile, strip);
    else load<false>(board, tiling, tile, strip);
    strip.publish(0, tiling);
    __syncthreads();                                               // published before anyone steps

    // Step. Only a tile at the board's left or right side has to look where columns end.
    if (BOUNDARY != TORUS && side) advance_all<BOUNDARY, true>(rule, tiling, tile, strip);
    else advance_all<BOUNDARY, false>(rule, tiling, tile, strip);

    store(strip, tiling, tile, next);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

size_t shared_bytes(size_t warps, size_t strip) { return (warps * (strip + EDGES) + 1) * WARP * sizeof(uint32_t); }

// What a block can have of shared memory, and what it may have so that others run beside it.
struct SharedLimits {
    size_t most = 0, fair = 0;

    cudaError_t ask(int threads) {
        int device = 0, block = 0, multiprocessor = 0, reserved = 0;
        cudaError_t error = cudaGetDevice(&device);
        auto attribute = [&](cudaDeviceAttr which, int *value) {
            if (error == cudaSuccess) error = cudaDeviceGetAttribute(value, which, device);
        };
        attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &block);
        attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, &multiprocessor);
        attribute(cudaDevAttrReservedSharedMemoryPerBlock, &reserved);

        const int blocks = threads * BLOCKS_RESIDENT < THREADS_RESIDENT ? THREADS_RESIDENT / threads : BLOCKS_RESIDENT;
        const size_t share = multiprocessor / blocks - reserved;
        most = block;
        fair = at_most(share > SHARED_MIN ? share : SHARED_MIN, most);
        return error;
    }
};

// Chooses the height of the tiles so that the multiprocessor with the most of them has the fewest rows to step.
cudaError_t plan(const gpumexk_life_game &game, size_t warps, size_t bytes, Tiling *tiling) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;

    tiling->rows = game.rows, tiling->cols = game.cols;
    tiling->pitch = 2 * ceil_div(game.cols, 2 * WORD);
    const size_t tiles_x = ceil_div(tiling->pitch, CORE_WORDS);
    size_t least = SIZE_MAX;
    // A strip is a row and the unrolled loop a number of times.
    for (size_t strip = 1; shared_bytes(warps, strip) <= bytes; strip += UNROLL) {
        if (warps * strip <= 2 * STEPS) continue;
        const size_t tiles_y = ceil_div(game.rows, warps * strip - 2 * STEPS);
        const size_t core = ceil_div(game.rows, tiles_y);
        const size_t work = ceil_div(tiles_x * tiles_y, sms) * (core + STEPS + OVERHEAD);
        if (tiles_x * tiles_y > GRID_X_MAX || work >= least) continue;
        least = work;
        tiling->tiles_x = static_cast<unsigned>(tiles_x);
        tiling->core = static_cast<int>(core), tiling->strip = static_cast<int>(strip);
    }
    return least < SIZE_MAX ? cudaSuccess : cudaErrorInvalidValue;
}

template <int BOUNDARY, typename Rule>
cudaError_t run(uint32_t *front, uint32_t *back, const gpumexk_life_game &game, const Rule &rule, uint64_t generations,
                const gpumexk_tuning &tuning, gpumexk_stream stream) {
    constexpr auto kernel = life_shmem_tiles<BOUNDARY, Rule>;
    Tiling tiling = {};
    SharedLimits limits;
    bool pdl = false;
    cudaError_t error = limits.ask(tuning.threads);
    if (error == cudaSuccess) error = plan(game, tuning.threads / WARP, limits.fair, &tiling);
    if (error == cudaSuccess) error = set_smem_carveout<kernel>(tuning.cache);
    if (error == cudaSuccess) error = supports_pdl(kernel, &pdl);
    // The same for every call: another thread must not take back what this one needs.
    const auto dynamic = cudaFuncAttributeMaxDynamicSharedMemorySize;
    if (error == cudaSuccess) error = cudaFuncSetAttribute(kernel, dynamic, static_cast<int>(limits.most));
    if (error != cudaSuccess) return error;

    const dim3 grid(static_cast<unsigned>(tiling.tiles_x * ceil_div(game.rows, tiling.core)));
    const size_t bytes = shared_bytes(tuning.threads / WARP, tiling.strip);
    while (error == cudaSuccess && generations > 0) {
        tiling.steps = static_cast<int>(at_most(generations, STEPS));
        error = launch_pdl_shared(pdl, kernel, grid, tuning.threads, bytes, stream, front, tiling, rule, back);
        generations -= tiling.steps;
        uint32_t *const was_front = front;
        front = back, back = was_front;
    }
    return error;
}

template <typename Rule>
cudaError_t dispatch_boundary(uint64_t *front, uint64_t *back, const gpumexk_life_game &game, const Rule &rule,
                              uint64_t generations, const gpumexk_tuning &tuning, gpumexk_stream stream) {
    uint32_t *const from = reinterpret_cast<uint32_t *>(front), *const to = reinterpret_cast<uint32_t *>(back);
    return dispatch_value<CLAMP, DEAD, TORUS>(game.boundary, [&](auto boundary) {
        return run<decltype(boundary)::value>(from, to, game, rule, generations, tuning, stream);
    });
}

}  // namespace

int gpumexk_life_shmem(uint64_t *front, uint64_t *back, const gpumexk_life_game *game, uint64_t generations,
                       const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->values != 1) return cudaErrorInvalidValue;
    return dispatch_value<256, 512, 1024>(tuning->threads, [&](auto) -> cudaError_t {
        if (game->rows == 0 || game->cols == 0) return cudaSuccess;
        return is_conway(*game) ? dispatch_boundary(front, back, *game, Conway(), generations, *tuning, stream)
                                : dispatch_boundary(front, back, *game, any_rule(*game), generations, *tuning, stream);
    });
}
