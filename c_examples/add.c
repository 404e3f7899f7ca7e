/* add.c - the sum of two vectors in managed memory: pages that move when they are touched, and pages moved ahead.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/add.c -o add -Iinclude -Ltarget/release -lgpumex -lm -Wl,-rpath,$PWD/target/release
 * Run:    add [--n N] [--device K]        N numbers of float                             (1048576)
 *
 * Prints the device, and for each variant how long the kernel and the whole call take and what the kernel moves (12
 * bytes an element): in a call that finds the pages on the host, and in the next, which finds them where it ran:
 *
 *                    |        pages on the host       |            next call
 *     Variant        | kernel ms |    GB/s |  call ms | kernel ms |    GB/s |  call ms
 *     CPU sequential |    ...
 *
 * On demand the kernel waits for its pages; prefetched, the call moves them all before the kernel starts. Exits
 * with 1 when a sum is not exact, for x = 1, y = 2 and for random numbers.
 * Source: M. Pantoja, "CUDA Memory Model", 2020. */
#include "common.h"

#include <math.h>

typedef struct vectors {
    float *x, *y; /* managed memory */
    float *want;  /* y after two sums */
    size_t count;
} vectors;

/* The times of the calls of one kind. */
typedef struct cost {
    double kernel[REPEATS + 1], call[REPEATS + 1]; /* the last one is not shown */
} cost;

/* x <- 1, y <- 2, as in the lesson. */
static void fill(vectors v) {
    for (size_t i = 0; i < v.count; i++) v.x[i] = 1, v.y[i] = 2;
}

/* x and y <- numbers from -1 to 1. */
static void fill_random(gpumex_context *ctx, vectors v) {
    CHECK(gpumex_random(ctx, GPUMEX_DTYPE_F32, v.x, v.count, 1, -1, 1));
    CHECK(gpumex_random(ctx, GPUMEX_DTYPE_F32, v.y, v.count, 2, -1, 1));
}

/* What y is after two sums, by the plain loop; it reads x and y, and so their pages come to the host. */
static void expect(vectors v) {
    for (size_t i = 0; i < v.count; i++) v.want[i] = v.x[i] + (float)(v.x[i] + v.y[i]);
}

/* y <- x + y; the times go to place r of the cost. */
static void add(gpumex_context *ctx, int32_t variant, vectors v, cost *cost, int r) {
    const double start = wall_ms();
    CHECK(gpumex_add(ctx, GPUMEX_OPTIONS(add, .variant = variant, .dtype = GPUMEX_DTYPE_F32), v.x, v.y, v.count));
    cost->call[r] = wall_ms() - start;
    cost->kernel[r] = kernel_ms(ctx);
}

/* How many sums are wrong; the largest error so far. */
static size_t compare(vectors v, double *largest) {
    size_t wrong = 0;
    for (size_t i = 0; i < v.count; i++) {
        const double error = fabs((double)v.y[i] - v.want[i]);
        wrong += error != 0;
        if (!(error <= *largest)) *largest = error;
    }
    return wrong;
}

static void print_cost(cost *cost, size_t count) {
    const double kernel = median(cost->kernel), bytes = 3.0 * sizeof(float) * (double)count;
    printf(" | %9.3f | %7.2f | %8.3f", kernel, kernel > 0 ? bytes / kernel / 1e6 : 0, median(cost->call));
}

/* The row of one variant: REPEATS rounds of two calls with 1 and 2, which are timed, and a round with random
 * numbers; how many sums came out wrong. */
static size_t measure(gpumex_context *ctx, const char *name, int32_t variant, size_t count, double *largest) {
    const size_t bytes = count * sizeof(float);
    const vectors v = {(float *)lend(ctx, GPUMEX_MEMORY_KIND_MANAGED, bytes),
                       (float *)lend(ctx, GPUMEX_MEMORY_KIND_MANAGED, bytes), (float *)allocate(bytes), count};
    cost first, next;
    size_t wrong = 0;
    for (int r = 0; r <= REPEATS; r++) {
        if (r < REPEATS) fill(v);
        else fill_random(ctx, v);
        expect(v);
        add(ctx, variant, v, &first, r);
        add(ctx, variant, v, &next, r);
        wrong += compare(v, largest);
    }
    printf("%-14s", name);
    print_cost(&first, count);
    print_cost(&next, count);
    printf("\n");
    CHECK(gpumex_free(v.x));
    CHECK(gpumex_free(v.y));
    free(v.want);
    return wrong;
}

int main(int argc, char **argv) {
    size_t count = 1 << 20;
    for (int i = 1; i < argc; i += 2) {
        const int is_count = strcmp(argv[i], "--n") == 0;
        if (i + 1 == argc || (!is_count && strcmp(argv[i], "--device") != 0)) {
            fprintf(stderr, "usage: add [--n N] [--device K]\n");
            return 2;
        }
        if (is_count) count = number(argv[i + 1], 1ul << 31);
    }
    gpumex_context *ctx = gpumex_context_create_from_args(argc, argv, 1); /* prints the device */
    if (ctx == NULL) {
        fprintf(stderr, "%s\n", gpumex_last_error());
        return 1;
    }
    CHECK(gpumex_context_set_timing(ctx, 1)); /* for kernel_ms */
    gpumex_context *cpu = open_context(GPUMEX_BACKEND_CPU);
    double largest = 0;
    size_t wrong = 0;

    printf("Sum of two vectors: %zu floats each, in managed memory\n\n", count);
    printf("               |        pages on the host       |            next call\n");
    printf("Variant        | kernel ms |    GB/s |  call ms | kernel ms |    GB/s |  call ms\n");
    wrong += measure(cpu, "CPU sequential", GPUMEX_ADD_VARIANT_SEQUENTIAL, count, &largest);
    wrong += measure(ctx, "on demand", GPUMEX_ADD_VARIANT_ON_DEMAND, count, &largest);
    wrong += measure(ctx, "prefetched", GPUMEX_ADD_VARIANT_PREFETCH, count, &largest);
    if (wrong == 0) printf("\nTest passed: every sum is exact, max error 0\n");
    else printf("\nTest FAILED: %zu sums are not exact, max error %g\n", wrong, largest);

    CHECK(gpumex_context_destroy(cpu));
    CHECK(gpumex_context_destroy(ctx));
    return wrong != 0;
}
