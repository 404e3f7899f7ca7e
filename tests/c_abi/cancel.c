/* cancel.c - gpumex_context_cancel ends the call that is in the context, from wherever it is called, and no other one.
 *
 *   cancel [ROUNDS]      ROUNDS: short calls that are cancelled about when they end; else as many as 5 s allow */
#define _XOPEN_SOURCE 700
#include "cancel_text.h"
#include "check.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <time.h>

enum { SIDE = 256 };

static gpumex_context *shared, *other;
static uint8_t board[SIDE * SIDE], next[SIDE * SIDE];

static void nap_ms(long ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    while (nanosleep(&time, &time) != 0) continue;
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A call that would take many years. */
static int32_t runs_for_ever(gpumex_context *ctx) {
    return gpumex_life(ctx, NULL, board, SIDE, SIDE, UINT64_MAX, next);
}

/* It was cancelled, and says how far it came. */
static void expect_cancelled(int32_t status) {
    cancel_text text;
    EXPECT(status == GPUMEX_STATUS_CANCELLED && gpumex_last_status() == GPUMEX_STATUS_CANCELLED);
    EXPECT(read_cancel_text(gpumex_last_error(), "gpumex_life", &text));
    EXPECT(text.time >= 0 && text.units == UNITS_WHOLE && text.total == UINT64_MAX);
    EXPECT(life_works(shared));
}

/* ---- from threads ---------------------------------------------------------------------------------------------------------- */

static double cancelled_at;

static void *cancels(void *ctx) {
    nap_ms(100);
    cancelled_at = seconds();
    OK(gpumex_context_cancel((gpumex_context *)ctx));
    EXPECT(strcmp(gpumex_last_error(), "") == 0);
    return NULL;
}

static void *cancels_twice(void *ctx) {
    cancels(ctx);
    OK(gpumex_context_cancel((gpumex_context *)ctx)); /* the call is cancelled already, or has returned */
    return NULL;
}

static void from_another_thread(void *(*work)(void *), gpumex_context *ctx) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, work, ctx) == 0);
    const int32_t status = runs_for_ever(ctx);
    const double took = seconds() - cancelled_at;
    expect_cancelled(status);
    EXPECT(pthread_join(thread, NULL) == 0);
    printf("returned after %.1f ms\n", 1e3 * took);
    EXPECT(took < 2);
}

static int32_t status_of_waiting = -1;
static atomic_int is_waiting;

static void *waits_for_its_turn(void *unused) {
    (void)unused;
    static uint8_t mine[SIDE * SIDE];
    nap_ms(20); /* behind the first call */
    is_waiting = 1;
    status_of_waiting = gpumex_life(other, NULL, board, SIDE, SIDE, 100, mine);
    return NULL;
}

/* Which waits for its turn is not cancelled. */
static void a_waiting_call_is_not_affected(void) {
    pthread_t canceller, waiting;
    EXPECT(pthread_create(&canceller, NULL, cancels, other) == 0);
    EXPECT(pthread_create(&waiting, NULL, waits_for_its_turn, NULL) == 0);
    expect_cancelled(runs_for_ever(other));
    EXPECT(pthread_join(canceller, NULL) == 0 && pthread_join(waiting, NULL) == 0);
    EXPECT(is_waiting);
    OK(status_of_waiting);
}

/* ---- from signal handlers ------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t status_of_handler = -1;

static void handler(int signal) {
    (void)signal;
    status_of_handler = gpumex_context_cancel(shared);
}

static void from_a_signal_handler(void) {
    struct sigaction action;
    const struct itimerval soon = {{0, 0}, {0, 100000}};
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    EXPECT(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &soon, NULL) == 0);
    expect_cancelled(runs_for_ever(shared));
    OK(status_of_handler);
    status_of_handler = -1;
    EXPECT(raise(SIGALRM) == 0); /* no call is there */
    OK(status_of_handler);
    EXPECT(life_works(shared));
}

/* ---- from callbacks -------------------------------------------------------------------------------------------------------- */

static int32_t cancels_its_own_call(void *user, uint64_t done, uint64_t total) {
    (void)user, (void)done, (void)total;
    OK(gpumex_context_cancel(shared));
    return 0;
}

static int32_t calls_in_another_context(void *user, uint64_t done, uint64_t total) {
    (void)user, (void)done, (void)total;
    OK(gpumex_context_cancel(shared)); /* the outer call */
    EXPECT(life_works(other));
    return 0;
}

static int32_t is_cancelled_in_another_context(void *user, uint64_t done, uint64_t total) {
    int *const calls = (int *)user;
    (void)total;
    if (done >= 3) return 5;
    if ((*calls)++ == 0) {
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, cancels, other) == 0);
        EXPECT(runs_for_ever(other) == GPUMEX_STATUS_CANCELLED);
        EXPECT(pthread_join(thread, NULL) == 0);
    }
    return 0;
}

