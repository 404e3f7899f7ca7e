/* dims.c - reductions and scans along each dimension of matrices in device memory: GB/s of what they read and write. Those of an expression
 * of two arrays, the sum of a*b or how many a == b, are timed in one pass and as gpumex_map with gpumex_reduce_dim or gpumex_scan_dim
 * behind it, in turn.
 *
 *   cc -O2 -Iinclude benches/dims.c -o target/dims -Ltarget/release -lgpumex -Wl,-rpath,"$PWD/target/release"
 *   target/dims [cpu]
 *
 * Medians of 11 batches; random numbers, as float and as bytes. A batch is as many calls as take some milliseconds, between two events
 * of the host's clock: small shapes include what a launch costs. */
#define _POSIX_C_SOURCE 199309L
#include "gpumex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCHES = 11 };

typedef struct shape {
    size_t inner, count, outer;
} shape;

static gpumex_context *ctx;
static void *data, *other, *elements, *result, *positions;

static void ok(int32_t status) {
    if (status == 0) return;
    fprintf(stderr, "%s\n", gpumex_last_error());
    exit(1);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One pass, or two calls; of float the sums of products, of bytes how many are equal. */
static void call_expression(int is_scan, int is_one_pass, int32_t dtype, shape s) {
    const int is_sum = dtype == GPUMEX_DTYPE_F32;
    const int32_t of = is_sum ? GPUMEX_DTYPE_F32 : GPUMEX_DTYPE_BOOL, op = is_sum ? GPUMEX_DIM_REDUCTION_SUM : GPUMEX_DIM_REDUCTION_COUNT;
    const int32_t dtypes[] = {dtype, dtype};
    const void *const inputs[] = {data, other};
    const size_t extents[] = {s.inner, s.count, s.outer};
    const char *const text = is_sum ? "a * b" : "a == b";
    const int32_t to = is_sum ? 0 : GPUMEX_DTYPE_F64;
    if (!is_one_pass) {
        ok(gpumex_map(ctx, GPUMEX_OPTIONS(map, .dtype = of, .rank = 3, .dtypes = dtypes, .shape = extents), text, inputs, 2, elements));
    }
    if (is_scan && is_one_pass) {
        ok(gpumex_map_scan(ctx, GPUMEX_OPTIONS(map_scan, .dtype = of, .rank = 3, .kind = GPUMEX_SCAN_KIND_INCLUSIVE, .dimension = 2,
                                               .accumulator_dtype = to, .dtypes = dtypes, .shape = extents),
                           text, inputs, 2, result));
    } else if (is_scan) {
        ok(gpumex_scan_dim(ctx, GPUMEX_OPTIONS(scan_dim, .dtype = of, .kind = GPUMEX_SCAN_KIND_INCLUSIVE, .accumulator_dtype = to), elements,
                           s.inner, s.count, s.outer, result));
    } else if (is_one_pass) {
        ok(gpumex_map_reduce(ctx, GPUMEX_OPTIONS(map_reduce, .dtype = of, .rank = 3, .op = op, .dimension = 2, .dtypes = dtypes, .shape = extents),
                             text, inputs, 2, result));
    } else {
        ok(gpumex_reduce_dim(ctx, GPUMEX_OPTIONS(reduce_dim, .dtype = of, .op = op), elements, s.inner, s.count, s.outer, result));
    }
}

static void call(int what, int32_t dtype, shape s) {
    if (what >= 4) {
        call_expression(what >= 6, what % 2 == 0, dtype, s);
        return;
    }
    const int32_t to = dtype == GPUMEX_DTYPE_U8 && (what == 0 || what == 3) ? GPUMEX_DTYPE_F64 : 0;
    const int32_t op = what == 0 || what == 3 ? GPUMEX_DIM_REDUCTION_SUM : GPUMEX_DIM_REDUCTION_MAX;
    if (what == 3) {
        ok(gpumex_scan_dim(ctx, GPUMEX_OPTIONS(scan_dim, .dtype = dtype, .kind = GPUMEX_SCAN_KIND_INCLUSIVE, .accumulator_dtype = to), data,
                           s.inner, s.count, s.outer, result));
    } else {
        ok(gpumex_reduce_dim(ctx, GPUMEX_OPTIONS(reduce_dim, .dtype = dtype, .op = op, .accumulator_dtype = to,
                                                 .index_dtype = GPUMEX_DTYPE_U32, .positions = what == 2 ? positions : NULL),
                             data, s.inner, s.count, s.outer, result));
    }
}

static double timed(int what, int32_t dtype, shape s, int calls) {
    const double start = seconds();
    for (int i = 0; i < calls; ++i) call(what, dtype, s);
    ok(gpumex_context_synchronize(ctx));
    return (seconds() - start) / calls;
}

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

int main(int argc, char **argv) {
    static const char *const names[] = {"sum", "max", "max, positions", "cumsum", "a, b: one pass", "a, b: two calls", "a, b: cumsum", "a, b: two calls"};
    static const shape shapes[] = {
        {1, 4096, 4096}, {4096, 4096, 1}, {1, 128, 1000000}, {128, 1000000, 1}, {1, 1000000, 128}, {1000000, 128, 1},
        {1, 128000000, 1}, {3, 10000000, 1}, {1, 3, 10000000}, {64, 64, 31250}, {1, 1001, 100000}, {1001, 100000, 1},
    };
    const int on_cpu = argc > 1 && strcmp(argv[1], "cpu") == 0;
    ctx = gpumex_context_create(on_cpu ? GPUMEX_BACKEND_CPU : GPUMEX_BACKEND_CUDA, -1);
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const size_t most = 128000000;
    ok(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, most * 4, &data));
    ok(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, most * 4, &other));
    ok(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, most * 4, &elements));
    ok(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, most * 8, &result));
    ok(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, most / 2, &positions));
    ok(gpumex_random(ctx, GPUMEX_DTYPE_F32, data, most, 7, -1.0, 1.0));
    ok(gpumex_random(ctx, GPUMEX_DTYPE_F32, other, most, 8, -1.0, 1.0));
    printf("%-10s %-24s %-16s %10s %8s\n", "dtype", "inner x count x outer", "operation", "us", "GB/s");
    for (int bytes = 4; bytes >= 1; bytes -= 3) {
        const int32_t dtype = bytes == 4 ? GPUMEX_DTYPE_F32 : GPUMEX_DTYPE_U8;
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
            for (int what = 0; what < 8; ++what) {
                const shape s = shapes[i];
                const double n = (double)s.inner * (double)s.count * (double)s.outer;
                if (what == 2 && s.inner * s.outer > most / 8) continue;
                timed(what, dtype, s, 1);
                const double once = timed(what, dtype, s, 1);
                const int calls = once > 2e-3 ? 1 : (int)(2e-3 / once) + 1;
                double times[BATCHES];
                for (int b = 0; b < BATCHES; ++b) times[b] = timed(what, dtype, s, calls);
                qsort(times, BATCHES, sizeof *times, ascending);
                const double moved = n * bytes * (what >= 4 ? 2 : 1) + (what == 3 || what >= 6 ? n * (bytes == 4 ? 4 : 8) : 0), time = times[BATCHES / 2];
                char text[64];
                snprintf(text, sizeof text, "%zu x %zu x %zu", s.inner, s.count, s.outer);
                printf("%-10s %-24s %-16s %10.1f %8.0f\n", bytes == 4 ? "F32" : "U8", text, names[what], time * 1e6, moved / time * 1e-9);
                fflush(stdout);
            }
        }
    }
    return 0;
}
