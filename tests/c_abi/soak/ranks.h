/* ranks.h - scenarios with communicators: a thread of soak.c starts ranks, one in its own context. They make the same calls, and something
 * happens amid them: an abort, a cancel, the end of a communicator, a rank that leaves, comes late, errs, or makes another call.
 *
 * A call succeeds on all ranks or on none, with the right result; undisturbed it succeeds. */
#ifndef GPUMEX_TESTS_SOAK_RANKS_H
#define GPUMEX_TESTS_SOAK_RANKS_H

#include "callbacks.h"

enum { MOST_RANKS = 3, MOST_CALLS = 6, PART = 4096, SIDE = 64 };

/* Further statuses of worker.h. */
enum { PEER = 1 << GPUMEX_STATUS_PEER, TIMED_OUT = 1 << GPUMEX_STATUS_TIMEOUT };

/* What happens amid the calls. */
typedef enum fate { NOTHING, ABORT, CANCEL, DESTROY, LEAVE, COME_LATE, ERR, CALL_ANOTHER, FATES } fate;

typedef struct party party;

/* A rank: a thread with a context. */
typedef struct seat {
    worker w; /* whose calls are counted as those of the thread of soak.c */
    party *in;
    int rank;
    gpumex_comm *comm;
    int32_t statuses[MOST_CALLS]; /* of its calls; -1: there was none */
    uint32_t data[PART], out[PART];
} seat;

struct party {
    seat *seats;
    int ranks, calls;
    int kinds[MOST_CALLS];
    fate fate;
    int target, at; /* the rank and the call of it */
};

/* ---- calls ----------------------------------------------------------------------------------------------------------------------- */

/* The numbers from 0 on of all ranks, in another order, a part of each. */
static uint32_t number_at(const party *p, int rank, size_t i) {
    const uint32_t all = (uint32_t)p->ranks * PART;
    return (uint32_t)(((uint64_t)rank * PART + i) * 7919 % all);
}

static void check_all(const seat *s, const char *what, uint64_t got, uint64_t wanted) {
    if (got == wanted) return;
    fail(&s->w, "%s of rank %d of %d is %llu, not %llu", what, s->rank, s->in->ranks, (unsigned long long)got, (unsigned long long)wanted);
}

static int32_t sum_of_all(seat *s, int allowed) {
    const uint64_t all = (uint64_t)s->in->ranks * PART;
    uint32_t sum = 0;
    const int32_t status = TRY(&s->w, allowed, comm_reduce, (s->comm, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_U32), s->data, PART, &sum));
    if (status == 0) check_all(s, "the sum", sum, (uint32_t)(all * (all - 1) / 2));
    return status;
}

static int32_t sort_all(seat *s, int allowed) {
    const int32_t status = TRY(&s->w, allowed, comm_sort,
                               (s->comm, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U32), s->data, NULL, PART, s->out, NULL));
    for (uint32_t i = 0; status == 0 && i < PART; ++i) check_all(s, "a sorted key", s->out[i], (uint32_t)s->rank * PART + i);
    return status;
}

static int32_t scan_all(seat *s, int allowed) {
    uint32_t total = 0, sum = 0;
    const uint64_t all = (uint64_t)s->in->ranks * PART;
    const int32_t status = TRY(&s->w, allowed, comm_scan, (s->comm, GPUMEX_OPTIONS(scan, .dtype = GPUMEX_DTYPE_U32), s->data, PART, s->out, &total));
    if (status != 0) return status;
    for (int rank = 0; rank < s->rank; ++rank) {
        for (size_t i = 0; i < PART; ++i) sum += number_at(s->in, rank, i);
    }
    check_all(s, "the first prefix", s->out[0], sum);
    check_all(s, "the total of a scan", total, (uint32_t)(all * (all - 1) / 2));
    return status;
}

static int32_t count_all(seat *s, int allowed) {
    uint64_t counts[8];
    const uint64_t all = (uint64_t)s->in->ranks * PART;
    const int32_t status = TRY(&s->w, allowed, comm_histogram,
                               (s->comm, GPUMEX_OPTIONS(histogram, .dtype = GPUMEX_DTYPE_U32, .hi = (double)all), s->data, PART, counts, 8));
    for (int i = 0; status == 0 && i < 8; ++i) check_all(s, "a count", counts[i], all / 8);
    return status;
}

