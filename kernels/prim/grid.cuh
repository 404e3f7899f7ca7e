// grid.cuh — how a grid covers an array: block counts on the host, the matching walk on the device.
//
// Algorithm  A launcher asks cover() for as many blocks as the array needs; where CUDA's grid limits cut that short,
//            the kernel's loop carries on one whole grid further, so that no array is too large:
//              for (size_t row = grid_y(); row < rows; row += grid_height())
//                  for (size_t col = grid_x(); col < cols; col += grid_width())
//            x is the fast axis (columns): a warp touches neighbouring bytes.
// Cost       One compare a thread when the grid covers the array at once, which is nearly always.
// Limits     Indices are 64-bit.
// Source     M. Harris, "CUDA Pro Tip: Write Flexible Kernels with Grid-Stride Loops", NVIDIA 2013.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t GRID_X_MAX = 2147483647;  // of every device since compute capability 3.0
constexpr size_t GRID_Y_MAX = 65535;

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ inline size_t grid_x() { return size_t(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ inline size_t grid_y() { return size_t(blockIdx.y) * blockDim.y + threadIdx.y; }
__device__ inline size_t grid_width() { return size_t(gridDim.x) * blockDim.x; }
__device__ inline size_t grid_height() { return size_t(gridDim.y) * blockDim.y; }

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr size_t ceil_div(size_t n, size_t divisor) { return n / divisor + (n % divisor != 0); }
constexpr size_t at_most(size_t n, size_t limit) { return n < limit ? n : limit; }

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
