// convolve.cu — convolution of a matrix with a filter.
//
//   result[y, x] = Σ w[i, j] · data[y + first_row + i, x + first_col + j]      w[i, j] ≠ 0;  w the filter, or the filter turned
//
// Algorithm  A block computes a tile of 64 columns. A thread has 16 rows of a column (8 of types of 8 bytes; with at most 64 weights half
//            as many, for more threads): it loads 23 elements of a column from shared memory for 8 weights, 128 multiply-adds (register
//            blocking). Weights lie in shared memory column by column, filled up with zeros, which are left out. Filters of more than 16 × 32
//            weights are taken part by part, each with its own tile.
// Cost       Per result and 8 rows of a column of the filter 1.6 loads from shared memory and 8 multiply-adds; reads the array 1.1 times for
//            3 × 3 weights, mostly once from memory.
// Limits     Any filter; any size. 40 KiB of shared memory at most.
// Edges      prim/grid/window.cuh. Results beyond the edge of the last tile are computed and dropped.
// Source     V. Podlozhnyuk, "Image Convolution with CUDA", NVIDIA 2007 (tiles with a halo); V. Volkov, "Better performance at lower
//            occupancy", GTC 2010 (several results a thread).

#include "convolve/number.cuh"
#include "kernels.h"
#include "prim/grid/launch.cuh"
#include "prim/grid/window.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned TILE_COLS = 64, PART_ROWS = 16, PART_COLS = 32;
static_assert(TILE_COLS + PART_COLS - 1 <= WINDOW_COLS, "a row of a tile");
constexpr unsigned THREADS_MAX = 256;

constexpr size_t SMALL = 64;                                       // weights that memory hides, given enough threads

template <typename A, bool IS_SMALL>
constexpr unsigned ROWS = (sizeof(A) == 8 ? 8 : 16) / (IS_SMALL ? 2 : 1);  // of a thread