static void from_callbacks(void) {
    int calls = 0;
    OK(gpumex_context_set_progress(shared, cancels_its_own_call, NULL));
    EXPECT(runs_for_ever(shared) == GPUMEX_STATUS_CANCELLED);
    EXPECT(strstr(gpumex_last_error(), "gpumex_context_cancel ended") != NULL);
    OK(gpumex_context_set_progress(shared, calls_in_another_context, NULL));
    EXPECT(runs_for_ever(shared) == GPUMEX_STATUS_CANCELLED);
    EXPECT(strstr(gpumex_last_error(), "gpumex_context_cancel ended") != NULL);
    OK(gpumex_context_set_progress(shared, is_cancelled_in_another_context, &calls));
    EXPECT(runs_for_ever(shared) == GPUMEX_STATUS_CANCELLED);
    EXPECT(strstr(gpumex_last_error(), "the progress callback returned 5") != NULL && calls > 1);
    OK(gpumex_context_set_progress(shared, NULL, NULL));
    EXPECT(life_works(shared) && life_works(other));
}

/* ---- where there is no call ------------------------------------------------------------------------------------------------ */

static void where_there_is_no_call(void) {
    gpumex_context *const dead = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    OK(gpumex_context_cancel(dead));
    OK(gpumex_context_cancel(dead));
    EXPECT(life_works(dead));
    OK(gpumex_context_destroy(dead));
    EXPECT(gpumex_context_cancel(dead) == GPUMEX_STATUS_INVALID_ARGUMENT);
    EXPECT(strstr(gpumex_last_error(), "gpumex_context_cancel: ctx is 0x") == gpumex_last_error());
    EXPECT(gpumex_context_cancel(NULL) == GPUMEX_STATUS_NULL_POINTER);
    EXPECT(gpumex_context_cancel((gpumex_context *)board) == GPUMEX_STATUS_INVALID_ARGUMENT);
}

/* ---- about when a call ends ------------------------------------------------------------------------------------------------ */

static atomic_long begun, answered;

static void wait_for(const atomic_long *number, long value) {
    for (int i = 0; atomic_load(number) < value; i++) {
        if (i > 1000) sched_yield();
    }
}

static void *cancels_each(void *unused) {
    (void)unused;
    for (long round = 1;; round++) {
        wait_for(&begun, round);
        if (atomic_load(&begun) == LONG_MAX) return NULL;
        for (volatile long i = round * 37 % 400; i > 0; i--) continue; /* before, amid and behind the call */
        EXPECT(gpumex_context_cancel(shared) == 0);
        atomic_store(&answered, round);
    }
    return NULL;
}

/* A cancel reaches the call that is there, or none: never one that begins after it has returned. */
static void no_later_call_is_affected(long rounds) {
    pthread_t thread;
    long cancelled = 0, round = 1;
    const double end = rounds == 0 ? seconds() + 5 : 1e300;
    uint8_t cells[15] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0}, turned[15];
    EXPECT(pthread_create(&thread, NULL, cancels_each, NULL) == 0);
    for (; (rounds == 0 || round <= rounds) && seconds() < end; round++) {
        atomic_store(&begun, round);
        const uint64_t generations = (uint64_t)(round % 128 * 32);
        const int32_t status = gpumex_life(shared, NULL, cells, 3, 5, generations, turned);
        EXPECT(status == GPUMEX_STATUS_OK || status == GPUMEX_STATUS_CANCELLED);
        cancelled += status == GPUMEX_STATUS_CANCELLED;
        wait_for(&answered, round);
        OK(gpumex_life(shared, NULL, cells, 3, 5, 1, turned));
    }
    atomic_store(&begun, LONG_MAX);
    EXPECT(pthread_join(thread, NULL) == 0);
    EXPECT(life_works(shared) && cancelled > 0);
    printf("%ld of %ld short calls were cancelled\n", cancelled, round - 1);
}

int main(int argc, char **argv) {
    const gpumex_context_options *const in_turn = GPUMEX_OPTIONS(context, .busy = GPUMEX_BUSY_POLICY_WAIT);
    for (size_t i = 0; i < sizeof board; i += 3) board[i] = 1;
    shared = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    other = gpumex_context_create_with(in_turn);
    EXPECT(shared != NULL && other != NULL);
    where_there_is_no_call();
    from_another_thread(cancels, shared);
    from_another_thread(cancels_twice, shared);
    from_another_thread(cancels, gpumex_context_default());
    a_waiting_call_is_not_affected();
    from_a_signal_handler();
    from_callbacks();
    no_later_call_is_affected(argc > 1 ? atol(argv[1]) : 0);
    OK(gpumex_context_destroy(shared));
    OK(gpumex_context_destroy(other));
    puts("done");
    return 0;
}
