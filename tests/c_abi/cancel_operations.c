/* cancel_operations.c - each operation is cancelled amid a call, and returns soon.
 *
 *   cancel_operations LIBRARY cpu|cuda ELEMENTS [FILTER]
 *
 * Each row of benches/operations.h, with AUTO and with SEQUENTIAL, is called until it was cancelled three times: another thread waits for
 * a part of the time that the call takes by itself, and cancels. A line is the time of the call and the longest time from the cancel to
 * its return. The call gives 0 or CANCELLED, the same call then works, and one that takes 20 ms is cancelled at least once. */
#define OPTIONS(op, ...) GPUMEX_OPTIONS(op, .variant = variant, __VA_ARGS__)
static int variant; /* of the calls: AUTO or SEQUENTIAL, which have the same numbers everywhere */
#include "../../benches/operations.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { CANCELS = 3, TRIES = 40 };

static const double LIMIT = 2, LONG_CALL = 0.02; /* s; the limit is for a machine that is busy */

/* Long on a GPU too. */
static uint64_t generations = 1000;

static int32_t life_for_long(library *l) {
    return CALL(life)(l->ctx, OPTIONS(life, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS), l->flags, l->side, l->side, generations, l->out[0]);
}
ROW("life for long", life, life_for_long, 0, ONCE)

static library used;
static atomic_long begun, ended;
static double nap, cancelled_at;

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void nap_for(double time) {
    const struct timespec part = {(time_t)time, (long)(1e9 * (time - (double)(time_t)time))};
    nanosleep(&part, NULL);
}

static void *cancels(void *unused) {
    (void)unused;
    const library *const l = &used;
    for (long round = 1;; round++) {
        while (atomic_load(&begun) < round) nap_for(5e-5);
        if (nap < 0) return NULL;
        nap_for(nap);
        cancelled_at = seconds();
        ok(l, CALL(context_cancel)(l->ctx));
        atomic_store(&ended, round);
    }
}

static int fails(const operation *op, const char *why) {
    const library *const l = &used;
    printf("%s, variant %d: %s: %s\n", op->label, variant, why, CALL(last_error)());
    return 1;
}

/* The calls of one row; the longest time to a return goes to *longest. */
static int cancel(const operation *op, double *longest) {
    used.number = op->number;
    if (op->run(&used) != 0) return fails(op, "it fails"); /* and loads kernels, starts threads */
    double takes = 1e9; /* the shortest of three: another process may have had the core */
    for (int again = 0; again < 3; again++) {
        const double start = seconds();
        if (op->run(&used) != 0) return fails(op, "it fails");
        const double time = seconds() - start;
        takes = time < takes ? time : takes;
    }
    double worst = 0;
    int cancelled = 0;
    for (int try = 0; try < TRIES && cancelled < CANCELS; try++) {
        nap = takes * (1 + try * 7 % 10) / 16;
        const long round = atomic_fetch_add(&begun, 1) + 1;
        const int32_t status = op->run(&used);
        const double now = seconds();
        while (atomic_load(&ended) < round) nap_for(5e-5);
        if (status != 0 && status != GPUMEX_STATUS_CANCELLED) return fails(op, "another status");
        if (status != 0) cancelled++, worst = now - cancelled_at > worst ? now - cancelled_at : worst;
    }
    if (cancelled == 0 && takes > LONG_CALL) return fails(op, "it was never cancelled");
    if (op->run(&used) != 0) return fails(op, "it fails after a cancel");
    printf("%-22s %-10s %9.1f ms, %d cancels: returned after %7.2f ms\n", op->label, variant ? "SEQUENTIAL" : "AUTO", 1e3 * takes, cancelled,
           1e3 * worst);
    fflush(stdout);
    *longest = worst > *longest ? worst : *longest;
    return worst > LIMIT ? fails(op, "it returned late") : 0;
}

int main(int argc, char **argv) {
    if (argc < 4) return fprintf(stderr, "usage: cancel_operations LIBRARY cpu|cuda ELEMENTS [FILTER]\n"), 2;
    const int on_cuda = strcmp(argv[2], "cuda") == 0;
    const size_t elements = strtoull(argv[3], NULL, 10);
    double longest = 0;
    int failed = 0;
    pthread_t thread;
    if (on_cuda) generations *= 1000;
    open_library(&used, 0, argv[1], on_cuda ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU, elements);
    fill_arrays(&used, GPUMEX_DTYPE_F64, elements);
    if (pthread_create(&thread, NULL, cancels, NULL) != 0) return 2;
    for (variant = 0; variant <= !on_cuda; variant++) {
        for (size_t o = 0; o < operation_count; o++) {
            if (argc < 5 || strstr(operations[o].label, argv[4]) != NULL) failed += cancel(&operations[o], &longest);
        }
    }
    nap = -1;
    atomic_fetch_add(&begun, 1);
    if (pthread_join(thread, NULL) != 0) return 2;
    printf("the longest: %.2f ms\n%d failed\n", 1e3 * longest, failed);
    return failed != 0;
}
