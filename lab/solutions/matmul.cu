/* Exercise 1: a matrix product with tiles in shared memory.
 *
 * matmul_naive reads a row of A and a column of B from global memory for each element of C. In matmul_blocked a block of
 * BLOCK x BLOCK threads computes a tile of C: it goes along a row of tiles of A and a column of tiles of B, copies a pair of
 * tiles to shared memory, and multiplies them from there. Fill the gaps; then measure, with several sizes: matmul 2048. */
#include "lab.h"

enum { BLOCK = 16 };

static const char *const gaps[] = {
    "copy one element of the tile of A and one of the tile of B to shared memory",
    "wait until both tiles are complete",
    "add the products of row ty of A's tile and column tx of B's tile to sum",
    "wait until all threads have read the tiles"};

/* C = A B, matrices of n x n, row by row. Each thread computes one element. */
__global__ void matmul_naive(const float *a, const float *b, float *c, int n) {
    const int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int p = 0; p < n; p++) sum += a[row * n + p] * b[p * n + col];
    c[row * n + col] = sum;
}

/* The same with tiles. n is a multiple of BLOCK. */
__global__ void matmul_blocked(const float *a, const float *b, float *c, int n) {
    __shared__ float tile_a[BLOCK][BLOCK], tile_b[BLOCK][BLOCK];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * BLOCK + ty, col = blockIdx.x * BLOCK + tx;
    float sum = 0;
    for (int first = 0; first < n; first += BLOCK) {
        tile_a[ty][tx] = a[row * n + first + tx];
        tile_b[ty][tx] = b[(first + ty) * n + col];
        __syncthreads();
        for (int p = 0; p < BLOCK; p++) sum += tile_a[ty][p] * tile_b[p][tx];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

static int32_t library(int32_t variant, const float *a, const float *b, float *c, size_t n) {
    gpumex_matmul_options options = GPUMEX_MATMUL_OPTIONS_INIT;
    options.variant = variant;
    return gpumex_matmul(lab.ctx, &options, n, n, n, a, b, c);
}

int main(int argc, char **argv) {
    const int n = lab_size(argc, argv, BLOCK, 1024, 64);
    const size_t count = (size_t)n * (size_t)n;
    lab_begin("Matrix product", gaps);
    float *a = lab_array<float>(count), *b = lab_array<float>(count), *c = lab_array<float>(count);
    float *want = lab_array<float>(count);
    for (size_t i = 0; i < count; i++) a[i] = lab_uniform(0, 1), b[i] = lab_uniform(0, 1);
    lab_check(library(GPUMEX_MATMUL_VARIANT_AUTO, a, b, want, (size_t)n));

    /* Sums of n products differ in their last bits by the order of the additions and by fused operations. */
    const double tolerance = 2 * (n + 10) * std::ldexp(1.0, -24);
    const dim3 block(BLOCK, BLOCK), grid(n / BLOCK, n / BLOCK);
    lab_kernel("naive", c, want, count, tolerance, [&] { LAUNCH(matmul_naive, grid, block, a, b, c, n); });
    lab_kernel("blocked", c, want, count, tolerance, [&] { LAUNCH(matmul_blocked, grid, block, a, b, c, n); });
    lab_library("NAIVE", [&] { return library(GPUMEX_MATMUL_VARIANT_NAIVE, a, b, want, (size_t)n); });
    lab_library("BLOCKED", [&] { return library(GPUMEX_MATMUL_VARIANT_BLOCKED, a, b, want, (size_t)n); });
    lab_library("AUTO", [&] { return library(GPUMEX_MATMUL_VARIANT_AUTO, a, b, want, (size_t)n); });

    for (float *array : {a, b, c, want}) lab_free(array);
    return lab_end();
}
