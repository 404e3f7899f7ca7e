/* callbacks.h - scenarios in which the library calls the program: progress, allocation, text, log. The callbacks call the library, take
 * long, fail and cancel. */
#ifndef GPUMEX_TESTS_SOAK_CALLBACKS_H
#define GPUMEX_TESTS_SOAK_CALLBACKS_H

#include "shared.h"

static _Thread_local worker *this_worker; /* of callbacks that have no pointer of their own */

/* What a callback does to other contexts: it never waits for one. */
static void call_back(worker *w, gpumex_context *same) {
    switch (below(w, 6)) {
    case 0: nap_us((long)below(w, 20000)); break;
    case 1: plain_functions(w, FINE | BUSY); break;
    case 2: (void)TRY(w, FINE | BUSY | GONE, context_synchronize, (atomic_load(&shared[below(w, SHARED)]))); break;
    case 3: destroy(w, make_context(w, (int32_t)below(w, 2))); break;
    case 4: (void)TRY(w, BUSY, context_destroy, (same)); break;
    default: (void)TRY(w, BUSY, context_synchronize, (same));
    }
}

/* ---- progress -------------------------------------------------------------------------------------------------------------------- */

typedef struct watched {
    worker *w;
    long calls, cancel_at;
} watched;

static int32_t progress(void *user, uint64_t done, uint64_t total) {
    watched *const run = user;
    if (done > total) fail(run->w, "progress of %llu of %llu", (unsigned long long)done, (unsigned long long)total);
    call_back(run->w, run->w->arrays.ctx);
    return ++run->calls == run->cancel_at ? 7 : 0;
}

static void watch(worker *w) {
    library *const a = &w->arrays;
    watched run = {w, 0, (long)below(w, 8)};
    (void)TRY(w, FINE, context_set_progress, (a->ctx, progress, &run));
    const int32_t status = TRY(w, FINE | CANCELLED, life, (a->ctx, NULL, a->flags, 16, 16, 300 + below(w, 3000), a->out[0]));
    if ((status != 0) != (run.cancel_at > 0 && run.calls == run.cancel_at)) fail(w, "after %ld calls of progress, to be cancelled at %ld: %d", run.calls, run.cancel_at, (int)status);
    (void)TRY(w, FINE, context_set_progress, (a->ctx, NULL, NULL));
}

/* ---- allocators ------------------------------------------------------------------------------------------------------------------ */

typedef struct memory_of_ours {
    worker *w;
    gpumex_context *ctx;
    atomic_long blocks;
    int fails;
    int32_t (*device_malloc)(uint64_t *, size_t); /* cuMemAlloc, which on the CPU backend is not there */
    int32_t (*device_free)(uint64_t);
} memory_of_ours;

static int32_t allocate(void *user, size_t bytes, void *stream, void **memory) {
    memory_of_ours *const ours = user;
    worker *const w = this_worker;
    uint64_t address = 0;
    (void)stream;
    if (below(w, 8) == 0) nap_us((long)below(w, 2000));
    if (below(w, 8) == 0) (void)TRY(w, FINE | BUSY | GONE, context_synchronize, (atomic_load(&shared[below(w, SHARED)])));
    if (ours->fails && below(w, 8) == 0) return 1;
    if (ours->device_malloc == NULL) *memory = aligned_alloc(512, (bytes + 511) / 512 * 512);
    else if (ours->device_malloc(&address, bytes) != 0) return 1;
    else *memory = (void *)(uintptr_t)address;
    if (*memory == NULL) return 1;
    atomic_fetch_add(&ours->blocks, 1);
    return 0;
}

static void release(void *user, void *memory, size_t bytes, void *stream) {
    memory_of_ours *const ours = user;
    (void)bytes, (void)stream;
    if (ours->device_free != NULL) ours->device_free((uint64_t)(uintptr_t)memory);
    else free(memory);
    atomic_fetch_sub(&ours->blocks, 1);
}

