// dim_short_rows.cuh — reductions of short rows, a thread each: of dim_reduce.cuh, for all folds.
//
//   result[k] = data[0, k] ∘ … ∘ data[count - 1, k]                 data (count, outer), count neighbours
//
// Algorithm  A block loads the elements of as many rows as it has threads, neighbours by neighbouring threads, into shared memory, out of which each
//            thread reduces a row in order.
// Cost       Reads data once. One H200, sums of float, us, by a thread that reads its row from memory and here: 2^24 rows of 3 211 and 96.
// Limits     Rows of 2 to DIM_SHORT_ROW elements; any number of them.
// Source     G. Ruetsch, M. Fatica, "CUDA Fortran for Scientists and Engineers", 2013 (coalescing by way of shared memory).
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/grid/grid.cuh"
#include "prim/thread/fold.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned DIM_SHORT_THREADS = 128, DIM_SHORT_LOADS = 4;   // loads in flight
constexpr size_t DIM_SHORT_ROW = 32, DIM_SHORT_ROWS_LEAST = 1 << 14;

// ---- device helpers -------------------------------------------------------------------------------------------------

__host__ __device__ constexpr unsigned dim_short_place(unsigned e) { return e + e / WARP; } // without bank conflicts of even counts

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Fold>
__global__ void __launch_bounds__(DIM_SHORT_THREADS) dim_short_rows(const DimArrays args, const Fold fold, const unsigned length) {
    using In = typename Fold::In;
    extern __shared__ uint4 dim_short_memory[];
    In *const stage = reinterpret_cast<In *>(dim_short_memory);
    for (size_t top = blockIdx.x * size_t(DIM_SHORT_THREADS); top < args.outer; top += gridDim.x * size_t(DIM_SHORT_THREADS)) {
        const unsigned rows = static_cast<unsigned>(min(args.outer - top, size_t(DIM_SHORT_THREADS))), count = rows * length;
        const size_t first = top * length;
        for (unsigned from = threadIdx.x; from < count; from += DIM_SHORT_LOADS * DIM_SHORT_THREADS) {
            In held[DIM_SHORT_LOADS];
#pragma unroll
            for (unsigned u = 0; u < DIM_SHORT_LOADS; ++u) {
                const unsigned e = from + u * DIM_SHORT_THREADS;
                if (e < count) held[u] = fold.read(args, first + e);
            }
#pragma unroll
            for (unsigned u = 0; u < DIM_SHORT_LOADS; ++u) {
                const unsigned e = from + u * DIM_SHORT_THREADS;
                if (e < count) stage[dim_short_place(e)] = held[u];
            }
        }
        __syncthreads();                                           // the rows are there
        if (threadIdx.x < rows) {
            typename Fold::Value value = fold.identity();
            for (unsigned j = 0; j < length; ++j) fold.step(value, stage[dim_short_place(threadIdx.x * length + j)], j);
            fold.store(args, top + threadIdx.x, value);
        }
        __syncthreads();                                           // and the stage is free
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether rows are short, and enough for the device.
inline bool has_short_rows(const DimArrays &args) {
    return args.inner == 1 && args.count >= 2 && args.count <= DIM_SHORT_ROW && args.outer >= DIM_SHORT_ROWS_LEAST;
}

template <typename Fold>
void launch_dim_short_rows(const Fold &fold, const DimArrays &args, cudaStream_t stream) {
    const unsigned length = static_cast<unsigned>(args.count);
    const size_t bytes = sizeof(typename Fold::In) * (dim_short_place(DIM_SHORT_THREADS * length) + 1);
    const unsigned blocks = static_cast<unsigned>(at_most(ceil_div(args.outer, DIM_SHORT_THREADS), GRID_X_MAX));
    dim_short_rows<<<blocks, DIM_SHORT_THREADS, bytes, stream>>>(args, fold, length);
}
