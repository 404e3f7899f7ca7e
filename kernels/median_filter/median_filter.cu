// median_filter.cu — the median of a window around each element.
//
//   result[y, x] = median { data[y + first_row + i, x + first_col + j] }     of an even number of elements the mean of the middle two
//
// Algorithm  A block computes a tile of 64 columns, whose elements and what is around them lie in shared memory as integers in the order of
//            the numbers (key.cuh). 3 × 3, 5 × 5, 7 × 7: a thread has 8 rows of a column; each row of a window is sorted once for all
//            windows that it belongs to, and a network takes the median of the sorted rows (network.cuh). Other sizes: a thread has 4
//            rows of a column, and finds each bit of their medians, from the highest one on, by counting the elements below (radix selection).
// Cost       3 × 3, 5 × 5, 7 × 7: about 20, 130 and 600 minima and maxima a result. Others: bits · rows · columns comparisons a result,
//            and a quarter as many loads from shared memory and a bit more.
// Limits     Windows of at most 31 × 31; any size. 36 KiB of shared memory at most.
// Edges      prim/grid/window.cuh.
// Source     A. Adams, "Fast median filters using separable sorting networks", ACM TOG 2021 (windows share sorted rows); J. Ataman,
//            V. Aatre, K. Wong, "A fast method for real-time median filtering", IEEE TASSP 1980 (bit by bit).

#include "kernels.h"
#include "median_filter/key.cuh"
#include "median_filter/network.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/window.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned TILE_COLS = 64, WINDOW_MAX = 31, THREADS_MAX = 256;
static_assert(TILE_COLS + WINDOW_MAX - 1 <= WINDOW_COLS, "a row of a tile");

template <int N>
constexpr unsigned ROWS = N > 0 ? 8 : 4;                           // of a thread

