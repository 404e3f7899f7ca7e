/* comms.c - communicators, which M code holds in a gpumex.comm: a list, and the sessions in them.
 *
 * A handle has the slot and a serial number, as that of an array has. A call with a communicator is collective: where it ends before this
 * rank has come to the library, the others would wait for it. So M code says when such a call begins and when it has failed (comm_mex.c), and
 * in between `due` tells whether the others wait. */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gateway.h"

#define HANDLE "gpumexComm"

struct group {
    uint64_t serial; /* 0: the slot is free */
    gpumex_comm *comm;
    session s;
    int32_t (*close)(gpumex_comm *comm);
    int is_due;
};

enum { MOST = 64 };
static struct group groups[MOST];

/* What is computed on several ranks. */
static const char *const collective_operations[] = {"dot_product", "histogram", "life", "matmul", "reduce", "scan", "sort_by_key", "sort_keys",
                                                    "words"};

static uint64_t next_serial(void)
{
    static uint64_t last;
    if (last == 0)
        last = (uint64_t)time(NULL) << 24; /* sessions begin seconds apart */
    return ++last;
}

void require_room_for_group(void)
{
    size_t slot = 0;
    while (slot < MOST && groups[slot].serial != 0)
        slot++;
    if (slot == MOST)
        fail("tooMany", "there are %d communicators; clear some", MOST);
}

mxArray *new_group(session s, gpumex_comm *comm, int32_t (*close)(gpumex_comm *comm))
{
    size_t slot = 0;
    while (groups[slot].serial != 0)
        slot++;
    const struct group made = {next_serial(), comm, s, close, 0};
    groups[slot] = made;
    groups[slot].s.group = &groups[slot];

    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    check(s, gpumex_comm_get_info(comm, &info));
    mxArray *handle = mxCreateStructMatrix(1, 1, 0, NULL), *name = mxCreateNumericMatrix(1, 2, mxUINT64_CLASS, mxREAL);
    uint64_t *numbers = mxGetData(name);
    numbers[0] = (uint64_t)slot;
    numbers[1] = made.serial;
    set(handle, HANDLE, name);
    set_number(handle, "Rank", info.rank);
    set_number(handle, "Ranks", info.ranks);
    return handle;
}

int is_group(const mxArray *argument)
{
    return argument != NULL && mxIsStruct(argument) && mxGetNumberOfElements(argument) == 1 && mxGetField(argument, 0, HANDLE) != NULL;
}

static struct group *find(const mxArray *handle)
{
    const mxArray *name = is_group(handle) ? mxGetField(handle, 0, HANDLE) : NULL;
    if (name == NULL || !mxIsUint64(name) || mxGetNumberOfElements(name) != 2)
        return NULL;
    const uint64_t *numbers = mxGetData(name);
    int is_there = numbers[0] < MOST && numbers[1] != 0 && groups[numbers[0]].serial == numbers[1];
    return is_there ? &groups[numbers[0]] : NULL;
}

struct group *group_of(const mxArray *handle)
{
    struct group *found = find(handle);
    if (found == NULL)
        fail_as("comm", "stale", "the gpumex.comm is no communicator any more: it is of another session or process, or was cleared");
    return found;
}

session session_of_ranks(const mxArray *handle)
{
    struct group *found = group_of(handle);
    int serves = 0;
    for (size_t k = 0; k < sizeof collective_operations / sizeof collective_operations[0]; k++)
        serves |= strcmp(operation, collective_operations[k]) == 0;
    if (!serves || !found->is_due)
        fail("invalidBackend", "Backend is a gpumex.comm; what several ranks compute are its methods, c.reduce (x, 'sum') and so on");
    int32_t backend;
    if (gpumex_context_backend(found->s.ctx, &backend) != GPUMEX_STATUS_OK)
        fail_as("comm", "stale", "the gpumex.comm has no context any more, since gpumex.reset_default or a fault of the GPU; make another one");
    cancel_on_interrupt(found->s.ctx);
    return found->s;
}

int is_of_ranks(session s)
{
    return s.group != NULL;
}

gpumex_comm *ranks_of(session s)
{
    s.group->is_due = 0;
    return s.group->comm;
}

void expect_call(struct group *of)
{
    of->is_due = 1;
}

void settle_call(struct group *of)
{
    if (!of->is_due)
        return;
    of->is_due = 0;
    /* A call without its array is an error here, and so PEER on the others, whatever they call. */
    cancel_on_interrupt(of->s.ctx);
    gpumex_reduce_options options = GPUMEX_REDUCE_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_F64;
    double nothing;
    const int32_t refused = gpumex_comm_reduce(of->comm, &options, NULL, 1, &nothing);
    (void)refused;
}

void check_ranks(session s, int32_t status, const char *in_c, const char *in_m)
{
    if (status == GPUMEX_STATUS_OK)
        return;
    const char *text = library_message(), *differs = strstr(text, " on rank 0 and "), *at = strstr(text, in_c);
    if (status == GPUMEX_STATUS_INVALID_ARGUMENT && differs != NULL && at != NULL && at < differs)
        fail(reason_of(status), "%.*s%s%s", (int)(at - text), text, in_m, at + strlen(in_c));
    check(s, status);
}

static void drop(struct group *of)
{
    const struct group gone = *of, none = {0, NULL, {0, NULL, NULL, 0}, NULL, 0};
    *of = none;
    (void)gone.close(gone.comm);
}

void free_group(const mxArray *handle)
{
    struct group *found = find(handle);
    if (found != NULL)
        drop(found);
}

void close_groups(void)
{
    for (size_t slot = 0; slot < MOST; slot++)
        if (groups[slot].serial != 0)
            drop(&groups[slot]);
}
