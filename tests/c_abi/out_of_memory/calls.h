/* calls.h - rows for what benches/operations.h has no row for: texts, patterns, contexts, events, settings, communicators with functions of
 * the caller's. Each leaves nothing behind, however it ends. */
#ifndef GPUMEX_TESTS_OUT_OF_MEMORY_CALLS_H
#define GPUMEX_TESTS_OUT_OF_MEMORY_CALLS_H

#include "../../../benches/operations.h"

#include "refused.h"

enum { WRONG = -1 }; /* no gpumex_status: something else is wrong */

/* The next call, where those before have succeeded. */
#define THEN(call) \
    if (status == 0) status = (call)

/* A call that has to be refused for another reason than memory. */
static int32_t refused_as(int32_t wanted, int32_t status) { return status == wanted ? 0 : status == 0 ? WRONG : status; }

/* ---- texts -------------------------------------------------------------------------------------------------------------------- */

static const char *format_of(const library *l) { return is_float(l->dtype) ? "%.17g" : "%20u"; }

static int32_t print_text(library *l) {
    uint64_t needed = 0;
    int32_t status = CALL(print)(l->ctx, l->dtype, l->x, l->n / 4, format_of(l), 10, NULL, 0, &needed);
    THEN(CALL(print)(l->ctx, l->dtype, l->x, l->n / 4, format_of(l), 10, l->out[0], 8 * l->n, NULL));
    memcpy(l->out[1], &needed, sizeof needed);
    return status;
}
ROW("print", print, print_text, 0, ALL)

static int32_t stop_text(void *user, const char *text, size_t bytes) {
    (void)text, (void)bytes;
    return --*(int *)user == 0;
}

static int32_t print_to_stopped(library *l) {
    int rows = 3;
    return refused_as(GPUMEX_STATUS_CANCELLED, CALL(print_to)(l->ctx, l->dtype, l->x, 100, format_of(l), 10, stop_text, &rows));
}
ROW("print_to stopped", print_to, print_to_stopped, 0, ONCE)

static int32_t print_wrong(library *l) {
    int32_t status = refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(print)(l->ctx, l->dtype, l->x, 9, "%s of %n", 10, l->out[0], 100, NULL));
    THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(print)(l->ctx, l->dtype, l->x, 9, "%600.900d", 10, l->out[0], 100, NULL)));
    return status;
}
ROW("print wrong", print, print_wrong, 0, ONCE)

/* ---- patterns ----------------------------------------------------------------------------------------------------------------- */

enum { BOARD = 64, TEXT = 1 << 14 };

static char texts[2][TEXT]; /* of PATTERN_FORMAT_RLE and LIFE106 */
static uint64_t lengths[2];

static int32_t pattern_write(library *l) {
    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    uint64_t needed = 0;
    info.format = l->number, info.boundary = GPUMEX_LIFE_BOUNDARY_TORUS;
    strcpy(info.rule, "B36/S23"), strcpy(info.name, "a board");
    int32_t status = CALL(pattern_write)(&info, GPUMEX_LIFE_CELLS_BYTES, l->flags, 8, 8, NULL, 0, &needed);
    info.boundary = 0;
    THEN(CALL(pattern_write)(&info, GPUMEX_LIFE_CELLS_BITS, l->x, BOARD, BOARD, l->out[0], TEXT, &needed));
    if (status == 0 && needed > TEXT) status = WRONG;
    if (status == 0 && lengths[l->number - 1] == 0) memcpy(texts[l->number - 1], l->out[0], TEXT), lengths[l->number - 1] = needed - 1;
    return status;
}
ROW("pattern_write RLE", pattern_write, pattern_write, GPUMEX_PATTERN_FORMAT_RLE, ONCE)
ROW("pattern_write Life 1.06", pattern_write, pattern_write, GPUMEX_PATTERN_FORMAT_LIFE106, ONCE)

