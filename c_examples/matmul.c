/* matmul.c - the product of two matrices, straight from global memory against tiles in shared memory.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/matmul.c -o matmul -Iinclude -Ltarget/release -lgpumex -lm -Wl,-rpath,$PWD/target/release
 * Run:    matmul [N]              N x N matrices of float, with elements from 0 to 1     (1024)
 *
 * Prints the kernel time, the speed, the largest error and the error bound of that element:
 *
 *     Variant | kernel ms | GFLOP/s | largest error | its bound
 *     naive   |       ...
 *     blocked |       ...
 *
 * The reference is A*B in double, by gpumex_matmul on the CPU; a row of it is checked against a plain loop. Exits with
 * 1 when an element is off by more than k*u/(1-k*u) * (|A|*|B|), u = 2^-24, which is what k roundings can add up to
 * (N. Higham, "Accuracy and Stability of Numerical Algorithms", 3.5). Source: RSE-Sheffield, CUDALab03, exercise 1. */
#include "common.h"

#include <math.h>

/* Numbers from 0 to 1 as float, and the same numbers as double; the same ones every time. */
static void fill(float *single, double *exact, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        single[i] = (float)(seed >> 40) / (float)(1 << 24);
        exact[i] = single[i];
    }
}

/* c <- a*b with one variant and type; the kernel time in ms. */
static double multiply(gpumex_context *ctx, int32_t variant, int32_t dtype, size_t n, const void *a, const void *b,
                       void *c) {
    gpumex_matmul_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.variant = variant;
    options.dtype = dtype;
    CHECK(gpumex_matmul(ctx, &options, n, n, n, a, b, c));
    return kernel_ms(ctx);
}

/* How many elements of the reference's middle row are not those of a plain loop, up to roundings in double. */
static size_t check_reference(size_t n, const double *a, const double *b, const double *reference) {
    const size_t i = n / 2;
    size_t wrong = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t p = 0; p < n; p++) sum += a[i * n + p] * b[p * n + j];
        wrong += !(fabs(sum - reference[i * n + j]) <= 1e-15 * (double)n * sum);
    }
    return wrong;
}

/* How many elements of c break their bound; the largest error so far, and the bound where it is. */
static size_t compare(size_t n, const float *c, const double *reference, double *largest, double *bound_there) {
    const double ku = (double)n * ldexp(1, -24), gamma = ku / (1 - ku);
    size_t wrong = 0;
    for (size_t e = 0; e < n * n; e++) {
        const double error = fabs(c[e] - reference[e]);
        const double bound = gamma * reference[e]; /* |A|*|B| is A*B here: no element is negative */
        wrong += !(error <= bound);
        if (!(error <= *largest)) *largest = error, *bound_there = bound;
    }
    return wrong;
}

int main(int argc, char **argv) {
    if (argc > 2) {
        fprintf(stderr, "usage: matmul [N]\n");
        return 2;
    }
    const size_t n = argc > 1 ? number(argv[1], 46340) : 1024, elements = n * n;
    const double gflop = 2e-9 * (double)n * (double)n * (double)n;
    float *a = (float *)allocate(elements * sizeof(float));
    float *b = (float *)allocate(elements * sizeof(float));
    float *c = (float *)allocate(elements * sizeof(float));
    double *exact_a = (double *)allocate(elements * sizeof(double));
    double *exact_b = (double *)allocate(elements * sizeof(double));
    double *reference = (double *)allocate(elements * sizeof(double));
    fill(a, exact_a, elements, 1);
    fill(b, exact_b, elements, 2);

    gpumex_context *cpu = open_context(GPUMEX_BACKEND_CPU), *ctx = open_context(GPUMEX_BACKEND_AUTO);
    multiply(cpu, GPUMEX_MATMUL_VARIANT_AUTO, GPUMEX_MATMUL_DTYPE_F64, n, exact_a, exact_b, reference);
    size_t wrong = check_reference(n, exact_a, exact_b, reference);

    print_device(ctx);
    printf("Matrix product: %zu x %zu floats, %.3g GFLOP\n", n, n, gflop);
    printf("Loads from global memory: naive 2 N^3, blocked 2 N^3 / tile width\n");
    printf("Reference: the product in double, by gpumex_matmul on the CPU\n\n");
    printf("Variant | kernel ms | GFLOP/s | largest error | its bound\n");
    const struct { const char *name; int32_t variant; } variants[] = {
        {"naive", GPUMEX_MATMUL_VARIANT_NAIVE},
        {"blocked", GPUMEX_MATMUL_VARIANT_BLOCKED},
    };
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        double times[REPEATS], largest = 0, bound = 0;
        for (int r = 0; r < REPEATS; r++) {
            memset(c, 0xFF, elements * sizeof(float)); /* NaN, so that an element left unwritten shows */
            times[r] = multiply(ctx, variants[i].variant, GPUMEX_MATMUL_DTYPE_F32, n, a, b, c);
            wrong += compare(n, c, reference, &largest, &bound);
        }
        const double ms = median(times);
        printf("%-7s | %9.3f | %7.1f | %13.2e | %.2e\n", variants[i].name, ms, gflop / ms * 1e3, largest, bound);
    }
    if (wrong == 0) printf("\nTest passed: every element is within its error bound\n");
    else printf("\nTest FAILED: %zu elements are beyond their error bound\n", wrong);

    CHECK(gpumex_context_destroy(ctx));
    CHECK(gpumex_context_destroy(cpu));
    void *all[] = {a, b, c, exact_a, exact_b, reference};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    return wrong != 0;
}
