#include <gpumex.h>
#include <pthread.h>
#include <stdio.h>

static gpumex_context *contexts[2];
static gpumex_comm *comms[2];
static const float keys[2][3] = {{5, 1, 3}, {1, 9, 7}};
static float sorted[2][3], sums[2];

/* What a thread does with its rank; NULL, or why it failed. */
static void *work(void *argument) {
    const int rank = *(const int *)argument;
    if (gpumex_comm_sort(comms[rank],
                         GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_F32),
                         keys[rank], NULL, 3, sorted[rank], NULL) != 0 ||
        gpumex_comm_reduce(comms[rank],
                           GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F32),
                           keys[rank], 3, &sums[rank]) != 0)
        return (void *)gpumex_last_error();
    return NULL;
}

int main(void) {
    int first = 0, second = 1;
    pthread_t thread;
    void *failed;
    for (int rank = 0; rank < 2; rank++)
        contexts[rank] = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    if (gpumex_comm_create_local(contexts, 2, NULL, comms) != 0)
        return puts(gpumex_last_error()), 1;
    if (pthread_create(&thread, NULL, work, &second) != 0) return 1;
    failed = work(&first);
    if (failed != NULL) puts(failed);
    if (pthread_join(thread, &failed) != 0 || failed != NULL) return 1;
    for (int rank = 0; rank < 2; rank++) {
        const float *mine = sorted[rank];
        printf("rank %d: %g %g %g, sum of all %g\n", rank,
               mine[0], mine[1], mine[2], sums[rank]);
        gpumex_comm_destroy(comms[rank]);
        gpumex_context_destroy(contexts[rank]);
    }
    return 0;
}
