// pyramid.cuh — a pyramid of cells over a picture (a loose quadtree), and the cells to which a sphere is assigned.
//
// Algorithm  Level 0 has squares of CELL pixels, each level squares twice as wide, up to one square for the whole picture. A
//            sphere is assigned to the lowest level where it overlaps at most 2 × 2 cells, so to 4 cells at most; a tile within
//            a cell of level 0 finds all its candidates in its one cell of each level.
// Cost       A third more cells than level 0 has. A tile tests the spheres of an area of a few times its size, and theirs.
// Limits     LEVELS levels: pictures of 2^36 pixels a side.
// Edges      The range of a sphere's pixels is computed in double from x ± radius with margins for each rounding of the formula
//            in float: 2^-20 of the radius for d and radius², 2^-22 of the picture's width for pixel numbers above 2^24, 2^-10
//            for squares that underflow. Too many cells are harmless: candidates are tested. A sphere that no pixel can see
//            (radius not above 0, a NaN, an infinite centre, off the picture) has no cells.
// Source     T. Ulrich, "Loose Octrees", Game Programming Gems, 2000: a level by size makes the number of cells constant.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "raytrace/bound.cuh"
#include "raytrace/picture.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned CELL = 32;                                      // pixels
constexpr int LEVELS = 32;

struct Pyramid {
    int levels;
    int shift;                                                     // squares of the first level here have CELL << shift pixels
    unsigned first[LEVELS];                                        // number of the first cell of a level
    unsigned cols[LEVELS];                                         // cells in a row of it
};

// Up to 2 × 2 cells of a level: columns from..to, rows top..bottom.
struct Cells {
    int level;                                                     // -1: none
    unsigned from, to, top, bottom;
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// *pyramid ← the levels over a picture; the number of their cells, 0 where 32 bits do not hold it.
inline size_t build(const Picture &picture, Pyramid *pyramid) {
    pyramid->shift = 0;
    size_t cells = 0, cols = (picture.width - 1) / CELL + 1, rows = (picture.height - 1) / CELL + 1;
    for (int level = 0; level < LEVELS; ++level) {
        if (cols > ~0u / rows || cells + cols * rows > ~0u) return 0;
        pyramid->first[level] = static_cast<unsigned>(cells);
        pyramid->cols[level] = static_cast<unsigned>(cols);
        pyramid->levels = level + 1;
        cells += cols * rows;
        if (cols * rows == 1) return cells;
        cols = cols / 2 + cols % 2, rows = rows / 2 + rows % 2;
    }
    return 0;
}

// ---- device helpers -------------------------------------------------------------------------------------------------

// Cells of level 0, from..to, in which `centre` ± radius lies on an axis of n pixels; false: in none.
__device__ __forceinline__ bool range_of(float centre, float radius, size_t n, unsigned *from, unsigned *to) {
    const double length = static_cast<double>(n), middle = static_cast<double>(centre) + 0.5 * length;
    const double reach = radius * (1.0 + 0x1p-20) + length * 0x1p-22 + 0x1p-10;
    const double low = middle - reach, high = middle + reach;
    if (!(low <= length - 1.0 && high >= 0.0)) return false;
    *from = static_cast<unsigned>(fmax(low, 0.0) * (1.0 / CELL));
    *to = static_cast<unsigned>(fmin(high, length - 1.0) * (1.0 / CELL));
    return true;
}

__device__ __forceinline__ Cells cells_of(const Ball &ball, const Picture &picture) {
    Cells cells = {-1, 0, 0, 0, 0};
    const bool is_seen = ball.radius > 0.0f && isfinite(ball.x) && isfinite(ball.y) && !isnan(ball.z);
    if (!is_seen || !range_of(ball.x, ball.radius, picture.width, &cells.from, &cells.to) ||
        !range_of(ball.y, ball.radius, picture.height, &cells.top, &cells.bottom)) {
        return cells;
    }
    cells.level = 0;
    while (cells.to - cells.from > 1 || cells.bottom - cells.top > 1) {
        ++cells.level;
        cells.from /= 2, cells.to /= 2, cells.top /= 2, cells.bottom /= 2;
    }
    return cells;
}

// The cell of level 0 that a coordinate falls into, or the nearest.
__device__ __forceinline__ unsigned cell_at(float centre, size_t n) {
    const float last = __uint2float_rz(static_cast<unsigned>(n - 1));
    return static_cast<unsigned>(fminf(fmaxf(centre + 0.5f * n, 0.0f), last)) / CELL;
}

// work(cell, column, row) for the number of each of them, and its place in its level.
template <typename Work>
__device__ __forceinline__ void for_each_cell(const Pyramid &pyramid, const Cells &cells, Work work) {
    if (cells.level < 0) return;
    const unsigned first = pyramid.first[cells.level], cols = pyramid.cols[cells.level];
    for (unsigned row = cells.top; row <= cells.bottom; ++row) {
        for (unsigned col = cells.from; col <= cells.to; ++col) work(first + row * cols + col, col, row);
    }
}
