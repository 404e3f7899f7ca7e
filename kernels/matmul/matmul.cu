// matmul.cu — matrix product, the two textbook variants.
//
//   C[i][j] ← alpha · Σ_p op(A)[i][p] · op(B)[p][j] + beta · C[i][j]     op(A) (m, k), op(B) (k, n), C (m, n), float or double
//
// Algorithm  naive    One thread an element of C reads a row of A and a column of B from global memory.
//            blocked  A block of TILE² threads, TILE 32, 16 or 8, computes a square of C. Square tiles of A and B pass
//                     through shared memory, so that each element is read from global memory once a tile instead of once a thread.
//            Both add in the order p = 0, 1, …, k-1 with one fused multiply-add a step, starting from 0. The products of a batch
//            are the third axis of the grid.
// Cost       2mnk operations. Elements read from global memory: naive 2mnk, blocked 2mnk / TILE; the cache hides much
//            of the difference. Blocked loads one element of B (and a broadcast of A, 16 bytes at a time) from shared
//            memory for each multiply-add: that is its limit, and what register tiles (tiled.cu) lift.
// Limits     Any size: threads past an edge load zeros and store nothing; grids are cut at CUDA's limits and loop.
//            Shared memory 2·TILE²·sizeof(T): with TILE 32 8 KiB float, 16 KiB double.
// Edges      k = 0 or alpha = 0 gives beta·C, and A and B are not read; beta = 0 never reads C. m, n or batch 0 launches nothing.
//            NaN and infinity propagate as in IEEE arithmetic.
// Source     CUDA C++ Programming Guide, "Shared Memory" (blocked product); University of Sheffield, CUDA lab 03; the meaning of
//            alpha and beta is that of the BLAS.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned NAIVE_COLS = 32;               // of a block: a warp reads B and writes C in one piece

// ---- device helpers -------------------------------------------------------------------------------------------------

// op(matrix) of a batch.
template <typename T, bool TRANSPOSED>
struct Operand {
    const T *first;
    size_t ld, stride;

    __device__ const T *of(size_t batch) const { return first + batch * stride; }
    template <typename Index>
    __device__ size_t at(Index row, Index col) const { return TRANSPOSED ? size_t(col) * ld + row : size_t(row) * ld + col; }
};

template <typename T>
struct Result {
    T *first;
    size_t ld, stride;
    T alpha, beta;

