/* kernels.h — every launcher of the CUDA side, on one page. src/gpu/kernels.rs declares the same functions for Rust.
 *
 * All pointers are device memory of the current context, all sizes are checked by the caller, nothing here allocates
 * device memory. A launcher enqueues on `stream` (life_texture waits for it as well) and returns a cudaError_t as int: 0, or
 * the first call that failed.
 * Launch geometry is chosen from the current device. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct CUstream_st *gpumexk_stream;

#ifdef __cplusplus
extern "C" {
#endif

/* device.cu */
int gpumexk_device_ready(void); /* 0 when the current device can run this library's machine code */
void gpumexk_clear_error(void); /* forgets the last error of this thread, so that the next launcher does not see it */
const char *gpumexk_error_string(int error); /* static text of a cudaError_t */

/* life.cu — `generations` steps of Conway's Life, clamped edges. front (rows·cols bytes, any value ≠ 0 is alive) holds the
 * board; both buffers are overwritten. The result, cells 0 or 1, is in front when generations is even, else in back. */
int gpumexk_life_arrays(uint8_t *front, uint8_t *back, uint8_t *neighbours, size_t rows, size_t cols,
                        uint64_t generations, gpumexk_stream stream); /* neighbours: rows·cols bytes of scratch */
int gpumexk_life_shmem(uint8_t *front, uint8_t *back, size_t rows, size_t cols, uint64_t generations,
                       gpumexk_stream stream);
int gpumexk_life_texture(uint8_t *front, uint8_t *back, size_t rows, size_t cols, uint64_t generations,
                         gpumexk_stream stream); /* both buffers aligned to 512 bytes */

/* matmul.cu — C ← A·B, row-major, A m×k, B k×n, C m×n; k = 0 gives zeros. */
int gpumexk_matmul_naive_f32(size_t m, size_t n, size_t k, const float *a, const float *b, float *c,
                             gpumexk_stream stream);
int gpumexk_matmul_naive_f64(size_t m, size_t n, size_t k, const double *a, const double *b, double *c,
                             gpumexk_stream stream);
int gpumexk_matmul_blocked_f32(size_t m, size_t n, size_t k, const float *a, const float *b, float *c,
                               gpumexk_stream stream);
int gpumexk_matmul_blocked_f64(size_t m, size_t n, size_t k, const double *a, const double *b, double *c,
                               gpumexk_stream stream);

/* histogram.cu — counts[v] ← how many of the len bytes equal v (256 counters, overwritten). */
int gpumexk_histogram_global(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream);
int gpumexk_histogram_strided(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream);
int gpumexk_histogram_shared(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream);

/* raytrace.cu — orthographic ray cast, rgba is height×width×4 bytes (formula in raytrace.cu). */
#define GPUMEXK_RAYTRACE_CONSTANT_SPHERES 2340 /* what 64 KB of constant memory hold */
int gpumexk_raytrace_global(const float *spheres, size_t count, size_t width, size_t height, uint8_t *rgba,
                            gpumexk_stream stream);
int gpumexk_raytrace_read_only(const float *spheres, size_t count, size_t width, size_t height, uint8_t *rgba,
                               gpumexk_stream stream);
/* depth: width·height floats of scratch, used when count is above GPUMEXK_RAYTRACE_CONSTANT_SPHERES, else may be NULL.
 * The constant bank is one per device: the caller keeps a second call away until this one's stream has drained. */
int gpumexk_raytrace_constant(const float *spheres, size_t count, size_t width, size_t height, float *depth,
                              uint8_t *rgba, gpumexk_stream stream);

#ifdef __cplusplus
}
#endif
