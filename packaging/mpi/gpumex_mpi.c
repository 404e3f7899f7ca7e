/* gpumex_mpi.c - MPI's communicator for what is no C program, such as MEX files and Python: gpumex_mpi.h as a small shared library, one for
 * each MPI, which its own mpicc compiles (build, beside this file). libgpumex_openmpi.so and libgpumex_mpich.so have the same functions, and
 * take those of libgpumex.so.0.2 from the one that the process has loaded.
 *
 *   int32_t gpumex_mpi_place (int32_t *rank, int32_t *ranks, int32_t *local_rank);
 *   int32_t gpumex_mpi_open  (gpumex_context *ctx, const gpumex_comm_options *options, gpumex_comm **comm);
 *   int32_t gpumex_mpi_close (gpumex_comm *comm);
 *
 *   Start      Where the process has not initialised MPI the first call does, and then MPI is finalised when the process ends with status
 *              0. With another status, or where an operation of MPI never ended, it is not: the launcher ends the other ranks.
 *   Threads    All calls come from one thread, the one that calls gpumex (MPI_THREAD_FUNNELED). */
#define _DEFAULT_SOURCE /* on_exit */
#include <gpumex_mpi.h>

#define PUBLIC __attribute__((visibility("default")))

PUBLIC int32_t gpumex_mpi_place(int32_t *rank, int32_t *ranks, int32_t *local_rank);
PUBLIC int32_t gpumex_mpi_open(gpumex_context *ctx, const gpumex_comm_options *options, gpumex_comm **comm);
PUBLIC int32_t gpumex_mpi_close(gpumex_comm *comm);

/* A communicator that is open. */
typedef struct connection {
    struct connection *next;
    gpumex_mpi mpi;
    gpumex_comm *comm;
} connection;

static connection *connections;
static int is_unfinished; /* an operation of MPI never ended */

/* Whether MPI's functions in this process are those that this file was compiled for: another MPI may have come first. */
static int is_this_mpi(void) {
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length, is_open_mpi;
    MPI_Get_library_version(version, &length);
    is_open_mpi = strstr(version, "Open MPI") != NULL;
#ifdef OPEN_MPI
    return is_open_mpi;
#else
    return !is_open_mpi;
#endif
}

static int is_alive(gpumex_comm *comm) {
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    return gpumex_comm_get_info(comm, &info) == GPUMEX_STATUS_OK && info.alive;
}

static void finish(int status, void *nothing) {
    int is_off = 0;
    const connection *open;
    (void)nothing;
    for (open = connections; open != NULL; open = open->next) is_unfinished |= !is_alive(open->comm);
    MPI_Finalized(&is_off);
    if (status == 0 && !is_unfinished && !is_off) MPI_Finalize();
}

static int32_t start(void) {
    int is_on = 0, is_off = 0, provided;
    if (!is_this_mpi()) return GPUMEX_STATUS_UNSUPPORTED;
    MPI_Initialized(&is_on);
    MPI_Finalized(&is_off);
    if (is_off) return GPUMEX_STATUS_PEER;
    if (is_on) return GPUMEX_STATUS_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return GPUMEX_STATUS_PEER;
    on_exit(finish, NULL); /* behind MPI_Init, whose own handlers run later */
    return GPUMEX_STATUS_OK;
}

/**
 * Tells this rank, the number of ranks, and the place of this rank among those of its machine, which
 * says which GPU to take; all from 0. All ranks call it. Returns 0; UNSUPPORTED where another MPI
 * than that of this library is in the process; PEER where MPI has failed or is finalised.
 */
int32_t gpumex_mpi_place(int32_t *rank, int32_t *ranks, int32_t *local_rank) {
    int numbers[3] = {0, 0, 0}, error;
    MPI_Comm machine;
    const int32_t status = start();
    if (status != GPUMEX_STATUS_OK) return status;
    MPI_Comm_rank(MPI_COMM_WORLD, &numbers[0]);
    MPI_Comm_size(MPI_COMM_WORLD, &numbers[1]);
    error = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, numbers[0], MPI_INFO_NULL, &machine);
    if (error != MPI_SUCCESS) return GPUMEX_STATUS_PEER;
    MPI_Comm_rank(machine, &numbers[2]);
    MPI_Comm_free(&machine);
    *rank = numbers[0], *ranks = numbers[1], *local_rank = numbers[2];
    return GPUMEX_STATUS_OK;
}

/**
 * Creates the communicator of this rank over MPI_COMM_WORLD, as gpumex_comm_create does; all ranks
 * call it. It belongs to the caller until gpumex_mpi_close. Returns what gpumex_mpi_create does, or
 * UNSUPPORTED as gpumex_mpi_place.
 */
int32_t gpumex_mpi_open(gpumex_context *ctx, const gpumex_comm_options *options, gpumex_comm **comm) {
    connection *made;
    int32_t status = start();
    *comm = NULL;
    if (status != GPUMEX_STATUS_OK) return status;
    made = (connection *)calloc(1, sizeof *made);
    if (made == NULL) return GPUMEX_STATUS_OUT_OF_MEMORY;
    status = gpumex_mpi_create(ctx, options, MPI_COMM_WORLD, &made->mpi, &made->comm);
    if (status != GPUMEX_STATUS_OK) {
        is_unfinished = 1;
        free(made);
        return status;
    }
    made->next = connections;
    connections = made;
    *comm = made->comm;
    return GPUMEX_STATUS_OK;
}

/**
 * Destroys a communicator of gpumex_mpi_open; all ranks call it. Returns 0, also for NULL;
 * INVALID_ARGUMENT where it is none.
 */
int32_t gpumex_mpi_close(gpumex_comm *comm) {
    connection **link = &connections, *closed;
    int is_off = 0;
    if (comm == NULL) return GPUMEX_STATUS_OK;
    while (*link != NULL && (*link)->comm != comm) link = &(*link)->next;
    if (*link == NULL) return GPUMEX_STATUS_INVALID_ARGUMENT;
    closed = *link;
    *link = closed->next;
    is_unfinished |= !is_alive(comm);
    MPI_Finalized(&is_off);
    if (is_off) gpumex_comm_destroy(comm);
    else gpumex_mpi_destroy(&closed->mpi, comm);
    free(closed);
    return GPUMEX_STATUS_OK;
}
