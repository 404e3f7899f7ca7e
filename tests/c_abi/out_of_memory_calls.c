/* out_of_memory_calls.c - each allocation of the calls that benches/operations.h has no row for is refused in turn.
 *
 *   out_of_memory_calls LIBRARY ELEMENTS [FILTER]        4096 elements at least; FILTER is a part of labels
 *
 * The rows are those of out_of_memory/, with two ranks as threads where they are of communicators. One allocation of a call fails, or all
 * from one on: of all threads, and of ranks also of the thread of one. A call gives 0 and the right results, or OUT_OF_MEMORY with a
 * sentence, and the next call works. Contexts hold as many blocks as before, and the process too. It is on the CPU backend. What a line
 * says of rank -1 is of all threads. */
#include "out_of_memory/calls.h"
#include "out_of_memory/ranks.h"
#include "out_of_memory/callbacks.h"

#include <signal.h>
#include <unistd.h>

enum { OUT_OF_MEMORY = GPUMEX_STATUS_OUT_OF_MEMORY, OUTPUTS = 3, HANGS = 20 /* s */, SPARE = 8 /* blocks that stay for later calls */, LEAST = 4096 };

static size_t first_row, first_of_ranks, first_of_many; /* in the table of operations, behind those of benches/operations.h */

static const operation *row; /* that runs */
static long fault;
static int are_all;       /* and all behind it */
static long calls, sites; /* of all rows */

static uint8_t *before[OUTPUTS], *after[OUTPUTS]; /* outputs as they are before a call, and behind one that succeeds */
static size_t output_bytes;

/* Whether the row is of benches/ranks.h. */
static int is_of_ranks(void) { return row >= &operations[first_of_ranks] && row < &operations[first_of_many]; }

/* ---- failures ----------------------------------------------------------------------------------------------------------------- */

static void fail(const library *l, const char *what, int32_t status) {
    refuse_nothing();
    printf("%s, allocation %ld%s, rank %d: %s, status %d: %s\n", row->label, fault, are_all ? " and all behind it" : "", victim, what,
           (int)status, CALL(last_error)());
    fflush(stdout);
    _exit(1);
}

/* An abort, a fault or a hang. */
static void end_by_signal(int number) {
    char text[256];
    first_fault = -1;
    const int length = snprintf(text, sizeof text, "%s, allocation %ld%s, rank %d: signal %d\n", row->label, fault,
                                are_all ? " and all behind it" : "", victim, number);
    if (write(1, text, (size_t)length) < 0) _exit(3);
    _exit(1);
}

/* ---- one row ------------------------------------------------------------------------------------------------------------------ */

static int32_t call(library *l) {
    l->number = row->number;
    is_repaired = 0;
    for (int i = 0; i < OUTPUTS; ++i) memcpy(l->out[i], before[i], output_bytes);
    alarm(HANGS);
    is_marked = victim == 0;
    const int32_t status = row->run(l);
    is_marked = 0;
    alarm(0);
    ++calls;
    return status;
}

static void check_results(const library *l, const char *what, int32_t status) {
    for (int i = 0; i < OUTPUTS; ++i) {
        if (memcmp(l->out[i], after[i], output_bytes) != 0) fail(l, what, status);
    }
}

static uint64_t blocks_of(const library *l, gpumex_context *ctx) {
    gpumex_allocator_stats stats = GPUMEX_ALLOCATOR_STATS_INIT;
    if (ctx == NULL) return 0;
    const int32_t status = CALL(allocator_get_stats)(ctx, &stats);
    if (status != 0) fail(l, "no statistics", status);
    return stats.allocated_blocks;
}

static uint64_t blocks(const library *l) { return blocks_of(l, l->ctx) + blocks_of(l, others[0][1]); }

