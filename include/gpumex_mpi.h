/**
 * @file gpumex_mpi.h
 * @brief Communicators of gpumex over MPI: functions that the program's own mpicc compiles, so that
 * the library knows no MPI, and any MPI from 3.0 on will do. C99 or C++11; POSIX (sched_yield).
 *
 *     MPI_Init (&argc, &argv);
 *     gpumex_mpi mpi;
 *     gpumex_comm *comm;
 *     if (gpumex_mpi_create (ctx, NULL, MPI_COMM_WORLD, &mpi, &comm)) puts (gpumex_last_error ());
 *     ...
 *     gpumex_mpi_destroy (&mpi, comm);
 *     MPI_Finalize ();
 *
 * The communicator has a duplicate of the MPI communicator, with MPI_ERRORS_RETURN. The thread that
 * calls gpumex is the one that may call MPI (MPI_THREAD_FUNNELED, or more). MPI is neither
 * initialised nor finalised here, and MPI_Abort is never called.
 */
#ifndef GPUMEX_MPI_H
#define GPUMEX_MPI_H

#include <gpumex.h>
#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/** What the callbacks know of MPI: stays where it is while the communicator lives. */
typedef struct gpumex_mpi {
    /** The duplicate. */
    MPI_Comm comm;
    /** Bytes of one piece of a message, which an int counts. */
    size_t piece;
} gpumex_mpi;

/** Tests requests until they are done, and in between asks whether the call has to end. */
static inline int32_t gpumex_mpi_wait(int count, MPI_Request *requests, MPI_Status *statuses) {
    unsigned tests = 0;
    for (;;) {
        int done = 0;
        int32_t status;
        if (MPI_Testall(count, requests, &done, statuses) != MPI_SUCCESS) return GPUMEX_STATUS_PEER;
        if (done) return GPUMEX_STATUS_OK;
        if (++tests % 16 != 0) continue;
        status = gpumex_comm_poll();
        if (status != GPUMEX_STATUS_OK) return status;
        sched_yield();
    }
}

/** Gives up requests of a communicator that ends: MPI writes to none of the buffers any more. */
static inline void gpumex_mpi_give_up(int count, MPI_Request *requests) {
    int i, tests;
    for (i = 0; i < count; i++) {
        int done = 0;
        if (requests[i] == MPI_REQUEST_NULL) continue;
        MPI_Cancel(&requests[i]);
        for (tests = 0; tests < 1000 && !done; tests++) {
            if (MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) done = 1;
            sched_yield();
        }
        if (!done && requests[i] != MPI_REQUEST_NULL) MPI_Request_free(&requests[i]);
    }
}

/** A gpumex_exchange_callback. */
static inline int32_t gpumex_mpi_exchange(void *user, const gpumex_message *messages, size_t count) {
    const gpumex_mpi *mpi = (const gpumex_mpi *)user;
    const size_t piece = mpi->piece;
    size_t pieces = 0, i, at;
    int begun = 0, receives = 0, error = MPI_SUCCESS, j;
    int32_t status;
    MPI_Request *requests;
    MPI_Status *statuses;
    int *expected;
    for (i = 0; i < count; i++) {
        pieces += messages[i].send_bytes / piece + messages[i].recv_bytes / piece + 2;
    }
    if (pieces > INT_MAX) return GPUMEX_STATUS_PEER;
    requests = (MPI_Request *)malloc((pieces + 1) * sizeof *requests);
    statuses = (MPI_Status *)malloc((pieces + 1) * sizeof *statuses);
    expected = (int *)malloc((pieces + 1) * sizeof *expected);
    if (requests == NULL || statuses == NULL || expected == NULL) error = MPI_ERR_OTHER;
    for (i = 0; i < count; i++) {
        for (at = 0; at < messages[i].recv_bytes && error == MPI_SUCCESS; at += piece) {
            const size_t rest = messages[i].recv_bytes - at;
            const int bytes = (int)(rest < piece ? rest : piece);
            error = MPI_Irecv((char *)messages[i].recv + at, bytes, MPI_BYTE, messages[i].peer, 1, mpi->comm,
                              &requests[begun]);
            if (error == MPI_SUCCESS) expected[begun++] = bytes;
        }
    }
    receives = begun;
    for (i = 0; i < count; i++) {
        for (at = 0; at < messages[i].send_bytes && error == MPI_SUCCESS; at += piece) {
            const size_t rest = messages[i].send_bytes - at;
            error = MPI_Isend((const char *)messages[i].send + at, (int)(rest < piece ? rest : piece), MPI_BYTE,
                              messages[i].peer, 1, mpi->comm, &requests[begun]);
            if (error == MPI_SUCCESS) begun++;
        }
    }
    status = error == MPI_SUCCESS ? gpumex_mpi_wait(begun, requests, statuses) : GPUMEX_STATUS_PEER;
    if (status != GPUMEX_STATUS_OK && requests != NULL) gpumex_mpi_give_up(begun, requests);
    for (j = 0; j < receives && status == GPUMEX_STATUS_OK; j++) {
        int got = -1;
        MPI_Get_count(&statuses[j], MPI_BYTE, &got);
        if (got != expected[j]) status = GPUMEX_STATUS_PEER;
    }
    free(requests);
    free(statuses);
    free(expected);
    return status;
}

