/* histogram.c - how often each byte occurs in a file: the plain loop on the CPU against the memory paths of the GPU; and buckets
 * of other numbers.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/histogram.c -o histogram -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    histogram FILE          counts the bytes of any file, pipe or, with "-", of the standard input
 *         histogram [--mib N]     counts N MiB of text that it makes itself              (100)
 *         histogram --bins N      counts 2^24 random 32-bit numbers in N buckets, more than a block has threads, say
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
 * A file of more than 1 GiB, which may be larger than memory, and a pipe are counted once, by the best variant, and their GB/s
 * are printed; a line on the terminal tells how far it is. Exits with 1 when a count is not that of the plain loop.
 * Source: M. Pantoja, "CUDA Memory Model", 2020; "more buckets than threads" is an exercise of its course. */
#include "files.h"
#include "progress.h"

enum { VALUES = 256, PIECE = 64 << 20 }; /* of a byte; bytes of a pipe in one call */
static const size_t LARGEST_TABLE = (size_t)1 << 30; /* bytes that every variant counts */

/* What is counted: len samples into bins, and the counts of the plain loop. */
typedef struct job {
    const void *data;
    size_t len, bytes, bins;
    int32_t dtype; /* a gpumex_dtype */
    uint64_t *expected;
} job;

static const job no_job = {NULL, 0, 0, VALUES, GPUMEX_DTYPE_U8, NULL};

static uint32_t next_random(uint64_t *seed) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* Blanks and letters, each about as often as in English; the same text every time. */
static mapped make_text(size_t len) {
    static const char letters[] = "                      eeeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiii"
                                  "nnnnnnnsssssshhhhhhrrrrrrddddlllluuucccmmmwwffggyyypppbbvk.,'\n";
    uint8_t *const bytes = (uint8_t *)allocate(len);
    uint64_t seed = 7;
    for (size_t i = 0; i < len; i++) bytes[i] = (uint8_t)letters[next_random(&seed) % (sizeof letters - 1)];
    const mapped made = {bytes, len, 0};
    return made;
}

static uint64_t *zeros(size_t count) { return (uint64_t *)memset(allocate(count * 8), 0, count * 8); }

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
static int count(gpumex_context *ctx, int32_t variant, const job *j, double *kernel, double *call) {
    double kernels[REPEATS], calls[REPEATS];
    uint64_t *const counts = zeros(j->bins);
    int wrong = 0;
    for (int i = 0; i < REPEATS; i++) {
        memset(counts, 0xEE, j->bins * sizeof *counts);
        const double start = wall_ms();
        CHECK(gpumex_histogram(ctx, GPUMEX_OPTIONS(histogram, .variant = variant, .dtype = j->dtype),
                               j->data, j->len, counts, j->bins));
        calls[i] = wall_ms() - start;
        kernels[i] = kernel_ms(ctx);
        for (size_t k = 0; k < j->bins; k++) wrong += counts[k] != j->expected[k];
    }
    free(counts);
    *kernel = median(kernels);
    *call = median(calls);
    return wrong;
}

/* The kernel times of a variant for each division of L1 cache and shared memory; how many counts are wrong. */
static int divide(gpumex_context *ctx, const char *kernel, int32_t variant, const job *j) {
    gpumex_kernel_tuning tuning;
    int wrong = 0;
    tuning.size = sizeof tuning;
    CHECK(gpumex_tuning_get(ctx, kernel, &tuning));
    printf("%-16s", kernel);
    for (tuning.cache = GPUMEX_CACHE_PREFERENCE_DEFAULT; tuning.cache <= GPUMEX_CACHE_PREFERENCE_EQUAL;
         tuning.cache++) {
        double ms, call;
        CHECK(gpumex_tuning_set(ctx, kernel, &tuning));
        wrong += count(ctx, variant, j, &ms, &call);
        printf(" | %8.3f", ms);
    }
    printf("\n");
    CHECK(gpumex_tuning_set(ctx, kernel, NULL)); /* back to the table of the library */
    return wrong;
}

