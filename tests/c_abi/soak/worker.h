/* worker.h - what the scenarios of soak.c share: a thread with its arrays, a call that is timed, counted and judged by its status. */
#ifndef GPUMEX_TESTS_SOAK_WORKER_H
#define GPUMEX_TESTS_SOAK_WORKER_H

#define OPERATIONS_OWN_ARRAYS
#include "../../../benches/operations.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

/* ---- the library ---------------------------------------------------------------------------------------------------------- */

static void *library_handle; /* NULL where the program is linked with the library */
static const char *library_path = "libgpumex.so.0.2";
static int32_t backend = GPUMEX_BACKEND_CPU;

/* CALL of operations.h names the library `l`. */
#define LIBRARY(w) const library *const l = &(w)->arrays; (void)l

enum { STATUSES = GPUMEX_STATUS_TIMEOUT + 1, OUTPUTS = 3, SHARED = 6 };

/* Sets of statuses that a situation allows. */
enum {
    FINE = 1 << GPUMEX_STATUS_OK,
    BUSY = 1 << GPUMEX_STATUS_BUSY,
    GONE = 1 << GPUMEX_STATUS_INVALID_ARGUMENT, /* another thread has destroyed it */
    CANCELLED = 1 << GPUMEX_STATUS_CANCELLED,
    NO_MEMORY = 1 << GPUMEX_STATUS_OUT_OF_MEMORY,
    UNSERVED = 1 << GPUMEX_STATUS_UNSUPPORTED,
};

/* ---- threads ---------------------------------------------------------------------------------------------------------------- */

typedef struct worker {
    int number;
    pthread_t thread;
    uint64_t random;
    library arrays; /* its own context with its arrays */
    int has_other_stack; /* a short-lived thread */
    int scenario;
    uint8_t *received;   /* an output, on the host */
    _Atomic(const char *) call; /* the call that it is in, or NULL */
    _Atomic int64_t since_ms;
    atomic_int is_paused;
    _Atomic long counts[32][STATUSES]; /* by scenario and status */
} worker;

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void nap_us(long us) {
    struct timespec time = {us / 1000000, us % 1000000 * 1000};
    while (nanosleep(&time, &time) != 0) continue; /* a signal came */
}

