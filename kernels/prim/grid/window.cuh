// window.cuh — windows that move over an array of rows and columns: tiles of the array and of what lies around it, in shared memory.
//
// Algorithm  A block computes a tile of the result. The part of the array that its windows cover is brought to shared memory row by row, a
//            warp a row, its elements converted; beyond the edges the boundary says which element stands there. A single row is folded into a
//            tile, so that all threads of a block have work.
// Cost       Reads a tile and its halo once; rows of neighbouring tiles mostly come from L2.
// Limits     Tiles of at most WINDOW_COLS columns. Any size of the array: indices have 64 bits, the grid is cut at CUDA's limits.
// Edges      An array that is smaller than a window is repeated or mirrored as often as needed.
#pragma once

#include <stdint.h>

#include "prim/grid/grid.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned WINDOW_COLS = 96;  // of a tile with its halo, at most

enum WindowBoundary { WINDOW_CLAMP, WINDOW_DEAD, WINDOW_TORUS, WINDOW_MIRROR, WINDOW_REFLECT, WINDOW_CONSTANT, WINDOW_BOUNDARIES };

// Windows of an array, as kernels.h has them.
struct Windows {
    const void *data;
    size_t rows, cols, result_rows, result_cols, window_rows, window_cols;
    long long first_row, first_col;
    uint64_t outside;
    int dtype, boundary;
};

// A byte that is 0 or 1.
struct WindowBool {
    uint8_t byte;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// work (element) with an element of the type of a gpumex_dtype; false: there is none.
#pragma nv_exec_check_disable                                      // Work is of the host or of the device, as its caller is
template <typename Work>
__host__ __device__ __forceinline__ bool by_window_dtype(int dtype, Work work) {
    switch (dtype) {
        case 1: work(float()); return true;
        case 2: work(double()); return true;
        case 5: work(int8_t()); return true;
        case 6: work(int16_t()); return true;
        case 7: work(int32_t()); return true;
        case 8: work(int64_t()); return true;
        case 9: work(uint8_t()); return true;
        case 10: work(uint16_t()); return true;
        case 11: work(uint32_t()); return true;
        case 12: work(uint64_t()); return true;
        case 13: work(WindowBool()); return true;
        default: return false;
    }
}

// The index of the element that stands for index i of `len`; -1: what lies outside does.
__device__ __forceinline__ long long window_source(int boundary, long long i, long long len) {
    if (i >= 0 && i < len) return i;
    if (boundary == WINDOW_DEAD || boundary == WINDOW_CONSTANT) return -1;
    if (boundary == WINDOW_CLAMP) return i < 0 ? 0 : len - 1;
    const long long whole = boundary == WINDOW_TORUS ? len : boundary == WINDOW_MIRROR ? 2 * len : 2 * (len - 1);
    const long long period = whole < 1 ? 1 : whole, rest = i % period, place = rest < 0 ? rest + period : rest;
    if (boundary == WINDOW_TORUS) return place;
    const long long back = boundary == WINDOW_MIRROR ? period - 1 - place : period - place;
    return place < back ? place : back;
}

// A part of the array: rows and columns from (row, col) on. With `fold` other than 0 each row is of the same row of the array, and begins
// that many columns behind the one before it: a single row is computed as a tile of several.
struct WindowPart {
    long long row, col;
    unsigned rows, cols, fold;
};

// tile (part.rows, part.cols) ← convert (element); `outside` is what lies outside. All threads of the block call it.
template <typename S, typename T, typename Convert>
__device__ __forceinline__ void load_window(const Windows &windows, const WindowPart &part, T outside, T *tile, Convert convert) {
    const S *const data = static_cast<const S *>(windows.data);
    const long long rows = static_cast<long long>(windows.rows), cols = static_cast<long long>(windows.cols);
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    const bool is_inner = part.fold == 0 && part.row >= 0 && part.row + part.rows <= rows && part.col >= 0 && part.col + part.cols <= cols;
    if (is_inner) {
        const S *from = data + (part.row + warp) * cols + part.col + lane;
        T *to = tile + warp * part.cols + lane;
        for (unsigned r = warp; r < part.rows; r += warps, from += warps * cols, to += warps * part.cols) {
            T values[WINDOW_COLS / WARP];
#pragma unroll
            for (unsigned k = 0; k < WINDOW_COLS / WARP; ++k) {    // loads first, so that they are under way together
                if (lane + k * WARP < part.cols) values[k] = convert(from[k * WARP]);
            }
#pragma unroll
            for (unsigned k = 0; k < WINDOW_COLS / WARP; ++k) {
                if (lane + k * WARP < part.cols) to[k * WARP] = values[k];
            }
        }
        return;
    }
    for (unsigned r = warp; r < part.rows; r += warps) {
        const long long row = window_source(windows.boundary, part.fold != 0 ? part.row : part.row + r, rows);
        const long long first = part.col + static_cast<long long>(r) * part.fold;
        const bool is_inside = first >= 0 && first + part.cols <= cols;
        T values[WINDOW_COLS / WARP];
#pragma unroll
        for (unsigned k = 0; k < WINDOW_COLS / WARP; ++k) {
            const unsigned c = lane + k * WARP;
            values[k] = outside;
            if (row < 0 || c >= part.cols) continue;
            const long long col = is_inside ? first + c : window_source(windows.boundary, first + c, cols);
            if (col >= 0) values[k] = convert(data[row * cols + col]);
        }
#pragma unroll
        for (unsigned k = 0; k < WINDOW_COLS / WARP; ++k) {
            const unsigned c = lane + k * WARP;
            if (c < part.cols) tile[r * part.cols + c] = values[k];
        }
    }
}

// How a result is covered by tiles of rows and columns; `fold` as of WindowPart.
struct WindowTiles {
    size_t x, y;                                                   // tiles
    unsigned rows, cols, fold;                                     // of a tile

