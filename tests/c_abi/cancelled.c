/* cancelled.c - pthread_cancel waits until the call of a thread has returned: calls read files, write the log and wait, all of which are
 * cancellation points, and none of them ends a thread amid the library. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static gpumex_context *shared;
static atomic_int calls, callbacks;

static void nap(void) {
    const struct timespec time = {0, 10000};
    nanosleep(&time, NULL);
    callbacks++;
}

static void log_line(void *user, int32_t level, const char *message) {
    (void)user, (void)level, (void)message;
    nap(); /* a cancellation point */
}

static int32_t progress(void *user, uint64_t done, uint64_t total) {
    (void)user, (void)done, (void)total;
    nap();
    return 0;
}

/* Cancelled before its first call, it makes them all. */
static void *makes_calls(void *unused) {
    int state = -1;
    (void)unused;
    pthread_cancel(pthread_self());
    gpumex_context *const ctx = gpumex_context_create(GPUMEX_BACKEND_CPU, -1); /* counts the cores: reads files */
    EXPECT(ctx != NULL);
    calls++;
    EXPECT(gpumex_context_device_text(ctx) != NULL); /* reads files */
    calls++;
    EXPECT(gpumex_context_set_progress(shared, progress, NULL) == 0 && life_works(shared));
    calls++;
    EXPECT(gpumex_context_destroy((gpumex_context *)&state) == GPUMEX_STATUS_INVALID_ARGUMENT); /* tells the log */
    calls++;
    OK(gpumex_context_destroy(ctx));
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    EXPECT(state == PTHREAD_CANCEL_ENABLE); /* as it was */
    OK(gpumex_context_synchronize(shared));
    pthread_setcancelstate(state, &state);
    EXPECT(state == PTHREAD_CANCEL_DISABLE);
    calls++;
    pthread_testcancel();
    calls++;
    return NULL;
}

int main(void) {
    pthread_t thread;
    void *result = NULL;
    OK(gpumex_configure("log", "error"));
    OK(gpumex_set_log_callback(log_line, NULL));
    shared = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    EXPECT(shared != NULL);
    EXPECT(pthread_create(&thread, NULL, makes_calls, NULL) == 0 && pthread_join(thread, &result) == 0);
    EXPECT(result == PTHREAD_CANCELED && calls == 5 && callbacks >= 2);
    OK(gpumex_context_set_progress(shared, NULL, NULL)); /* not BUSY */
    EXPECT(life_works(shared));
    OK(gpumex_context_destroy(shared));
    puts("done");
    return 0;
}