/* The divisions for two variants, on request how every kernel is launched; how many counts are wrong. */
static int tell_tuning(gpumex_context *ctx, const job *j, int lists_all) {
    int32_t backend;
    CHECK(gpumex_context_backend(ctx, &backend));
    printf("\nDivision of L1 cache and shared memory");
    if (backend != GPUMEX_BACKEND_CUDA) return printf(": left out, only CUDA's kernels choose it\n"), 0;

    printf(", kernel ms\n                 |  DEFAULT |   SHARED |       L1 |    EQUAL\n");
    int wrong = divide(ctx, "histogram_global", GPUMEX_HISTOGRAM_VARIANT_GLOBAL, j);
    wrong += divide(ctx, "histogram_shared", GPUMEX_HISTOGRAM_VARIANT_SHARED, j);
    if (lists_all) {
        const char *table = gpumex_tuning_text(ctx);
        CHECK(table != NULL ? GPUMEX_STATUS_OK : gpumex_last_status());
        printf("\n%s\n", table);
    }
    return wrong;
}

/* The times of every variant that serves the job; how many counts are wrong. */
static int compare_variants(gpumex_context *ctx, const job *j) {
    gpumex_context *cpu = open_context(GPUMEX_BACKEND_CPU);
    const struct { const char *name; int32_t variant; gpumex_context *ctx; } variants[] = {
        {"CPU sequential", GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL, cpu}, /* one core, wherever the others run */
        {"auto", GPUMEX_HISTOGRAM_VARIANT_AUTO, ctx},
        {"global atomics", GPUMEX_HISTOGRAM_VARIANT_GLOBAL, ctx},
        {"strided", GPUMEX_HISTOGRAM_VARIANT_STRIDED, ctx},
        {"shared memory", GPUMEX_HISTOGRAM_VARIANT_SHARED, ctx},
    };
    const size_t served = j->dtype == GPUMEX_DTYPE_U8 ? sizeof variants / sizeof variants[0] : 2; /* the textbook's: bytes */
    double plain_kernel = 0, plain_call = 0;
    int wrong = 0;
    printf("Variant        | kernel ms |    GB/s | x faster |  call ms | x faster\n");
    for (size_t i = 0; i < served; i++) {
        double kernel, call;
        wrong += count(variants[i].ctx, variants[i].variant, j, &kernel, &call);
        if (i == 0) plain_kernel = kernel, plain_call = call;
        const double gbs = kernel > 0 ? (double)j->bytes / kernel / 1e6 : 0;
        printf("%-14s | %9.3f | %7.2f | %8.1f | %8.3f | %8.1f\n", variants[i].name, kernel, gbs,
               kernel > 0 ? plain_kernel / kernel : 1, call, plain_call / call);
    }
    CHECK(gpumex_context_destroy(cpu));
    return wrong;
}

/* The counts of a file that is mapped, or of a pipe piece by piece, added up; *len <- its bytes. */
static void count_once(gpumex_context *ctx, const char *path, uint64_t *counts, size_t *len) {
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    int has_length;
    const int file = open_to_read(path, &has_length);
    progress p;
    options.accumulate = 1;
    if (has_length) {
        const mapped all = open_file(path);
        *len = all.len;
        start_progress(ctx, &p, show_progress, print_bytes, all.len);
        CHECK(gpumex_histogram(ctx, &options, all.bytes, all.len, counts, VALUES));
        close_file(all);
    } else {
        uint8_t *const piece = (uint8_t *)lend(ctx, GPUMEX_MEMORY_KIND_PINNED, PIECE);
        start_progress(ctx, &p, show_progress, print_bytes, 0);
        for (size_t now = PIECE; now == PIECE; p.before = *len += now) {
            now = read_piece(path, file, piece, PIECE);
            CHECK(gpumex_histogram(ctx, &options, piece, now, counts, VALUES));
        }
        CHECK(gpumex_free(piece));
    }
    end_progress(ctx, &p);
    close(file);
}

