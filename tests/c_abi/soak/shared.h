/* shared.h - scenarios on what threads of soak.c share: contexts, events, memory, the default context. */
#ifndef GPUMEX_TESTS_SOAK_SHARED_H
#define GPUMEX_TESTS_SOAK_SHARED_H

#include "worker.h"

enum { EVENTS = 8, ORPHANS = 64 };

static _Atomic(gpumex_context *) shared[SHARED]; /* the first half answers BUSY, the other half waits */
static _Atomic(gpumex_event *) shared_events[EVENTS];
static _Atomic(void *) orphans[ORPHANS]; /* memory whose context has ended */

static gpumex_context *make_context(worker *w, int32_t busy) {
    gpumex_context_options options = GPUMEX_CONTEXT_OPTIONS_INIT;
    options.backend = backend;
    options.busy = busy;
    options.threads = (int32_t)below(w, 4); /* the library keeps a pool for each number: few numbers */
    options.cache_capacity = below(w, 2) << 20;
    return MAKE(w, context_create_with, (&options));
}

static int32_t policy_of(size_t index) { return index < SHARED / 2 ? GPUMEX_BUSY_POLICY_RETURN : GPUMEX_BUSY_POLICY_WAIT; }

/* Destroys a context that other threads may be in. */
static void destroy(worker *w, gpumex_context *ctx) {
    const int64_t start = now_ms();
    while (TRY(w, FINE | BUSY, context_destroy, (ctx)) != 0) {
        if (now_ms() - start > 60000) fail(w, "a context stays BUSY for a minute");
        nap_us(200);
    }
    (void)TRY(w, GONE, context_synchronize, (ctx)); /* its token is void */
}

/* An operation in a context of the thread. */
static void own(worker *w) {
    const size_t input = below(w, INPUTS);
    if (w->arrays.dtype != inputs[input].dtype || w->arrays.n != inputs[input].n) fill_inputs(w, inputs[input].dtype, inputs[input].n);
    if (below(w, 8) == 0) (void)TRY(w, FINE, context_set_threads, (w->arrays.ctx, (int32_t)below(w, 4)));
    for (int i = 0; i < 4; ++i) check_operation(w, input, below(w, operation_count), FINE);
}

/* The input that the arrays of a thread hold. */
static size_t current_input(const worker *w) {
    size_t i = 0;
    while (inputs[i].dtype != w->arrays.dtype || inputs[i].n != w->arrays.n) ++i;
    return i;
}

static void in_shared(worker *w, size_t index, int allowed) {
    gpumex_context *const own_ctx = w->arrays.ctx;
    for (int i = 0; i < 4; ++i) {
        w->arrays.ctx = atomic_load(&shared[index]);
        check_operation(w, current_input(w), below(w, operation_count), allowed);
    }
    w->arrays.ctx = own_ctx;
}

static void shared_busy(worker *w) { in_shared(w, below(w, SHARED / 2), FINE | BUSY | GONE); }

static void shared_wait(worker *w) { in_shared(w, SHARED / 2 + below(w, SHARED / 2), FINE | GONE); }

/* A shared context is replaced while others are in it. */
static void replace_context(worker *w) {
    const size_t index = below(w, SHARED);
    destroy(w, atomic_exchange(&shared[index], make_context(w, policy_of(index))));
}

