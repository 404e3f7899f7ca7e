// spmv.cu — sparse matrix-vector product in CSR, over any semiring.
//
//   y[r] = ⊕ values[k] ⊗ x[columns[k]] over the nonzeros k of row r
//                                                        values, columns (nonzeros), offsets (rows + 1), x (cols), y (rows)
//
// Algorithm  Segmented reduction (prim/grid/segmented_reduce.cuh): rows are segments of nonzeros, and each block has an equal
//            share of both. Columns and values are read coalesced, x is gathered from the caches.
// Cost       Reads values and columns once: bound by memory where x stays in the L2 cache.
// Limits     Any count. 4 instantiations serve the six dtypes; ⊕ and ⊗ are branches in them.
// Edges      Rows without nonzeros give the identity of ⊕. Nonzeros whose column is not below cols add nothing. Without values
//            the product is x[columns[k]] alone.
// Source     D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC 2016; S. Baxter, "ModernGPU",
//            Segmented Reduction, NVIDIA 2013 (indirect rows, rows without values).

#include "kernels.h"
#include "prim/block/segmented_reduce.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/segmented_reduce.cuh"
#include "prim/thread/operation.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int BATCH = 8;                                           // gathers of a thread that are in flight together

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct SpmvArgs {
    const T *values;                                               // NULL: x alone
    Indices columns;
    const T *x;
    size_t cols;
    int multiply;                                                  // an Operator
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T>
__global__ void __launch_bounds__(TILE_THREADS, WALK_RESIDENT)
    spmv_walk(Segments of, int add, unsigned parts, const size_t *geometry, SpmvArgs<T> args, T *y, Carries<T> carries) {
    pdl_trigger();
    walk_segments<T>(of, add, parts, geometry, y, carries, [](size_t) { return 1u; },
                     [&](PaddedTile<T, WALK_VT> &tile, const Span &span, T identity) {
#pragma unroll 1
        for (int first = 0; first < WALK_VT; first += BATCH) {
            size_t columns[BATCH];
            T values[BATCH], products[BATCH];
#pragma unroll
            for (int i = 0; i < BATCH; ++i) {
                const unsigned index = TILE_THREADS * (first + i) + threadIdx.x - span.shift;   // very large before the first
                columns[i] = SIZE_MAX;
                values[i] = identity;
                if (index < span.elements) {
                    const size_t element = span.element + index;
                    const size_t at = of.starts.numbers == nullptr ? element : place_in_data(of, span, element);
                    if (at < of.count) {
                        columns[i] = args.columns[at];
                        if (args.values != nullptr) values[i] = args.values[at];
                    }
                }
            }
#pragma unroll
            for (int i = 0; i < BATCH; ++i) products[i] = columns[i] < args.cols ? args.x[columns[i]] : identity;
            if (args.values != nullptr) {
                dispatch_operation<T>(args.multiply, [&](auto operation) {
#pragma unroll
                    for (int i = 0; i < BATCH; ++i) {
                        if (columns[i] < args.cols) products[i] = operation(values[i], products[i]);
                    }
                });
            }
#pragma unroll
            for (int i = 0; i < BATCH; ++i) tile[TILE_THREADS * (first + i) + threadIdx.x] = products[i];
        }
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
cudaError_t launch_spmv(const gpumexk_segments &rows, const gpumexk_spmv_args &of, T *y, void *scratch, cudaStream_t stream) {
    const bool is_wide = rows.index_dtype == 0;
    const Segments segments = {{rows.offsets, is_wide}, {rows.sources, is_wide}, rows.segments, rows.count};
    const SpmvArgs<T> args = {static_cast<const T *>(of.values), {of.columns, is_wide}, static_cast<const T *>(of.x), of.cols,
                              operator_of(of.multiply, of.dtype)};
    const int add = operator_of(of.add, of.dtype);
    unsigned parts = 0, blocks = 0;
    cudaError_t error = walk_blocks(segments.segments, segments.count, WALK_RESIDENT, &parts, &blocks);
    if (error != cudaSuccess || segments.segments == 0) return error;
    const Carries<T> carries = carries_in<T>(scratch);
    const size_t *const geometry = static_cast<const size_t *>(rows.geometry);
    spmv_walk<T><<<blocks, TILE_THREADS, 0, stream>>>(segments, add, parts, geometry, args, y, carries);
    error = cudaGetLastError();
    return error != cudaSuccess ? error : launch_carry(blocks, carries, segments.segments, add, y, stream);
}

}  // namespace

int gpumexk_spmv(const gpumexk_segments *rows, const gpumexk_spmv_args *args, void *y, void *scratch, gpumexk_stream stream) {
    if (!has_operation(args->multiply, args->dtype) || !has_operation(args->add, args->dtype)) return cudaErrorInvalidValue;
    return dispatch_operand(args->dtype, [&](auto zero) {
        using T = decltype(zero);
        return launch_spmv(*rows, *args, static_cast<T *>(y), scratch, stream);
    });
}
