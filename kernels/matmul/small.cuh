// small.cuh — small matrix products, bound by the latency of a launch and of the loads.
//
//   C ← alpha · op(A) · op(B) + beta · C           op(A) (m, k), op(B) (k, n), C (m, n), row-major, for each of a batch
//
// Algorithm  1 to 32 neighbouring lanes of a warp, or the 128 of a block, have one element of C. Each takes every LANES-th place along k,
//            UNROLL of them a round, all loads of a round in flight at once; a butterfly of shuffles adds up the lanes. Within a warp there is
//            no shared memory and no barrier: the chain is a launch, one load a round, the shuffles and a store. Warps of a block
//            add up their sums in shared memory, in their order.
// Cost       mnk multiply-adds, 2mnk elements read, most of them from the caches. One H200, us, cuBLAS / tiles / here: double 2 × 489 × 156
//            6.2 / 6.4 / 3.8, 10 × 31 × 76 4.7 / 5.2 / 3.7, 42 × 1267 × 1 3.6 / 4.3 / 3.8, 22 × 133 × 3 20 / 5.1 / 3.3; an empty kernel
//            takes 2.7 between the same events.
// Pays       Where log_lanes_of() reckons with few microseconds: fitted to 259 random products of at most 10^7 multiply-adds, each with every
//            number of lanes of a warp, beside tiled.cu, f64.cu, rank_k.cuh and skinny.cu; a block for an element, to 520 with up to 300 rows
//            and columns and k of 200 to 30000, and taken up to a k of 9000 in float, 7000 in double: 10 × 11 × 4709 in float 22.6 -> 6.5 us.
// Limits     m · n · batch up to 2^22, k up to 2^31: more never pays.
// Edges      A lane takes its places in ascending order, one fused multiply-add each, and lanes are added in a fixed order:
//            |error| ≤ γ(k+2) · (|alpha| |A| |B| + |beta| |C|), and the bits depend on the shape and on how A and B lie. beta = 0 never reads C. k and alpha
//            are not 0. NaN and infinity propagate as in IEEE arithmetic.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007, of which the lanes are the last step.
#pragma once

#include <cuda_runtime.h>
#include <math.h>
#include <stddef.h>

#include "kernels.h"
#include "matmul/epilogue.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/divider.cuh"
#include "prim/warp/warp.cuh"

