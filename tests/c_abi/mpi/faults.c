/* faults.c - what goes wrong on one rank of MPI: the others get a status, and live. Each rank prints "passed on rank N". */
#include <gpumex_mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static int failures, rank, ranks;

static void expect(int is_right, const char *what, int status)
{
    if (is_right) return;
    failures++;
    printf("rank %d: %s: status %d, %s\n", rank, what, status, gpumex_last_error());
}

static int32_t add(gpumex_comm *comm, const uint64_t *data, size_t count, int32_t dtype, uint64_t *sum)
{
    gpumex_reduce_options options = GPUMEX_REDUCE_OPTIONS_INIT;
    options.dtype = dtype;
    return gpumex_comm_reduce(comm, &options, data, count, sum);
}

int main(int argc, char **argv)
{
    const uint64_t data[3] = {1, 2, 3};
    uint64_t sum = 0;
    int32_t status;
    gpumex_mpi mpi, other;
    gpumex_comm *comm, *late;
    gpumex_comm_options options = GPUMEX_COMM_OPTIONS_INIT;
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    int is_bad;

    expect(gpumex_mpi_create(ctx, NULL, MPI_COMM_WORLD, &mpi, &comm) == GPUMEX_STATUS_PEER, "before MPI_Init", 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    is_bad = rank == ranks - 1;
    status = gpumex_mpi_create(ctx, NULL, MPI_COMM_WORLD, &mpi, &comm);
    expect(status == GPUMEX_STATUS_OK, "create", status);

    /* A NULL on one rank. */
    status = add(comm, is_bad ? NULL : data, 3, GPUMEX_DTYPE_U64, &sum);
    expect(status == (is_bad ? GPUMEX_STATUS_NULL_POINTER : GPUMEX_STATUS_PEER), "NULL", status);
    /* Another dtype on one rank. */
    status = add(comm, data, 3, is_bad ? GPUMEX_DTYPE_I64 : GPUMEX_DTYPE_U64, &sum);
    expect(status == GPUMEX_STATUS_INVALID_ARGUMENT, "dtype", status);
    /* The communicator lives. */
    status = add(comm, data, 3, GPUMEX_DTYPE_U64, &sum);
    expect(status == GPUMEX_STATUS_OK && sum == 6 * (uint64_t)ranks, "sum", status);

    /* One rank does not come, in a communicator of its own. */
    options.timeout_ms = 300;
    status = gpumex_mpi_create(ctx, &options, MPI_COMM_WORLD, &other, &late);
    expect(status == GPUMEX_STATUS_OK, "create again", status);
    if (!is_bad) {
        status = add(late, data, 3, GPUMEX_DTYPE_U64, &sum);
        expect(status == GPUMEX_STATUS_TIMEOUT, "a rank that is missing", status);
        status = add(late, data, 3, GPUMEX_DTYPE_U64, &sum);
        expect(status == GPUMEX_STATUS_PEER, "a dead communicator", status);
        expect(gpumex_comm_get_info(late, &info) == 0 && info.alive == 0, "info", 0);
    }
    /* The first communicator is not concerned. */
    status = add(comm, data, 3, GPUMEX_DTYPE_U64, &sum);
    expect(status == GPUMEX_STATUS_OK && sum == 6 * (uint64_t)ranks, "sum behind it", status);

    if (failures == 0) printf("passed on rank %d\n", rank);
    fflush(stdout);
    gpumex_mpi_destroy(&mpi, comm);
    gpumex_comm_destroy(late); /* without MPI_Comm_free: one rank takes it for dead, another one does not */
    gpumex_context_destroy(ctx);
    MPI_Barrier(MPI_COMM_WORLD);
    _exit(failures != 0); /* a collective operation was left unfinished: MPI_Finalize might wait for it */
}
