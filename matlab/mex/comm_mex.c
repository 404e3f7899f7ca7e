/* comm_mex.c - the gateway behind gpumex.comm:
 *
 *   launched = comm('launched')                                      whether a launcher of MPI started this process
 *   handle   = comm('mpi', backend, timeout, halo)                   this rank among those of MPI_COMM_WORLD
 *   handle   = comm('alone', backend, timeout, halo)                 the only rank
 *   id       = comm('id')                                            of a group that NCCL connects, uint8 1x128
 *   handle   = comm('nccl', id, rank, ranks, backend, timeout, halo)
 *              comm('begin', handle)                                 a collective call is next
 *              comm('settle', handle)                                it has failed: the other ranks are told, if they do not know
 *              comm('free', handle)
 *
 * rank: from 0. timeout: seconds. handle: a structure with the fields Rank and Ranks. */

#include <stdio.h>
#include <string.h>

#include "gateway.h"

enum { ID_BYTES = 128 };

/* 'Backend', 'Timeout', 'Halo' */
static gpumex_comm_options read_limits(const mxArray *prhs[])
{
    gpumex_comm_options options = GPUMEX_COMM_OPTIONS_INIT;
    if (!is_auto(prhs[1])) {
        operand x = read_operand(prhs[1]);
        double seconds = mxIsNumeric(prhs[1]) && length(x) == 1 ? mxGetScalar(prhs[1]) : -1;
        require(seconds >= 0.001 && seconds <= 2e6, "invalidTimeout", "Timeout", x, "it is a number of seconds, 0.001 to 2e6");
        options.timeout_ms = (int32_t)(seconds * 1000 + 0.5);
    }
    if (!is_auto(prhs[2])) {
        uint64_t halo = read_integer(prhs[2], "invalidHalo", "Halo");
        if (halo > 65536)
            fail("invalidHalo", "Halo is %llu; it is a number of columns up to 65536", (unsigned long long)halo);
        options.life_halo = (int32_t)halo;
    }
    return options;
}

/* Raises what a call of the MPI library reports. */
static void check_mpi(session s, int32_t status, const char *what)
{
    if (status == GPUMEX_STATUS_UNSUPPORTED)
        fail("unsupported", "another MPI is in this process already than the one that %s; GPUMEX_MPI in the environment chooses", what);
    if (status == GPUMEX_STATUS_PEER && gpumex_last_status() != status)
        fail("peer", "MPI is not here: it is finalised, or failed");
    check(s, status);
}

/* On a machine with several GPUs each rank takes another one, unless one was chosen. */
static session open_session_of_rank(const mxArray *backend, int32_t local_rank)
{
    char word[8] = "";
    int32_t devices = 0;
    int is_cpu = read_word(backend, word, sizeof word) && strcmp(word, "cpu") == 0;
    if (!is_cpu && !is_device_chosen() && gpumex_device_count(&devices) == GPUMEX_STATUS_OK && devices > 1)
        choose_device(local_rank % devices);
    return open_session(backend);
}

static mxArray *over_mpi(const mxArray *prhs[])
{
    const gpumex_comm_options options = read_limits(prhs);
    const mpi_library *mpi = load_mpi();
    const session none = {.backend = GPUMEX_BACKEND_AUTO};
    int32_t rank, ranks, local_rank;
    require_room_for_group();
    check_mpi(none, mpi->place(&rank, &ranks, &local_rank), "launched it");
    if (launched_ranks() > 0 && launched_ranks() != ranks)
        fail("noMpi", "the launcher started %d ranks, and the MPI that GPUMEX_MPI names has %d: it is another one than the launcher's",
             launched_ranks(), ranks);
    session s = open_session_of_rank(prhs[0], local_rank);
    gpumex_comm *comm;
    check_mpi(s, mpi->open(s.ctx, &options, &comm), "launched it");
    return new_group(s, comm, mpi->close);
}

static mxArray *alone(const mxArray *prhs[])
{
    const gpumex_comm_options options = read_limits(prhs);
    gpumex_comm *comm;
    require_room_for_group();
    session s = open_session(prhs[0]);
    check(s, gpumex_comm_create(s.ctx, &options, 0, 1, NULL, NULL, NULL, &comm));
    return new_group(s, comm, gpumex_comm_destroy);
}

static mxArray *new_id(void)
{
    const session none = {.backend = GPUMEX_BACKEND_AUTO};
    mxArray *id = mxCreateNumericMatrix(1, ID_BYTES, mxUINT8_CLASS, mxREAL);
    check(none, gpumex_comm_unique_id(mxGetData(id), ID_BYTES));
    return id;
}

static mxArray *over_nccl(const mxArray *prhs[])
{
    operand id = read_operand(prhs[0]);
    require(id.location == ON_HOST && id.class_id == mxUINT8_CLASS && length(id) == ID_BYTES, "invalidId", "id", id, "it is 128 bytes, uint8");
    uint64_t rank = read_integer(prhs[1], "invalidRank", "rank"), ranks = read_integer(prhs[2], "invalidRank", "ranks");
    if (ranks < 1 || ranks > 65536 || rank >= ranks)
        fail("invalidRank", "rank is %llu of %llu; ranks count from 0", (unsigned long long)rank, (unsigned long long)ranks);
    const gpumex_comm_options options = read_limits(prhs + 3);
    gpumex_comm *comm;
    require_room_for_group();
    session s = open_session(prhs[3]);
    check(s, gpumex_comm_create_nccl(s.ctx, &options, id.data, (int32_t)rank, (int32_t)ranks, &comm));
    return new_group(s, comm, gpumex_comm_destroy);
}

void comm_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    char action[16] = "";
    if (nrhs < 1 || !read_word(prhs[0], action, sizeof action))
        fail("argumentCount", "the gateway needs an action");
    const int inputs = nrhs - 1;
    if (strcmp(action, "launched") == 0 && inputs == 0)
        plhs[0] = mxCreateLogicalScalar(is_launched_by_mpi());
    else if (strcmp(action, "mpi") == 0 && inputs == 3)
        plhs[0] = over_mpi(prhs + 1);
    else if (strcmp(action, "alone") == 0 && inputs == 3)
        plhs[0] = alone(prhs + 1);
    else if (strcmp(action, "id") == 0 && inputs == 0)
        plhs[0] = new_id();
    else if (strcmp(action, "nccl") == 0 && inputs == 6)
        plhs[0] = over_nccl(prhs + 1);
    else if (strcmp(action, "begin") == 0 && inputs == 1)
        expect_call(group_of(prhs[1]));
    else if (strcmp(action, "settle") == 0 && inputs == 1)
        settle_call(group_of(prhs[1]));
    else if (strcmp(action, "free") == 0 && inputs == 1)
        free_group(prhs[1]);
    else
        fail("argumentCount", "'%s' with %d inputs is no action of the gateway", action, inputs);
    (void)nlhs;
}