static void own_allocator(worker *w) {
    gpumex_context *const own_ctx = w->arrays.ctx, *const ctx = make_context(w, GPUMEX_BUSY_POLICY_RETURN);
    memory_of_ours ours = {.w = w, .ctx = ctx, .fails = (int)below(w, 2)};
    void *memory = NULL;
    if (backend == GPUMEX_BACKEND_CUDA) {
        void *const driver = dlopen("libcuda.so.1", RTLD_NOW);
        ours.device_malloc = (int32_t (*)(uint64_t *, size_t))dlsym(driver, "cuMemAlloc_v2");
        ours.device_free = (int32_t (*)(uint64_t))dlsym(driver, "cuMemFree_v2");
    }
    const int allowed = FINE | (ours.fails ? NO_MEMORY : 0);
    (void)TRY(w, FINE, allocator_custom, (ctx, allocate, release, &ours));
    w->arrays.ctx = ctx;
    for (int i = 0; i < 4; ++i) check_operation(w, current_input(w), below(w, operation_count), allowed);
    w->arrays.ctx = own_ctx;
    const int32_t status = TRY(w, allowed, malloc, (ctx, GPUMEX_MEMORY_KIND_DEVICE, 1 + below(w, 100000), &memory));
    (void)TRY(w, FINE, context_destroy, (ctx));
    if (atomic_load(&ours.blocks) != (status == 0)) fail(w, "%ld blocks of a custom allocator, %d of them held", atomic_load(&ours.blocks), status == 0);
    if (status == 0) (void)TRY(w, FINE, free, (memory));
    if (atomic_load(&ours.blocks) != 0) fail(w, "%ld blocks of a custom allocator are left", atomic_load(&ours.blocks));
}

/* The blocks of a built-in one come to nothing when all is freed. */
static void built_in_allocators(worker *w) {
    gpumex_context *const ctx = make_context(w, GPUMEX_BUSY_POLICY_RETURN);
    gpumex_allocator_stats stats = GPUMEX_ALLOCATOR_STATS_INIT;
    void *memory[8];
    (void)TRY(w, FINE, allocator_select, (ctx, (int32_t)below(w, 2)));
    (void)TRY(w, FINE, allocator_set_capacity, (ctx, below(w, 1 << 20), below(w, 1 << 19)));
    for (int i = 0; i < 8; ++i) (void)TRY(w, FINE, malloc, (ctx, (int32_t)below(w, 3), 1 + below(w, 1 << 18), &memory[i]));
    (void)TRY(w, BUSY, allocator_select, (ctx, GPUMEX_ALLOCATOR_SIMPLE));
    for (int i = 0; i < 8; ++i) (void)TRY(w, FINE, free, (memory[i]));
    (void)TRY(w, FINE, allocator_get_stats, (ctx, &stats));
    if (stats.allocated != 0 || stats.allocated_blocks != 0) fail(w, "%llu bytes are held of a context that holds nothing", (unsigned long long)stats.allocated);
    (void)TRY(w, FINE, allocator_trim, (ctx));
    (void)TRY(w, FINE, context_destroy, (ctx));
}

/* ---- text ------------------------------------------------------------------------------------------------------------------------ */

typedef struct text {
    worker *w;
    long calls, cancel_at;
} text;

static int32_t write_text(void *user, const char *bytes, size_t length) {
    text *const t = user;
    if (length == 0 || bytes[length - 1] != '\n') fail(t->w, "a row without its end");
    if (below(t->w, 16) == 0) call_back(t->w, t->w->arrays.ctx);
    return ++t->calls == t->cancel_at;
}

static void print(worker *w) {
    text t = {w, 0, below(w, 2) ? 0 : 1 + (long)below(w, 10)};
    const int32_t status = TRY(w, t.cancel_at ? CANCELLED : FINE, print_to,
                               (w->arrays.ctx, GPUMEX_DTYPE_U32, w->arrays.values, 200, "%u", 10, write_text, &t));
    if (status == 0 && t.calls != 20) fail(w, "%ld rows of 20", t.calls);
}

/* ---- log ------------------------------------------------------------------------------------------------------------------------- */

enum { ALIVE = 0x10f1ee };

static atomic_long log_lines;
static atomic_int lines_at_once;

static void log_line(void *user, int32_t level, const char *message) {
    if (*(const int *)user != ALIVE) fail(this_worker, "the log is told with a pointer that was taken back");
    if (level != 1 || strlen(message) < 5) fail(this_worker, "a line of level %d: %s", (int)level, message);
    if (atomic_fetch_add(&lines_at_once, 1) != 0 && !is_child) fail(this_worker, "two lines of the log at once");
    atomic_fetch_add(&log_lines, 1);
    atomic_fetch_sub(&lines_at_once, 1);
}

/* Another pointer for the log; the one before is no longer used when the call returns. */
static void set_log(worker *w) {
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    static int *current;
    int *const next = malloc(sizeof *next);
    *next = ALIVE;
    pthread_mutex_lock(&turn);
    (void)TRY(w, FINE, set_log_callback, (log_line, next));
    if (current != NULL) {
        *current = 0;
        free(current);
    }
    current = next;
    pthread_mutex_unlock(&turn);
}

#endif
