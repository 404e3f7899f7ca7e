// epilogue.cuh — the epilogue of a matrix product: scales the sums and stores them to C.
//
//   C[i][j] ← alpha · sum + beta · C[i][j]         with beta = 0: alpha · sum
//
// Algorithm  A thread stores consecutive elements of a row, in packets of 16 bytes where C is aligned, at its edges one by one.
// Cost       One multiplication, with beta one more fused with an addition; C is written once and read only with beta.
// Limits     Any size.
// Edges      With beta = 0 C is not read, so that its contents, NaN included, do not matter. Elements outside C are dropped.
// Source     BLAS, "Basic Linear Algebra Subprograms for Fortran Usage", GEMM.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/thread/packet.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// C of one product.
template <typename T>
struct Result {
    T *c;                                                          // (rows, cols), ld apart
    size_t rows, cols, ld;
    T alpha, beta;
    bool in_packets;                                               // c is aligned to packets and ld is a multiple of them

    __device__ void put_one(T *place, T sum) const { *place = beta == T(0) ? alpha * sum : fma(alpha, sum, beta * *place); }

    // The elements (i, j), …, (i, j + COUNT - 1), j a multiple of a packet; those outside C are dropped.
    template <int COUNT>
    __device__ void put(size_t i, size_t j, const T (&sums)[COUNT]) const {
        constexpr int LENGTH = PACKET_LENGTH<T>;
        static_assert(COUNT % LENGTH == 0, "whole packets");
        if (i >= rows || j >= cols) return;
        T *const place = c + i * ld + j;
        if (!in_packets || j + COUNT > cols) {
#pragma unroll
            for (int v = 0; v < COUNT; ++v) {
                if (j + v < cols) put_one(place + v, sums[v]);
            }
            return;
        }
#pragma unroll
        for (int p = 0; p < COUNT; p += LENGTH) {
            Packet<T> packet;
            if (beta != T(0)) packet = *reinterpret_cast<const Packet<T> *>(place + p);
#pragma unroll
            for (int v = 0; v < LENGTH; ++v) {
                packet.values[v] = beta == T(0) ? alpha * sums[p + v] : fma(alpha, sums[p + v], beta * packet.values[v]);
            }
            *reinterpret_cast<Packet<T> *>(place + p) = packet;
        }
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether every row of every matrix of a batch begins at a multiple of so many bytes.
template <typename T>
bool rows_aligned(const void *data, size_t ld, size_t stride, size_t batch, size_t bytes) {
    const size_t elements = bytes / sizeof(T);
    return is_aligned(data, bytes) && ld % elements == 0 && (batch <= 1 || stride % elements == 0);
}

// Likewise of a packet.
template <typename T>
bool rows_in_packets(const void *data, size_t ld, size_t stride, size_t batch) {
    return rows_aligned<T>(data, ld, stride, batch, PACKET_BYTES);
}
