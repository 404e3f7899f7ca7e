/* ranks.h - a call of every operation on several ranks, as threads of the program, in the table of operations.h: for benches/pairs.c,
 * and for memory_use.c, cancel_operations.c and out_of_memory_calls.c of tests/c_abi.
 *
 * The first rank has the context of the library, the others one on the same device; each has as large a part of the arrays. A call makes
 * communicators and threads, and ends them. There are 2 ranks, or RANKS where a program has defined it. With OWN_MEMBERS the program
 * defines run_members, which has threads of its own. */
#ifndef RANKS_H
#define RANKS_H

#include "operations.h"

#include <pthread.h>

#ifndef RANKS
#define RANKS 2
#endif
enum { HALO = 64 };

/* A rank, and what it does. */
typedef struct member {
    library l; /* with its part of the arrays */
    gpumex_comm *comm;
    int32_t (*run)(library *, gpumex_comm *);
    int32_t status;
    double noted_bytes; /* of memory_use.c */
} member;

/* Told, on the thread of a rank, that its call has returned; for programs that look at each rank. */
static void (*rank_ended)(const member *);

/* Contexts of the ranks behind the first one, of a library; they stay. */
static gpumex_context *others[2][RANKS];

static char *behind(void *array, size_t bytes) { return (char *)array + bytes; }

/* The part of a rank: n elements from rank*n on, of outputs 16 bytes each. */
static library part_of(const library *whole, int rank) {
    library l = *whole;
    l.n = whole->n / RANKS;
    for (l.side = 16; 4 * l.side * l.side <= l.n; l.side *= 2) continue;
    const size_t first = (size_t)rank * l.n;
    l.x = behind(l.x, first * bytes_of(l.dtype)), l.y = behind(l.y, first * bytes_of(l.dtype));
    l.values = behind(l.values, 4 * first);
    for (int i = 0; i < 3; ++i) l.out[i] = behind(l.out[i], 16 * first);
    if (rank > 0) l.ctx = others[l.number_of][rank];
    return l;
}

static void *run_member(void *argument) {
    member *const m = argument;
    m->status = m->run(&m->l, m->comm);
    if (rank_ended != NULL) rank_ended(m);
#ifdef MEMORY_USE_H
    m->noted_bytes = noted.cpu;
#endif
    return NULL;
}

static int32_t open_others(library *l) {
    for (int rank = 1; rank < RANKS; ++rank) {
        if (others[l->number_of][rank] != NULL) continue;
        int32_t backend = 0, status = CALL(context_backend)(l->ctx, &backend);
        if (status != 0) return status;
        others[l->number_of][rank] = CALL(context_create)(backend, -1);
        if (others[l->number_of][rank] == NULL) return CALL(last_status)();
#ifdef MEMORY_USE_H
        status = CALL(context_set_threads)(others[l->number_of][rank], (int32_t)threads);
        if (status == 0) status = CALL(allocator_select)(others[l->number_of][rank], GPUMEX_ALLOCATOR_SIMPLE); /* keeps nothing */
        if (status != 0) return status;
#endif
    }
    return 0;
}

#ifdef OWN_MEMBERS
static int32_t run_members(const library *l, member *members);
#else
/* Each on a thread; the status of what is not of a rank. */
static int32_t run_members(const library *l, member *members) {
    pthread_t threads_of[RANKS];
    int started = 1;
    int32_t status = 0;
    (void)l; /* where the library is linked */
    while (started < RANKS && pthread_create(&threads_of[started], NULL, run_member, &members[started]) == 0) ++started;
    if (started < RANKS) status = CALL(comm_abort)(members[0].comm); /* nobody waits for who is missing */
    run_member(&members[0]);
    for (int rank = 1; rank < started; ++rank) pthread_join(threads_of[rank], NULL);
    return status;
}
#endif

