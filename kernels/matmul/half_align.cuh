// half_align.cuh — copies matrices of 16-bit elements so that their rows are aligned to 16 bytes, as TMA requires.
//
// Algorithm  A thread writes 16 bytes: from the two aligned packets that hold them, shifted, or at the edges element by element.
// Cost       Each element is read twice, once from the L1 cache, and written once.
// Limits     Any size; elements aligned to 2 bytes.
// Edges      What is behind the end of a row in the copy is zero. Nothing outside of the matrices is read.
// Source     CUDA Programming Guide, "__funnelshift_r".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace half {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned ALIGN_THREADS = 256;
constexpr size_t PACKET = 8;                                       // elements of 16 bytes

// Matrices as they lie, and `end` elements from the first to the last.
struct Unaligned {
    const uint16_t *data;
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

static __global__ void matmul_half_align(Unaligned from, uint4 *to, size_t packets) {
    const size_t total = from.matrices * from.rows * packets;      // packets: of a row of the copy
    for (size_t i = grid_x(); i < total; i += grid_width()) {
        const size_t line = i / packets, col = i % packets * PACKET, matrix = line / from.rows;
        const size_t at = matrix * from.stride + line % from.rows * from.ld + col;
        const uint16_t *const first = from.data + at;
        const unsigned bytes = reinterpret_cast<uintptr_t>(first) % sizeof(uint4);
        const size_t before = bytes / 2, behind = bytes == 0 ? PACKET : 2 * PACKET - before;
        if (col + PACKET <= from.cols && at >= before && at + behind <= from.end) {
            const uint4 *const packet = reinterpret_cast<const uint4 *>(first - before);
            to[i] = bytes == 0 ? packet[0] : shifted(packet[0], packet[1], bytes);
            continue;
        }
        unsigned words[4] = {};
        for (unsigned j = 0; j < PACKET; ++j) {
            if (col + j < from.cols) words[j / 2] |= unsigned(first[j]) << (j % 2 * 16);
        }
        to[i] = {words[0], words[1], words[2], words[3]};
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline size_t packets_of_row(const Unaligned &from) { return ceil_div(from.cols, PACKET); }
inline size_t aligned_bytes(const Unaligned &from) { return from.matrices * from.rows * packets_of_row(from) * sizeof(uint4); }

inline cudaError_t launch_align(const Unaligned &from, uint4 *to, cudaStream_t stream) {
    const size_t packets = packets_of_row(from);
    const dim3 grid = cover(from.matrices * from.rows * packets, 1, dim3(ALIGN_THREADS));
    matmul_half_align<<<grid, ALIGN_THREADS, 0, stream>>>(from, to, packets);
    return cudaGetLastError();
}

}  // namespace half
