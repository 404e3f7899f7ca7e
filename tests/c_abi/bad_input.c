/* bad_input.c - what breaks a rule gets a status and a sentence that names the operation and the value; nothing is
 * written, and the next call works. */
#include "check.h"

static gpumex_context *ctx;

/* Inputs are 1, outputs are poison: neither changes in a call that is refused. */
static union {
    uint8_t bytes[4096];
    uint64_t counts[512];
    double doubles[512];
    float floats[1024];
} in, out;

static int all_bytes(const uint8_t *bytes, size_t n, int value) {
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != value) return 0;
    return 1;
}

static void fail(int line, const char *call, const char *why) {
    fprintf(stderr, "bad_input.c:%d: %s: %s\n  last error: \"%s\"\n", line, call, why, gpumex_last_error());
    exit(1);
}

/* `call` begins with the name of the operation, and so has the sentence. */
static void refused(int line, const char *call, int32_t got, int32_t want, const char *word) {
    const char *sentence = gpumex_last_error();
    const size_t name = strcspn(call, "(");
    if (got != want) {
        fprintf(stderr, "got %d (%s), want %d (%s)\n", (int)got, gpumex_status_string(got), (int)want,
                gpumex_status_string(want));
        fail(line, call, "another status");
    }
    if (strncmp(sentence, call, name) != 0 || sentence[name] != ':') fail(line, call, "the sentence does not name it");
    if (strlen(sentence) < name + 10) fail(line, call, "the sentence says nothing");
    if (strstr(sentence, word) == NULL) {
        fprintf(stderr, "\"%s\" is missing\n", word);
        fail(line, call, "the sentence does not say what is wrong");
    }
    if (!all_bytes(in.bytes, sizeof in, 1)) fail(line, call, "it wrote to an input");
    if (!all_bytes(out.bytes, sizeof out, 0xA5)) fail(line, call, "it wrote to an output");
    if (!life_works(ctx)) fail(line, call, "the next call does not work");
}

#define NULL_IS_REFUSED(word, call) refused(__LINE__, #call, call, GPUMEX_STATUS_NULL_POINTER, word)
#define INVALID(word, call) refused(__LINE__, #call, call, GPUMEX_STATUS_INVALID_ARGUMENT, word)
#define UNSUPPORTED(word, call) refused(__LINE__, #call, call, GPUMEX_STATUS_UNSUPPORTED, word)
#define GIVES_NULL(word, call) refused(__LINE__, #call, (call) != NULL, 0, word)

/* Beyond the address space: the product, its bytes, and the end of the array. */
#define HUGE_SIZE ((size_t)1 << 60)
#define END ((void *)(UINTPTR_MAX - 63))

