/* threads.c - each thread has a last error of its own; a context serves one thread at a time, the default in turns. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static gpumex_context *shared;
static atomic_int stop;

static void *fails_otherwise(void *unused) {
    (void)unused;
    EXPECT(strcmp(gpumex_last_error(), "") == 0); /* the other thread's failure is not ours */
    EXPECT(histogram(NULL, 1, NULL) == GPUMEX_STATUS_NULL_POINTER);
    EXPECT(strncmp(gpumex_last_error(), "histogram: ", 11) == 0);
    return NULL;
}

static void last_error_is_of_the_thread(void) {
    pthread_t other;
    char before[256];
    EXPECT(matmul(1, 1, 1, NULL, NULL, NULL) == GPUMEX_STATUS_NULL_POINTER);
    const char *text = gpumex_last_error();
    EXPECT(strlen(text) < sizeof before);
    strcpy(before, text);
    EXPECT(pthread_create(&other, NULL, fails_otherwise, NULL) == 0 && pthread_join(other, NULL) == 0);
    EXPECT(strcmp(text, before) == 0 && strncmp(text, "matmul: ", 8) == 0);
    EXPECT(life_works(gpumex_context_default()));
    EXPECT(strcmp(gpumex_last_error(), before) == 0); /* a success leaves it */
}

static void *keeps_it_busy(void *unused) {
    static uint8_t board[512 * 512], next[512 * 512];
    (void)unused;
    for (size_t i = 0; i < sizeof board; i += 3) board[i] = 1;
    while (!stop) {
        const int32_t status = gpumex_life(shared, NULL, board, 512, 512, 100, next);
        EXPECT(status == GPUMEX_STATUS_OK || status == GPUMEX_STATUS_BUSY);
    }
    return NULL;
}

static void a_second_thread_is_told_busy(void) {
    pthread_t other;
    int32_t status = GPUMEX_STATUS_OK;
    const time_t start = time(NULL);
    shared = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    EXPECT(shared != NULL && pthread_create(&other, NULL, keeps_it_busy, NULL) == 0);
    while (status == GPUMEX_STATUS_OK && time(NULL) - start < 30) status = gpumex_context_synchronize(shared);
    EXPECT(status == GPUMEX_STATUS_BUSY);
    EXPECT(strncmp(gpumex_last_error(), "gpumex_context_synchronize: ", 28) == 0);
    stop = 1;
    EXPECT(pthread_join(other, NULL) == 0);
    EXPECT(life_works(shared));
    OK(gpumex_context_destroy(shared));
}

static void *counts_in_turn(void *data) {
    for (int i = 0; i < 50; i++) {
        uint64_t counts[256];
        OK(histogram((const uint8_t *)data, 1 << 16, counts));
        EXPECT(counts[1] == 1 << 16 && counts[0] == 0);
    }
    return NULL;
}

static void the_default_context_takes_turns(void) {
    static uint8_t data[1 << 16];
    pthread_t threads[4];
    memset(data, 1, sizeof data);
    for (int i = 0; i < 4; i++) EXPECT(pthread_create(&threads[i], NULL, counts_in_turn, data) == 0);
    for (int i = 0; i < 4; i++) EXPECT(pthread_join(threads[i], NULL) == 0);
}

int main(void) {
    last_error_is_of_the_thread();
    a_second_thread_is_told_busy();
    the_default_context_takes_turns();
    puts("done");
    return 0;
}