/* The first failure of a rank, if one fails. */
static int32_t on_ranks(library *l, int32_t (*run)(library *, gpumex_comm *)) {
    member members[RANKS];
    gpumex_context *contexts[RANKS];
    gpumex_comm *comms[RANKS];
    int32_t status = open_others(l);
#ifdef MEMORY_USE_H
    ranks = RANKS, halo = HALO;
#endif
    for (int rank = 0; rank < RANKS; ++rank) contexts[rank] = rank == 0 ? l->ctx : others[l->number_of][rank];
    if (status == 0) status = CALL(comm_create_local)(contexts, RANKS, GPUMEX_OPTIONS(comm, .life_halo = HALO), comms);
    if (status != 0) return status;
    for (int rank = 0; rank < RANKS; ++rank) members[rank] = (member){.l = part_of(l, rank), .comm = comms[rank], .run = run, .status = -1};
    status = run_members(l, members);
    for (int rank = 0; rank < RANKS; ++rank) {
        if (status == 0) status = members[rank].status;
        CALL(comm_destroy)(comms[rank]);
#ifdef MEMORY_USE_H
        if (rank > 0) noted.cpu += members[rank].noted_bytes;
        noted.ranks = RANKS;
#endif
    }
    return status;
}

/* A row: the name of a call of one rank on its part. */
#define RANKS_ROW(label, function, run, number, kinds)                                     \
    static int32_t run##_on_ranks(library *l) { return on_ranks(l, run); }                 \
    ROW(label, function, run##_on_ranks, number, kinds)

static int32_t comm_dot(library *l, gpumex_comm *comm) {
    return CALL(comm_dot)(comm, OPTIONS(dot, NUMBERS), l->x, l->y, l->n, l->out[0]);
}
RANKS_ROW("comm_dot", comm_dot, comm_dot, 0, FLOATS)

static int32_t comm_histogram(library *l, gpumex_comm *comm) {
    const int32_t dtype = is_float(l->dtype) || bytes_of(l->dtype) < 4 ? l->dtype : GPUMEX_DTYPE_U32;
    return CALL(comm_histogram)(comm, OPTIONS(histogram, .dtype = dtype, .lo = 0, .hi = 1000), l->x, l->n, l->out[0], l->n);
}
RANKS_ROW("comm_histogram", comm_histogram, comm_histogram, 0, ALL)

/* Of any cells: what the array holds. */
static int32_t comm_life(library *l, gpumex_comm *comm) {
    return CALL(comm_life)(comm, OPTIONS(life, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS, .cells = l->number), l->out[1], l->n / 256,
                           l->number == GPUMEX_LIFE_CELLS_BITS ? 32768 : 4096, HALO, l->out[0]);
}
RANKS_ROW("comm_life", comm_life, comm_life, GPUMEX_LIFE_CELLS_BYTES, ONCE)
ROW("comm_life bits", comm_life, comm_life_on_ranks, GPUMEX_LIFE_CELLS_BITS, ONCE)

static int32_t comm_matmul(library *l, gpumex_comm *comm) {
    return CALL(comm_matmul)(comm, OPTIONS(matmul, NUMBERS), 8, 1024, l->n / 1024, l->x, l->y, l->out[0]);
}
RANKS_ROW("comm_matmul", comm_matmul, comm_matmul, 0, FLOATS)

static int32_t comm_reduce(library *l, gpumex_comm *comm) {
    return CALL(comm_reduce)(comm, OPTIONS(reduce, NUMBERS), l->x, l->n, l->out[0]);
}
RANKS_ROW("comm_reduce", comm_reduce, comm_reduce, 0, ALL)

static int32_t comm_scan(library *l, gpumex_comm *comm) {
    return CALL(comm_scan)(comm, OPTIONS(scan, NUMBERS), l->x, l->n, l->out[0], l->out[1]);
}
RANKS_ROW("comm_scan", comm_scan, comm_scan, 0, ALL)

static int32_t comm_sort(library *l, gpumex_comm *comm) {
    return CALL(comm_sort)(comm, OPTIONS(sort, NUMBERS, INDICES, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32), l->x, l->values,
                           l->n, l->out[0], l->out[1]);
}
RANKS_ROW("comm_sort", comm_sort, comm_sort, GPUMEX_PAYLOAD_NONE, ALL)
ROW("comm_sort values", comm_sort, comm_sort_on_ranks, GPUMEX_PAYLOAD_VALUES, ALL)
ROW("comm_sort indices", comm_sort, comm_sort_on_ranks, GPUMEX_PAYLOAD_INDICES, ALL)

static int32_t comm_words(library *l, gpumex_comm *comm) {
    struct gpumex_words_summary summary = {.size = sizeof summary};
    return CALL(comm_words)(comm, OPTIONS(words, .fold = 0), l->x, l->n * bytes_of(l->dtype), 10, l->out[0], l->out[1], l->out[2], &summary);
}
RANKS_ROW("comm_words", comm_words, comm_words, 0, ONCE)

#endif
