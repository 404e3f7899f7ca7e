/* failing_driver.h - the steps of a case of failing_driver.c: a context, its arrays, and calls of one operation; and calls that no
 * operation makes, as operations of their own, which need a device. */
#ifndef FAILING_DRIVER_H
#define FAILING_DRIVER_H

#define OPERATIONS_LINKED
#include "../../benches/operations.h"
#include "stand_in_driver.h"

enum mode { COLD, WARM, AUTO, MODES };
enum step { CREATE, ON_DEVICE, FEW_ON_HOST, MANY_ON_HOST, CAPTURED, FREE, DESTROY, STEPS };
/* MANY: more than pinned slots hold; LARGE_COPY: through the copy threads. */
enum { FEW = 1000, MANY = 80000, LARGE_COPY = 5 << 20, PAGE = 4096 };

static inline const char *mode_name(enum mode mode) {
    static const char *const names[] = {"cold", "warm", "auto"};
    return names[mode];
}

static inline const char *step_name(enum step step) {
    static const char *const names[] = {"creation", "arrays of the device", "few elements of the host", "many elements of the host",
                                        "captured", "free", "destruction"};
    return names[step];
}

/* ---- calls that no operation makes --------------------------------------------------------------------------------------------- */

static inline int runs_on_cpu(const operation *op) {
    for (const operation *one = operations; strcmp(one->label, "device_info") != 0; ++one) {
        if (one == op) return 1;
    }
    return 0;
}

/* Whether it makes a context of its own, and ends it: what fails then may go unnoticed, and it works after a reset. */
static inline int has_a_context(const operation *op) {
    return strcmp(op->function, "gpumex_allocator_select") == 0 || strcmp(op->function, "gpumex_context_create_with") == 0;
}

/* Whether several threads call the driver, in an order and as often as it comes; without memory for them it does without. */
static inline int has_copy_threads(const operation *op) { return strcmp(op->label, "large copy") == 0; }

/* Whether it has calls that take no context, which do not tell a context of a fault. */
static inline int asks_without_context(const operation *op) {
    return has_a_context(op) || strcmp(op->function, "gpumex_event_create") == 0;
}

#define UNTIL_ERROR(status, call) ((status) = (status) != 0 ? (status) : (call))

static int32_t device_info(library *l) {
    struct gpumex_device_info info = GPUMEX_DEVICE_INFO_INIT;
    return gpumex_context_device_info(l->ctx, &info);
}
ROW("device_info", context_device_info, device_info, 0, ONCE)

static int32_t timer(library *l) {
    double ms = 0;
    int32_t status = gpumex_context_set_timing(l->ctx, 1);
    UNTIL_ERROR(status, gpumex_timer_start(l->ctx));
    UNTIL_ERROR(status, gpumex_fill_ascending(l->ctx, l->dtype, l->out[0], l->n, 1, 2));
    UNTIL_ERROR(status, gpumex_timer_stop(l->ctx, &ms));
    UNTIL_ERROR(status, gpumex_context_kernel_ms(l->ctx, &ms));
    return UNTIL_ERROR(status, gpumex_context_synchronize(l->ctx));
}
ROW("timer", timer_start, timer, 0, ONCE)

static int32_t events(library *l) {
    struct gpumex_event *event[2] = {NULL, NULL};
    int32_t done = 0;
    double ms = 0;
    int32_t status = gpumex_event_create(l->ctx, &event[0]);
    UNTIL_ERROR(status, gpumex_event_create(l->ctx, &event[1]));
    for (int i = 0; i < 2; ++i) UNTIL_ERROR(status, gpumex_event_record(l->ctx, event[i]));
    UNTIL_ERROR(status, gpumex_event_wait(l->ctx, event[1]));
    UNTIL_ERROR(status, gpumex_event_query(event[0], &done));
    UNTIL_ERROR(status, gpumex_event_synchronize(event[0]));
    UNTIL_ERROR(status, gpumex_event_elapsed_ms(event[0], event[1], &ms));
    for (int i = 0; i < 2; ++i) (void)gpumex_event_destroy(event[i]);
    return status;
}
ROW("events", event_create, events, 0, ONCE)

