/* histogram.c - how often each byte occurs in a file: the plain loop on the CPU against three memory paths of the GPU.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/histogram.c -o histogram -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    histogram FILE          counts the bytes of any file
 *         histogram [--mib N]     counts N MiB of text that it makes itself              (100)
 *         histogram ... --tuning  lists as well how each kernel is launched
 *
 * Prints the times of the kernels alone and of whole calls, transfers included, and how many times faster than the
 * plain loop each is; on CUDA how it matters how L1 cache and shared memory divide what they have in common; then the
 * most frequent characters:
 *
 *     Variant        | kernel ms |    GB/s | x faster |  call ms | x faster
 *     CPU sequential |    48.012 |    2.18 |      1.0 |   48.014 |      1.0
 *     global atomics |    ...
 *
 * Exits with 1 when a count is not that of the plain loop. Source: M. Pantoja, "CUDA Memory Model", 2020. */
#include "common.h"

typedef struct text {
    uint8_t *bytes;
    size_t len;
} text;

/* Blanks and letters, each about as often as in English; the same text every time. */
static text make_text(size_t len) {
    static const char letters[] = "                      eeeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiii"
                                  "nnnnnnnsssssshhhhhhrrrrrrddddlllluuucccmmmwwffggyypppbbvk.,'\n";
    const text made = {(uint8_t *)allocate(len), len};
    uint64_t seed = 7;
    for (size_t i = 0; i < len; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        made.bytes[i] = (uint8_t)letters[(seed >> 33) % (sizeof letters - 1)];
    }
    return made;
}

/* The whole of a file or a pipe, in pieces that double, since a pipe does not tell its length. */
static text read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    text all = {NULL, 0};
    for (size_t room = 1 << 20; file != NULL && !ferror(file) && !feof(file); room *= 2) {
        uint8_t *more = (uint8_t *)realloc(all.bytes, room);
        if (more == NULL) break;
        all.bytes = more;
        all.len += fread(all.bytes + all.len, 1, room - all.len, file);
    }
    if (file == NULL || !feof(file)) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return all;
}

/* The five most frequent bytes; takes them out of the counts. */
static void print_top(uint64_t *counts, size_t len) {
    printf("\nMost frequent:");
    for (int place = 0; place < 5; place++) {
        int top = 0;
        for (int v = 1; v < 256; v++) top = counts[v] > counts[top] ? v : top;
        if (counts[top] == 0) break;
        printf(top >= ' ' && top <= '~' ? "  '%c'" : "  0x%02x", top);
        printf(" %.2f %%", 100.0 * (double)counts[top] / (double)len);
        counts[top] = 0;
    }
    printf("\n");
}

/* Counts REPEATS times with one variant; how many counts came out wrong. */
static int count(gpumex_context *ctx, int32_t variant, text data, const uint64_t *expected, double *kernel,
                 double *call) {
    double kernels[REPEATS], calls[REPEATS];
    uint64_t counts[256];
    int wrong = 0;
    gpumex_histogram_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.variant = variant;
    for (int i = 0; i < REPEATS; i++) {
        memset(counts, 0xEE, sizeof counts);
        const double start = wall_ms();
        CHECK(gpumex_histogram(ctx, &options, data.bytes, data.len, counts, 256));
        calls[i] = wall_ms() - start;
        kernels[i] = kernel_ms(ctx);
        for (int v = 0; v < 256; v++) wrong += counts[v] != expected[v];
    }
    *kernel = median(kernels);
    *call = median(calls);
    return wrong;
}

/* The kernel times of a variant for each division of L1 cache and shared memory; how many counts are wrong. */
static int divide(gpumex_context *ctx, const char *kernel, int32_t variant, text data, const uint64_t *expected) {
    gpumex_kernel_tuning tuning;
    int wrong = 0;
    tuning.size = sizeof tuning;
    CHECK(gpumex_tuning_get(ctx, kernel, &tuning));
    printf("%-16s", kernel);
    for (tuning.cache = GPUMEX_CACHE_PREFERENCE_DEFAULT; tuning.cache <= GPUMEX_CACHE_PREFERENCE_EQUAL;
         tuning.cache++) {
        double ms, call;
        CHECK(gpumex_tuning_set(ctx, kernel, &tuning));
        wrong += count(ctx, variant, data, expected, &ms, &call);
        printf(" | %8.3f", ms);
    }
    printf("\n");
    CHECK(gpumex_tuning_set(ctx, kernel, NULL)); /* back to the table of the library */
    return wrong;
}