/* Of blocks of four cells, which stay as they are. */
static int32_t step_all(seat *s, int allowed) {
    uint8_t *const board = (uint8_t *)s->out, *const next = board + SIDE * SIDE;
    memset(board, 0, 2 * SIDE * SIDE);
    for (size_t i = 0; i < SIDE * SIDE; ++i) board[i] = i / SIDE % 4 % 3 != 0 && i % SIDE % 4 % 3 != 0;
    const int32_t status = TRY(&s->w, allowed, comm_life,
                               (s->comm, GPUMEX_OPTIONS(life, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS), board, SIDE, SIDE, 30, next));
    if (status == 0 && memcmp(board, next, SIDE * SIDE) != 0) fail(&s->w, "a board of rank %d has changed", s->rank);
    return status;
}

static int32_t count_words_of_all(seat *s, int allowed) {
    static const char text[] = "to be or not to be, that is the question ";
    uint64_t positions[2], lengths[2], counts[2];
    const int32_t status = TRY(&s->w, allowed, comm_words, (s->comm, NULL, text, sizeof text - 1, 2, positions, lengths, counts, NULL));
    if (status == 0) check_all(s, "the count of a word", counts[0], 2 * (uint64_t)s->in->ranks);
    return status;
}

typedef int32_t (*collective)(seat *, int);

static const collective collectives[] = {sum_of_all, sort_all, scan_all, count_all, step_all, count_words_of_all};
enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

/* ---- a rank ---------------------------------------------------------------------------------------------------------------------- */

/* The statuses that a fate allows. */
static int allowed_on(const seat *s) {
    const int is_target = s->rank == s->in->target;
    switch (s->in->fate) {
    case NOTHING: return FINE;
    case CANCEL: return FINE | PEER | (is_target ? CANCELLED : 0);
    case DESTROY: return FINE | (is_target ? GONE | BUSY : PEER); /* BUSY: amid its end */
    case COME_LATE: return FINE | PEER | TIMED_OUT;
    case ERR: return FINE | (is_target ? GONE : PEER);
    case CALL_ANOTHER: return FINE | GONE;
    default: return FINE | PEER;
    }
}

/* What the target does before one of its calls; whether it makes the call. */
static int meet_fate(seat *s) {
    switch (s->in->fate) {
    case ABORT: (void)TRY(&s->w, FINE, comm_abort, (s->comm)); return 1;
    case LEAVE: return 0;
    case COME_LATE: nap_us(30000); return 1;
    default: return 1;
    }
}

static int32_t make_call(seat *s, int at) {
    const party *const p = s->in;
    const int is_met = s->rank == p->target && at == p->at;
    if (is_met && p->fate == ERR) return TRY(&s->w, GONE, comm_reduce, (s->comm, NULL, s->data, PART, s->out)); /* its dtype is not set */
    return collectives[(p->kinds[at] + (is_met && p->fate == CALL_ANOTHER)) % COLLECTIVES](s, allowed_on(s));
}

static void *be_rank(void *data) {
    seat *const s = data;
    const party *const p = s->in;
    const int is_target = s->rank == p->target, here = FINE | (is_target && p->fate == DESTROY ? GONE | BUSY : 0);
    const int at_end = here | (is_target && p->fate == ABORT ? BUSY : 0);
    gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
    this_worker = &s->w;
    for (int at = 0; at < p->calls; ++at) {
        if (s->rank == p->target && at == p->at && !meet_fate(s)) break;
        s->statuses[at] = make_call(s, at);
    }
    (void)TRY(&s->w, here, comm_get_info, (s->comm, &info));
    if (p->fate == NOTHING && !info.alive) fail(&s->w, "a communicator has ended by itself");
    while (TRY(&s->w, at_end, comm_destroy, (s->comm)) == GPUMEX_STATUS_BUSY) nap_us(100);
    (void)TRY(&s->w, GONE, comm_get_info, (s->comm, &info));
    return NULL;
}

