// matmul.cu — matrix product, the two textbook variants.
//
//   C[i][j] = Σ_p A[i][p] · B[p][j]        A (m, k), B (k, n), C (m, n), row-major, float or double
//
// Algorithm  naive    One thread an element of C walks a row of A and a column of B in global memory.
//            blocked  A block of TILE² threads, TILE 32 or 16, owns a square of C. Square tiles of A and B pass through shared memory,
//                     so that each element is read from global memory once a tile instead of once a thread.
//            Both add in the order p = 0, 1, …, k-1 with one fused multiply-add a step, starting from 0.
// Cost       2mnk operations. Elements read from global memory: naive 2mnk, blocked 2mnk / TILE; the cache hides much
//            of the difference. Blocked loads one element of B (and a broadcast of A, 16 bytes at a time) from shared
//            memory for each multiply-add: that is its limit, and what register tiles lift.
// Limits     Any size: threads past an edge load zeros and store nothing; grids are cut at CUDA's limits and loop.
//            Shared memory 2·TILE²·sizeof(T): with TILE 32 8 KiB float, 16 KiB double.
// Edges      k = 0 gives zeros. m = 0 or n = 0 launches nothing. NaN and infinity propagate as in IEEE arithmetic.
// Source     CUDA C++ Programming Guide, "Shared Memory" (blocked product); University of Sheffield, CUDA lab 03.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/tune.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned NAIVE_COLS = 32;               // of a block: a warp reads B and writes C in one piece

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void matmul_naive(Index m, Index n, Index k, const T *a, const T *b, T *c) {
    for (Index i = grid_y<Index>(); i < m; i += grid_height<Index>()) {
        for (Index j = grid_x<Index>(); j < n; j += grid_width<Index>()) {
            T sum = 0;
#pragma unroll 16                                                  // so many loads in flight hide their latency
            for (Index p = 0; p < k; ++p) sum = fma(a[size_t(i) * k + p], b[size_t(p) * n + j], sum);
            c[size_t(i) * n + j] = sum;
        }
    }
}

template <typename T, typename Index, unsigned TILE>
__global__ void __launch_bounds__(TILE *TILE)
    matmul_blocked(Index m, Index n, Index k, const T *a, const T *b, T *c) {
    __shared__ T tile_a[TILE][TILE];                               // (TILE, TILE)  read along a row: a broadcast
    __shared__ T tile_b[TILE][TILE];                               // (TILE, TILE)  read along a row: no bank conflict
    const unsigned tx = threadIdx.x, ty = threadIdx.y;

    // The bounds of every loop with a barrier inside are the same for the whole block.
    for (Index top = Index(blockIdx.y) * TILE; top < m; top += Index(gridDim.y) * TILE) {
        for (Index left = Index(blockIdx.x) * TILE; left < n; left += Index(gridDim.x) * TILE) {
            const Index i = top + ty, j = left + tx;               // this thread's element of C, perhaps outside
            T sum = 0;
            for (Index p = 0; p < k; p += TILE) {
                // Fetch the next tile of A and of B, zeros outside.
                tile_a[ty][tx] = i < m && p + tx < k ? a[size_t(i) * k + p + tx] : T(0);
                tile_b[ty][tx] = p + ty < k && j < n ? b[size_t(p + ty) * n + j] : T(0);
                __syncthreads();                                   // both tiles ready before anyone multiplies

                // Multiply them.
#pragma unroll
                for (unsigned q = 0; q < TILE; ++q) sum = fma(tile_a[ty][q], tile_b[q][tx], sum);
                __syncthreads();                                   // all have read before anyone fetches again
            }
            if (i < m && j < n) c[size_t(i) * n + j] = sum;
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

bool all_fit_unsigned(size_t m, size_t n, size_t k) { return fit_unsigned(m) && fit_unsigned(n) && fit_unsigned(k); }

template <typename T>
cudaError_t launch_naive(size_t m, size_t n, size_t k, const T *a, const T *b, T *c, const gpumexk_tuning &tuning,
                         gpumexk_stream stream) {
    if (!is_block(tuning.threads) || tuning.values != 1) return cudaErrorInvalidValue;
    if (m == 0 || n == 0) return cudaSuccess;
    const dim3 block(NAIVE_COLS, tuning.threads / NAIVE_COLS), grid = cover(n, m, block);
    return all_fit_unsigned(m, n, k)
               ? launch<matmul_naive<T, unsigned>>(grid, block, tuning.cache, stream, unsigned(m), unsigned(n), unsigned(k),
                                                   a, b, c)
               : launch<matmul_naive<T, size_t>>(grid, block, tuning.cache, stream, m, n, k, a, b, c);
}

template <unsigned TILE, typename T>
cudaError_t launch_tiles(size_t m, size_t n, size_t k, const T *a, const T *b, T *c, int cache, gpumexk_stream stream) {
    if (m == 0 || n == 0) return cudaSuccess;
    const dim3 block(TILE, TILE), grid = cover(n, m, block);
    return all_fit_unsigned(m, n, k)
               ? launch<matmul_blocked<T, unsigned, TILE>>(grid, block, cache, stream, unsigned(m), unsigned(n), unsigned(k),
                                                           a, b, c)
               : launch<matmul_blocked<T, size_t, TILE>>(grid, block, cache, stream, m, n, k, a, b, c);
}

template <typename T>
cudaError_t launch_blocked(size_t m, size_t n, size_t k, const T *a, const T *b, T *c, const gpumexk_tuning &tuning,
                           gpumexk_stream stream) {
    if (tuning.values != 1) return cudaErrorInvalidValue;
    switch (tuning.threads) {
    case 16 * 16: return launch_tiles<16>(m, n, k, a, b, c, tuning.cache, stream);
    case 32 * 32: return launch_tiles<32>(m, n, k, a, b, c, tuning.cache, stream);
    default: return cudaErrorInvalidValue;
    }
}

}  // namespace

int gpumexk_matmul_naive_f32(size_t m, size_t n, size_t k, const float *a, const float *b, float *c,
                             const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_naive(m, n, k, a, b, c, *tuning, stream);
}

int gpumexk_matmul_naive_f64(size_t m, size_t n, size_t k, const double *a, const double *b, double *c,
                             const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_naive(m, n, k, a, b, c, *tuning, stream);
}

int gpumexk_matmul_blocked_f32(size_t m, size_t n, size_t k, const float *a, const float *b, float *c,
                               const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_blocked(m, n, k, a, b, c, *tuning, stream);
}

int gpumexk_matmul_blocked_f64(size_t m, size_t n, size_t k, const double *a, const double *b, double *c,
                               const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_blocked(m, n, k, a, b, c, *tuning, stream);
}