/* A call without the allocation, and one with all, which of ranks may have been in the same communicator. */
static void refuse_one(library *l, uint64_t held) {
    refuse(fault, are_all);
    const int32_t status = call(l);
    refuse_nothing();
    if (status != 0 && status != OUT_OF_MEMORY) fail(l, "another status than OUT_OF_MEMORY", status);
    if (status != 0 && !is_of_ranks() && strstr(CALL(last_error)(), "memory") == NULL) fail(l, "another sentence", status);
    if (status == 0 || is_repaired) check_results(l, "wrong results", status);
    if (blocks(l) != held) fail(l, "a context holds other blocks", status);
    if (is_repaired) return;
    const int32_t next = call(l);
    if (next != 0) fail(l, "the next call does not work", next);
    check_results(l, "the next call is wrong", status);
}

static void refuse_each(library *l) {
    const uint64_t held = blocks(l);
    refuse(1L << 40, 0);
    if (call(l) != 0) fail(l, "refused without a fault", 1);
    const long found = allocations, live = live_blocks;
    refuse_nothing();
    for (are_all = is_of_ranks() && victim == ALL_THREADS; are_all < 2; ++are_all) {
        for (fault = 0; fault < found; ++fault) refuse_one(l, held);
    }
    const long more = live_blocks - live;
    if (more > SPARE) fail(l, "blocks of malloc are left", (int32_t)more);
    printf("%s, dtype %d, rank %d: %ld allocations\n", row->label, (int)l->dtype, victim, found);
    sites += found;
}

/* Ranks lack memory alone, one at a time or all behind it, and together. */
static void refuse_row(library *l) {
    victim = ALL_THREADS, are_marked_alone = 0;
    fault = -1;
    if (call(l) != 0 || call(l) != 0) fail(l, "it does not work", 1);
    for (int i = 0; i < OUTPUTS; ++i) memcpy(after[i], l->out[i], output_bytes);
    for (; victim < (is_of_ranks() ? RANKS : 0); ++victim) {
        are_marked_alone = victim != ALL_THREADS;
        refuse_each(l);
    }
}

/* ---- all of them -------------------------------------------------------------------------------------------------------------- */

static void open_all(library *l, const char *path, size_t n) {
    open_library(l, 0, path, GPUMEX_BACKEND_CPU, n);
    output_bytes = 16 * n + 4096;
    for (int i = 0; i < OUTPUTS; ++i) before[i] = calloc(1, output_bytes), after[i] = malloc(output_bytes);
    rank_ended = check_sentence;
    start_ranks(l);
    const int fatal[] = {SIGABRT, SIGALRM, SIGSEGV, SIGBUS, SIGILL};
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; ++i) signal(fatal[i], end_by_signal);
}

static size_t find(const char *label) {
    size_t at = 0;
    while (strcmp(operations[at].label, label) != 0) ++at;
    return at;
}

int main(int argc, char **argv) {
    static const int32_t dtypes[] = {GPUMEX_DTYPE_F32, GPUMEX_DTYPE_U32};
    const size_t n = argc < 3 ? 0 : strtoul(argv[2], NULL, 10);
    if (n < LEAST) return fprintf(stderr, "usage: out_of_memory_calls LIBRARY ELEMENTS [FILTER], with 4096 elements at least\n"), 2;
    library l = {0};
    setenv("GPUMEX_BACKEND", "cpu", 1); /* a driver of CUDA is not built for this */
    open_all(&l, argv[1], n);
    first_row = find("print"), first_of_ranks = find("comm_dot"), first_of_many = find("no_call of many");
    for (int d = 0; d < 2; ++d) {
        fill_arrays(&l, dtypes[d], n);
        for (int i = 0; i < OUTPUTS; ++i) memcpy(before[i], l.flags, n); /* boards of comm_life */
        for (size_t o = first_row; o < operation_count; ++o) {
            row = &operations[o];
            if ((row->kinds == FLOATS && !is_float(dtypes[d])) || ((row->kinds == ONCE || is_of_ranks()) && d > 0)) continue;
            if (argc < 4 || strstr(row->label, argv[3]) != NULL) refuse_row(&l);
        }
    }
    printf("%ld allocations, %ld calls\n0 failed\n", sites, calls);
    return 0;
}
