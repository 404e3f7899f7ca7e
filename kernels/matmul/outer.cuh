// outer.cuh — outer products: matrix products with k = 1, bound by the stores of C.
//
//   C ← alpha · a · bᵀ + beta · C                  a (m), b (n), C (m, n), row-major without gaps, for each of a batch
//
// Algorithm  C is one array of packets of 16 bytes, aligned whatever its rows are. A thread has PACKETS of them, neighbours in a block side by
//            side, and finds the row and the column of the first element of each by a division. a and b come from the caches.
// Cost       mn multiplications; C is written once. One H200, us, cuBLAS / rank_k.cuh, small.cuh / here: double 4507 × 2066 22.6 / 25.7 / 20.6,
//            8690 × 122 6.8 / 8.2 / 6.1, 10000 × 10000 176 / 208 / 178; float 27.0 / 16.7 / 13.1, 6.8 / 6.1 / 5.2, 155 / 115 / 91.
// Limits     mn < 2^31.
// Edges      alpha · (a · b), or that fused with beta · C: |error| ≤ γ(3) · (|alpha| |a| |b| + |beta| |C|). beta = 0 never reads C. alpha is not 0.
//            NaN and infinity propagate as in IEEE arithmetic.
// Source     BLAS, GER.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels.h"
#include "matmul/epilogue.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/divider.cuh"
#include "prim/thread/packet.cuh"

namespace outer {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;
constexpr size_t ELEMENTS_MAX = (size_t(1) << 31) - THREADS * PACKET_BYTES;
constexpr size_t SOME = 200000, MANY = 800000;                     // packets of C from which on a thread has two, and four

// ---- device helpers -------------------------------------------------------------------------------------------------

// Element e is data[e · step].
template <typename T>
struct Vector {
    const T *data;
    size_t step, stride;

    __device__ __forceinline__ T at(size_t product, unsigned e) const { return __ldg(data + product * stride + e * step); }
};

template <typename T>
struct Args {
    Vector<T> a, b;
    Result<T> c;
    size_t stride_c, batch;
    unsigned elements;                                             // of one C
    Divider cols;
};

// The products of LENGTH elements of C from element `from` on, of which those before `end` exist.
template <typename T, int LENGTH>
__device__ __forceinline__ void multiply(const Args<T> &args, size_t product, unsigned from, unsigned end, T (&products)[LENGTH]) {
    unsigned i = args.cols.quotient(from), j = from - i * args.cols.divisor;
    T a = args.a.at(product, i);
#pragma unroll
    for (int v = 0; v < LENGTH; ++v) {
        if (from + v >= end) break;
        if (j == args.cols.divisor) j = 0, a = args.a.at(product, ++i);
        products[v] = a * args.b.at(product, j++);
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, int PACKETS>
__global__ void __launch_bounds__(THREADS) matmul_outer(const __grid_constant__ Args<T> args) {
    constexpr unsigned LENGTH = PACKET_LENGTH<T>;
    for (size_t product = blockIdx.y; product < args.batch; product += gridDim.y) {
        Result<T> c = args.c;                                      // all of it a row
        c.c += product * args.stride_c;
        const unsigned before = static_cast<unsigned>(reinterpret_cast<uintptr_t>(c.c) % PACKET_BYTES / sizeof(T)); // since a multiple of 16
#pragma unroll
        for (int u = 0; u < PACKETS; ++u) {
            const unsigned packet = (blockIdx.x * PACKETS + u) * THREADS + threadIdx.x;
            const unsigned from = max(packet * LENGTH, before) - before, end = min((packet + 1) * LENGTH - before, args.elements);
            if (from >= end) break;
            T products[LENGTH];
            multiply(args, product, from, end, products);
            if (end - from == LENGTH) {
                c.put(0, from, products);                          // whose place is a multiple of 16, as c + from is
            } else {
                for (unsigned v = 0; v < LENGTH; ++v) {
                    if (from + v < end) c.put_one(c.c + from + v, products[v]);
                }
            }
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether it is one, into a C without gaps.
template <typename T>
bool serves(const gpumexk_matmul_args &p) {
    const bool is_small_enough = double(p.m) * double(p.n) <= double(ELEMENTS_MAX);
    return p.k == 1 && static_cast<T>(p.alpha) != T(0) && is_small_enough && (p.ldc == p.n || p.m == 1);
}

template <typename T>
Vector<T> vector_of(const void *data, bool is_column, size_t ld, size_t stride) {
    return {static_cast<const T *>(data), is_column ? ld : 1, stride};
}

// Enqueues a product that is served.
template <typename T>
cudaError_t launch_any(const gpumexk_matmul_args &p, int cache, cudaStream_t stream) {
    Args<T> args = {};
    args.a = vector_of<T>(p.a, p.trans_a == 0, p.lda, p.stride_a);
    args.b = vector_of<T>(p.b, p.trans_b != 0, p.ldb, p.stride_b);
    args.elements = static_cast<unsigned>(p.m * p.n);
    args.c = {static_cast<T *>(p.c), 1, args.elements, args.elements, T(p.alpha), T(p.beta), true};
    args.stride_c = p.stride_c, args.batch = p.batch, args.cols = Divider::of(static_cast<unsigned>(p.n));
    const size_t packets = args.elements / PACKET_LENGTH<T> + 2;   // with those that the edges have a part of
    const int each = packets * p.batch < SOME ? 1 : packets * p.batch < MANY ? 2 : 4;
    return dispatch_value<1, 2, 4>(each, [&](auto of_thread) {
        constexpr int PACKETS = decltype(of_thread)::value;
        const dim3 grid(static_cast<unsigned>(ceil_div(packets, THREADS * PACKETS)), static_cast<unsigned>(at_most(p.batch, GRID_Y_MAX)));
        return launch<matmul_outer<T, PACKETS>>(grid, dim3(THREADS), cache, stream, args);
    });
}

}  // namespace outer