/* ---- the group ------------------------------------------------------------------------------------------------------------------- */

static void check_party(const worker *w, const party *p) {
    for (int at = 0; at < p->calls; ++at) {
        int succeeded = 0;
        for (int rank = 0; rank < p->ranks; ++rank) succeeded += p->seats[rank].statuses[at] == 0;
        if (succeeded != 0 && succeeded != p->ranks) {
            fail(w, "call %d succeeds on %d of %d ranks, with fate %d", at, succeeded, p->ranks, (int)p->fate);
        }
    }
}

static void make_party(worker *w, party *p, gpumex_context **contexts) {
    p->ranks = 1 + (int)below(w, MOST_RANKS), p->calls = 1 + (int)below(w, MOST_CALLS);
    p->fate = p->ranks == 1 ? NOTHING : below(w, 3) == 0 ? NOTHING : (fate)below(w, FATES);
    p->target = (int)below(w, (size_t)p->ranks), p->at = (int)below(w, (size_t)p->calls);
    for (int at = 0; at < p->calls; ++at) p->kinds[at] = (int)below(w, COLLECTIVES);
    p->seats = calloc((size_t)p->ranks, sizeof *p->seats);
    if (p->seats == NULL) fail(w, "no memory");
    for (int rank = 0; rank < p->ranks; ++rank) {
        seat *const s = &p->seats[rank];
        s->in = p, s->rank = rank;
        s->w.number = w->number, s->w.scenario = w->scenario, s->w.random = draw(w), s->w.arrays.handle = w->arrays.handle;
        contexts[rank] = s->w.arrays.ctx = rank == 0 ? w->arrays.ctx : make_context(w, (int32_t)below(w, 2));
        for (size_t i = 0; i < PART; ++i) s->data[i] = number_at(p, rank, i);
        for (int at = 0; at < MOST_CALLS; ++at) s->statuses[at] = -1;
    }
}

/* What comes from another thread at any time. The communicator is gone where its rank has ended already. */
static void disturb(worker *w, const party *p, gpumex_context *const *contexts, gpumex_comm *const *comms) {
    gpumex_comm *const comm = comms[p->target];
    if (p->fate != CANCEL && p->fate != ABORT && p->fate != DESTROY) return;
    nap_us((long)below(w, 2000));
    if (p->fate == CANCEL) (void)TRY(w, FINE, context_cancel, (contexts[p->target]));
    if (p->fate == ABORT) (void)TRY(w, FINE | GONE, comm_abort, (comm));
    if (p->fate == DESTROY) (void)TRY(w, FINE | BUSY | GONE, comm_destroy, (comm));
}

static void use_ranks(worker *w) {
    party p = {0};
    gpumex_context *contexts[MOST_RANKS];
    gpumex_comm *comms[MOST_RANKS];
    pthread_t running[MOST_RANKS];
    make_party(w, &p, contexts);
    const int timeout_ms = p.fate == COME_LATE ? 20 : 0;
    (void)TRY(w, FINE, comm_create_local, (contexts, (size_t)p.ranks, GPUMEX_OPTIONS(comm, .timeout_ms = timeout_ms), comms));
    for (int rank = 0; rank < p.ranks; ++rank) {
        p.seats[rank].comm = comms[rank];
        if (pthread_create(&running[rank], NULL, be_rank, &p.seats[rank]) != 0) fail(w, "no thread: %s", strerror(errno));
    }
    disturb(w, &p, contexts, comms);
    const outer_call outer = enter_call(w, "calls of ranks"); /* and the monitor sees whether they end */
    for (int rank = 0; rank < p.ranks; ++rank) pthread_join(running[rank], NULL);
    leave_call(w, outer);
    check_party(w, &p);
    for (int rank = 0; rank < p.ranks; ++rank) {
        for (int status = 0; status < STATUSES; ++status) {
            atomic_fetch_add(&w->counts[w->scenario][status], atomic_load(&p.seats[rank].w.counts[w->scenario][status]));
        }
        if (rank > 0) destroy(w, contexts[rank]);
    }
    free(p.seats);
}

#endif