static int32_t pattern_inspect(library *l) {
    gpumex_pattern_info *const info = l->out[0];
    info->size = sizeof *info;
    return CALL(pattern_inspect)(texts[l->number - 1], lengths[l->number - 1], info);
}
ROW("pattern_inspect RLE", pattern_inspect, pattern_inspect, GPUMEX_PATTERN_FORMAT_RLE, ONCE)
ROW("pattern_inspect Life 1.06", pattern_inspect, pattern_inspect, GPUMEX_PATTERN_FORMAT_LIFE106, ONCE)

static int32_t pattern_read(library *l) {
    const char *const text = texts[l->number - 1];
    const uint64_t length = lengths[l->number - 1];
    int32_t status = CALL(pattern_read)(text, length, GPUMEX_LIFE_CELLS_BYTES, 1, 2, l->out[0], BOARD + 4, BOARD + 4);
    THEN(CALL(pattern_read)(text, length, GPUMEX_LIFE_CELLS_BITS, 1, 2, l->out[1], BOARD + 4, BOARD + 4));
    return status;
}
ROW("pattern_read RLE", pattern_read, pattern_read, GPUMEX_PATTERN_FORMAT_RLE, ONCE)
ROW("pattern_read Life 1.06", pattern_read, pattern_read, GPUMEX_PATTERN_FORMAT_LIFE106, ONCE)

static int32_t pattern_wrong(library *l) {
    static const char *const wrong[] = {"x = 3, y = 3\n9o$!", "#Life 1.06\n1 2\n3", "x = 3, y = 3, rule = B9\n!", "#N \n#CXRLE Pos=1\n3o!"};
    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    int32_t status = 0;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(pattern_inspect)(wrong[i], strlen(wrong[i]), &info)));
    }
    return status;
}
ROW("pattern wrong", pattern_inspect, pattern_wrong, 0, ONCE)

/* ---- expressions -------------------------------------------------------------------------------------------------------------- */

static int32_t expression_dtypes(library *l) {
    const int32_t dtypes[] = {GPUMEX_DTYPE_F32, GPUMEX_DTYPE_U8};
    int32_t *const dtype = l->out[0];
    int32_t status = CALL(map_dtype)(GPUMEX_OPTIONS(map, .dtypes = dtypes, .rules = GPUMEX_RULES_MATLAB), "min (a, b) > 2 ? a * b : sqrt (a)", 2, dtype);
    THEN(CALL(stencil_dtype)(GPUMEX_OPTIONS(stencil, .dtypes = dtypes), "a(-1,0) + a(1,0) - 4 * a", 1, dtype + 1));
    return status;
}
ROW("map_dtype, stencil_dtype", map_dtype, expression_dtypes, 0, ONCE)

static int32_t expressions_wrong(library *l) {
    static const char *const wrong[] = {"a +", "a * (b", "nothing (a)", "a ? b", "1e999999 $ a"};
    const int32_t dtypes[] = {l->dtype, l->dtype};
    const void *const inputs[] = {l->x, l->y};
    int32_t status = 0, dtype;
    const gpumex_map_options options = {.size = sizeof options, .dtypes = dtypes, .shape = &l->n};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(map_dtype)(&options, wrong[i], 2, &dtype)));
        THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(map)(l->ctx, &options, wrong[i], inputs, 2, l->out[0])));
    }
    return status;
}
ROW("expressions wrong", map, expressions_wrong, 0, ONCE)

/* ---- other ways of operations ------------------------------------------------------------------------------------------------- */

static int32_t histogram_of(library *l) {
    static const double edges[] = {0, 1, 4, 9, 100, 1e4};
    int32_t status = CALL(histogram)(l->ctx, GPUMEX_OPTIONS(histogram, .dtype = l->dtype, .edges = edges), l->x, l->n, l->out[0], 5);
    const gpumex_histogram_options weighted = {.size = sizeof weighted, .dtype = l->dtype, .hi = 1e3, .weights = l->y, .weights_dtype = GPUMEX_DTYPE_F32};
    THEN(CALL(histogram)(l->ctx, &weighted, l->x, l->n / 2, l->out[1], 500));
    THEN(CALL(histogram)(l->ctx, GPUMEX_OPTIONS(histogram, .channels = 3), l->x, l->n / 3 * 3, l->out[2], 256));
    return status;
}
ROW("histogram of edges, weights, channels", histogram, histogram_of, 0, ALL)