/* Counts a long file or a pipe once; whether bytes are missing. */
static int count_file(gpumex_context *ctx, const char *path) {
    uint64_t counts[VALUES] = {0}, total = 0;
    size_t len = 0;
    const double start = wall_ms();
    count_once(ctx, path, counts, &len);
    const double ms = wall_ms() - start;
    for (int v = 0; v < VALUES; v++) total += counts[v];
    printf("Histogram: %zu bytes of %s\n\n", len, path);
    printf("auto, once     | %9.3f ms | %7.2f GB/s, reading included\n", ms, ms > 0 ? (double)len / ms / 1e6 : 0);
    print_top(counts, len);
    if (total == len) printf("Test passed: every byte is counted once\n");
    else printf("Test FAILED: %" PRIu64 " of %zu bytes are counted\n", total, len);
    return total != len;
}

/* Counts the bytes of a text with every variant; how many counts are wrong. */
static int count_text(gpumex_context *ctx, mapped text, const char *name, int lists_all) {
    job j = no_job;
    j.data = text.bytes, j.len = j.bytes = text.len, j.expected = zeros(VALUES);
    for (size_t i = 0; i < text.len; i++) j.expected[text.bytes[i]]++;
    printf("Histogram: %zu bytes of %s\n\n", text.len, name);
    const int wrong = compare_variants(ctx, &j) + tell_tuning(ctx, &j, lists_all);
    print_top(j.expected, text.len);
    free(j.expected);
    return wrong;
}

/* Counts random numbers in buckets; how many counts are wrong. */
static int count_buckets(gpumex_context *ctx, size_t buckets) {
    const size_t len = 1 << 24;
    uint32_t *const numbers = (uint32_t *)allocate(len * sizeof *numbers);
    uint64_t seed = 7;
    job j = no_job;
    j.data = numbers, j.len = len, j.bytes = len * sizeof *numbers, j.bins = buckets, j.expected = zeros(buckets);
    j.dtype = GPUMEX_DTYPE_U32;
    for (size_t i = 0; i < len; i++) j.expected[numbers[i] = next_random(&seed) % (uint32_t)buckets]++;
    printf("Histogram: %zu random numbers in %zu buckets\n\n", len, buckets);
    const int wrong = compare_variants(ctx, &j);
    free(j.expected);
    free(numbers);
    return wrong;
}

int main(int argc, char **argv) {
    const int lists_all = argc > 1 && strcmp(argv[argc - 1], "--tuning") == 0;
    argc -= lists_all;
    const int is_size = argc == 3 && strcmp(argv[1], "--mib") == 0, is_bins = argc == 3 && strcmp(argv[1], "--bins") == 0;
    if (argc > 2 && !is_size && !is_bins) {
        fprintf(stderr, "usage: histogram [FILE | --mib N | --bins N] [--tuning]\n");
        return 2;
    }
    const size_t wanted = argc == 3 ? number(argv[2], 1 << 20) : 100;
    struct stat about;
    const char *const path = argc == 2 ? argv[1] : NULL;
    const int is_short = path != NULL && stat(path, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0 &&
                         (uint64_t)about.st_size <= LARGEST_TABLE;
    const mapped text = is_short ? open_file(path) : make_text(path || is_bins ? 0 : wanted << 20);
    gpumex_context *const ctx = open_context(GPUMEX_BACKEND_AUTO);
    int wrong = 0;
    print_device(ctx);
    if (path != NULL && !is_short) {
        wrong = count_file(ctx, path);
    } else {
        wrong = is_bins ? count_buckets(ctx, wanted) : count_text(ctx, text, path ? path : "text made here", lists_all);
        if (wrong == 0) printf("Test passed: every count is that of the plain loop\n");
        else printf("Test FAILED: %d counts are not those of the plain loop\n", wrong);
    }
    CHECK(gpumex_context_destroy(ctx));
    close_file(text);
    return wrong != 0;
}
