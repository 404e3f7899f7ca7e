/* dot.c - the inner product of two vectors: the plain loop against two ways to add up what a GPU's blocks found.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/dot.c -o dot -Iinclude -Ltarget/release -lgpumex -lm -Wl,-rpath,$PWD/target/release
 * Run:    dot [N]                         N numbers of float, from 0 to 1                (4194304)
 *
 * Prints the kernel time, what the kernel reads a second (8 bytes an element), the result, how far it lies from a sum in
 * double, the bound of that, and how many different results ten calls gave:
 *
 *     Variant        | kernel ms |    GB/s |       result | rel. error | its bound | results
 *     CPU sequential |    ...
 *
 * The order of atomics is left to chance, and with it the rounding; the two passes add in one order. Exits with 1
 * when a result is off by more than n*u/(1-n*u) of the sum, u = 2^-24 (N. Higham, "Accuracy and Stability of
 * Numerical Algorithms", 3.1; no product is negative here), when the plain loop or the two passes give two results,
 * or when N ones do not give N. Source: M. Pantoja, "CUDA Memory Model", 2020. */
#include "common.h"

#include <math.h>

enum { CALLS = 2 * REPEATS };

typedef struct vectors {
    float *x, *y;
    size_t count;
} vectors;

typedef struct variant {
    const char *name;
    int32_t number, may_vary; /* its gpumex_dot_variant; whether two calls may give two results */
    gpumex_context *ctx;
    vectors v; /* where its context reaches them */
} variant;

/* The inner product by one variant. */
static float dot(const variant *how) {
    float result = NAN;
    CHECK(gpumex_dot(how->ctx, GPUMEX_OPTIONS(dot, .variant = how->number, .dtype = GPUMEX_DTYPE_F32),
                     how->v.x, how->v.y, how->v.count, &result));
    return result;
}

/* The inner product in double, by the plain loop. */
static double reference(vectors v) {
    double sum = 0;
    for (size_t i = 0; i < v.count; i++) sum += (double)v.x[i] * v.y[i];
    return sum;
}

/* How many of the results differ in a bit from all before them. */
static int different(const float *results) {
    int count = 0;
    for (int c = 0; c < CALLS; c++) {
        int before = 0;
        while (before < c && memcmp(&results[before], &results[c], sizeof(float)) != 0) before++;
        count += before == c;
    }
    return count;
}

/* The row of one variant; how much of it is wrong. The last REPEATS calls are timed, the ones before warm up. */
static int measure(const variant *how, double exact) {
    const double nu = (double)how->v.count * ldexp(1, -24), bound = nu / (1 - nu);
    const double bytes = 2.0 * sizeof(float) * (double)how->v.count;
    double times[REPEATS], largest = 0;
    float results[CALLS];
    int wrong = 0;
    for (int c = 0; c < CALLS; c++) {
        results[c] = dot(how);
        times[c % REPEATS] = kernel_ms(how->ctx);
        const double error = fabs(results[c] - exact) / exact;
        wrong += !(error <= bound);
        if (!(error <= largest)) largest = error;
    }
    const double ms = median(times);
    const int found = different(results);
    printf("%-14s | %9.3f | %7.2f | %12.3f | %10.2e | %9.2e | %7d\n", how->name, ms, ms > 0 ? bytes / ms / 1e6 : 0,
           results[0], largest, bound, found);
    return wrong + (found > 1 && !how->may_vary);
}

/* 1 when N ones times N ones are not N, which every order of additions gives, else 0. Overwrites the vectors. */
static int check_ones(const variant *how) {
    const float one = 1;
    CHECK(gpumex_fill(how->ctx, GPUMEX_DTYPE_F32, how->v.x, how->v.count, &one));
    CHECK(gpumex_fill(how->ctx, GPUMEX_DTYPE_F32, how->v.y, how->v.count, &one));
    return dot(how) != (float)how->v.count;
}

int main(int argc, char **argv) {
    if (argc > 2) {
        fprintf(stderr, "usage: dot [N]\n");
        return 2;
    }
    const size_t count = argc > 1 ? number(argv[1], 1 << 23) : 1 << 22, bytes = count * sizeof(float);
    gpumex_context *cpu = open_context(GPUMEX_BACKEND_CPU), *ctx = open_context(GPUMEX_BACKEND_AUTO);
    const vectors host = {(float *)allocate(bytes), (float *)allocate(bytes), count};
    const vectors there = {(float *)lend(ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes),
                           (float *)lend(ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes), count};
    CHECK(gpumex_random(ctx, GPUMEX_DTYPE_F32, there.x, count, 1, 0, 1));
    CHECK(gpumex_random(ctx, GPUMEX_DTYPE_F32, there.y, count, 2, 0, 1));
    CHECK(gpumex_copy(ctx, host.x, there.x, bytes));
    CHECK(gpumex_copy(ctx, host.y, there.y, bytes));
    const variant variants[] = {
        {"CPU sequential", GPUMEX_DOT_VARIANT_SEQUENTIAL, 0, cpu, host}, /* one core, wherever the others run */
        {"atomic", GPUMEX_DOT_VARIANT_ATOMIC, 1, ctx, there},
        {"two-pass", GPUMEX_DOT_VARIANT_TWO_PASS, 0, ctx, there},
    };
    const size_t many = sizeof variants / sizeof variants[0];
    const double exact = reference(host);
    int wrong = 0;

    print_device(ctx);
    printf("Inner product: %zu floats each, %.3f in double\n\n", count, exact);
    printf("Variant        | kernel ms |    GB/s |       result | rel. error | its bound | results\n");
    for (size_t i = 0; i < many; i++) wrong += measure(&variants[i], exact);
    for (size_t i = 0; i < many; i++) wrong += check_ones(&variants[i]);
    if (wrong == 0) printf("\nTest passed: results are within their bound, two passes repeat theirs\n");
    else printf("\nTest FAILED: %d results are beyond their bound, or differ from call to call\n", wrong);

    CHECK(gpumex_free(there.x));
    CHECK(gpumex_free(there.y));
    CHECK(gpumex_context_destroy(ctx));
    CHECK(gpumex_context_destroy(cpu));
    free(host.x);
    free(host.y);
    return wrong != 0;
}
