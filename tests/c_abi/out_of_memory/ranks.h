/* ranks.h - communicators without memory: the rows of benches/ranks.h, on threads that stay, of which one is refused memory or all are.
 *
 * A call succeeds on all ranks or on none: a rank without memory gets OUT_OF_MEMORY, the others PEER. A communicator that is alive then
 * works, and one that is not gives PEER. */
#ifndef GPUMEX_TESTS_OUT_OF_MEMORY_RANKS_H
#define GPUMEX_TESTS_OUT_OF_MEMORY_RANKS_H

#define OWN_MEMBERS
#include "../../../benches/ranks.h"

#include "refused.h"

#include <semaphore.h>

static void fail(const library *l, const char *what, int32_t status); /* of the program */

enum { ALL_THREADS = -1 };

static int victim = ALL_THREADS; /* the rank whose allocations are refused */
static int is_repaired;          /* a call of ranks has failed, and then worked in the same communicator */

/* ---- threads ------------------------------------------------------------------------------------------------------------------ */

static sem_t begun[RANKS], done[RANKS];
static member *job_of[RANKS];

typedef struct server {
    const library *l;
    int rank;
} server;

/* The first use of thread-local storage, which cannot do without memory. */
static void warm_thread(const library *l) {
    if (CALL(context_synchronize)(NULL) != GPUMEX_STATUS_NULL_POINTER) exit(2);
}

static void *serve(void *data) {
    const server *const me = data;
    const int rank = me->rank;
    warm_thread(me->l);
    for (sem_post(&done[rank]);;) {
        while (sem_wait(&begun[rank]) != 0) continue;
        is_marked = victim == rank;
        run_member(job_of[rank]);
        is_marked = 0;
        sem_post(&done[rank]);
    }
    return NULL;
}

static void start_ranks(const library *l) {
    static server servers[RANKS];
    warm_thread(l);
    for (int rank = 1; rank < RANKS; ++rank) {
        pthread_t thread;
        servers[rank] = (server){l, rank};
        sem_init(&begun[rank], 0, 0), sem_init(&done[rank], 0, 0);
        if (pthread_create(&thread, NULL, serve, &servers[rank]) != 0) exit(2);
        while (sem_wait(&done[rank]) != 0) continue;
    }
}

static void run_all(member *members) {
    for (int rank = 1; rank < RANKS; ++rank) job_of[rank] = &members[rank], sem_post(&begun[rank]);
    run_member(&members[0]);
    for (int rank = 1; rank < RANKS; ++rank) {
        while (sem_wait(&done[rank]) != 0) continue;
    }
}

/* ---- how a call ends ---------------------------------------------------------------------------------------------------------- */

/* On the thread of a rank. */
static void check_sentence(const member *m) {
    const library *const l = &m->l;
    static const char prefix[] = "gpumex_comm_";
    if (m->status == 0) return;
    const int is_named = strncmp(CALL(last_error)(), prefix, sizeof prefix - 1) == 0;
    if (!is_named || CALL(last_status)() != m->status) fail(l, "another sentence", m->status);
}

static int count(const member *members, int32_t status) {
    int found = 0;
    for (int rank = 0; rank < RANKS; ++rank) found += members[rank].status == status;
    return found;
}

static int are_alive(const library *l, const member *members) {
    int alive = 1;
    for (int rank = 0; rank < RANKS; ++rank) {
        gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
        const int32_t status = CALL(comm_get_info)(members[rank].comm, &info);
        if (status != 0 || info.rank != rank || info.ranks != RANKS) fail(l, "a communicator does not tell what it is", status);
        alive &= info.alive;
    }
    return alive;
}

static int32_t run_members(const library *l, member *members) {
    run_all(members);
    const int refused = count(members, GPUMEX_STATUS_OUT_OF_MEMORY), missed = count(members, GPUMEX_STATUS_PEER);
    if (count(members, 0) == RANKS) return 0;
    if (refused == 0 || refused + missed != RANKS) fail(l, "ranks end in another way", members[members[0].status == 0].status);
    if (victim != ALL_THREADS && (refused != 1 || members[victim].status != GPUMEX_STATUS_OUT_OF_MEMORY)) {
        fail(l, "another rank has no memory", members[victim].status);
    }
    refuse_nothing();
    const int alive = are_alive(l, members);
    run_all(members);
    if (count(members, alive ? 0 : GPUMEX_STATUS_PEER) != RANKS) {
        fail(l, alive ? "a communicator that is alive fails" : "a dead communicator works", members[0].status);
    }
    is_repaired = alive;
    return GPUMEX_STATUS_OUT_OF_MEMORY;
}

#endif
