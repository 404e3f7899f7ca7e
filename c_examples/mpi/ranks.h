/* ranks.h - what the MPI examples share: a rank with its context, a check that ends all ranks, and parts. */
#ifndef GPUMEX_EXAMPLES_RANKS_H
#define GPUMEX_EXAMPLES_RANKS_H

#include "../common.h"
#include <gpumex_mpi.h>

typedef struct ranks {
    int rank, ranks;
    gpumex_context *ctx;
    gpumex_mpi mpi;
    gpumex_comm *comm;
} ranks;

/* Starts MPI and the communicator of this rank. On a machine with several GPUs each rank takes another one: its place among the ranks
 * of the machine. Without a GPU the ranks share the cores, with GPUMEX_NUM_THREADS threads each. */
static inline void begin(ranks *r, int *argc, char ***argv) {
    int local = 0, provided;
    int32_t devices = 0;
    MPI_Comm machine;
    if (gpumex_device_count(&devices) != GPUMEX_STATUS_OK) devices = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &r->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &r->ranks);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, r->rank, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &local);
    MPI_Comm_free(&machine);
    r->ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, devices > 0 ? local % devices : -1);
    if (r->ctx == NULL || gpumex_mpi_create(r->ctx, NULL, MPI_COMM_WORLD, &r->mpi, &r->comm) != GPUMEX_STATUS_OK) {
        fprintf(stderr, "rank %d: %s\n", r->rank, gpumex_last_error());
        exit(1);
    }
}

/* Ends this rank with the exit status of the program. */
static inline int end(ranks *r, int status) {
    gpumex_mpi_destroy(&r->mpi, r->comm);
    gpumex_context_destroy(r->ctx);
    MPI_Finalize();
    return status;
}

/* The first of n elements that belongs to a rank; rank = ranks gives n. */
static inline size_t part(size_t n, int rank, int ranks) {
    return n / (size_t)ranks * (size_t)rank + n % (size_t)ranks * (size_t)rank / (size_t)ranks;
}

#endif