/* A block of some kind, used by this context and by another one. */
static int32_t use_block(gpumex_context *owner, gpumex_context *user, int32_t kind, size_t bytes) {
    static char host[LARGE_COPY];
    void *block = NULL;
    int32_t status = gpumex_malloc(owner, kind, bytes, &block);
    if (kind == GPUMEX_MEMORY_KIND_MANAGED) UNTIL_ERROR(status, gpumex_prefetch(owner, block, bytes, GPUMEX_PREFETCH_TARGET_DEVICE));
    UNTIL_ERROR(status, gpumex_copy(owner, block, host, bytes));
    UNTIL_ERROR(status, gpumex_fill_ascending(user, GPUMEX_DTYPE_U32, block, bytes / 4, 0, 1));
    UNTIL_ERROR(status, gpumex_copy(owner, host, block, bytes));
    const int32_t freed = block == NULL ? 0 : gpumex_free(block);
    if (freed == GPUMEX_STATUS_UNSUPPORTED) (void)gpumex_free(block); /* a stream was taken for one that is captured */
    return UNTIL_ERROR(status, freed);
}

static int32_t block_of_kind(library *l) { return use_block(l->ctx, l->ctx, l->number, 4 * l->n); }
ROW("device memory", malloc, block_of_kind, GPUMEX_MEMORY_KIND_DEVICE, ONCE)
ROW("pinned memory", malloc, block_of_kind, GPUMEX_MEMORY_KIND_PINNED, ONCE)
ROW("managed memory", malloc, block_of_kind, GPUMEX_MEMORY_KIND_MANAGED, ONCE)

static int32_t large_copy(library *l) { return use_block(l->ctx, l->ctx, GPUMEX_MEMORY_KIND_DEVICE, LARGE_COPY); }
ROW("large copy", copy, large_copy, 0, ONCE)

static int32_t error_or(int32_t status) { return status != 0 ? status : gpumex_last_status(); }

/* Another context: with an allocator of its own, which uses and lends memory. */
static int32_t other_context(library *l) {
    gpumex_context *const other = gpumex_context_create(GPUMEX_BACKEND_CUDA, -1);
    if (other == NULL) return error_or(0);
    int32_t status = gpumex_allocator_select(other, l->number);
    UNTIL_ERROR(status, use_block(other, l->ctx, GPUMEX_MEMORY_KIND_DEVICE, 4 * l->n));
    UNTIL_ERROR(status, use_block(l->ctx, other, GPUMEX_MEMORY_KIND_DEVICE, 4 * l->n));
    UNTIL_ERROR(status, gpumex_allocator_trim(other));
    (void)gpumex_context_destroy(other);
    return status;
}
ROW("simple allocator", allocator_select, other_context, GPUMEX_ALLOCATOR_SIMPLE, ONCE)
ROW("pool allocator", allocator_select, other_context, GPUMEX_ALLOCATOR_POOL, ONCE)

static int32_t on_stream(library *l) {
    gpumex_context *const other = gpumex_context_create_with(GPUMEX_OPTIONS(context, .on_stream = 1));
    if (other == NULL) return error_or(0);
    const int32_t status = gpumex_fill_ascending(other, l->dtype, l->out[0], l->n, 1, 2);
    (void)gpumex_context_destroy(other);
    return status;
}
ROW("on stream", context_create_with, on_stream, 0, ONCE)

#include "failing_variants.h"

/* ---- steps --------------------------------------------------------------------------------------------------------------------- */

typedef struct run {
    const operation *op;
    enum mode mode;
    library dev, few, many; /* the same context, arrays in three places */
} run;

/* The arrays of a library and their bytes. */
static inline void **array(library *l, int i, size_t *bytes) {
    void **const arrays[] = {&l->x, &l->y, &l->a, &l->b, &l->values, &l->indices,
                             &l->positions, &l->flags, &l->out[0], &l->out[1], &l->out[2]};
    *bytes = i < 6 ? 8 * l->n : i == 6 ? l->n + 64 : i == 7 ? l->n : 16 * l->n + 4096;
    return i < 11 ? arrays[i] : NULL;
}

