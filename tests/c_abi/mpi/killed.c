/* killed.c - the last rank of MPI is killed in the middle of a call, by SIGKILL: the others return PEER or TIMEOUT no later than LIMIT_MS
 * behind their time limit, and live: each prints "lives on rank N". The launcher has to be told to let them. */
#define _POSIX_C_SOURCE 200809L
#include <gpumex_mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { TIMEOUT_MS = 1500, LIMIT_MS = 3000, ROWS = 64, COLS = 256, WHEN = 100 };

static int rank, ranks;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double killed; /* when the last rank was, about */

static int32_t told(void *user, uint64_t done, uint64_t total)
{
    (void)user, (void)total;
    if (done < WHEN) return 0;
    if (killed == 0) killed = seconds();
    if (rank == ranks - 1) kill(getpid(), SIGKILL);
    return 0;
}

int main(int argc, char **argv)
{
    static uint8_t board[ROWS * COLS];
    uint64_t counts[256] = {0};
    gpumex_comm_options options = GPUMEX_COMM_OPTIONS_INIT;
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    gpumex_context *const ctx = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    gpumex_comm *comm;
    gpumex_mpi mpi;
    int32_t status, again;
    double took;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    options.timeout_ms = TIMEOUT_MS;
    if (gpumex_mpi_create(ctx, &options, MPI_COMM_WORLD, &mpi, &comm) != GPUMEX_STATUS_OK) return 1;
    if (gpumex_context_set_progress(ctx, told, NULL) != GPUMEX_STATUS_OK) return 1;
    board[COLS + 1] = board[COLS + 2] = board[COLS + 3] = 1;
    status = gpumex_comm_life(comm, NULL, board, ROWS, COLS, UINT64_MAX, board);
    took = 1e3 * (seconds() - killed);
    printf("rank %d: status %d after %.0f ms: %s\n", rank, (int)status, took, gpumex_last_error());
    again = gpumex_comm_life(comm, NULL, board, ROWS, COLS, 1, board);
    gpumex_comm_get_info(comm, &info);
    if ((status == GPUMEX_STATUS_PEER || status == GPUMEX_STATUS_TIMEOUT) && took < TIMEOUT_MS + LIMIT_MS && again == GPUMEX_STATUS_PEER && info.alive == 0 &&
        gpumex_histogram(ctx, NULL, board, sizeof board, counts, 256) == GPUMEX_STATUS_OK) {
        printf("lives on rank %d\n", rank);
    }
    fflush(stdout);
    gpumex_comm_destroy(comm);
    gpumex_context_destroy(ctx);
    _exit(0); /* MPI_Finalize may wait for the rank that was killed */
}
