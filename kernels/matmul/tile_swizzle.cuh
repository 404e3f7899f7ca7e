// tile_swizzle.cuh — threadblock swizzle: the order in which blocks take the tiles of C.
//
// Algorithm  Tiles are numbered column by column within a band of `height` rows of tiles, band after band. Blocks that run at
//            the same time then have tiles of a nearly square part of C, and share what they read of A and B in the L2 cache.
// Cost       Two divisions a block. With bands 16 tiles high a product of 8192² reads A and B half as often from memory as row
//            by row.
// Limits     Less than 2^32 tiles.
// Edges      The last band may be lower.
// Source     "Threadblock swizzle" of NVIDIA's CUTLASS documentation, "Efficient GEMM in CUDA".
#pragma once

#include <cuda_runtime.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

struct TileCoord {
    unsigned row, col;                                             // in tiles
};

// Where tile number `index` of rows × cols tiles lies.
__device__ inline TileCoord swizzled_tile(unsigned index, unsigned rows, unsigned cols, unsigned height) {
    const unsigned band = index / (height * cols), within = index - band * height * cols;
    const unsigned tall = min(height, rows - band * height);
    return {band * height + within % tall, within / tall};
}