static void life(void) {
    gpumex_life_options o = GPUMEX_LIFE_OPTIONS_INIT;
    NULL_IS_REFUSED("board", life_shmem(NULL, 4, 4, 1, out.bytes));
    NULL_IS_REFUSED("next", life_texture(in.bytes, 4, 4, 1, NULL));
    NULL_IS_REFUSED("board", gpumex_life(ctx, NULL, NULL, 4, 4, 0, out.bytes));
    NULL_IS_REFUSED("ctx", gpumex_life(NULL, NULL, in.bytes, 4, 4, 1, out.bytes));
    INVALID("18446744073709551615 x 2", gpumex_life(ctx, NULL, in.bytes, SIZE_MAX, 2, 1, out.bytes));
    INVALID("1152921504606846976", life_shmem(in.bytes, HUGE_SIZE, 16, 1, out.bytes));
    INVALID("address space", life_shmem(in.bytes, HUGE_SIZE, 8, 1, out.bytes)); /* fits size_t, not ptrdiff_t */
    INVALID("address space", life_texture(END, 10, 10, 1, out.bytes));
    INVALID("overlap", life_shmem(out.bytes, 8, 8, 1, out.bytes + 1));
    INVALID("overlap", life_texture(out.bytes + 63, 8, 8, 1, out.bytes));
    INVALID("overlap", gpumex_life(ctx, NULL, out.bytes + 8, 8, 8, 0, out.bytes));
    o.variant = 99;
    INVALID("options.variant is 99; a gpumex_life_variant is", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
    o.variant = -1;
    INVALID("-1", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
    o.variant = 0, o.boundary = 3;
    INVALID("options.boundary is 3; a gpumex_life_boundary is", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
    o.variant = GPUMEX_LIFE_VARIANT_ARRAYS, o.boundary = GPUMEX_LIFE_BOUNDARY_TORUS;
    UNSUPPORTED("TORUS", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
    o.variant = 0, o.boundary = 0, o.cells = 2;
    INVALID("options.cells is 2; a gpumex_life_cells is", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
    o.cells = GPUMEX_LIFE_CELLS_BITS;
    INVALID("multiple of 8", gpumex_life(ctx, &o, in.bytes + 4, 4, 4, 1, out.bytes));
    INVALID("overlap", gpumex_life(ctx, &o, out.bytes + 8, 4, 4, 1, out.bytes));
    o.variant = GPUMEX_LIFE_VARIANT_SEQUENTIAL;
    UNSUPPORTED("SEQUENTIAL", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
    o.variant = 0, o.cells = 0, o.rule = "B3/S29";
    INVALID("\"B3/S29\" is not a rule", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
    o.rule = "\xff\xfe";
    INVALID("UTF-8", gpumex_life(ctx, &o, in.bytes, 4, 4, 1, out.bytes));
}

static void histograms(void) {
    gpumex_histogram_options o = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    const double descending[2] = {1, 0};
    uint64_t first_bad = 0;
    NULL_IS_REFUSED("data", histogram(NULL, 10, out.counts));
    NULL_IS_REFUSED("counts", histogram(in.bytes, 10, NULL));
    NULL_IS_REFUSED("counts", gpumex_histogram(ctx, NULL, NULL, 0, NULL, 256));
    NULL_IS_REFUSED("ctx", gpumex_histogram(NULL, NULL, in.bytes, 10, out.counts, 256));
    INVALID("address space", histogram(in.bytes, SIZE_MAX, out.counts));
    INVALID("address space", histogram(END, 100, out.counts));
    INVALID("overlap", histogram(out.bytes + 2047, 10, out.counts));
    INVALID("overlap", gpumex_histogram(ctx, &o, out.bytes + 100, 1, out.counts, 256));
    INVALID("counts", histogram(in.bytes, 10, (uint64_t *)(void *)(out.bytes + 4)));
    INVALID("bins is 0", gpumex_histogram(ctx, &o, in.bytes, 10, out.counts, 0));
    INVALID("edges", gpumex_check_edges(ctx, (const double *)END, 100, &first_bad));
    INVALID("edges[1]", gpumex_check_edges(ctx, descending, 2, NULL));
    o.variant = 5;
    INVALID("options.variant is 5; a gpumex_histogram_variant is", gpumex_histogram(ctx, &o, in.bytes, 10, out.counts, 256));
    o.variant = 0, o.dtype = 16;
    INVALID("options.dtype is 16; a gpumex_dtype is", gpumex_histogram(ctx, &o, in.bytes, 10, out.counts, 256));

    /* Fields with a value that they do not have, one at a time. */
#define SET(field, value, word)                                                                  \
    do {                                                                                         \
        const gpumex_histogram_options *with = GPUMEX_OPTIONS(histogram, .field = value);        \
        INVALID(word, gpumex_histogram(ctx, with, in.bytes, 10, out.counts, 256));               \
    } while (0)
    SET(dtype, GPUMEX_DTYPE_F32, "floats need lo and hi");
    SET(channels, 3, "multiple of the 3 channels");
    SET(channels, -1, "channels is -1");
    SET(accumulate, 2, "options.accumulate is 2");
    SET(lo, 1.0, "less than hi");
    SET(right_edge, 1, "right_edge");
    SET(outliers, 2, "options.outliers is 2; a gpumex_histogram_outliers is");
    SET(weights_dtype, -1, "options.weights_dtype is -1; a gpumex_dtype");
#undef SET
}

static void products(void) {
    gpumex_matmul_options o = GPUMEX_MATMUL_OPTIONS_INIT;
    NULL_IS_REFUSED("A", matmul(2, 2, 2, NULL, in.floats, out.floats));
    NULL_IS_REFUSED("B", matmul(2, 2, 2, in.floats, NULL, out.floats));
    NULL_IS_REFUSED("C", gpumex_matmul(ctx, NULL, 2, 2, 0, NULL, NULL, NULL));
    NULL_IS_REFUSED("ctx", gpumex_matmul(NULL, NULL, 2, 2, 2, in.floats, in.floats, out.floats));
    INVALID("18446744073709551615 x 2", matmul(SIZE_MAX, 1, 2, in.floats, in.floats, out.floats));
    INVALID("C of 4611686018427387904 elements", matmul(SIZE_MAX / 4 + 1, 1, 0, NULL, NULL, out.floats));
    INVALID("address space", matmul(1, 10, 10, in.floats, (const float *)END, out.floats));
    INVALID("C overlaps A", matmul(4, 4, 4, out.floats + 15, in.floats, out.floats));
    INVALID("C overlaps B", matmul(4, 4, 4, in.floats, out.floats, out.floats));
    INVALID("multiple of 4", matmul(2, 2, 2, (const float *)(const void *)(in.bytes + 1), in.floats, out.floats));
    o.variant = 8;
    INVALID("options.variant is 8; a gpumex_matmul_variant is", gpumex_matmul(ctx, &o, 2, 2, 2, in.floats, in.floats, out.floats));
    o.variant = 0, o.dtype = 16;
    INVALID("options.dtype is 16; a gpumex_dtype is", gpumex_matmul(ctx, &o, 2, 2, 2, in.floats, in.floats, out.floats));
    o.dtype = 0, o.order = 2;
    INVALID("options.order is 2; a gpumex_matmul_order is", gpumex_matmul(ctx, &o, 2, 2, 2, in.floats, in.floats, out.floats));
    o.order = 0, o.dtype = GPUMEX_DTYPE_F64;
    INVALID("multiple of 8", gpumex_matmul(ctx, &o, 2, 2, 2, in.bytes + 4, in.bytes, out.bytes));

    /* Fields with a value that they do not have, or that a 2 x 2 product cannot have; the others are 0. */
#define SET(refused_as, word, ...)                                                                \
    do {                                                                                          \
        const gpumex_matmul_options *with = GPUMEX_OPTIONS(matmul, __VA_ARGS__);                  \
        refused_as(word, gpumex_matmul(ctx, with, 2, 2, 2, in.floats, in.floats, out.floats));    \
    } while (0)
    SET(UNSUPPORTED, "options.dtype_c is GPUMEX_DTYPE_F64", .dtype = GPUMEX_DTYPE_F16, .dtype_c = GPUMEX_DTYPE_F64);
    SET(UNSUPPORTED, "options.dtype_c is GPUMEX_DTYPE_F16", .dtype = GPUMEX_DTYPE_BF16, .dtype_c = GPUMEX_DTYPE_F16);
    SET(UNSUPPORTED, "TF32", .variant = GPUMEX_MATMUL_VARIANT_TF32, .dtype = GPUMEX_DTYPE_F64);
    SET(INVALID, "options.trans_a is 2", .trans_a = 2);
    SET(INVALID, "options.trans_b is -1", .trans_b = -1);
    SET(UNSUPPORTED, "options.dtype_c is GPUMEX_DTYPE_F64", .dtype_c = GPUMEX_DTYPE_F64);
    SET(INVALID, "options.same_a is 2", .same_a = 2);
    SET(INVALID, "options.same_b is 2", .same_b = 2);
    SET(INVALID, "lda is 1; a row of A", .lda = 1);
    SET(INVALID, "ldb is 1; a column of B", .ldb = 1, .order = GPUMEX_MATMUL_ORDER_COLUMN);
    SET(INVALID, "ldc is 1; a row of C", .ldc = 1);
    SET(INVALID, "stride_c is 3", .stride_c = 3, .batch = 2);
    SET(INVALID, "A of 18446744073709551615 x 2 x 2", .batch = SIZE_MAX);
    SET(INVALID, "address space", .lda = SIZE_MAX);
#undef SET
}

static void pictures(void) {
    gpumex_raytrace_options o = GPUMEX_RAYTRACE_OPTIONS_INIT;
    NULL_IS_REFUSED("spheres", raytrace(NULL, 1, 4, 4, out.bytes));
    NULL_IS_REFUSED("rgba", raytrace(in.floats, 1, 4, 4, NULL));
    NULL_IS_REFUSED("ctx", gpumex_raytrace(NULL, &o, in.floats, 1, 4, 4, out.bytes));
    NULL_IS_REFUSED("image", gpumex_raytrace(ctx, &o, in.floats, 1, 4, 4, NULL));
    INVALID("18446744073709551615 x 7", raytrace(in.floats, SIZE_MAX, 4, 4, out.bytes));
    INVALID("address space", raytrace(in.floats, 1, HUGE_SIZE, 4, out.bytes));
    INVALID("address space", raytrace(in.floats, 1, 4, 4, (uint8_t *)END));
    INVALID("overlap", raytrace(out.floats, 2, 4, 4, out.bytes + 55));
    INVALID("multiple of 4", raytrace((const float *)(const void *)(in.bytes + 2), 1, 4, 4, out.bytes));
    o.variant = 6;
    INVALID("options.variant is 6; a gpumex_raytrace_variant is", gpumex_raytrace(ctx, &o, in.floats, 1, 4, 4, out.bytes));
    o.variant = 0, o.channels = 5;
    UNSUPPORTED("options.channels", gpumex_raytrace(ctx, &o, in.floats, 1, 4, 4, out.bytes));
    o.channels = 4, o.layout = 3;
    INVALID("options.layout is 3; a gpumex_picture_layout is", gpumex_raytrace(ctx, &o, in.floats, 1, 4, 4, out.bytes));
}

static int32_t refuse(void *user, size_t bytes, void *stream, void **memory) {
    (void)user, (void)bytes, (void)stream, (void)memory;
    return 1;
}

static void take_back(void *user, void *memory, size_t bytes, void *stream) {
    (void)user, (void)memory, (void)bytes, (void)stream;
}

/* Memory and allocators. */
static void memory(void) {
    void *block = NULL, *none = out.bytes;
    double number = 77;
    gpumex_allocator_stats stats = GPUMEX_ALLOCATOR_STATS_INIT;
    char *words[] = {(char *)"program", (char *)"--device", (char *)"first", NULL};
    gpumex_context *own = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    EXPECT(own != NULL);
    NULL_IS_REFUSED("ctx", gpumex_malloc(NULL, 0, 100, &none));
    EXPECT(none == NULL);
    NULL_IS_REFUSED("pointer", gpumex_malloc(own, 0, 100, NULL));
    INVALID("kind is 3; a gpumex_memory_kind is", gpumex_malloc(own, 3, 100, &none));
    refused(__LINE__, "gpumex_malloc(SIZE_MAX)", gpumex_malloc(own, 0, SIZE_MAX, &none), GPUMEX_STATUS_OUT_OF_MEMORY,
            "18446744073709551615");
    OK(gpumex_malloc(own, GPUMEX_MEMORY_KIND_MANAGED, 0, &none));
    EXPECT(none == NULL);

    OK(gpumex_malloc(own, GPUMEX_MEMORY_KIND_MANAGED, 100, &block));
    memset(block, 1, 100);
    INVALID("1 bytes inside a block", gpumex_free((char *)block + 1));
    INVALID("not memory of gpumex_malloc", gpumex_free(in.bytes));
    INVALID("has 100 bytes, 101 are needed", gpumex_copy(own, block, in.bytes, 101));
    INVALID("has 99 bytes, 100 are needed", gpumex_copy(own, out.bytes, (char *)block + 1, 100));
    INVALID("has 100 bytes, 2048 are needed", gpumex_histogram(own, NULL, in.bytes, 1, block, 256));
    INVALID("overlap", gpumex_copy(own, (char *)block + 9, block, 10));
    NULL_IS_REFUSED("to", gpumex_copy(own, NULL, in.bytes, 1));
    NULL_IS_REFUSED("from", gpumex_copy(own, out.bytes, NULL, 1));
    INVALID("address space", gpumex_copy(own, out.bytes, in.bytes, SIZE_MAX));
    INVALID("target is 2; a gpumex_prefetch_target is", gpumex_prefetch(own, block, 100, 2));
    INVALID("has 100 bytes, 101 are needed", gpumex_prefetch(own, block, 101, 0));
    INVALID("allocator is 4; a gpumex_allocator is", gpumex_allocator_select(own, 4));
    refused(__LINE__, "gpumex_allocator_select()", gpumex_allocator_select(own, GPUMEX_ALLOCATOR_SIMPLE),
            GPUMEX_STATUS_BUSY, "1 blocks are held");
    OK(gpumex_free(block));
    OK(gpumex_free(NULL));
    INVALID("was freed before", gpumex_free(block));
    INVALID("memory that was freed", gpumex_copy(own, block, in.bytes, 100));

    UNSUPPORTED("POOL", gpumex_allocator_select(own, GPUMEX_ALLOCATOR_POOL));
    INVALID("gpumex_allocator_custom", gpumex_allocator_select(own, GPUMEX_ALLOCATOR_CUSTOM));
    NULL_IS_REFUSED("allocate", gpumex_allocator_custom(own, NULL, take_back, NULL));
    NULL_IS_REFUSED("release", gpumex_allocator_custom(own, refuse, NULL, NULL));
    NULL_IS_REFUSED("stats", gpumex_allocator_get_stats(own, NULL));
    stats.size = 3;
    INVALID("stats.size is 3", gpumex_allocator_get_stats(own, &stats));
    OK(gpumex_allocator_custom(own, refuse, take_back, NULL));
    refused(__LINE__, "gpumex_malloc(custom)", gpumex_malloc(own, 0, 100, &none), GPUMEX_STATUS_OUT_OF_MEMORY,
            "custom allocator");
    INVALID("not started", gpumex_timer_stop(own, &number));
    INVALID("not started", gpumex_timer_throughput(own, 1, 1, &number));
    OK(gpumex_timer_start(own));
    NULL_IS_REFUSED("ms", gpumex_timer_stop(own, NULL));
    EXPECT(number == 77);
    OK(gpumex_context_destroy(own));

    GIVES_NULL("\"first\"", gpumex_context_create_from_args(3, words, 0));
    GIVES_NULL("argv is NULL", gpumex_context_create_from_args(1, NULL, 0));
    GIVES_NULL("device is -7", gpumex_context_create_on_stream(-7, NULL));
    NULL_IS_REFUSED("count", gpumex_device_count(NULL));
}

/* The size of an options struct: of an older header, of a newer one, and of none. */
static void sizes(void) {
    struct {
        gpumex_life_options known;
        int64_t later;
    } o;
    uint8_t next[16];
    memset(&o, 0, sizeof o);
    for (size_t size = 0; size < sizeof(size_t); size++) {
        o.known.size = size;
        INVALID("options.size is", gpumex_life(ctx, &o.known, in.bytes, 4, 4, 1, out.bytes));
    }
    o.known.size = SIZE_MAX;
    INVALID("options.size is 18446744073709551615", gpumex_life(ctx, &o.known, in.bytes, 4, 4, 1, out.bytes));
    o.known.size = sizeof o, o.later = 1;
    UNSUPPORTED("options.size is", gpumex_life(ctx, &o.known, in.bytes, 4, 4, 1, out.bytes));
    o.later = 0;
    OK(gpumex_life(ctx, &o.known, in.bytes, 4, 4, 1, next));
    o.known.size = offsetof(gpumex_life_options, boundary);
    o.known.boundary = 77; /* lies beyond the size that is given, so nobody reads it */
    OK(gpumex_life(ctx, &o.known, in.bytes, 4, 4, 1, next));
}

/* Every function that takes a context, with one that is none. */
static void each_function_refuses(gpumex_context *none) {
    int32_t backend = 77;
    double ms = 77;
    gpumex_device_info info;
    memset(&info, 0x77, sizeof info);
    info.size = sizeof info;
    const gpumex_device_info before = info;
    INVALID("not a live context", gpumex_life(none, NULL, in.bytes, 4, 4, 1, out.bytes));
    INVALID("not a live context", gpumex_histogram(none, NULL, in.bytes, 10, out.counts, 256));
    INVALID("not a live context", gpumex_matmul(none, NULL, 2, 2, 2, in.floats, in.floats, out.floats));
    INVALID("not a live context", gpumex_raytrace(none, NULL, in.floats, 1, 4, 4, out.bytes));
    INVALID("not a live context", gpumex_context_synchronize(none));
    INVALID("not a live context", gpumex_context_backend(none, &backend));
    INVALID("not a live context", gpumex_context_set_timing(none, 1));
    INVALID("not a live context", gpumex_context_kernel_ms(none, &ms));
    INVALID("not a live context", gpumex_context_set_progress(none, NULL, NULL));
    INVALID("not a live context", gpumex_context_device_info(none, &info));
    void *block = &info;
    INVALID("not a live context", gpumex_malloc(none, 0, 100, &block));
    INVALID("not a live context", gpumex_copy(none, out.bytes, in.bytes, 100));
    INVALID("not a live context", gpumex_prefetch(none, NULL, 0, 0));
    INVALID("not a live context", gpumex_allocator_select(none, 0));
    INVALID("not a live context", gpumex_allocator_custom(none, refuse, take_back, NULL));
    INVALID("not a live context", gpumex_allocator_set_capacity(none, 0, 0));
    INVALID("not a live context", gpumex_allocator_trim(none));
    INVALID("not a live context", gpumex_timer_start(none));
    INVALID("not a live context", gpumex_timer_stop(none, &ms));
    EXPECT(block == NULL);
    INVALID("not a live context", gpumex_context_destroy(none));
    GIVES_NULL("not a live context", gpumex_context_device_text(none));
    EXPECT(backend == 77 && ms == 77 && memcmp(&info, &before, sizeof info) == 0);
}

static void contexts(void) {
    int32_t number = 0;
    gpumex_device_info info;
    GIVES_NULL("backend is 3; a gpumex_backend is", gpumex_context_create(3, -1));
    GIVES_NULL("-1", gpumex_context_create(-1, -1));
    GIVES_NULL("device is -5", gpumex_context_create(GPUMEX_BACKEND_CPU, -5));
    GIVES_NULL("device is -2147483648", gpumex_context_create(0, INT32_MIN));
    GIVES_NULL("", gpumex_context_create(GPUMEX_BACKEND_CUDA, 1000));

    gpumex_context *gone = gpumex_context_create(GPUMEX_BACKEND_CPU, 0);
    EXPECT(gone != NULL && life_works(gone));
    OK(gpumex_context_destroy(gone));
    each_function_refuses(gone);
    each_function_refuses((gpumex_context *)(void *)&number);
    each_function_refuses((gpumex_context *)(uintptr_t)0x1234);
    each_function_refuses((gpumex_context *)UINTPTR_MAX);
    OK(gpumex_context_destroy(NULL));

    EXPECT(gpumex_context_default() != NULL && gpumex_context_default() == gpumex_context_default());
    INVALID("default", gpumex_context_destroy(gpumex_context_default()));
    OK(gpumex_reset_default());
    OK(gpumex_reset_default());
    EXPECT(life_works(gpumex_context_default()));

    NULL_IS_REFUSED("backend", gpumex_context_backend(ctx, NULL));
    INVALID("timed is 2", gpumex_context_set_timing(ctx, 2));
    double ms = 77;
    INVALID("gpumex_context_set_timing", gpumex_context_kernel_ms(ctx, &ms));
    EXPECT(ms == 77);
    OK(gpumex_context_set_timing(ctx, 1));
    NULL_IS_REFUSED("kernel_ms", gpumex_context_kernel_ms(ctx, NULL));
    OK(gpumex_context_set_timing(ctx, 0));
    NULL_IS_REFUSED("info", gpumex_context_device_info(ctx, NULL));
    NULL_IS_REFUSED("ctx", gpumex_context_synchronize(NULL));
    NULL_IS_REFUSED("ctx", gpumex_context_backend(NULL, &number));
    GIVES_NULL("ctx", gpumex_context_device_text(NULL));
    memset(&info, 0x77, sizeof info);
    info.size = 0;
    INVALID("info.size is 0", gpumex_context_device_info(ctx, &info));
    info.size = 12; /* of a header that knew size and backend only */
    OK(gpumex_context_device_info(ctx, &info));
    EXPECT(info.size == 12 && (info.backend == 1 || info.backend == 2) && info.device == 0x77777777);
}

int main(void) {
    memset(in.bytes, 1, sizeof in);
    memset(out.bytes, 0xA5, sizeof out);
    EXPECT(strcmp(gpumex_last_error(), "") == 0);
    ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    EXPECT(ctx != NULL && life_works(ctx));
    EXPECT(strcmp(gpumex_last_error(), "") == 0);
    life();
    histograms();
    products();
    pictures();
    memory();
    sizes();
    contexts();
    OK(gpumex_context_destroy(ctx));
    puts("done");
    return 0;
}