    template <typename Index>
    __device__ void store(size_t batch, Index row, Index col, T sum) const {
        T *const c = first + batch * stride + size_t(row) * ld + col;
        *c = beta == T(0) ? alpha * sum : fma(beta, *c, alpha * sum);
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index, bool TRANS_A, bool TRANS_B>
__global__ void matmul_naive(Index m, Index n, Index k, size_t batch, Operand<T, TRANS_A> a, Operand<T, TRANS_B> b,
                             Result<T> c) {
    for (size_t z = blockIdx.z; z < batch; z += gridDim.z) {
        const T *const a_of = a.of(z), *const b_of = b.of(z);
        for (Index i = grid_y<Index>(); i < m; i += grid_height<Index>()) {
            for (Index j = grid_x<Index>(); j < n; j += grid_width<Index>()) {
                T sum = 0;
#pragma unroll 16                                                  // so many loads in flight hide their latency
                for (Index p = 0; p < k; ++p) sum = fma(a_of[a.at(i, p)], b_of[b.at(p, j)], sum);
                c.store(z, i, j, sum);
            }
        }
    }
}

template <typename T, typename Index, bool TRANS_A, bool TRANS_B, unsigned TILE>
__global__ void __launch_bounds__(TILE *TILE)
    matmul_blocked(Index m, Index n, Index k, size_t batch, Operand<T, TRANS_A> a, Operand<T, TRANS_B> b, Result<T> c) {
    __shared__ T tile_a[TILE][TILE];                               // (TILE, TILE)  read along a row: a broadcast
    __shared__ T tile_b[TILE][TILE];                               // (TILE, TILE)  read along a row: no bank conflict
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned a_row = TRANS_A ? tx : ty, a_col = TRANS_A ? ty : tx; // what this thread fetches: neighbours in memory
    const unsigned b_row = TRANS_B ? tx : ty, b_col = TRANS_B ? ty : tx; // by neighbouring threads

    // The bounds of every loop with a barrier inside are the same for the whole block.
    for (size_t z = blockIdx.z; z < batch; z += gridDim.z) {
        const T *const a_of = a.of(z), *const b_of = b.of(z);
        for (Index top = Index(blockIdx.y) * TILE; top < m; top += Index(gridDim.y) * TILE) {
            for (Index left = Index(blockIdx.x) * TILE; left < n; left += Index(gridDim.x) * TILE) {
                const bool has_a = top + a_row < m, has_b = left + b_col < n;
                T sum = 0;
                for (Index p = 0; p < k; p += TILE) {
                    // Fetch the next tile of A and of B, zeros outside.
                    tile_a[a_row][a_col] = has_a && p + a_col < k ? a_of[a.at(top + a_row, p + a_col)] : T(0);
                    tile_b[b_row][b_col] = has_b && p + b_row < k ? b_of[b.at(p + b_row, left + b_col)] : T(0);
                    __syncthreads();                               // both tiles ready before anyone multiplies

                    // Multiply them.
#pragma unroll
                    for (unsigned q = 0; q < TILE; ++q) sum = fma(tile_a[ty][q], tile_b[q][tx], sum);
                    __syncthreads();                               // all have read before anyone fetches again
                }
                if (top + ty < m && left + tx < n) c.store(z, top + ty, left + tx, sum);
            }
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// The kernels by name, for the launch that they have in common.
template <unsigned TILE>
struct Blocked {
    template <typename T, typename Index, bool TRANS_A, bool TRANS_B>
    static constexpr auto kernel = matmul_blocked<T, Index, TRANS_A, TRANS_B, TILE>;
};

struct Naive {
    template <typename T, typename Index, bool TRANS_A, bool TRANS_B>
    static constexpr auto kernel = matmul_naive<T, Index, TRANS_A, TRANS_B>;
};

template <typename Which, typename T, typename Index, bool TRANS_A, bool TRANS_B>
cudaError_t launch_of(const gpumexk_matmul_args &product, dim3 block, int cache, gpumexk_stream stream) {
    dim3 grid = cover(product.n, product.m, block);
    grid.z = static_cast<unsigned>(at_most(product.batch, GRID_Z_MAX));
    const T alpha = static_cast<T>(product.alpha), beta = static_cast<T>(product.beta);
    const Index k = alpha == T(0) ? Index(0) : Index(product.k);
    const Operand<T, TRANS_A> a = {static_cast<const T *>(product.a), product.lda, product.stride_a};
    const Operand<T, TRANS_B> b = {static_cast<const T *>(product.b), product.ldb, product.stride_b};
    const Result<T> c = {static_cast<T *>(product.c), product.ldc, product.stride_c, k == 0 ? T(0) : alpha, beta};
    return launch<Which::template kernel<T, Index, TRANS_A, TRANS_B>>(grid, block, cache, stream, Index(product.m),
                                                                     Index(product.n), k, product.batch, a, b, c);
}

template <typename Which, typename T>
cudaError_t launch_kernel(const gpumexk_matmul_args &product, dim3 block, int cache, gpumexk_stream stream) {
    if (product.m == 0 || product.n == 0 || product.batch == 0) return cudaSuccess;
    const bool is_short = fit_unsigned(product.m) && fit_unsigned(product.n) && fit_unsigned(product.k);
    return dispatch_value<0, 1>(product.trans_a, [&](auto trans_a) {
        return dispatch_value<0, 1>(product.trans_b, [&](auto trans_b) {
            constexpr bool TRANS_A = trans_a.value, TRANS_B = trans_b.value;
            return is_short ? launch_of<Which, T, unsigned, TRANS_A, TRANS_B>(product, block, cache, stream)
                            : launch_of<Which, T, size_t, TRANS_A, TRANS_B>(product, block, cache, stream);
        });
    });
}

template <typename T>
cudaError_t launch_naive(const gpumexk_matmul_args &product, const gpumexk_tuning &tuning, gpumexk_stream stream) {
    if (!serves_one_value(tuning)) return cudaErrorInvalidValue;
    return launch_kernel<Naive, T>(product, dim3(NAIVE_COLS, tuning.threads / NAIVE_COLS), tuning.cache, stream);
}

template <typename T>
cudaError_t launch_blocked(const gpumexk_matmul_args &product, const gpumexk_tuning &tuning, gpumexk_stream stream) {
    if (tuning.values != 1) return cudaErrorInvalidValue;
    switch (tuning.threads) {
    case 8 * 8: return launch_kernel<Blocked<8>, T>(product, dim3(8, 8), tuning.cache, stream);
    case 16 * 16: return launch_kernel<Blocked<16>, T>(product, dim3(16, 16), tuning.cache, stream);
    case 32 * 32: return launch_kernel<Blocked<32>, T>(product, dim3(32, 32), tuning.cache, stream);
    default: return cudaErrorInvalidValue;
    }
}

}  // namespace

int gpumexk_matmul_naive_f32(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_naive<float>(*product, *tuning, stream);
}

int gpumexk_matmul_naive_f64(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_naive<double>(*product, *tuning, stream);
}

int gpumexk_matmul_blocked_f32(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_blocked<float>(*product, *tuning, stream);
}

int gpumexk_matmul_blocked_f64(const gpumexk_matmul_args *product, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_blocked<double>(*product, *tuning, stream);
}