/* The divisions for two variants, on request how every kernel is launched; how many counts are wrong. */
static int tell_tuning(gpumex_context *ctx, text data, const uint64_t *expected, int lists_all) {
    int32_t backend;
    CHECK(gpumex_context_backend(ctx, &backend));
    printf("\nDivision of L1 cache and shared memory");
    if (backend != GPUMEX_BACKEND_CUDA) return printf(": left out, only CUDA's kernels choose it\n"), 0;

    printf(", kernel ms\n                 |  DEFAULT |   SHARED |       L1 |    EQUAL\n");
    int wrong = divide(ctx, "histogram_global", GPUMEX_HISTOGRAM_VARIANT_GLOBAL, data, expected);
    wrong += divide(ctx, "histogram_shared", GPUMEX_HISTOGRAM_VARIANT_SHARED, data, expected);
    if (lists_all) {
        const char *table = gpumex_tuning_text(ctx);
        CHECK(table != NULL ? GPUMEX_STATUS_OK : gpumex_last_status());
        printf("\n%s\n", table);
    }
    return wrong;
}

int main(int argc, char **argv) {
    const int lists_all = argc > 1 && strcmp(argv[argc - 1], "--tuning") == 0;
    argc -= lists_all;
    const int is_size = argc == 3 && strcmp(argv[1], "--mib") == 0;
    if (argc > 2 && !is_size) {
        fprintf(stderr, "usage: histogram [FILE | --mib N] [--tuning]\n");
        return 2;
    }
    const char *path = argc == 2 ? argv[1] : NULL;
    const text data = path ? read_file(path) : make_text((is_size ? number(argv[2], 1 << 20) : 100) << 20);
    gpumex_context *cpu = open_context(GPUMEX_BACKEND_CPU), *ctx = open_context(GPUMEX_BACKEND_AUTO);
    const struct { const char *name; int32_t variant; gpumex_context *ctx; } variants[] = {
        {"CPU sequential", GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL, cpu}, /* one core, wherever the others run */
        {"global atomics", GPUMEX_HISTOGRAM_VARIANT_GLOBAL, ctx},
        {"strided", GPUMEX_HISTOGRAM_VARIANT_STRIDED, ctx},
        {"shared memory", GPUMEX_HISTOGRAM_VARIANT_SHARED, ctx},
    };
    uint64_t expected[256] = {0};
    double plain_kernel = 0, plain_call = 0;
    int wrong = 0;
    for (size_t i = 0; i < data.len; i++) expected[data.bytes[i]]++;

    print_device(ctx);
    printf("Histogram: %zu bytes of %s\n\n", data.len, path ? path : "text made here");
    printf("Variant        | kernel ms |    GB/s | x faster |  call ms | x faster\n");
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
        double kernel, call;
        wrong += count(variants[i].ctx, variants[i].variant, data, expected, &kernel, &call);
        if (i == 0) plain_kernel = kernel, plain_call = call;
        const double gbs = kernel > 0 ? (double)data.len / kernel / 1e6 : 0;
        printf("%-14s | %9.3f | %7.2f | %8.1f | %8.3f | %8.1f\n", variants[i].name, kernel, gbs,
               kernel > 0 ? plain_kernel / kernel : 1, call, plain_call / call);
    }
    wrong += tell_tuning(ctx, data, expected, lists_all);
    print_top(expected, data.len);
    if (wrong == 0) printf("Test passed: every count is that of the plain loop\n");
    else printf("Test FAILED: %d counts are not those of the plain loop\n", wrong);

    CHECK(gpumex_context_destroy(ctx));
    CHECK(gpumex_context_destroy(cpu));
    free(data.bytes);
    return wrong != 0;
}
