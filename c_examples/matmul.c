/* matmul.c - the product of two matrices by every variant: speed, error, and the bound of that error.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/matmul.c -o matmul -Iinclude -Ltarget/release -lgpumex -lm -Wl,-rpath,$PWD/target/release
 * Run:    matmul [N]              N x N matrices of float, with elements from 0 to 1     (1024)
 *
 * Prints a line for each variant, for the plain `matmul`, and for C <- A1*B1, C <- A2*B2 + C with options ("halves"):
 *
 *     Variant | kernel ms | GFLOP/s | call ms | largest error | its bound | same bits
 *     naive   |       ...
 *
 * The reference is A*B in double, by gpumex_matmul on the CPU; a row of it is checked against a plain loop. Exits with
 * 1 when an element is off by more than j*u/(1-j*u) * (|A|*|B|), u = 2^-24, where j counts the roundings that can add
 * up in it: N + 2, and some more for numbers in three parts (tensor). tf32 rounds A and B to 11 bits first, which makes
 * 2^-10 * (|A|*|B|) more. (N. Higham, "Accuracy and Stability of Numerical Algorithms", 3.5.)
 *
 * Why a bound, and not ==: the last column counts the elements of one row that a plain loop in float has to the last
 * bit. The loop rounds each product and then each sum; a GPU, and most code for CPUs, fuses a*b + c and rounds once: at
 * N = 1024 that alone, in the order of the loop, changes 29 % of the elements. Sums in tiles, or on many lanes, come in
 * another order too: on the CPU backend 92 % change (AMD EPYC). None is wrong: its largest error is 2.38e-04, and the
 * bound there 1.53e-02.
 *
 * Source: RSE-Sheffield, CUDALab03, exercise 1. */
#include "common.h"

#include <math.h>

/* What a line of the table is about, and what its bound allows: roundings beyond N, and a part of |A|*|B| more. */
typedef struct way {
    const char *name;
    int32_t variant;
    double roundings, part;
} way;

enum { PLAIN = -1, HALVES = -2 }; /* no variants: the function `matmul`, and two calls */

static const way ways[] = {
    {"naive", GPUMEX_MATMUL_VARIANT_NAIVE, 2, 0},
    {"blocked", GPUMEX_MATMUL_VARIANT_BLOCKED, 2, 0},
    {"tiled", GPUMEX_MATMUL_VARIANT_TILED, 2, 0},
    {"tensor", GPUMEX_MATMUL_VARIANT_TENSOR, 10, 0},
    {"tf32", GPUMEX_MATMUL_VARIANT_TF32, 2, 1.0 / 1024},
    {"cublas", GPUMEX_MATMUL_VARIANT_CUBLAS, 2, 0},
    {"matmul", PLAIN, 2, 0},
    {"halves", HALVES, 4, 0},
};
enum { WAYS = sizeof ways / sizeof ways[0], NOTE = 400 };

/* The matrices: float, the same numbers in double with their product, and a row of it by a plain loop in float. */
typedef struct problem {
    size_t n;
    float *a, *b, *c, *row;
    double *exact_a, *exact_b, *reference;
} problem;

/* How far one way is off. */
typedef struct deviation {
    size_t wrong, same_bits;
    double largest, its_bound;
} deviation;

/* Numbers from 0 to 1 as float, and the same numbers as double; the same ones every time. */
static void fill(float *single, double *exact, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        single[i] = (float)(seed >> 40) / (float)(1 << 24);
        exact[i] = single[i];
    }
}

/* c <- a1*b1, then c <- a2*b2 + c: a1 and a2 are the left and right halves of a, b1 and b2 the upper and lower of b. */
static int32_t multiply_halves(gpumex_context *ctx, const problem *p) {
    const size_t n = p->n, half = n / 2;
    const double one = 1;
    CHECK(gpumex_matmul(ctx, GPUMEX_OPTIONS(matmul, .lda = n), n, n, half, p->a, p->b, p->c)); /* rows of A are n apart */
    return gpumex_matmul(ctx, GPUMEX_OPTIONS(matmul, .lda = n, .beta = &one), n, n, n - half, p->a + half,
                         p->b + half * n, p->c);
}

static int32_t multiply(gpumex_context *ctx, const way *w, const problem *p) {
    if (w->variant == PLAIN) return matmul(p->n, p->n, p->n, p->a, p->b, p->c);
    if (w->variant == HALVES) return multiply_halves(ctx, p);
    return gpumex_matmul(ctx, GPUMEX_OPTIONS(matmul, .variant = w->variant), p->n, p->n, p->n, p->a, p->b, p->c);
}

/* The middle row by a plain loop, in float and in double; how many elements of the reference are not those of the
 * loop, up to roundings in double. */