struct Parameters {
    Windows windows;
    const void *filter;
    void *result;
    uint64_t outside;                                              // the bits of a number of the sums' type
    WindowTiles tiles;
    int turned, result_dtype;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

__host__ __device__ constexpr unsigned padded(unsigned rows) { return (rows + 3) / 4 * 4; }

// weights (PART_COLS, PART_ROWS) ← a part of the filter, each column filled up with zeros.
template <typename A>
__device__ __forceinline__ void load_weights(const Parameters &p, size_t row, size_t col, unsigned rows, unsigned cols, A *weights) {
    const A *const filter = static_cast<const A *>(p.filter);
    const size_t last = p.windows.window_rows * p.windows.window_cols - 1;
    for (unsigned k = threadIdx.x; k < cols * PART_ROWS; k += blockDim.x) {
        const unsigned i = k % PART_ROWS, j = k / PART_ROWS;
        A weight = A(0);
        if (i < rows) {
            const size_t at = (row + i) * p.windows.window_cols + col + j;
            weight = filter[p.turned ? last - at : at];
        }
        weights[k] = weight;
    }
}

// Loads of 16 bytes, to which `from` is aligned.
template <unsigned K, typename A>
__device__ __forceinline__ void load_vector(const A *from, A (&to)[K]) {
    static_assert(sizeof to % sizeof(uint4) == 0, "whole vectors");
    uint4 vectors[sizeof to / sizeof(uint4)];
#pragma unroll
    for (unsigned k = 0; k < sizeof to / sizeof(uint4); ++k) vectors[k] = reinterpret_cast<const uint4 *>(from)[k];
    memcpy(to, vectors, sizeof to);
}

// sums[r] ← sums[r] + Σ w[k]·column[r + k], K weights.
template <unsigned K, unsigned R, typename A>
__device__ __forceinline__ void add_column(const A *column, unsigned pitch, const A *weights, A (&sums)[R]) {
    A elements[R + K - 1], w[K];
    load_vector(weights, w);
#pragma unroll
    for (unsigned r = 0; r < R + K - 1; ++r) elements[r] = column[r * pitch];
#pragma unroll
    for (unsigned k = 0; k < K; ++k) {
        if (w[k] != A(0)) {                                        // the same for all threads
#pragma unroll
            for (unsigned r = 0; r < R; ++r) sums[r] = multiply_add(w[k], elements[r + k], sums[r]);
        }
    }
}

template <unsigned R, typename A>
__device__ __forceinline__ void store(const Parameters &p, size_t row, size_t col, unsigned y, unsigned x, const A (&sums)[R]) {
    by_window_dtype(p.result_dtype, [&](auto element) {
        using To = decltype(element);
        To *const to = static_cast<To *>(p.result);
        p.tiles.for_each_result<R>(p.windows, row, col, y, x, [&](size_t index, unsigned r) { to[index] = narrowed<To>(sums[r]); });
    });
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename A, bool IS_SMALL>
__global__ void __launch_bounds__(THREADS_MAX, IS_SMALL ? 4 : 2) convolve_tiles(const __grid_constant__ Parameters p) {
    extern __shared__ __align__(16) unsigned char convolve_memory[];
    A *const weights = reinterpret_cast<A *>(convolve_memory);     // (PART_COLS, PART_ROWS)
    A *const tile = weights + PART_COLS * PART_ROWS;               // (tile_rows + rows of a part - 1, TILE_COLS + its columns - 1)
    const Windows &windows = p.windows;
    constexpr unsigned R = ROWS<A, IS_SMALL>;
    const unsigned x = threadIdx.x % TILE_COLS, y = threadIdx.x / TILE_COLS * R;
    for_each_window_tile(p.tiles.x, p.tiles.y, [&](size_t tile_x, size_t tile_y) {
        const size_t row = p.tiles.row(tile_y), col = p.tiles.col(tile_x);
        A sums[R] = {};
        for (size_t i = 0; i < windows.window_rows; i += PART_ROWS) {
            const unsigned part_rows = static_cast<unsigned>(min(windows.window_rows - i, size_t(PART_ROWS)));
            for (size_t j = 0; j < windows.window_cols; j += PART_COLS) {
                const unsigned part_cols = static_cast<unsigned>(min(windows.window_cols - j, size_t(PART_COLS)));
                const unsigned pitch = TILE_COLS + part_cols - 1;
                const WindowPart part = {static_cast<long long>(row + i) + windows.first_row, static_cast<long long>(col + j) + windows.first_col,
                                         p.tiles.rows + part_rows - 1, pitch, p.tiles.fold};
                __syncthreads();                                   // nobody reads the part before any more
                load_weights(p, i, j, part_rows, part_cols, weights);
                by_window_dtype(windows.dtype, [&](auto element) {
                    using S = decltype(element);
                    load_window<S>(windows, part, from_bits<A>(p.outside), tile, [](S from) { return widened<A>(from); });
                });
                __syncthreads();
                for (unsigned k = 0; k < part_cols; ++k) {
                    const A *const column = tile + y * pitch + x + k, *const own = weights + k * PART_ROWS;
                    unsigned done = 0;
                    for (; done + 4 < part_rows; done += 8) add_column<8>(column + done * pitch, pitch, own + done, sums);
                    if (done < part_rows) add_column<4>(column + done * pitch, pitch, own + done, sums);
                }
            }
        }
        store(p, row, col, y, x, sums);
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename A, bool IS_SMALL>
cudaError_t launch_tiles(Parameters p, int threads, int cache, cudaStream_t stream) {
    const Windows &windows = p.windows;
    const unsigned tile_rows = static_cast<unsigned>(threads) / TILE_COLS * ROWS<A, IS_SMALL>;
    const unsigned part_rows = padded(static_cast<unsigned>(at_most(windows.window_rows, PART_ROWS)));
    const unsigned part_cols = static_cast<unsigned>(at_most(windows.window_cols, PART_COLS));
    const size_t bytes = sizeof(A) * (size_t(PART_COLS) * PART_ROWS + size_t(tile_rows + part_rows - 1) * (TILE_COLS + part_cols - 1));
    by_window_dtype(windows.dtype, [&](auto element) {
        using S = decltype(element);
        p.outside = bits_of(widened<A>(from_bits<S>(windows.outside)));
    });
    p.tiles = window_tiles(windows, tile_rows, TILE_COLS);
    const cudaError_t error = set_smem_carveout<convolve_tiles<A, IS_SMALL>>(cache);
    if (error != cudaSuccess) return error;
    convolve_tiles<A, IS_SMALL><<<window_grid(p.tiles.x, p.tiles.y), static_cast<unsigned>(threads), bytes, stream>>>(p);
    return cudaGetLastError();
}

template <typename A>
cudaError_t launch_convolve(const Parameters &p, int threads, int cache, cudaStream_t stream) {
    const bool is_small = p.windows.window_rows <= SMALL && p.windows.window_cols <= SMALL / p.windows.window_rows;
    return is_small ? launch_tiles<A, true>(p, threads, cache, stream) : launch_tiles<A, false>(p, threads, cache, stream);
}

}  // namespace

int gpumexk_convolve(const gpumexk_windows *of, const void *filter, int accumulator_dtype, int turned, void *result, int result_dtype,
                     const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const Windows windows = windows_of(*of);
    const bool is_block = tuning->values == 1 && (tuning->threads == 64 || tuning->threads == 128 || tuning->threads == 256);
    if (!is_block || !is_windows_served(windows) || !by_window_dtype(result_dtype, [](auto) {})) return cudaErrorInvalidValue;
    if (windows.result_rows == 0 || windows.result_cols == 0) return cudaSuccess;
    const Parameters p = {windows, filter, result, 0, {}, turned, result_dtype};
    const bool is_float = windows.dtype == 1 || windows.dtype == 2;
    switch (accumulator_dtype) {
        case 1: return launch_convolve<float>(p, tuning->threads, tuning->cache, stream);
        case 2: return launch_convolve<double>(p, tuning->threads, tuning->cache, stream);
        case 7: return is_float ? cudaErrorInvalidValue : launch_convolve<int32_t>(p, tuning->threads, tuning->cache, stream);
        case 8: return is_float ? cudaErrorInvalidValue : launch_convolve<int64_t>(p, tuning->threads, tuning->cache, stream);
        default: return cudaErrorInvalidValue;
    }
}
