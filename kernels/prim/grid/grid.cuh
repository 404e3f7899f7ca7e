// grid.cuh — grid-stride loops: block counts on the host, the matching loops on the device.
//
// Algorithm  A launcher asks cover() for as many blocks as the array needs; where CUDA's grid limits cut that short, the
//            kernel's loop advances by a whole grid, so that no array is too large:
//              for (Index row = grid_y<Index>(); row < rows; row += grid_height<Index>())
//                  for (Index col = grid_x<Index>(); col < cols; col += grid_width<Index>())
//            x is the fast axis (columns): accesses of a warp coalesce.
//            A kernel with several elements a thread loops over tiles: for_each_tile().
// Cost       One compare a thread when the grid covers the array at once, which is nearly always. Index = unsigned makes
//            size_t(row) * cols + col one wide multiply-add, where 64-bit indices take several instructions.
// Limits     Index = unsigned for extents that fit_unsigned(), else size_t.
// Source     M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops", NVIDIA 2013.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t GRID_X_MAX = 2147483647;  // of every device since compute capability 3.0
constexpr size_t GRID_Y_MAX = 65535;
constexpr size_t GRID_Z_MAX = 65535;

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Index = size_t>
__device__ inline Index grid_x() { return Index(blockIdx.x) * blockDim.x + threadIdx.x; }
template <typename Index = size_t>
__device__ inline Index grid_y() { return Index(blockIdx.y) * blockDim.y + threadIdx.y; }
template <typename Index = size_t>
__device__ inline Index grid_width() { return Index(gridDim.x) * blockDim.x; }
template <typename Index = size_t>
__device__ inline Index grid_height() { return Index(gridDim.y) * blockDim.y; }

// work(begin, count) for each tile of blockDim.x · VT elements that falls to this block; the last one may be shorter. All
// threads of the block make the same calls.
template <int VT, typename Work>
__device__ __forceinline__ void for_each_tile(size_t count, Work work) {
    const unsigned tile = blockDim.x * VT;
    for (size_t begin = size_t(blockIdx.x) * tile; begin < count; begin += size_t(gridDim.x) * tile) {
        work(begin, static_cast<unsigned>(min(count - begin, size_t(tile))));
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr size_t ceil_div(size_t n, size_t divisor) { return n / divisor + (n % divisor != 0); }
constexpr size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }

// Whether a walk over this extent can be unsigned: the last step past the end must not wrap.
constexpr bool fit_unsigned(size_t extent) { return extent <= size_t(1) << 31; }

// Blocks of `block` threads over a width × height array, one thread an element, cut at the grid limits.
inline dim3 cover(size_t width, size_t height, dim3 block) {
    return dim3(static_cast<unsigned>(at_most(ceil_div(width, block.x), GRID_X_MAX)),
                static_cast<unsigned>(at_most(ceil_div(height, block.y), GRID_Y_MAX)));
}

// *count ← the number of streaming multiprocessors of the current device.
inline cudaError_t multiprocessors(size_t *count) {
    int device = 0;
    int value = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device);
    *count = static_cast<size_t>(value);
    return error;
}

// *each ← how many neighbouring tiles a block takes: at most `most`, such that `resident` blocks on each multiprocessor, in one wave
// or several, take them all.
inline cudaError_t tiles_per_block(size_t tiles, unsigned most, unsigned resident, unsigned *each) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    const size_t blocks = sms > 0 ? sms * resident : 1, waves = ceil_div(tiles, blocks * most);
    *each = static_cast<unsigned>(waves > 0 ? ceil_div(tiles, blocks * waves) : 1);
    return error;
}