static int32_t unsorted(library *l) {
    return refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(check_sorted)(l->ctx, GPUMEX_OPTIONS(check_sorted, .dtype = l->dtype), l->x, l->n, NULL));
}
ROW("check_sorted, unsorted", check_sorted, unsorted, 0, ALL)

static int32_t words_of(library *l) { /* of a text of many words, folded */
    struct gpumex_words_summary summary = GPUMEX_WORDS_SUMMARY_INIT;
    uint64_t needed = 0;
    int32_t status = CALL(print)(l->ctx, GPUMEX_DTYPE_U32, l->values, l->n / 4, "Word%x", 10, l->out[0], 8 * l->n, &needed);
    THEN(CALL(words)(l->ctx, GPUMEX_OPTIONS(words, .fold = 1), l->out[0], needed - 1, 10, l->out[1], (char *)l->out[1] + 80, l->out[2], &summary));
    return status;
}
ROW("words, folded", words, words_of, 0, ONCE)

static int32_t life_bits(library *l) {
    return CALL(life)(l->ctx, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .rule = "23/3"), l->x, l->side, 64, 10, l->out[0]);
}
ROW("life bits", life, life_bits, 0, ONCE)

static int32_t moved_with_keys(library *l) {
    const gpumex_locality_sort_options options = {.size = sizeof options, .dtype = l->dtype, .payload = GPUMEX_PAYLOAD_VALUES, .value_dtype = GPUMEX_DTYPE_U32};
    int32_t status = CALL(locality_sort)(l->ctx, &options, l->x, l->values, l->n, l->out[0], l->out[1]);
    THEN(CALL(scan)(l->ctx, GPUMEX_OPTIONS(scan, .dtype = l->dtype), l->x, l->n, l->out[2], l->out[1]));
    return status;
}
ROW("locality_sort values, scan total", locality_sort, moved_with_keys, 0, ONCE)

/* ---- contexts and what belongs to them ---------------------------------------------------------------------------------------- */

static int32_t cancel_progress(void *user, uint64_t ready, uint64_t total) {
    (void)user, (void)ready, (void)total;
    return 1;
}

static int32_t use_memory(library *l, gpumex_context *ctx) {
    gpumex_allocator_stats stats = GPUMEX_ALLOCATOR_STATS_INIT;
    void *blocks[3] = {NULL, NULL, NULL};
    int32_t status = CALL(allocator_select)(ctx, l->number);
    THEN(CALL(allocator_set_capacity)(ctx, 1 << 20, 1 << 19));
    for (int kind = 0; kind < 3; ++kind) THEN(CALL(malloc)(ctx, kind, 1000, &blocks[kind]));
    THEN(CALL(prefetch)(ctx, blocks[2], 1000, GPUMEX_PREFETCH_TARGET_HOST));
    THEN(CALL(copy)(ctx, blocks[0], l->x, 1000));
    THEN(CALL(copy)(ctx, l->out[0], blocks[0], 1000));
    for (int kind = 0; kind < 3; ++kind) {
        const int32_t freed = CALL(free)(blocks[kind]);
        THEN(freed);
    }
    THEN(CALL(allocator_get_stats)(ctx, &stats));
    if (status == 0 && stats.allocated_blocks != 0) status = WRONG;
    THEN(CALL(allocator_trim)(ctx));
    return status;
}

