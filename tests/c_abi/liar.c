/* Stands between a program and the library (LD_PRELOAD), and spoils one number of each answer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gpumex.h>
#include <string.h>

/* The library's function of that name, as a pointer that ISO C lets us call. */
#define FIND(function, name)                           \
    do {                                               \
        void *address = dlsym(RTLD_NEXT, #name);       \
        memcpy(&(function), &address, sizeof address); \
    } while (0)

int32_t gpumex_life(gpumex_context *ctx, const gpumex_life_options *options, const void *board, size_t rows,
                    size_t cols, uint64_t generations, void *next) {
    int32_t (*truth)(gpumex_context *, const gpumex_life_options *, const void *, size_t, size_t, uint64_t, void *);
    FIND(truth, gpumex_life);
    const int32_t status = truth(ctx, options, board, rows, cols, generations, next);
    ((uint8_t *)next)[rows * cols - 1] ^= 1;
    return status;
}

int32_t gpumex_histogram(gpumex_context *ctx, const gpumex_histogram_options *options, const void *data, size_t len,
                         void *counts, size_t bins) {
    int32_t (*truth)(gpumex_context *, const gpumex_histogram_options *, const void *, size_t, void *, size_t);
    FIND(truth, gpumex_histogram);
    const int32_t status = truth(ctx, options, data, len, counts, bins);
    ((uint64_t *)counts)[bins - 1] += 1;
    return status;
}

int32_t gpumex_words(gpumex_context *ctx, const gpumex_words_options *options, const void *text, size_t len, size_t k,
                     void *positions, void *lengths, void *counts, gpumex_words_summary *summary) {
    int32_t (*truth)(gpumex_context *, const gpumex_words_options *, const void *, size_t, size_t, void *, void *, void *,
                     gpumex_words_summary *);
    FIND(truth, gpumex_words);
    const int32_t status = truth(ctx, options, text, len, k, positions, lengths, counts, summary);
    ((uint64_t *)counts)[0] += 1;
    return status;
}

int32_t gpumex_matmul(gpumex_context *ctx, const gpumex_matmul_options *options, size_t m, size_t n, size_t k,
                      const void *a, const void *b, void *c) {
    int32_t (*truth)(gpumex_context *, const gpumex_matmul_options *, size_t, size_t, size_t, const void *,
                     const void *, void *);
    FIND(truth, gpumex_matmul);
    const int32_t status = truth(ctx, options, m, n, k, a, b, c);
    if (options->dtype != GPUMEX_DTYPE_F64) ((float *)c)[m * n - 1] *= 1.001f;
    return status;
}

/* Every variant alike, so that only a comparison with the truth can tell. */
int32_t gpumex_raytrace(gpumex_context *ctx, const gpumex_raytrace_options *options, const float *spheres, size_t count,
                        size_t width, size_t height, uint8_t *image) {
    int32_t (*truth)(gpumex_context *, const gpumex_raytrace_options *, const float *, size_t, size_t, size_t,
                     uint8_t *);
    FIND(truth, gpumex_raytrace);
    const int32_t status = truth(ctx, options, spheres, count, width, height, image);
    image[(height / 2 * width + width / 2) * 4] ^= 1;
    return status;
}

int32_t gpumex_print(gpumex_context *ctx, int32_t dtype, const void *array, size_t count, const char *format,
                     size_t columns, char *text, size_t capacity, uint64_t *needed) {
    int32_t (*truth)(gpumex_context *, int32_t, const void *, size_t, const char *, size_t, char *, size_t, uint64_t *);
    FIND(truth, gpumex_print);
    const int32_t status = truth(ctx, dtype, array, count, format, columns, text, capacity, needed);
    if (capacity > 0) text[0] ^= 1;
    return status;
}

int32_t gpumex_add(gpumex_context *ctx, const gpumex_add_options *options, const void *x, void *y, size_t count) {
    int32_t (*truth)(gpumex_context *, const gpumex_add_options *, const void *, void *, size_t);
    FIND(truth, gpumex_add);
    const int32_t status = truth(ctx, options, x, y, count);
    ((float *)y)[count - 1] *= 1.001f;
    return status;
}

int32_t gpumex_dot(gpumex_context *ctx, const gpumex_dot_options *options, const void *x, const void *y,
                   size_t count, void *result) {
    int32_t (*truth)(gpumex_context *, const gpumex_dot_options *, const void *, const void *, size_t, void *);
    FIND(truth, gpumex_dot);
    const int32_t status = truth(ctx, options, x, y, count, result);
    *(float *)result *= 1.001f;
    return status;
}

int32_t gpumex_reduce(gpumex_context *ctx, const gpumex_reduce_options *options, const void *data, size_t count,
                      void *result) {
    int32_t (*truth)(gpumex_context *, const gpumex_reduce_options *, const void *, size_t, void *);
    FIND(truth, gpumex_reduce);
    const int32_t status = truth(ctx, options, data, count, result);
    *(int32_t *)result ^= 1;
    return status;
}