static void use_events(worker *w) {
    const int any = FINE | GONE;
    const size_t i = below(w, EVENTS), k = below(w, EVENTS);
    gpumex_context *const ctx = below(w, 2) ? w->arrays.ctx : atomic_load(&shared[below(w, SHARED)]);
    const int in_ctx = any | (ctx == w->arrays.ctx ? 0 : BUSY);
    gpumex_event *const event = atomic_load(&shared_events[i]), *made = NULL;
    int32_t done = -1;
    double ms = 0;
    (void)TRY(w, in_ctx, event_record, (ctx, event));
    (void)TRY(w, in_ctx, event_wait, (ctx, event));
    if (TRY(w, any, event_query, (event, &done)) == 0 && done != 0 && done != 1) fail(w, "an event is done: %d", (int)done);
    (void)TRY(w, any, event_synchronize, (event));
    (void)TRY(w, any, event_elapsed_ms, (event, atomic_load(&shared_events[k]), &ms));
    if (below(w, 4) == 0 && TRY(w, in_ctx, event_create, (ctx, &made)) == 0) {
        gpumex_event *const old = atomic_exchange(&shared_events[i], made);
        (void)TRY(w, FINE, event_destroy, (old));
        (void)TRY(w, GONE, event_destroy, (old));
    }
}

#ifdef OPERATIONS_LINKED
int32_t life_shmem(const uint8_t *, size_t, size_t, size_t, uint8_t *);
int32_t histogram(const uint8_t *, size_t, uint64_t *);
#define PLAIN(name, type) name
#else
#define PLAIN(name, type) ((type)dlsym(library_handle, #name))
#endif
typedef int32_t (*life_function)(const uint8_t *, size_t, size_t, size_t, uint8_t *);
typedef int32_t (*histogram_function)(const uint8_t *, size_t, uint64_t *);

/* The functions without a context. */
static void plain_functions(worker *w, int allowed) {
    static const uint8_t board[15] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0};
    static const uint8_t turned[15] = {0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
    uint8_t next[15];
    uint64_t counts[256];
    outer_call outer = enter_call(w, "life_shmem");
    int32_t status = PLAIN(life_shmem, life_function)(board, 3, 5, 1, next);
    leave_call(w, outer);
    if (judge(w, "life_shmem", status, allowed) == 0 && memcmp(next, turned, sizeof next) != 0) fail(w, "life_shmem is wrong");
    outer = enter_call(w, "histogram");
    status = PLAIN(histogram, histogram_function)(board, sizeof board, counts);
    leave_call(w, outer);
    if (judge(w, "histogram", status, allowed) == 0 && (counts[0] != 12 || counts[1] != 3)) fail(w, "histogram is wrong");
}

static void default_context(worker *w) {
    LIBRARY(w);
    gpumex_context *const own_ctx = w->arrays.ctx;
    plain_functions(w, FINE);
    w->arrays.ctx = MAKE(w, context_default, ());
    check_operation(w, current_input(w), below(w, operation_count), FINE | GONE); /* gone when another thread has reset it */
    (void)TRY(w, GONE, context_destroy, (w->arrays.ctx));
    w->arrays.ctx = own_ctx;
    if (below(w, 8) == 0) (void)TRY(w, FINE | BUSY, reset_default, ());
}

/* Memory that outlives its context is freed by another thread. */
static void leave_memory(worker *w) {
    gpumex_context *const ctx = make_context(w, GPUMEX_BUSY_POLICY_RETURN);
    for (int i = 0; i < 4; ++i) {
        void *memory = NULL;
        (void)TRY(w, FINE, malloc, (ctx, (int32_t)below(w, 3), 1 + below(w, 100000), &memory));
        memory = atomic_exchange(&orphans[below(w, ORPHANS)], memory);
        if (memory != NULL) (void)TRY(w, FINE, free, (memory));
    }
    (void)TRY(w, FINE, context_destroy, (ctx));
    for (int i = 0; i < 4; ++i) {
        void *const memory = atomic_exchange(&orphans[below(w, ORPHANS)], NULL);
        if (memory == NULL) continue;
        (void)TRY(w, FINE, copy, (w->arrays.ctx, memory, w->arrays.x, 1));
        (void)TRY(w, FINE, free, (memory));
        (void)TRY(w, GONE, free, (memory + 1));
    }
}

/* After first use no setting changes. */
static void settings(worker *w) {
    (void)TRY(w, BUSY, configure, ("num_threads", "3"));
    (void)TRY(w, GONE, configure, ("no such key", "3"));
}

#endif