    __host__ __device__ __forceinline__ size_t row(size_t tile_y) const { return tile_y * rows; }
    __host__ __device__ __forceinline__ size_t col(size_t tile_x) const { return tile_x * cols * (fold != 0 ? rows : 1); }

    // store (index, r) for each of R results of a thread that are there, from row y and column x of a tile on.
    template <unsigned R, typename Store>
    __device__ __forceinline__ void for_each_result(const Windows &windows, size_t row, size_t col, unsigned y, unsigned x, Store store) const {
        if (fold == 0 && row + y + R <= windows.result_rows && col + x < windows.result_cols) {
            size_t index = (row + y) * windows.result_cols + col + x;
#pragma unroll
            for (unsigned r = 0; r < R; ++r, index += windows.result_cols) store(index, r);
            return;
        }
#pragma unroll
        for (unsigned r = 0; r < R; ++r) {
            const size_t at_row = fold != 0 ? row : row + y + r, at_col = fold != 0 ? col + size_t(y + r) * fold + x : col + x;
            if (at_row < windows.result_rows && at_col < windows.result_cols) store(at_row * windows.result_cols + at_col, r);
        }
    }
};

// work (x, y) for each tile of this block; all threads of the block make the same calls.
template <typename Work>
__device__ __forceinline__ void for_each_window_tile(size_t tiles_x, size_t tiles_y, Work work) {
    for (size_t y = blockIdx.y; y < tiles_y; y += gridDim.y) {
        for (size_t x = blockIdx.x; x < tiles_x; x += gridDim.x) work(x, y);
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Tiles of rows and columns; a single row with windows of one row is folded.
inline WindowTiles window_tiles(const Windows &windows, unsigned rows, unsigned cols) {
    const bool is_folded = windows.result_rows == 1 && windows.window_rows == 1;
    const size_t across = is_folded ? size_t(rows) * cols : cols, down = is_folded ? 1 : rows;
    return {ceil_div(windows.result_cols, across), ceil_div(windows.result_rows, down), rows, cols, is_folded ? cols : 0};
}

inline dim3 window_grid(size_t tiles_x, size_t tiles_y) {
    return dim3(static_cast<unsigned>(at_most(tiles_x, GRID_X_MAX)), static_cast<unsigned>(at_most(tiles_y, GRID_Y_MAX)));
}

template <typename Of>
Windows windows_of(const Of &of) {
    return {of.data, of.rows, of.cols, of.result_rows, of.result_cols, of.window_rows, of.window_cols, of.first_row, of.first_col,
            of.outside, of.dtype, of.boundary};
}

inline bool is_windows_served(const Windows &windows) {
    const bool is_empty = windows.rows == 0 || windows.cols == 0 || windows.window_rows == 0 || windows.window_cols == 0;
    return !is_empty && windows.boundary >= 0 && windows.boundary < WINDOW_BOUNDARIES && by_window_dtype(windows.dtype, [](auto) {});
}
