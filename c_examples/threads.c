/* threads.c - eight threads, first with a context each, then with one that they share.
 *
 * Build:  make examples
 * Run:    threads
 *
 * A context serves one thread at a time. A second thread that enters it gets BUSY, or waits for its turn where the context was
 * created so. Prints how many sorts were right, and exits with 1 unless all were:
 *
 *     a context each: 200 of 200 right
 *     one context, which waits: 200 of 200 right */
#include "common.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 25, COUNT = 10000 };

static gpumex_context *shared; /* NULL: a context each */

static int is_sorted(const int32_t *numbers) {
    for (int i = 1; i < COUNT; i++)
        if (numbers[i - 1] > numbers[i]) return 0;
    return 1;
}

/* *right <- how many of ROUNDS sorts were right. */
static void *sort_often(void *right) {
    static const int32_t lowest = -1000, highest = 1000;
    int *count = (int *)right;
    int32_t *numbers = (int32_t *)malloc(COUNT * sizeof *numbers), *sorted = (int32_t *)malloc(COUNT * sizeof *sorted);
    gpumex_context *ctx = shared != NULL ? shared : open_context(GPUMEX_BACKEND_AUTO);
    for (int round = 0; round < ROUNDS && numbers != NULL && sorted != NULL; round++) {
        CHECK(gpumex_random(ctx, GPUMEX_DTYPE_I32, numbers, COUNT, round, lowest, highest));
        CHECK(gpumex_sort(ctx, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_I32), numbers, NULL, COUNT, sorted, NULL));
        *count += is_sorted(sorted);
    }
    if (shared == NULL) gpumex_context_destroy(ctx);
    free(numbers);
    free(sorted);
    return NULL;
}

static int run_threads(const char *title) {
    pthread_t threads[THREADS];
    int right[THREADS] = {0}, all = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, sort_often, &right[i]) != 0) exit(1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all += right[i];
    }
    printf("%s: %d of %d right\n", title, all, THREADS * ROUNDS);
    return all == THREADS * ROUNDS;
}

int main(void) {
    const int each = run_threads("a context each");
    shared = gpumex_context_create_with(GPUMEX_OPTIONS(context, .busy = GPUMEX_BUSY_POLICY_WAIT));
    if (shared == NULL) {
        fprintf(stderr, "%s\n", gpumex_last_error());
        return 1;
    }
    const int waiting = run_threads("one context, which waits");
    gpumex_context_destroy(shared);
    return each && waiting ? 0 : 1;
}