static size_t check_reference(const problem *p) {
    const size_t n = p->n, i = n / 2;
    size_t wrong = 0;
    for (size_t j = 0; j < n; j++) {
        volatile float product, sum = 0; /* two roundings: volatile keeps the compiler from fusing them */
        double exact = 0;
        for (size_t l = 0; l < n; l++) {
            product = p->a[i * n + l] * p->b[l * n + j];
            sum = sum + product;
            exact += p->exact_a[i * n + l] * p->exact_b[l * n + j];
        }
        p->row[j] = sum;
        wrong += !(fabs(exact - p->reference[i * n + j]) <= 1e-15 * (double)n * exact);
    }
    return wrong;
}

/* Adds what c breaks of its bounds, and keeps the largest error with its bound. */
static void compare(const way *w, const problem *p, deviation *found) {
    const size_t n = p->n;
    const double ju = ((double)n + w->roundings) * ldexp(1, -24), factor = ju / (1 - ju) + w->part;
    for (size_t e = 0; e < n * n; e++) {
        const double error = fabs(p->c[e] - p->reference[e]);
        const double bound = factor * p->reference[e]; /* |A|*|B| is A*B here: no element is negative */
        found->wrong += !(error <= bound);
        if (!(error <= found->largest)) found->largest = error, found->its_bound = bound;
    }
    found->same_bits = 0;
    for (size_t j = 0; j < n; j++) found->same_bits += p->c[n / 2 * n + j] == p->row[j];
}

/* Prints the line of one way; how many elements are wrong. Adds to the notes why it is not served here, if so. */
static size_t measure(gpumex_context *ctx, const way *w, const problem *p, char *notes) {
    const double n = (double)p->n, gflop = 2e-9 * n * n * n;
    double kernels[REPEATS], calls[REPEATS];
    deviation found = {0, 0, 0, 0};
    for (int r = 0; r < REPEATS; r++) {
        memset(p->c, 0xFF, p->n * p->n * sizeof(float)); /* NaN, so that an element left unwritten shows */
        const double start = wall_ms();
        const int32_t status = multiply(ctx, w, p);
        calls[r] = wall_ms() - start;
        if (status == GPUMEX_STATUS_UNSUPPORTED) {
            printf("%-7s |         - |       - |       - |             - |         - |         -\n", w->name);
            notes += strlen(notes);
            snprintf(notes, NOTE, "%s: %s\n", w->name, gpumex_last_error());
            return 0;
        }
        CHECK(status);
        kernels[r] = kernel_ms(ctx);
        compare(w, p, &found);
    }
    const double ms = median(kernels), same_bits = 100 * (double)found.same_bits / n;
    if (w->variant >= 0) printf("%-7s | %9.3f | %7.1f |", w->name, ms, gflop / ms * 1e3);
    else printf("%-7s |         - |       - |", w->name); /* ctx tells of one call of its own */
    printf(" %7.3f | %13.2e | %9.2e | %7.1f %%\n", median(calls), found.largest, found.its_bound, same_bits);
    return found.wrong;
}

int main(int argc, char **argv) {
    if (argc > 2) {
        fprintf(stderr, "usage: matmul [N]\n");
        return 2;
    }
    const size_t n = argc > 1 ? number(argv[1], 46340) : 1024, floats = n * n * sizeof(float), doubles = 2 * floats;
    problem p = {n, (float *)allocate(floats), (float *)allocate(floats), (float *)allocate(floats),
                 (float *)allocate(n * sizeof(float)), (double *)allocate(doubles), (double *)allocate(doubles),
                 (double *)allocate(doubles)};
    fill(p.a, p.exact_a, n * n, 1);
    fill(p.b, p.exact_b, n * n, 2);

    gpumex_context *cpu = open_context(GPUMEX_BACKEND_CPU), *ctx = open_context(GPUMEX_BACKEND_AUTO);
    CHECK(gpumex_matmul(cpu, GPUMEX_OPTIONS(matmul, .dtype = GPUMEX_DTYPE_F64), n, n, n, p.exact_a, p.exact_b, p.reference));
    size_t wrong = check_reference(&p);

    print_device(ctx);
    printf("Matrix product: %zu x %zu floats, %.3g GFLOP\n", n, n, 2e-9 * (double)n * (double)n * (double)n);
    printf("Reference: the product in double, by gpumex_matmul on the CPU\n");
    printf("Same bits: elements of a row that a plain loop in float gives to the last bit\n\n");
    printf("Variant | kernel ms | GFLOP/s | call ms | largest error | its bound | same bits\n");
    char notes[WAYS * NOTE] = "";
    for (size_t i = 0; i < WAYS; i++) wrong += measure(ctx, &ways[i], &p, notes);
    printf("\n%s", notes);
    if (wrong == 0) printf("Test passed: every element is within its error bound\n");
    else printf("Test FAILED: %zu elements are beyond their error bound\n", wrong);

    CHECK(gpumex_context_destroy(ctx));
    CHECK(gpumex_context_destroy(cpu));
    void *all[] = {p.a, p.b, p.c, p.row, p.exact_a, p.exact_b, p.reference};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]);
    return wrong != 0;
}
