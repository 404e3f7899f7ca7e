// bytes.cu — Conway's Life on boards of bytes, three textbook memory spaces.
//
//   next[r][c] = 1 if neighbours = 3, or neighbours = 2 and board[r][c] = 1, else 0        board, next (rows, cols) u8
//   neighbours = Σ board[clamp(r + dr)][clamp(c + dc)] over the eight (dr, dc) ≠ (0, 0), dr and dc in -1 … 1
//
// Algorithm  A first pass makes every cell 0 or 1; then a generation reads one buffer, writes the other, and they swap.
//            arrays   The formulation on whole arrays, X(:,p) + X(:,q) + X(p,:) + …: eight additions of the shifted
//                     board to an array of neighbour counts, one launch each, then the rule as a ninth.
//            shmem    A block copies its tile and a halo one cell wide to shared memory; every cell then reads nine.
//            texture  Nine fetches a cell through a texture object over the board's linear memory; no tile, no barrier.
// Cost       Bytes moved a cell and generation: arrays 26 (each addition reads the board and updates a count), the other
//            two 2 and the halo. A small board is bound by launches: nine a generation for arrays, else one.
// Limits     Any size. A linear texture ends after 2^27 or 2^28 cells: a larger board is covered by windows that
//            overlap by half, and a generation is cut in rectangles whose cells, halo included, lie within windows.
// Edges      Clamped: the neighbour outside is the edge cell nearest to it, so that an edge cell counts itself once, a
//            corner three times. No generations: the board, as 0 and 1. texture waits for the stream before it returns:
//            using a texture object after its destruction is undefined, and kernels still in the stream would.
// Source     M. Gardner, "The fantastic combinations of John Conway's new solitaire game 'life'", Sci. Am. 223, 1970;
//            C. Moler, "Experiments in MATLAB" (whole arrays); MathWorks, "Accessing Advanced CUDA Features Using MEX".

#include "kernels.h"
#include "life/linear_texture.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;                                  // a block of the first pass
constexpr unsigned BLOCK_X = 32;                                   // columns of the other blocks: a warp takes 32 neighbours
constexpr unsigned HALO_X = BLOCK_X + 2;                           // the same with the halo

constexpr size_t TEXTURE_ALIGNMENT = 512;                          // where a texture may start
constexpr size_t TEXTURE_CELLS_MAX = size_t(1) << 30;              // tex1Dfetch takes an int
constexpr size_t WINDOWS_MAX = 4096;                               // textures a buffer: boards up to 2^38 cells

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ inline uint8_t rule(unsigned alive, unsigned neighbours) {
    return neighbours == 3 || (neighbours == 2 && alive == 1);
}

template <typename Index>
__device__ inline Index before(Index i) { return i > 0 ? i - 1 : 0; }                            // clamp(i - 1)
template <typename Index>
__device__ inline Index after(Index i, Index n) { return i + 1 < n ? i + 1 : i; }                // clamp(i + 1)

template <typename Index>
__device__ inline Index shifted(Index i, int by, Index n) { return by < 0 ? before(i) : by > 0 ? after(i, n) : i; }

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void life_normalise(uint8_t *cells, size_t n) {
    for (size_t i = grid_x(); i < n; i += grid_width()) cells[i] = cells[i] != 0;
}

// neighbours += board shifted by (dr, dc); the first of a generation assigns instead.
template <typename Index>
__global__ void life_arrays_add(const uint8_t *board, Index rows, Index cols, int dr, int dc, bool first,
                                uint8_t *neighbours) {
    for (Index r = grid_y<Index>(); r < rows; r += grid_height<Index>()) {
        for (Index c = grid_x<Index>(); c < cols; c += grid_width<Index>()) {
            const size_t i = size_t(r) * cols + c;
            const uint8_t neighbour = board[size_t(shifted(r, dr, rows)) * cols + shifted(c, dc, cols)];
            neighbours[i] = first ? neighbour : neighbours[i] + neighbour;
        }
    }
}

__global__ void life_arrays_rule(const uint8_t *board, const uint8_t *neighbours, size_t n, uint8_t *next) {
    for (size_t i = grid_x(); i < n; i += grid_width()) next[i] = rule(board[i], neighbours[i]);
}

