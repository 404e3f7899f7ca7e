// tile.cuh — tiles with a halo over a board of bits, and the reading of their words.
//
//   A tile writes `core` rows of 31 words of 32 cells, and reads them with a halo of `steps` cells: its words begin `steps`
//   columns to the left of the board's, 32 of them a row, one a lane of a warp.
//
// Algorithm  A word that begins between two of the board's is a funnel shift of them. On a torus a row or column outside is
//            taken modulo the size of the board, once a strip of rows or a lane; a word across the last column is completed by
//            the first cells of the row, or repeats the row where that is shorter than a word.
// Cost       Two loads and a funnel shift a word; a third load and two operations across the last column of a torus.
// Limits     steps < 32.
// Edges      Words outside the board are 0, and so are those that hold padding alone; padding is as it is in the board.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int WORD = 32;                                           // cells of a word
constexpr int CORE_WORDS = WARP - 1;                               // words of a tile's row that are written

// ---- device helpers -------------------------------------------------------------------------------------------------

// The board's rows as words, and how tiles cover it.
struct Tiling {
    size_t rows, cols, pitch;                                      // pitch: words of a row, padding included
    unsigned tiles_x;
    int core, strip;                                               // rows that a tile writes, rows that a warp holds
    int steps;                                                     // generations, and width of the halo
};

// Where a block's tile lies. Its rows count from `top`, its columns from `left`, which are negative in the first halo.
struct Tile {
    long long top, left;
    int core, height;                                              // rows to write, rows with the halo
    int begin, end;                                                // rows of the tile, those outside the board left out

    __device__ Tile(const Tiling &tiling, bool wraps) {
        const size_t y = size_t(blockIdx.x / tiling.tiles_x) * tiling.core;
        top = static_cast<long long>(y) - tiling.steps;
        left = static_cast<long long>(blockIdx.x % tiling.tiles_x) * (CORE_WORDS * WORD) - tiling.steps;
        core = static_cast<int>(min(tiling.rows - y, size_t(tiling.core)));
        height = core + 2 * tiling.steps;
        begin = wraps ? 0 : static_cast<int>(max(-top, 0ll));
        end = wraps ? height : static_cast<int>(min(static_cast<long long>(tiling.rows) - top, 0ll + height));
    }

    // Whether there are cells in the tile whose left or right neighbour is outside.
    __device__ bool has_side(const Tiling &tiling) const {
        return left < 0 || left + WARP * WORD >= static_cast<long long>(tiling.cols);
    }
};

__device__ inline long long modulo(long long i, size_t n) {
    const long long rest = i % static_cast<long long>(n);
    return rest < 0 ? rest + static_cast<long long>(n) : rest;
}

// Reads the 32 cells from a column on, for any row.
struct Window {
    size_t low, high;                                              // the two words that hold them
    int shift;
    bool has_low, has_high;
    int straight;                                                  // cells up to the last column, when they wrap, else 32

    __device__ Window(const Tiling &tiling, long long column, bool wraps) {
        const long long words = static_cast<long long>(tiling.pitch), cols = static_cast<long long>(tiling.cols);
        if (wraps) column = modulo(column, tiling.cols);
        const long long word = column >> 5;
        low = word, high = word + 1;
        shift = static_cast<int>(column & 31);
        has_low = word >= 0 && word < words;
        has_high = word + 1 >= 0 && word + 1 < words;
        straight = wraps ? static_cast<int>(min(cols - column, 0ll + WORD)) : WORD;
    }

    __device__ uint32_t read(const uint32_t *row) const {
        return __funnelshift_r(has_low ? row[low] : 0, has_high ? row[high] : 0, shift);
    }

    // The same on a torus.
    __device__ uint32_t read_wrapped(const uint32_t *row, size_t cols) const {
        if (cols < WORD) {                                         // the row over and over, until 63 cells are there
            uint64_t cells = row[0] & ((1u << cols) - 1);
            for (int n = static_cast<int>(cols); n < 2 * WORD; n *= 2) cells |= cells << n;
            return static_cast<uint32_t>(cells >> shift);
        }
        const uint32_t cells = read(row);
        return straight == WORD ? cells : (cells & ((1u << straight) - 1)) | row[0] << straight;
    }
};