static int32_t use_context(library *l, gpumex_context *ctx) {
    gpumex_device_info info = GPUMEX_DEVICE_INFO_INIT;
    double number = 0;
    int32_t status = CALL(context_set_threads)(ctx, 3);
    THEN(CALL(context_device_info)(ctx, &info));
    THEN(CALL(context_device_text)(ctx) == NULL ? CALL(last_status)() : 0);
    THEN(CALL(context_set_timing)(ctx, 1));
    THEN(CALL(timer_start)(ctx));
    THEN(CALL(reduce)(ctx, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_U32), l->values, l->n, l->out[1]));
    THEN(CALL(timer_stop)(ctx, &number));
    THEN(CALL(timer_throughput)(ctx, l->n, 1, &number));
    THEN(CALL(context_kernel_ms)(ctx, &number));
    THEN(CALL(context_set_progress)(ctx, cancel_progress, NULL));
    THEN(refused_as(GPUMEX_STATUS_CANCELLED, CALL(life)(ctx, NULL, l->flags, 16, 16, 1000, l->out[2])));
    THEN(CALL(context_cancel)(ctx));
    THEN(use_memory(l, ctx));
    THEN(CALL(context_synchronize)(ctx));
    return status;
}

/* Destroys it; a context always can be. */
static int32_t destroyed(library *l, gpumex_context *ctx, int32_t status) {
    if (ctx == NULL) return CALL(last_status)();
    return CALL(context_destroy)(ctx) != 0 ? WRONG : status;
}

static int32_t contexts(library *l) {
    gpumex_context_options options = GPUMEX_CONTEXT_OPTIONS_INIT;
    options.backend = GPUMEX_BACKEND_CPU, options.threads = 2, options.cache_capacity = 1 << 20;
    gpumex_context *const ctx = CALL(context_create_with)(&options);
    return destroyed(l, ctx, ctx == NULL ? 0 : use_context(l, ctx));
}
ROW("context, CACHING", context_create_with, contexts, GPUMEX_ALLOCATOR_CACHING, ONCE)
ROW("context, SIMPLE", context_create_with, contexts, GPUMEX_ALLOCATOR_SIMPLE, ONCE)

static int32_t contexts_from_args(library *l) {
    static char *const arguments[] = {"program", "-v", NULL}, *const wrong[] = {"program", "--device", "none", NULL};
    gpumex_context *ctx = CALL(context_create_from_args)(2, arguments, 0);
    int32_t status = destroyed(l, ctx, 0);
    if (status != 0) return status;
    ctx = CALL(context_create_from_args)(3, wrong, 0);
    return refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, destroyed(l, ctx, 0));
}
ROW("context_create_from_args", context_create_from_args, contexts_from_args, 0, ONCE)

static int32_t allocate_ours(void *user, size_t bytes, void *stream, void **memory) {
    (void)user, (void)stream;
    *memory = aligned_alloc(512, (bytes + 511) / 512 * 512);
    return *memory == NULL;
}

static void release_ours(void *user, void *memory, size_t bytes, void *stream) {
    (void)user, (void)bytes, (void)stream;
    free(memory);
}

static int32_t custom_allocator(library *l) {
    gpumex_context *const ctx = CALL(context_create)(GPUMEX_BACKEND_CPU, -1);
    void *block = NULL;
    if (ctx == NULL) return CALL(last_status)();
    int32_t status = CALL(allocator_custom)(ctx, allocate_ours, release_ours, NULL);
    THEN(CALL(malloc)(ctx, GPUMEX_MEMORY_KIND_DEVICE, 5000, &block));
    THEN(CALL(sort)(ctx, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_F32), l->x, NULL, l->n, l->out[0], NULL));
    status = destroyed(l, ctx, status);
    return CALL(free)(block) != 0 ? WRONG : status;
}
ROW("allocator_custom", allocator_custom, custom_allocator, 0, ONCE)