template <typename Index, unsigned TILE_Y>
__global__ void __launch_bounds__(BLOCK_X *TILE_Y)
    life_shmem_step(const uint8_t *board, Index rows, Index cols, uint8_t *next) {
    constexpr unsigned TILE_X = BLOCK_X, HALO_Y = TILE_Y + 2;      // cells and threads of a block; the rows with the halo
    __shared__ uint8_t tile[HALO_Y][HALO_X];                       // (HALO_Y, HALO_X)  starts at cell (top-1, left-1)
    const unsigned x = threadIdx.x, y = threadIdx.y;
    pdl_wait();                                                    // the generation before is there
    pdl_trigger();

    // The bounds of both loops are the same for the whole block, which meets at the barriers inside.
    for (Index top = Index(blockIdx.y) * TILE_Y; top < rows; top += Index(gridDim.y) * TILE_Y) {
        for (Index left = Index(blockIdx.x) * TILE_X; left < cols; left += Index(gridDim.x) * TILE_X) {
            // Copy the tile and its halo; what lies outside the board is the edge cell nearest to it.
            for (unsigned i = y * TILE_X + x; i < HALO_Y * HALO_X; i += TILE_Y * TILE_X) {
                const Index r = min(before(top + i / HALO_X), rows - 1);
                const Index c = min(before(left + i % HALO_X), cols - 1);
                tile[i / HALO_X][i % HALO_X] = board[size_t(r) * cols + c];
            }
            __syncthreads();                                       // tile ready before anyone counts

            // Count and apply the rule.
            if (top + y < rows && left + x < cols) {
                const unsigned neighbours = tile[y][x] + tile[y][x + 1] + tile[y][x + 2]              // row above
                                          + tile[y + 1][x] + tile[y + 1][x + 2]                       // same row
                                          + tile[y + 2][x] + tile[y + 2][x + 1] + tile[y + 2][x + 2]; // row below
                next[size_t(top + y) * cols + left + x] = rule(tile[y + 1][x + 1], neighbours);
            }
            __syncthreads();                                       // all have counted before anyone copies again
        }
    }
}

// A texture over part of the board, and the cell that is its element 0.
struct Window {
    cudaTextureObject_t texture;
    size_t origin;

    __device__ unsigned operator[](int i) const { return tex1Dfetch<uint8_t>(texture, i); }
};

// Rows top … bottom-1 and columns left … right-1 of the board, and the windows that hold the rows one above, the rows
// themselves and the rows one below.
struct Rectangle {
    size_t top, bottom, left, right;
    Window above, same, below;
};