/**
 * A gpumex_allgather_callback. MPI writes to memory of its own, which stays with it where the call
 * ends early: a collective operation that has begun cannot be cancelled.
 */
static inline int32_t gpumex_mpi_allgather(void *user, const void *own, void *all, size_t bytes) {
    const gpumex_mpi *mpi = (const gpumex_mpi *)user;
    int ranks = 0;
    int32_t status;
    char *memory;
    MPI_Request request;
    MPI_Status ended;
    if (bytes > INT_MAX || MPI_Comm_size(mpi->comm, &ranks) != MPI_SUCCESS) return GPUMEX_STATUS_PEER;
    memory = (char *)malloc(bytes * ((size_t)ranks + 1) + 1);
    if (memory == NULL) return GPUMEX_STATUS_PEER;
    memcpy(memory, own, bytes);
    if (MPI_Iallgather(memory, (int)bytes, MPI_BYTE, memory + bytes, (int)bytes, MPI_BYTE, mpi->comm, &request) !=
        MPI_SUCCESS) {
        free(memory);
        return GPUMEX_STATUS_PEER;
    }
    status = gpumex_mpi_wait(1, &request, &ended);
    if (status != GPUMEX_STATUS_OK) return status;
    memcpy(all, memory + bytes, bytes * (size_t)ranks);
    free(memory);
    return GPUMEX_STATUS_OK;
}

/**
 * Creates the communicator of this rank, as gpumex_comm_create does; all ranks of `comm` call it.
 * mpi stays where it is until gpumex_mpi_destroy. Returns 0 or a gpumex_status: those of
 * gpumex_comm_create; PEER where MPI is not initialised, is finalised, or has no duplicate, then
 * without a message of gpumex_last_error.
 */
static inline int32_t gpumex_mpi_create(gpumex_context *ctx, const gpumex_comm_options *options, MPI_Comm comm,
                                        gpumex_mpi *mpi, gpumex_comm **result) {
    int is_on = 0, is_off = 0, rank = 0, ranks = 0;
    *result = NULL;
    mpi->comm = MPI_COMM_NULL;
    mpi->piece = (size_t)1 << 30;
    MPI_Initialized(&is_on);
    MPI_Finalized(&is_off);
    if (!is_on || is_off || MPI_Comm_dup(comm, &mpi->comm) != MPI_SUCCESS) return GPUMEX_STATUS_PEER;
    MPI_Comm_set_errhandler(mpi->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(mpi->comm, &rank);
    MPI_Comm_size(mpi->comm, &ranks);
    return gpumex_comm_create(ctx, options, rank, ranks, gpumex_mpi_exchange, gpumex_mpi_allgather, mpi, result);
}

/**
 * Destroys what gpumex_mpi_create has made, also where that failed. All ranks call it, before
 * MPI_Finalize. The duplicate of a dead communicator stays: to free it is collective. A call that
 * has returned TIMEOUT left an operation of MPI unfinished, for which MPI_Finalize may wait: such a
 * program saves what it needs, and ends by _exit or MPI_Abort.
 */
static inline void gpumex_mpi_destroy(gpumex_mpi *mpi, gpumex_comm *comm) {
    gpumex_comm_info info;
    memset(&info, 0, sizeof info);
    info.size = sizeof info;
    if (comm != NULL) gpumex_comm_get_info(comm, &info);
    gpumex_comm_destroy(comm);
    if (info.alive && mpi->comm != MPI_COMM_NULL) MPI_Comm_free(&mpi->comm);
}

#endif
