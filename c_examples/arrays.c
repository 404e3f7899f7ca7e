/* arrays.c - the example of ModernGPU's library page: memory of the device, filled there, and printed.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/arrays.c -o arrays -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    arrays [--device K]
 *
 * Prints three arrays of 50 numbers, ten in a row behind the index of the first: A ascending, B random, C sorted random:
 *
 *     A:
 *         0:       0      5     10     15     20     25     30     35     40     45
 *        10:      50     55     60     65     70     75     80     85     90     95
 *        ...
 *     B:
 *         0:    ...
 *
 * Exits with 1 when the text of A is not what a loop of printf makes, B or C leaves its interval, or C is out of order.
 * Source: S. Baxter, "The Library", Modern GPU 1.1, NVIDIA 2013. */
#include "common.h"

enum { COUNT = 50, COLUMNS = 10, SEED = 1 };

/* A gpumex_write_callback for a FILE. */
static int32_t to_file(void *file, const char *text, size_t length) {
    return fwrite(text, 1, length, (FILE *)file) != length;
}

static void print_array(gpumex_context *ctx, const char *name, int32_t dtype, const void *array, const char *format) {
    printf("%s:\n", name);
    CHECK(gpumex_print_to(ctx, dtype, array, COUNT, format, COLUMNS, to_file, stdout));
}

/* 1 when the text of A is another one than printf makes of 0, 5, 10 ... 245, else 0. */
static size_t check_text(gpumex_context *ctx, const void *a) {
    char want[512], got[512];
    size_t length = 0;
    uint64_t needed = 0;
    for (int i = 0; i < COUNT; i++) {
        if (i % COLUMNS == 0) length += (size_t)snprintf(want + length, sizeof want - length, "%5d:  ", i);
        length += (size_t)snprintf(want + length, sizeof want - length, "%6d ", 5 * i);
        if (i % COLUMNS == COLUMNS - 1) length += (size_t)snprintf(want + length, sizeof want - length, "\n");
    }
    CHECK(gpumex_print(ctx, GPUMEX_DTYPE_I32, a, COUNT, "%6d", COLUMNS, got, sizeof got, &needed));
    return needed != length + 1 || strcmp(got, want) != 0;
}

/* How many numbers of B lie outside of [0, 10). */
static size_t check_random(gpumex_context *ctx, const void *b) {
    float numbers[COUNT];
    size_t wrong = 0;
    CHECK(gpumex_copy(ctx, numbers, b, sizeof numbers));
    for (int i = 0; i < COUNT; i++) wrong += !(numbers[i] >= 0 && numbers[i] < 10);
    return wrong;
}

/* How many numbers of C lie outside of [0, 20), or below the one before. */
static size_t check_sorted(gpumex_context *ctx, const void *c) {
    double numbers[COUNT];
    size_t wrong = 0;
    CHECK(gpumex_copy(ctx, numbers, c, sizeof numbers));
    for (int i = 0; i < COUNT; i++)
        wrong += !(numbers[i] >= (i > 0 ? numbers[i - 1] : 0) && numbers[i] < 20);
    return wrong;
}

int main(int argc, char **argv) {
    if (argc > 3 || (argc > 1 && strncmp(argv[1], "--device", 8) != 0)) {
        fprintf(stderr, "usage: arrays [--device K]\n");
        return 2;
    }
    gpumex_context *ctx = gpumex_context_create_from_args(argc, argv, 0);
    if (ctx == NULL) {
        fprintf(stderr, "%s\n", gpumex_last_error());
        return 1;
    }
    void *a = lend(ctx, GPUMEX_MEMORY_KIND_DEVICE, COUNT * sizeof(int32_t));
    void *b = lend(ctx, GPUMEX_MEMORY_KIND_DEVICE, COUNT * sizeof(float));
    void *c = lend(ctx, GPUMEX_MEMORY_KIND_DEVICE, COUNT * sizeof(double));
    CHECK(gpumex_fill_ascending(ctx, GPUMEX_DTYPE_I32, a, COUNT, 0, 5));
    CHECK(gpumex_random(ctx, GPUMEX_DTYPE_F32, b, COUNT, SEED, 0, 10));
    CHECK(gpumex_random_sorted(ctx, GPUMEX_DTYPE_F64, c, COUNT, SEED, 0, 20));

    print_device(ctx);
    print_array(ctx, "A", GPUMEX_DTYPE_I32, a, "%6d");
    print_array(ctx, "B", GPUMEX_DTYPE_F32, b, "%6.2lf");
    print_array(ctx, "C", GPUMEX_DTYPE_F64, c, "%6.2lf");

    const size_t wrong = check_text(ctx, a) + check_random(ctx, b) + check_sorted(ctx, c);
    if (wrong == 0) printf("\nTest passed: A reads as printf has it, B and C lie in their intervals, C is in order\n");
    else printf("\nTest FAILED: %zu of the text of A and the numbers of B and C are wrong\n", wrong);

    CHECK(gpumex_free(a));
    CHECK(gpumex_free(b));
    CHECK(gpumex_free(c));
    CHECK(gpumex_context_destroy(ctx));
    return wrong != 0;
}