template <typename Index>
__global__ void life_texture_step(Rectangle part, Index rows, Index cols, uint8_t *next) {
    const Index bottom = part.bottom, right = part.right;
    pdl_wait();                                                    // the generation before is there
    pdl_trigger();
    for (Index r = Index(part.top) + grid_y<Index>(); r < bottom; r += grid_height<Index>()) {
        for (Index c = Index(part.left) + grid_x<Index>(); c < right; c += grid_width<Index>()) {
            const int a = static_cast<int>(size_t(before(r)) * cols + c - part.above.origin);
            const int s = static_cast<int>(size_t(r) * cols + c - part.same.origin);
            const int b = static_cast<int>(size_t(after(r, rows)) * cols + c - part.below.origin);
            const int west = c > 0 ? 1 : 0, east = c + 1 < cols ? 1 : 0; // 0 at an edge: the edge cell again

            const unsigned neighbours = part.above[a - west] + part.above[a] + part.above[a + east]
                                      + part.same[s - west] + part.same[s + east]
                                      + part.below[b - west] + part.below[b] + part.below[b + east];
            next[size_t(r) * cols + c] = rule(part.same[s], neighbours);
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

dim3 block_of(int threads) { return dim3(BLOCK_X, threads / BLOCK_X); }

cudaError_t normalise(uint8_t *cells, size_t n, gpumexk_stream stream) {
    life_normalise<<<cover(n, 1, THREADS), THREADS, 0, stream>>>(cells, n);
    return cudaGetLastError();
}

void swap(uint8_t *&a, uint8_t *&b) {
    uint8_t *const was_a = a;
    a = b, b = was_a;
}

// How textures cover a board of n cells: window w holds the cells from w·step on, `cells` of them where the board is
// that long. cells ≥ 2·step when there are several, so that any range of `step` cells lies in the window w = first /
// step.
struct Windows {
    size_t step, cells, count;
};

cudaError_t plan_windows(size_t n, Windows *plan) {
    size_t limit = 0;
    const cudaError_t error = texture_limit<uint8_t>(&limit);
    if (error != cudaSuccess) return error;

    limit = at_most(limit, TEXTURE_CELLS_MAX);
    plan->step = n <= limit ? n : limit / 2 / TEXTURE_ALIGNMENT * TEXTURE_ALIGNMENT;
    if (plan->step == 0) return cudaErrorInvalidValue;
    plan->cells = n <= limit ? n : 2 * plan->step;
    plan->count = ceil_div(n, plan->step);
    return plan->count <= WINDOWS_MAX ? cudaSuccess : cudaErrorInvalidValue;
}

// The textures of both buffers, created once a call: 64 KiB of stack spare the launcher an allocation.
struct Textures {
    Windows plan;
    size_t created = 0;                                            // in the order front 0, back 0, front 1, back 1, …
    cudaTextureObject_t objects[2 * WINDOWS_MAX];

    cudaError_t create(uint8_t *front, uint8_t *back, size_t n) {
        cudaError_t error = plan_windows(n, &plan);
        while (error == cudaSuccess && created < 2 * plan.count) {
            const size_t first = created / 2 * plan.step;
            uint8_t *const board = created % 2 == 0 ? front : back;
            error = create_texture(board + first, at_most(n - first, plan.cells), &objects[created]);
            if (error == cudaSuccess) ++created;
        }
        return error;
    }

    // The window of the front (0) or back (1) buffer that holds cell `first` and the step - 1 cells behind it.
    Window at(size_t buffer, size_t first) const {
        const size_t w = first / plan.step;
        return {objects[2 * w + buffer], w * plan.step};
    }

    // Waits for the kernels in the stream, which read the textures, then destroys them; the first failure counts.
    cudaError_t destroy(gpumexk_stream stream, cudaError_t error) {
        const cudaError_t waited = created > 0 ? cudaStreamSynchronize(stream) : cudaSuccess;
        if (error == cudaSuccess) error = waited;
        return destroy_textures(objects, &created, error);
    }
};

// One generation from the front (0) or back (1) buffer to `next`, rectangle by rectangle. A rectangle is whole rows
// while a row fits in `step` cells, else a piece of one row with a cell to spare at either side: its rows, those above
// and those below are each a range of at most `step` cells.
template <typename Index>
cudaError_t texture_generation(const Textures &textures, size_t buffer, size_t rows, size_t cols, uint8_t *next,
                               int threads, bool pdl, gpumexk_stream stream) {
    const size_t step = textures.plan.step;
    const size_t height = cols <= step ? step / cols : 1;
    const size_t width = cols <= step ? cols : step - 2;
    const dim3 block = block_of(threads);

    for (size_t top = 0; top < rows; top += height) {
        const size_t bottom = top + at_most(rows - top, height);
        for (size_t left = 0; left < cols; left += width) {
            const size_t right = left + at_most(cols - left, width);
            const size_t c = left > 0 ? left - 1 : 0;              // the first column that is read
            const size_t above = top > 0 ? top - 1 : 0;            // the first row above
            const size_t below = top + 1 < rows ? top + 1 : top;   // the first row below
            const Rectangle part = {top, bottom, left, right,
                                    textures.at(buffer, above * cols + c),
                                    textures.at(buffer, top * cols + c),
                                    textures.at(buffer, below * cols + c)};
            const dim3 grid = cover(right - left, bottom - top, block);
            // The rectangles of one generation do not wait for each other's cells, but for all of the generation before.
            const bool alone = bottom - top == rows && right - left == cols;
            const cudaError_t error = launch_pdl(pdl && alone, life_texture_step<Index>, grid, block, stream, part,
                                                     Index(rows), Index(cols), next);
            if (error != cudaSuccess) return error;
        }
    }
    return cudaSuccess;
}

template <typename Index>
cudaError_t run_arrays(uint8_t *front, uint8_t *back, uint8_t *neighbours, Index rows, Index cols, uint64_t generations,
                       const gpumexk_tuning &tuning, gpumexk_stream stream) {
    static const int shifts[8][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}, {-1, -1}, {1, 1}, {-1, 1}, {1, -1}};
    const size_t n = size_t(rows) * cols;
    const dim3 block = block_of(tuning.threads), grid = cover(cols, rows, block);
    const dim3 line(tuning.threads), cells = cover(n, 1, line);
    cudaError_t error = normalise(front, n, stream);
    for (uint64_t g = 0; error == cudaSuccess && g < generations; ++g) {
        for (int s = 0; error == cudaSuccess && s < 8; ++s) {
            const int dr = shifts[s][0], dc = shifts[s][1];
            error = launch<life_arrays_add<Index>>(grid, block, tuning.cache, stream, front, rows, cols, dr, dc, s == 0,
                                                   neighbours);
        }
        if (error != cudaSuccess) break;
        error = launch<life_arrays_rule>(cells, line, tuning.cache, stream, front, neighbours, n, back);
        swap(front, back);
    }
    return error;
}

template <typename Index, unsigned TILE_Y>
cudaError_t run_shmem(uint8_t *front, uint8_t *back, Index rows, Index cols, uint64_t generations, int cache,
                      gpumexk_stream stream) {
    constexpr auto step = life_shmem_step<Index, TILE_Y>;
    const dim3 block(BLOCK_X, TILE_Y), grid = cover(cols, rows, block);
    bool pdl = false;
    cudaError_t error = set_smem_carveout<step>(cache);
    if (error == cudaSuccess) error = supports_pdl(step, &pdl);
    if (error == cudaSuccess) error = normalise(front, size_t(rows) * cols, stream);
    for (uint64_t g = 0; error == cudaSuccess && g < generations; ++g) {
        error = launch_pdl(pdl, step, grid, block, stream, front, rows, cols, back);
        swap(front, back);
    }
    return error;
}

template <typename Index>
cudaError_t run_texture(uint8_t *front, uint8_t *back, Index rows, Index cols, uint64_t generations,
                        const gpumexk_tuning &tuning, gpumexk_stream stream) {
    const size_t n = size_t(rows) * cols;
    bool pdl = false;
    cudaError_t error = set_smem_carveout<life_texture_step<Index>>(tuning.cache);
    if (error == cudaSuccess) error = supports_pdl(life_texture_step<Index>, &pdl);
    if (error == cudaSuccess) error = normalise(front, n, stream);
    if (error != cudaSuccess || generations == 0) return error;

    Textures textures;
    uint8_t *const buffers[2] = {front, back};
    error = textures.create(front, back, n);
    for (uint64_t g = 0; error == cudaSuccess && g < generations; ++g) {
        error = texture_generation<Index>(textures, g % 2, rows, cols, buffers[1 - g % 2], tuning.threads, pdl, stream);
    }
    return textures.destroy(stream, error);
}

}  // namespace

int gpumexk_life_arrays(uint8_t *front, uint8_t *back, uint8_t *neighbours, size_t rows, size_t cols, uint64_t generations,
                        const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (rows == 0 || cols == 0) return cudaSuccess;
    return fit_unsigned(rows) && fit_unsigned(cols)
               ? run_arrays<unsigned>(front, back, neighbours, rows, cols, generations, *tuning, stream)
               : run_arrays<size_t>(front, back, neighbours, rows, cols, generations, *tuning, stream);
}

int gpumexk_life_shmem_bytes(uint8_t *front, uint8_t *back, size_t rows, size_t cols, uint64_t generations,
                             const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->values != 1) return cudaErrorInvalidValue;
    return dispatch_value<256, 512, 1024>(tuning->threads, [&](auto threads) -> cudaError_t {
        constexpr unsigned TILE_Y = decltype(threads)::value / BLOCK_X;
        if (rows == 0 || cols == 0) return cudaSuccess;
        return fit_unsigned(rows) && fit_unsigned(cols)
                   ? run_shmem<unsigned, TILE_Y>(front, back, rows, cols, generations, tuning->cache, stream)
                   : run_shmem<size_t, TILE_Y>(front, back, rows, cols, generations, tuning->cache, stream);
    });
}

int gpumexk_life_texture_bytes(uint8_t *front, uint8_t *back, size_t rows, size_t cols, uint64_t generations,
                         const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    if (rows == 0 || cols == 0) return cudaSuccess;
    return fit_unsigned(rows) && fit_unsigned(cols)
               ? run_texture<unsigned>(front, back, rows, cols, generations, *tuning, stream)
               : run_texture<size_t>(front, back, rows, cols, generations, *tuning, stream);
}