static int32_t events(library *l) {
    gpumex_event *first = NULL, *second = NULL;
    int32_t done = 0;
    double ms = 0;
    int32_t status = CALL(event_create)(l->ctx, &first);
    THEN(CALL(event_create)(l->ctx, &second));
    THEN(CALL(event_record)(l->ctx, first));
    THEN(CALL(event_wait)(l->ctx, first));
    THEN(CALL(event_record)(l->ctx, second));
    THEN(CALL(event_query)(second, &done));
    THEN(CALL(event_synchronize)(second));
    THEN(CALL(event_elapsed_ms)(first, second, &ms));
    const int32_t ended = CALL(event_destroy)(second) != 0 || CALL(event_destroy)(first) != 0;
    return ended ? WRONG : status;
}
ROW("events", event_create, events, 0, ONCE)

typedef int32_t (*plain_life)(const uint8_t *, size_t, size_t, size_t, uint8_t *);
typedef int32_t (*plain_histogram)(const uint8_t *, size_t, uint64_t *);
typedef int32_t (*plain_matmul)(size_t, size_t, size_t, const float *, const float *, float *);
typedef int32_t (*plain_raytrace)(const float *, size_t, size_t, size_t, uint8_t *);

static int32_t plain_functions(library *l) {
    int32_t status = ((plain_life)dlsym(l->handle, "life_shmem"))(l->flags, 16, 16, 3, l->out[0]);
    THEN(((plain_life)dlsym(l->handle, "life_texture"))(l->flags, 16, 16, 3, l->out[0]));
    THEN(((plain_histogram)dlsym(l->handle, "histogram"))(l->flags, l->n, l->out[1]));
    THEN(((plain_matmul)dlsym(l->handle, "matmul"))(16, 8, 16, l->x, l->y, l->out[2]));
    THEN(((plain_raytrace)dlsym(l->handle, "raytrace"))(l->x, 9, 32, 32, l->out[0]));
    return status;
}
ROW("plain functions", context_default, plain_functions, 0, ONCE)

static int32_t default_context(library *l) {
    gpumex_context *const ctx = CALL(context_default)();
    int32_t status = ctx == NULL ? CALL(last_status)() : plain_functions(l);
    THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(context_destroy)(ctx)));
    return CALL(reset_default)() != 0 ? WRONG : status;
}
ROW("default context", context_default, default_context, 0, ONCE)

/* ---- settings and errors ------------------------------------------------------------------------------------------------------ */

static void leave_line(void *user, int32_t level, const char *message) { (void)user, (void)level, (void)message; }

static int32_t settings(library *l) {
    static char longest[1 << 17];
    int32_t status = refused_as(GPUMEX_STATUS_BUSY, CALL(configure)("num_threads", "3"));
    memset(longest, 'k', sizeof longest - 1);
    THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(configure)(longest, "3")));
    THEN(CALL(set_log_callback)(leave_line, NULL));
    THEN(CALL(set_log_callback)(NULL, NULL));
    return status;
}
ROW("settings", configure, settings, 0, ONCE)

static int32_t of_cuda_alone(library *l) {
    static char longest[1 << 17];
    gpumex_kernel_tuning tuning = GPUMEX_KERNEL_TUNING_INIT;
    gpumex_comm *comm = NULL;
    memset(longest, 'k', sizeof longest - 1);
    int32_t status = refused_as(GPUMEX_STATUS_UNSUPPORTED, CALL(tuning_get)(l->ctx, "sort", &tuning));
    THEN(refused_as(GPUMEX_STATUS_UNSUPPORTED, CALL(tuning_set)(l->ctx, longest, &tuning)));
    THEN(refused_as(GPUMEX_STATUS_UNSUPPORTED, CALL(tuning_text)(l->ctx) == NULL ? CALL(last_status)() : 0));
    THEN(refused_as(GPUMEX_STATUS_UNSUPPORTED, CALL(comm_create_nccl)(l->ctx, NULL, l->x, 0, 2, &comm)));
    THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(context_synchronize)((gpumex_context *)&comm)));
    return status;
}
ROW("of CUDA alone", tuning_get, of_cuda_alone, 0, ONCE)

#endif