/* splitmix64 */
static uint64_t draw(worker *w) {
    uint64_t z = w->random += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t below(worker *w, size_t end) { return (size_t)(draw(w) % end); }

/* ---- failures and calls ----------------------------------------------------------------------------------------------------- */

static int is_child; /* forked from a thread of the soak */
static const char *const *scenario_names;

_Noreturn static void fail(const worker *w, const char *text, ...) {
    static atomic_flag has_failed = ATOMIC_FLAG_INIT;
    va_list arguments;
    va_start(arguments, text);
    while (atomic_flag_test_and_set(&has_failed)) nap_us(1000000); /* the first one ends the program */
    fprintf(stderr, "FAIL: %s%s%s, thread %d: ", is_child ? "in a forked child, " : "", w == NULL ? "" : "scenario ",
            w == NULL ? "monitor" : scenario_names[w->scenario], w == NULL ? -1 : w->number);
    vfprintf(stderr, text, arguments);
    fputc('\n', stderr);
    fflush(NULL);
    _exit(1);
}

/* Judges a status; a failure has a sentence on this thread that begins with the name of the function. */
static int32_t judge(worker *w, const char *function, int32_t status, int allowed) {
    LIBRARY(w);
    if (status < 0 || status >= STATUSES || !(allowed >> status & 1)) {
        fail(w, "%s gives %d, which is not expected here: %s", function, (int)status, CALL(last_error)());
    }
    atomic_fetch_add_explicit(&w->counts[w->scenario][status], 1, memory_order_relaxed);
    if (status != 0) {
        const char *const sentence = CALL(last_error)();
        const size_t length = strlen(function);
        if (CALL(last_status)() != status || strncmp(sentence, function, length) != 0 || sentence[length] != ':') {
            fail(w, "after status %d of %s the last error is %d, %s", (int)status, function, (int)CALL(last_status)(), sentence);
        }
    }
    return status;
}

/* Around a call: the monitor sees how long a thread is in it. Calls of callbacks are calls within a call. */
typedef struct outer_call {
    const char *call;
    int64_t since_ms;
} outer_call;

static outer_call enter_call(worker *w, const char *call) {
    const outer_call outer = {atomic_load(&w->call), atomic_load(&w->since_ms)};
    atomic_store(&w->since_ms, now_ms());
    atomic_store(&w->call, call);
    return outer;
}

static void leave_call(worker *w, outer_call outer) {
    atomic_store(&w->call, NULL);
    atomic_store(&w->since_ms, outer.call == NULL ? 0 : now_ms()); /* the callback of the outer call goes on */
    atomic_store(&w->call, outer.call);
}

/* status = TRY(w, FINE | BUSY, context_synchronize, (ctx)) */
#define TRY(w, allowed, name, arguments)                                                                        \
    ({                                                                                                          \
        LIBRARY(w);                                                                                             \
        const outer_call outer_ = enter_call(w, "gpumex_" #name);                                               \
        const int32_t status_ = CALL(name) arguments;                                                           \
        leave_call(w, outer_);                                                                                  \
        judge(w, "gpumex_" #name, status_, allowed);                                                            \
    })

/* A function that returns a handle, which is not NULL. */
#define MAKE(w, name, arguments)                                                                                \
    ({                                                                                                          \
        LIBRARY(w);                                                                                             \
        const outer_call outer_ = enter_call(w, "gpumex_" #name);                                               \
        gpumex_context *const made_ = CALL(name) arguments;                                                     \
        leave_call(w, outer_);                                                                                  \
        judge(w, "gpumex_" #name, made_ == NULL ? CALL(last_status)() : 0, FINE);                               \
        made_;                                                                                                  \
    })

/* ---- arrays ------------------------------------------------------------------------------------------------------------------ */

enum { LARGEST = 20000, OUTPUT_BYTES = 16 * LARGEST + 4096, BLOCKS = 11 };

static void *block(worker *w, size_t bytes) {
    void *memory = NULL;
    const int kind = (w->number + 2) % 3; /* DEVICE, PINNED, MANAGED */
    (void)TRY(w, FINE, malloc, (w->arrays.ctx, kind, bytes, &memory));
    return memory;
}

/* A context of its own with BLOCKS blocks. */
static void make_arrays(worker *w) {
    library *const a = &w->arrays;
    a->handle = library_handle;
    a->ctx = MAKE(w, context_create, (backend, -1));
    void **const inputs[] = {&a->x, &a->y, &a->a, &a->b, &a->values, &a->indices};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; ++i) *inputs[i] = block(w, 8 * LARGEST);
    for (int i = 0; i < OUTPUTS; ++i) a->out[i] = block(w, OUTPUT_BYTES);
    a->positions = block(w, LARGEST + 64), a->flags = block(w, LARGEST);
    w->received = malloc(OUTPUT_BYTES);
}

static void free_arrays(worker *w) {
    library *const a = &w->arrays;
    void *const all[BLOCKS] = {a->x, a->y, a->a, a->b, a->values, a->indices, a->out[0], a->out[1], a->out[2], a->positions, a->flags};
    for (int i = 0; i < BLOCKS; ++i) (void)TRY(w, FINE, free, (all[i]));
    (void)TRY(w, FINE, context_destroy, (a->ctx));
    free(w->received);
}

/* The same numbers in the arrays of every thread. Indices are a permutation, so that scatter has one result. */
static void fill_inputs(worker *w, int32_t dtype, size_t n) {
    static const uint64_t odd_prime = 7919;
    library *const a = &w->arrays;
    const double lo = is_float(dtype) ? -1 : 0, hi = is_float(dtype) ? 1 : (double)n;
    uint64_t *const indices = (uint64_t *)w->received;
    a->dtype = dtype, a->n = n;
    for (a->side = 16; 4 * a->side * a->side <= n; a->side *= 2) continue;
    (void)TRY(w, FINE, random, (a->ctx, dtype, a->x, n, 1, lo, hi));
    (void)TRY(w, FINE, random, (a->ctx, dtype, a->y, n, 2, lo, hi));
    (void)TRY(w, FINE, random_sorted, (a->ctx, dtype, a->a, n, 3, lo, hi));
    (void)TRY(w, FINE, random_sorted, (a->ctx, dtype, a->b, n, 4, lo, hi));
    (void)TRY(w, FINE, fill_ascending, (a->ctx, GPUMEX_DTYPE_U32, a->values, n, 0, 1));
    (void)TRY(w, FINE, fill_ascending, (a->ctx, GPUMEX_DTYPE_U64, a->positions, n / GAP + 1, 0, GAP));
    (void)TRY(w, FINE, random, (a->ctx, GPUMEX_DTYPE_U8, a->flags, n, 5, 0, 1));
    for (size_t i = 0; i < n; ++i) indices[i] = i * odd_prime % n;
    (void)TRY(w, FINE, copy, (a->ctx, a->indices, indices, 8 * n));
}

/* ---- operations and their results ---------------------------------------------------------------------------------------------- */

enum { MOST_OPERATIONS = 128 };

typedef struct wanted {
    int32_t status;
    int is_compared; /* it gives the same bits each time */
    uint64_t hash;
} wanted;

typedef struct input {
    int32_t dtype;
    size_t n;
} input;

static const input inputs[] = {{GPUMEX_DTYPE_F32, 300}, {GPUMEX_DTYPE_U64, 300}, {GPUMEX_DTYPE_F64, LARGEST}, {GPUMEX_DTYPE_I32, LARGEST}};
enum { INPUTS = sizeof inputs / sizeof *inputs };

static wanted references[INPUTS][MOST_OPERATIONS];

static uint64_t hash(uint64_t seed, const void *bytes, size_t count) { /* FNV-1a, of words */
    const uint64_t *const words = bytes;
    for (size_t i = 0; i < count / 8; ++i) seed = (seed ^ words[i]) * 0x100000001b3u, seed ^= seed >> 29;
    return seed;
}

/* How many bytes of an output an operation on n elements may write. */
static size_t output_bytes(size_t n) { return 16 * n + 4096; }

/* One operation in the context of `arrays`, and the hash of its outputs; 0 after an error. */
static int32_t run_operation(worker *w, const operation *op, int allowed, uint64_t *result) {
    static const uint8_t zero = 0;
    library *const a = &w->arrays;
    const size_t bytes = output_bytes(a->n);
    *result = 0;
    a->number = op->number;
    for (int i = 0; i < OUTPUTS; ++i) {
        const int32_t status = TRY(w, allowed, fill, (a->ctx, GPUMEX_DTYPE_U8, a->out[i], bytes, &zero));
        if (status != 0) return status;
    }
    if (strncmp(op->label, "axpy", 4) == 0 || strncmp(op->label, "scale", 5) == 0 || strcmp(op->label, "add") == 0) {
        const int32_t status = TRY(w, allowed, copy, (a->ctx, a->out[0], a->y, a->n * bytes_of(a->dtype))); /* they work in place */
        if (status != 0) return status;
    }
    const outer_call outer = enter_call(w, op->label);
    int32_t status = op->run(a);
    leave_call(w, outer);
    judge(w, op->function, status, allowed | UNSERVED | GONE);
    if (status != 0) return status;
    for (int i = 0; i < OUTPUTS; ++i) {
        status = TRY(w, allowed, copy, (a->ctx, w->received, a->out[i], bytes));
        if (status != 0) return status;
        *result = hash(*result + 1, w->received, bytes);
    }
    return 0;
}

/* Compares with what the first thread found, alone. */
static int32_t check_operation(worker *w, size_t input, size_t number, int allowed) {
    const operation *const op = &operations[number];
    const wanted *const want = &references[input][number];
    uint64_t result;
    const int32_t status = run_operation(w, op, allowed, &result);
    if (status != want->status && !(status != 0 && (allowed >> status & 1))) {
        LIBRARY(w);
        fail(w, "%s gives status %d, before it was %d: %s", op->label, (int)status, (int)want->status, CALL(last_error)());
    }
    if (status == 0 && want->is_compared && result != want->hash) {
        fail(w, "%s of %zu elements of dtype %d gives another result than at the start", op->label, w->arrays.n, (int)w->arrays.dtype);
    }
    return status;
}

#endif