static inline void fill_in(library *l) {
    for (size_t i = 0; i < l->n; ++i) {
        ((float *)l->a)[i] = ((float *)l->b)[i] = (float)i;
        ((uint64_t *)l->indices)[i] = i * 7 % l->n;
        ((uint8_t *)l->flags)[i] = i % 2;
        if (i <= l->n / GAP) ((uint64_t *)l->positions)[i] = i * GAP;
    }
}

static inline library sized(const operation *op, size_t n) {
    library l = {.dtype = GPUMEX_DTYPE_F32, .n = n, .number = op->number};
    for (l.side = 16; 4 * l.side * l.side <= n; l.side *= 2) continue;
    return l;
}

/* Arrays of the host, which the library knows nothing of, on pages of their own: how many calls it takes to copy them depends on where
 * they begin in a page. */
static inline library on_host(const operation *op, size_t n) {
    library l = sized(op, n);
    size_t bytes;
    void **place;
    for (int i = 0; (place = array(&l, i, &bytes)) != NULL; ++i) {
        if (posix_memalign(place, PAGE, (bytes + PAGE - 1) / PAGE * PAGE) != 0) exit(2);
        memset(*place, 0, bytes);
    }
    return fill_in(&l), l;
}

static inline void prepare(run *r, const operation *op, enum mode mode) {
    *r = (run){op, mode, sized(op, FEW), on_host(op, FEW), on_host(op, MANY)};
}

/* Memory of the device, which is the host's. */
static inline int32_t allocate(run *r) {
    int32_t status = 0;
    size_t bytes;
    void **place;
    for (int i = 0; (place = array(&r->dev, i, &bytes)) != NULL; ++i) {
        if (*place == NULL) UNTIL_ERROR(status, gpumex_malloc(r->dev.ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes, place));
    }
    if (status == 0) fill_in(&r->dev);
    return status;
}

static inline int32_t release_all(run *r) {
    int32_t status = 0;
    size_t bytes;
    void **place;
    for (int i = 0; (place = array(&r->dev, i, &bytes)) != NULL; ++i) {
        if (*place == NULL) continue;
        const int32_t of_this = gpumex_free(*place);
        *place = NULL;
        UNTIL_ERROR(status, of_this);
    }
    return status;
}

static inline int32_t create_all(run *r) {
    gpumex_context *const ctx = r->dev.ctx = gpumex_context_create(r->mode == AUTO ? GPUMEX_BACKEND_AUTO : GPUMEX_BACKEND_CUDA, -1);
    r->few.ctx = r->many.ctx = ctx;
    return ctx == NULL ? gpumex_last_status() : 0;
}

static inline int32_t captured(run *r) {
    void *stream = NULL;
    int32_t status = gpumex_context_stream(r->dev.ctx, &stream);
    if (status != 0) return status;
    void *const graph = stand_in_begin_capture(stream);
    status = r->op->run(&r->dev);
    stand_in_end_capture(graph);
    return status;
}

/* Takes a step; its status. Arrays of the device that are not there are allocated before it, without counting. */
static inline int32_t take(run *r, enum step step) {
    const int was_counting = stand_in_counts();
    int32_t status = 0;
    if (step == ON_DEVICE || step == CAPTURED) {
        stand_in_count(0);
        status = allocate(r);
        stand_in_count(was_counting);
        if (status != 0) return status;
    }
    switch (step) {
    case CREATE: return create_all(r);
    case ON_DEVICE: return r->op->run(&r->dev);
    case FEW_ON_HOST: return r->op->run(&r->few);
    case MANY_ON_HOST: return r->op->run(&r->many);
    case CAPTURED: return captured(r);
    case FREE: return release_all(r);
    default: break;
    }
    status = gpumex_context_destroy(r->dev.ctx);
    r->dev.ctx = NULL;
    return status;
}

#endif