struct Parameters {
    Windows windows;
    void *result;
    WindowTiles tiles;
    unsigned rows, cols;                                           // of a window
    int bits;                                                      // of a key
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The middle elements of windows: of even numbers the lower one, too.
template <unsigned R, typename Key>
struct Middle {
    Key low[R], high[R];
};

// Medians of N × N elements from column[0] on, each of R windows one row below the other.
template <int N, unsigned R, typename Key>
__device__ __forceinline__ void select_rows(const Key *column, unsigned pitch, Middle<R, Key> &found) {
    Key rows[N][N];
#pragma unroll
    for (unsigned y = 0; y < R + N - 1; ++y) {
        Key(&row)[N] = rows[y % N];
#pragma unroll
        for (int x = 0; x < N; ++x) row[x] = column[y * pitch + x];
        sort_row(row);
        if (y + 1 >= N) found.low[y + 1 - N] = found.high[y + 1 - N] = median_of_rows(rows);
    }
}

// work (key, r) for each element of R windows one row below the other, r a window that has it.
template <unsigned R, typename Key, typename Work>
__device__ __forceinline__ void for_each_element(const Key *column, unsigned pitch, unsigned rows, unsigned cols, Work work) {
    for (unsigned y = 0; y < rows + R - 1; ++y) {
        for (unsigned x = 0; x < cols; ++x) {
            const Key key = column[y * pitch + x];
#pragma unroll
            for (unsigned r = 0; r < R; ++r) {
                if (y - r < rows) work(key, r);                    // y < r wraps around
            }
        }
    }
}

// The elements of rank rows·cols/2, and of even numbers the one before it, bit by bit.
template <unsigned R, typename Key>
__device__ __forceinline__ void select_bits(const Parameters &p, const Key *column, unsigned pitch, Middle<R, Key> &found) {
    const unsigned rank = p.rows * p.cols / 2;
    Key prefix[R] = {}, next[R];
    unsigned below[R];
    for (int bit = p.bits - 1; bit >= 0; --bit) {
#pragma unroll
        for (unsigned r = 0; r < R; ++r) next[r] = prefix[r] | Key(1) << bit, below[r] = 0;
        for_each_element<R>(column, pitch, p.rows, p.cols, [&](Key key, unsigned r) { below[r] += key < next[r]; });
#pragma unroll
        for (unsigned r = 0; r < R; ++r) prefix[r] = below[r] <= rank ? next[r] : prefix[r];
    }
#pragma unroll
    for (unsigned r = 0; r < R; ++r) found.low[r] = found.high[r] = prefix[r], below[r] = 0, next[r] = 0;
    if (p.rows * p.cols % 2 != 0) return;
    for_each_element<R>(column, pitch, p.rows, p.cols, [&](Key key, unsigned r) {
        const bool is_below = key < prefix[r];
        below[r] += is_below;
        if (is_below && key > next[r]) next[r] = key;
    });
#pragma unroll
    for (unsigned r = 0; r < R; ++r) found.low[r] = below[r] == rank ? next[r] : prefix[r];
}

template <typename S, unsigned R, typename Key>
__device__ __forceinline__ void store(const Parameters &p, size_t row, size_t col, unsigned y, unsigned x, const Middle<R, Key> &found) {
    S *const to = static_cast<S *>(p.result);
    const bool is_even = p.rows * p.cols % 2 == 0;
    p.tiles.for_each_result<R>(p.windows, row, col, y, x, [&](size_t index, unsigned r) {
        const S high = element_of<S>(found.high[r]);
        to[index] = is_even ? mean_of(element_of<S>(found.low[r]), high) : high;
    });
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// N: windows of N × N; 0: of any size.
template <typename Key, int N>
__global__ void __launch_bounds__(THREADS_MAX) median_filter_tiles(const __grid_constant__ Parameters p) {
    extern __shared__ __align__(16) unsigned char median_memory[];
    Key *const tile = reinterpret_cast<Key *>(median_memory);      // (tile_rows + p.rows - 1, TILE_COLS + p.cols - 1)
    constexpr unsigned R = ROWS<N>;
    const Windows &windows = p.windows;
    const unsigned x = threadIdx.x % TILE_COLS, y = threadIdx.x / TILE_COLS * R;
    const unsigned pitch = TILE_COLS + p.cols - 1;
    for_each_window_tile(p.tiles.x, p.tiles.y, [&](size_t tile_x, size_t tile_y) {
        const size_t row = p.tiles.row(tile_y), col = p.tiles.col(tile_x);
        const WindowPart part = {static_cast<long long>(row) + windows.first_row, static_cast<long long>(col) + windows.first_col,
                                 p.tiles.rows + p.rows - 1, pitch, p.tiles.fold};
        __syncthreads();                                           // nobody reads the tile before any more
        by_window_dtype(windows.dtype, [&](auto element) {
            using S = decltype(element);
            if constexpr (sizeof(KeyOf<S>) == sizeof(Key)) {
                const Key outside = key_of(element_of_bits<S>(windows.outside));
                load_window<S>(windows, part, outside, tile, [](S from) { return key_of(from); });
            }
        });
        __syncthreads();
        Middle<R, Key> found;
        if constexpr (N > 0) select_rows<N>(tile + y * pitch + x, pitch, found);
        else select_bits(p, tile + y * pitch + x, pitch, found);
        by_window_dtype(windows.dtype, [&](auto element) {
            using S = decltype(element);
            if constexpr (sizeof(KeyOf<S>) == sizeof(Key)) store<S>(p, row, col, y, x, found);
        });
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Key, int N>
cudaError_t launch_tiles(Parameters p, const gpumexk_tuning &tuning, cudaStream_t stream) {
    const unsigned threads = static_cast<unsigned>(tuning.threads), tile_rows = threads / TILE_COLS * ROWS<N>;
    const size_t bytes = sizeof(Key) * size_t(tile_rows + p.rows - 1) * (TILE_COLS + p.cols - 1);
    p.tiles = window_tiles(p.windows, tile_rows, TILE_COLS);
    const cudaError_t error = set_smem_carveout<median_filter_tiles<Key, N>>(tuning.cache);
    if (error != cudaSuccess) return error;
    median_filter_tiles<Key, N><<<window_grid(p.tiles.x, p.tiles.y), threads, bytes, stream>>>(p);
    return cudaGetLastError();
}

template <typename Key>
cudaError_t launch_keys(const Parameters &p, const gpumexk_tuning &tuning, cudaStream_t stream) {
    if (p.rows == 3 && p.cols == 3) return launch_tiles<Key, 3>(p, tuning, stream);
    if (p.rows == 5 && p.cols == 5) return launch_tiles<Key, 5>(p, tuning, stream);
    if (p.rows == 7 && p.cols == 7) return launch_tiles<Key, 7>(p, tuning, stream);
    return launch_tiles<Key, 0>(p, tuning, stream);
}

}  // namespace

int gpumexk_median_filter(const gpumexk_windows *of, void *result, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const Windows windows = windows_of(*of);
    const bool is_block = tuning->values == 1 && (tuning->threads == 64 || tuning->threads == 128 || tuning->threads == 256);
    if (!is_block || !is_windows_served(windows)) return cudaErrorInvalidValue;
    if (windows.window_rows > WINDOW_MAX || windows.window_cols > WINDOW_MAX) return cudaErrorInvalidValue;
    if (windows.result_rows == 0 || windows.result_cols == 0) return cudaSuccess;
    Parameters p = {windows, result, {}, static_cast<unsigned>(windows.window_rows), static_cast<unsigned>(windows.window_cols), 0};
    bool is_wide = false;
    by_window_dtype(windows.dtype, [&](auto element) {
        using S = decltype(element);
        is_wide = sizeof(S) == 8;
        p.bits = std::is_same_v<S, WindowBool> ? 1 : 8 * static_cast<int>(sizeof(S));
    });
    return is_wide ? launch_keys<uint64_t>(p, *tuning, stream) : launch_keys<uint32_t>(p, *tuning, stream);
}
