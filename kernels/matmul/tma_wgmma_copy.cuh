// tma_wgmma_copy.cuh — copies of matrices that TMA, or wgmma, cannot take as they lie.
//
// Algorithm  Rows that are not aligned to 16 bytes: a thread writes 16 bytes, from the two aligned packets that hold them, shifted, or at
//            the edges element by element. TF32 that is not along k: squares of SQUARE are transposed in shared memory.
// Cost       Each element is read, twice where it is shifted, once of these from the L1 cache, and written once.
// Limits     Any size; elements of 2 and 4 bytes, aligned to these.
// Edges      What is behind the end of a row in the copy is zero. Nothing outside of the matrices is read, but what lies between rows.
// Source     CUDA Programming Guide, "__funnelshift_r"; G. Ruetsch, P. Micikevicius, "Optimizing Matrix Transpose in CUDA", NVIDIA 2009.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace tma_wgmma {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned COPY_THREADS = 256, SQUARE = 64;

template <typename E>
constexpr size_t PACKET = sizeof(uint4) / sizeof(E);               // elements of 16 bytes

// Matrices as they lie, and `end` elements from the first to the last.
template <typename E>
struct Lies {
    const E *data;
    size_t matrices, rows, cols, ld, stride, end;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The 16 bytes that begin `bytes` behind the first of two packets.
__device__ inline uint4 shifted(uint4 low, uint4 high, unsigned bytes) {
    unsigned words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
#pragma unroll
    for (unsigned i = 0; i < 6; ++i) words[i] = bytes & 8 ? words[i + 2] : words[i];
#pragma unroll
    for (unsigned i = 0; i < 5; ++i) words[i] = bytes & 4 ? words[i + 1] : words[i];
    const unsigned bits = bytes % 4 * 8;
    return {__funnelshift_r(words[0], words[1], bits), __funnelshift_r(words[1], words[2], bits),
            __funnelshift_r(words[2], words[3], bits), __funnelshift_r(words[3], words[4], bits)};
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename E>
static __global__ void matmul_align(Lies<E> from, uint4 *to, size_t packets) {
    pdl_trigger();
    constexpr size_t LENGTH = PACKET<E>;
    constexpr unsigned A_WORD = sizeof(unsigned) / sizeof(E);
    const size_t total = from.matrices * from.rows * packets;      // packets: of a row of the copy
    for (size_t i = grid_x(); i < total; i += grid_width()) {
        const size_t line = i / packets, col = i % packets * LENGTH, matrix = line / from.rows;
        const size_t at = matrix * from.stride + line % from.rows * from.ld + col;
        const E *const first = from.data + at;
        const unsigned bytes = reinterpret_cast<uintptr_t>(first) % sizeof(uint4);
        const size_t before = bytes / sizeof(E), behind = bytes == 0 ? LENGTH : 2 * LENGTH - before;
        if (col + LENGTH <= from.cols && at >= before && at + behind <= from.end) {
            const uint4 *const packet = reinterpret_cast<const uint4 *>(first - before);
            to[i] = bytes == 0 ? packet[0] : shifted(packet[0], packet[1], bytes);
            continue;
        }
        unsigned words[4] = {};
        for (unsigned j = 0; j < LENGTH; ++j) {
            if (col + j < from.cols) words[j / A_WORD] |= unsigned(first[j]) << (j % A_WORD * 8 * sizeof(E));
        }
        to[i] = {words[0], words[1], words[2], words[3]};
    }
    pdl_wait();                                                    // the copy before is whole, too
}

// to (matrices, cols, ld) ← from (matrices, rows, cols), of each matrix down × across squares; a block a square at a time.
static __global__ void __launch_bounds__(COPY_THREADS)
    matmul_transpose(Lies<uint32_t> from, uint4 *to, size_t packets, size_t down, size_t across) {
    constexpr unsigned LOADS = SQUARE * SQUARE / COPY_THREADS, LOADED = COPY_THREADS / SQUARE;  // of a thread; rows at once
    constexpr unsigned WIDE = SQUARE / 4, STORED = COPY_THREADS / WIDE;                         // packets of a line; lines at once
    __shared__ uint32_t square[SQUARE][SQUARE + 1];
    pdl_trigger();
    const unsigned x = threadIdx.x % SQUARE, y = threadIdx.x / SQUARE, packet = threadIdx.x % WIDE, line = threadIdx.x / WIDE;
    for (size_t i = blockIdx.x; i < from.matrices * down * across; i += gridDim.x) {
        const size_t matrix = i / (down * across), row = i / across % down * SQUARE, col = i % across * SQUARE;
        const uint32_t *const source = from.data + matrix * from.stride + row * from.ld + col;
        uint32_t loaded[LOADS];
#pragma unroll
        for (unsigned j = 0; j < LOADS; ++j) {
            const unsigned r = y + j * LOADED;
            loaded[j] = row + r < from.rows && col + x < from.cols ? source[r * from.ld + x] : 0;
        }
#pragma unroll
        for (unsigned j = 0; j < LOADS; ++j) square[y + j * LOADED][x] = loaded[j];
        __syncthreads();                                           // the square is there
#pragma unroll
        for (unsigned c = line; c < SQUARE; c += STORED) {
            const unsigned r = packet * 4;
            if (row + r >= from.rows || col + c >= from.cols) continue;
            const uint4 turned = {square[r][c], square[r + 1][c], square[r + 2][c], square[r + 3][c]};
            to[(matrix * from.cols + col + c) * packets + row / 4 + packet] = turned;
        }
        __syncthreads();                                           // and was read
    }
    pdl_wait();                                                    // the copy before is whole, too
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename E>
size_t packets_of_row(const Lies<E> &from) { return ceil_div(from.cols, PACKET<E>); }

// The same matrices in a copy whose rows are aligned, or that is transposed.
template <typename E>
Lies<E> aligned(const Lies<E> &from, void *copy) {
    const size_t ld = packets_of_row(from) * PACKET<E>;
    return {static_cast<const E *>(copy), from.matrices, from.rows, from.cols, ld, from.rows * ld, from.matrices * from.rows * ld};
}
template <typename E>
Lies<E> transposed(const Lies<E> &from, void *copy) {
    return aligned(Lies<E>{nullptr, from.matrices, from.cols, from.rows, 0, 0, 0}, copy);
}

// Both copies: `second` where one was enqueued before, which runs at the same time.
template <typename E>
cudaError_t launch_align(const Lies<E> &from, void *to, bool second, cudaStream_t stream) {
    const size_t packets = packets_of_row(from);
    const dim3 grid = cover(from.matrices * from.rows * packets, 1, dim3(COPY_THREADS));
    const cudaError_t error = keep_shared_memory<matmul_align<E>>();
    if (error != cudaSuccess) return error;
    return launch_pdl(second, matmul_align<E>, grid, COPY_THREADS, stream, from, static_cast<uint4 *>(to), packets);
}

inline cudaError_t launch_transpose(const Lies<uint32_t> &from, void *to, bool second, cudaStream_t stream) {
    const size_t down = ceil_div(from.rows, SQUARE), across = ceil_div(from.cols, SQUARE);
    const dim3 grid(static_cast<unsigned>(at_most(from.matrices * down * across, GRID_X_MAX)));
    const size_t packets = transposed(from, to).ld / PACKET<uint32_t>;
    const cudaError_t error = keep_shared_memory<matmul_transpose>();
    if (error != cudaSuccess) return error;
    return launch_pdl(second, matmul_transpose, grid, COPY_THREADS, stream, from, static_cast<uint4 *>(to), packets, down, across);
}

}  // namespace tma_wgmma
