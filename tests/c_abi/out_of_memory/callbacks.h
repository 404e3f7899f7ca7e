/* callbacks.h - communicators with functions of the caller's and many ranks, without memory. One rank plays all: what it tells comes back
 * as that of each. */
#ifndef GPUMEX_TESTS_OUT_OF_MEMORY_CALLBACKS_H
#define GPUMEX_TESTS_OUT_OF_MEMORY_CALLBACKS_H

#include "calls.h"

enum { MANY = 5000, MANY_LOCAL = 9000 };

static int32_t echo(void *user, const void *own, void *all, size_t bytes) {
    for (int rank = 0; rank < *(const int *)user; ++rank) memcpy((char *)all + (size_t)rank * bytes, own, bytes);
    return 0;
}

static int32_t send_back(void *user, const gpumex_message *messages, size_t count) {
    (void)user;
    for (size_t i = 0; i < count; ++i) {
        if (messages[i].recv_bytes > 0) memset(messages[i].recv, 0, messages[i].recv_bytes);
    }
    return 0;
}

/* A call on one of many ranks. */
static int32_t on_many(library *l, int32_t (*run)(library *, gpumex_comm *)) {
    static int ranks = MANY;
    library part = *l;
    gpumex_comm *comm = NULL;
    int32_t status = CALL(comm_create)(l->ctx, NULL, 1, ranks, send_back, echo, &ranks, &comm);
    part.n = l->n / 64;
    THEN(run(&part, comm));
    return CALL(comm_destroy)(comm) != 0 ? WRONG : status;
}

#define MANY_ROW(name, function)                                          \
    static int32_t name##_of_many(library *l) { return on_many(l, name); } \
    ROW(#name " of many", function, name##_of_many, 0, ONCE)

static int32_t no_call(library *l, gpumex_comm *comm) { return CALL(comm_abort)(comm); }
MANY_ROW(no_call, comm_create)
MANY_ROW(comm_histogram, comm_histogram)
MANY_ROW(comm_reduce, comm_reduce)
MANY_ROW(comm_dot, comm_dot)

/* A row of a board for each rank. */
static int32_t comm_life_of_rows(library *l, gpumex_comm *comm) {
    return CALL(comm_life)(comm, GPUMEX_OPTIONS(life, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS), l->out[1], 1, 64, 2, l->out[0]);
}
MANY_ROW(comm_life_of_rows, comm_life)

/* A communicator that is none. */
static int32_t comm_of_none(library *l) {
    gpumex_comm *const none = (gpumex_comm *)l;
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    int32_t status = refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(comm_get_info)(none, &info));
    THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(comm_abort)(none)));
    THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(comm_destroy)(none)));
    THEN(refused_as(GPUMEX_STATUS_INVALID_ARGUMENT, CALL(comm_reduce)(none, NULL, l->x, 1, l->out[0])));
    THEN(CALL(comm_poll)());
    return status;
}
ROW("comm of none", comm_abort, comm_of_none, 0, ONCE)

/* Contexts that are none, after their number was taken as it is. */
static int32_t create_local_of_none(library *l) {
    static gpumex_context *contexts[MANY_LOCAL];
    static gpumex_comm *comms[MANY_LOCAL];
    return refused_as(GPUMEX_STATUS_NULL_POINTER, CALL(comm_create_local)(contexts, MANY_LOCAL, NULL, comms));
}
ROW("comm_create_local of many", comm_create_local, create_local_of_none, 0, ONCE)

#endif