namespace small {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 128;
constexpr double ELEMENTS_MAX = 1 << 22;                           // of C, for all of a batch;
constexpr double OUTER_MAX = 1 << 18;                              // with one term each, in a C with gaps: then rank_k.cuh is faster

// Places along k that a lane loads at once.
template <int LOG_LANES>
constexpr int UNROLL = LOG_LANES == 0 ? 4 : 8;

// Microseconds on an H200: of a launch with one round, of each further round, of each doubling of the lanes, of a million multiply-adds,
// threads, and loads of a round; and those up to which no other kernel is faster.
struct Cost {
    double launch, round, doubling, products, threads, loads, most;
};
template <typename T>
constexpr Cost COST = sizeof(T) == 4 ? Cost{3.34, 0.26, 0.07, 0.45, 3.2, 0.35, 5.2} : Cost{3.42, 0.36, 0.03, 0.65, 2.7, 0.45, 5.8};

// The same of a block for each element: of a launch with one round, of each further round, of a million threads, and of as many sectors of 32
// bytes read; and what other kernels take at least, with k = 0 and for each of k.
struct BlockCost {
    double launch, round, threads, sectors, others, others_k;
};
template <typename T>
constexpr BlockCost BLOCK_COST = sizeof(T) == 4 ? BlockCost{4.35, 0.54, 8.5, 0.86, 6, 3e-4} : BlockCost{4.49, 0.57, 4.8, 2.05, 6, 3e-4};
constexpr int LOG_BLOCK = 7;                                       // of THREADS

// ---- device helpers -------------------------------------------------------------------------------------------------

// Element (e, p) of an operand, e along its edge of C and p along k, is data[e · step_edge + p · step_k].
template <typename T>
struct Operand {
    const T *data;
    size_t step_edge, step_k, stride;
};

template <typename T>
struct Args {
    Operand<T> a, b;
    Result<T> c;
    size_t stride_c, batch;
    unsigned elements, k;                                          // elements of one C
    Divider cols;
};

// UNROLL places of a lane, of which those before `end` exist.
template <typename T, unsigned LANES, int COUNT>
__device__ __forceinline__ void multiply(const T *&a, const T *&b, size_t step_a, size_t step_b, unsigned p, unsigned end, T *sum) {
    T of_a[COUNT], of_b[COUNT];
#pragma unroll
    for (int u = 0; u < COUNT; ++u, a += step_a, b += step_b) {
        const bool exists = p + u * LANES < end;
        of_a[u] = exists ? __ldg(a) : T(0);
        of_b[u] = exists ? __ldg(b) : T(0);
    }
#pragma unroll
    for (int u = 0; u < COUNT; ++u) *sum = fma(of_a[u], of_b[u], *sum);
}

// The sum of the warps of a block, in their order, to its first thread.
template <typename T>
__device__ __forceinline__ T sum_of_warps(T sum) {
    __shared__ T sums[THREADS / WARP];
    if (threadIdx.x % WARP == 0) sums[threadIdx.x / WARP] = sum;
    __syncthreads();                                               // all sums are there
    T all = sums[0];
#pragma unroll
    for (unsigned warp = 1; warp < THREADS / WARP; ++warp) all += sums[warp];
    __syncthreads();                                               // and were read
    return all;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, int LOG_LANES>
__global__ void __launch_bounds__(THREADS) matmul_small(const __grid_constant__ Args<T> args) {
    constexpr unsigned LANES = 1u << LOG_LANES, ROUND = UNROLL<LOG_LANES> * LANES;
    const unsigned thread = blockIdx.x * THREADS + threadIdx.x, element = thread >> LOG_LANES, lane = thread % LANES;
    const unsigned i = args.cols.quotient(element), j = element - i * args.cols.divisor;
    const size_t step_a = LANES * args.a.step_k, step_b = LANES * args.b.step_k;
    for (size_t product = blockIdx.y; product < args.batch; product += gridDim.y) {
        T sum = 0;
        if (element < args.elements) {
            const T *a = args.a.data + product * args.a.stride + i * args.a.step_edge + lane * args.a.step_k;
            const T *b = args.b.data + product * args.b.stride + j * args.b.step_edge + lane * args.b.step_k;
            unsigned from = 0;
#pragma unroll 1
            for (; args.k - from >= ROUND; from += ROUND) multiply<T, LANES, UNROLL<LOG_LANES>>(a, b, step_a, step_b, 0, ROUND, &sum);
            if (from < args.k) multiply<T, LANES, UNROLL<LOG_LANES>>(a, b, step_a, step_b, from + lane, args.k, &sum);
        }
#pragma unroll
        for (unsigned apart = (LANES < WARP ? LANES : WARP) / 2; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0u, sum, apart);
        if constexpr (LANES > WARP) sum = sum_of_warps(sum);
        if (element < args.elements && lane == 0) {
            args.c.put_one(args.c.c + product * args.stride_c + i * args.c.ld + j, sum);
        }
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// How a product is computed: 2^log_lanes lanes for an element, or LOG_BLOCK; -1 where another kernel is faster.
struct Way {
    int log_lanes;
    double time;                                                   // microseconds, by an estimate
};

template <typename T, int LOG_LANES>
void take_better(double elements, size_t k, Way *best) {
    constexpr double LANES = 1 << LOG_LANES, ROUND = UNROLL<LOG_LANES> * LANES, MILLION = 1e6;
    const Cost &cost = COST<T>;
    const double threads = elements * LANES / MILLION, rounds = ceil(double(k) / ROUND);
    const double time = cost.launch + cost.round * (rounds - 1) + cost.doubling * LOG_LANES + cost.products * elements * double(k) / MILLION +
                        (cost.threads + cost.loads * UNROLL<LOG_LANES>) * threads;
    if (time < best->time) *best = {LOG_LANES, time};
}

// Sectors of a place of an operand along k, which neighbouring lanes read.
template <typename T>
double sectors_of(bool along_k, size_t ld) {
    constexpr double SECTOR = 32 / sizeof(T);                      // elements
    return fmin(1, (along_k ? 1 : double(ld)) / SECTOR);
}

// A block for each element, where that is better than any number of lanes of a warp, or than another kernel.
template <typename T>
void take_block(const gpumexk_matmul_args &p, double elements, Way *best) {
    constexpr double ROUND = UNROLL<LOG_BLOCK> * THREADS, MILLION = 1e6;
    const BlockCost &cost = BLOCK_COST<T>;
    const double k = double(p.k), sectors = sectors_of<T>(p.trans_a == 0, p.lda) + sectors_of<T>(p.trans_b != 0, p.ldb);
    const double time = cost.launch + cost.round * (ceil(k / ROUND) - 1) + cost.threads * elements * THREADS / MILLION +
                        cost.sectors * elements * k * sectors / MILLION;
    if (time < (best->log_lanes >= 0 ? best->time : cost.others + cost.others_k * k)) *best = {LOG_BLOCK, time};
}

// The best number of lanes for a product, -1 where another kernel is faster.
template <typename T>
int log_lanes_of(const gpumexk_matmul_args &p) {
    const double elements = double(p.m) * double(p.n) * double(p.batch);
    const double most = p.k == 1 ? OUTER_MAX : ELEMENTS_MAX;
    if (elements == 0 || elements > most || p.k == 0 || !fit_unsigned(p.k) || static_cast<T>(p.alpha) == T(0)) return -1;
    Way best = {-1, COST<T>.most};
    take_better<T, 0>(elements, p.k, &best);
    take_better<T, 1>(elements, p.k, &best);
    take_better<T, 2>(elements, p.k, &best);
    take_better<T, 3>(elements, p.k, &best);
    take_better<T, 5>(elements, p.k, &best);
    take_block<T>(p, elements, &best);
    return best.log_lanes;
}

template <typename T>
Operand<T> operand_of(const void *data, bool along_k, size_t ld, size_t stride) {
    return {static_cast<const T *>(data), along_k ? ld : 1, along_k ? 1 : ld, stride};
}

// Enqueues a product with the lanes of log_lanes_of().
template <typename T>
cudaError_t launch_any(const gpumexk_matmul_args &p, int log_lanes, int cache, cudaStream_t stream) {
    Args<T> args = {};
    args.a = operand_of<T>(p.a, p.trans_a == 0, p.lda, p.stride_a);
    args.b = operand_of<T>(p.b, p.trans_b != 0, p.ldb, p.stride_b);
    args.c = {static_cast<T *>(p.c), p.m, p.n, p.ldc, T(p.alpha), T(p.beta), false};
    args.stride_c = p.stride_c, args.batch = p.batch;
    args.elements = static_cast<unsigned>(p.m * p.n), args.k = static_cast<unsigned>(p.k);
    args.cols = Divider::of(static_cast<unsigned>(p.n));
    return dispatch_value<0, 1, 2, 3, 5, LOG_BLOCK>(log_lanes, [&](auto log) {
        const size_t threads = size_t(args.elements) << decltype(log)::value;
        const dim3 grid(static_cast<unsigned>(ceil_div(threads, THREADS)), static_cast<unsigned>(at_most(p.batch, GRID_Y_MAX)));
        return launch<matmul_small<T, decltype(log)::value>>(grid, dim3(THREADS), cache, stream, args);
    });
}

}  // namespace small
