/* cancel_operations.c - each operation is cancelled amid a call, returns soon, and says how far it came.
 *
 *   cancel_operations LIBRARY cpu|cuda|host ELEMENTS [FILTER [DTYPE]]      host: CUDA, with arrays in memory of the host
 *
 * Each row of benches/operations.h and ranks.h, with AUTO and with SEQUENTIAL, is called until it was cancelled three times: another
 * thread waits for a part of the time that the call takes by itself, and cancels; of several ranks, one in turn. The call gives 0 or
 * CANCELLED, and then PEER on the other ranks. Its sentence names the function, and has a time and a number of parts that may be, where
 * it has them. The same call then works, of ranks in a new communicator, and one that takes 20 ms is cancelled at least once.
 *
 * A line is the time of the call, the longest time from the cancel to its return, LATE where that is more than the header has, the same
 * of the other ranks, which end what they compute, and how many sentences said nothing of how far the call came, or how long it ran.
 * FILTER is a part of labels, DTYPE a number. */
#define OPTIONS(op, ...) GPUMEX_OPTIONS(op, .variant = variant, __VA_ARGS__)
static int variant; /* of the calls: AUTO or SEQUENTIAL, which have the same numbers everywhere */
#define RANKS 3
#include "../../benches/ranks.h"

#include "cancel_text.h"

#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

enum { CANCELS = 3, TRIES = 40, HANGS = 200 /* s */ };

static const double LIMIT = 2, PROMISED = 0.2, LONG_CALL = 0.02; /* s; the limit is for a machine that is busy */

/* ---- rows for what the common ones are too short for ------------------------------------------------------------------------------ */

/* Long on a GPU too. */
static uint64_t generations = 1000;
static int is_on_cuda;

static int32_t life_for_long(library *l) {
    return CALL(life)(l->ctx, OPTIONS(life, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS), l->flags, l->side, l->side, generations, l->out[0]);
}
ROW("life for long", life, life_for_long, 0, ONCE)

static int32_t print_all(library *l) { return print_values(l, l->n, 10); }
ROW("print_to all", print_to, print_all, 0, ALL)

static char *text_of_print;

static int32_t print_into_memory(library *l) {
    return CALL(print)(l->ctx, l->dtype, l->x, l->n, is_float(l->dtype) ? "%g" : "%u", 10, text_of_print, 8 * l->n, NULL);
}
ROW("print", print, print_into_memory, 0, ALL)

static int32_t comm_life_for_long(library *l, gpumex_comm *comm) {
    return CALL(comm_life)(comm, OPTIONS(life, .boundary = GPUMEX_LIFE_BOUNDARY_TORUS), l->out[1], l->n / 512, 512,
                           variant != 0 || is_on_cuda ? generations / 10 : generations, l->out[0]);
}
RANKS_ROW("comm_life for long", comm_life, comm_life_for_long, 0, ONCE)

/* ---- the thread that cancels --------------------------------------------------------------------------------------------------------- */

static library used;
static gpumex_context *cancelled; /* whose call is */
static atomic_long begun, ended;
static double nap, cancelled_at;

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void nap_for(double time) {
    const struct timespec part = {(time_t)time, (long)(1e9 * (time - (double)(time_t)time))};
    nanosleep(&part, NULL);
}

static void *cancels(void *unused) {
    (void)unused;
    const library *const l = &used;
    for (long round = 1;; round++) {
        while (atomic_load(&begun) < round) nap_for(5e-5);
        if (nap < 0) return NULL;
        nap_for(nap);
        cancelled_at = seconds();
        ok(l, CALL(context_cancel)(cancelled));
        atomic_store(&ended, round);
    }
}

/* ---- how calls end ------------------------------------------------------------------------------------------------------------------- */

/* The end of a call on a rank. */
typedef struct end {
    int32_t status; /* -1: there was no call */
    double at;
    char text[1024];
} end;

static end ends[RANKS];

/* What was seen of a row, and of all. */
typedef struct seen {
    const char *label;
    double longest, others; /* from a cancel to a return; the same of the other ranks */
    int cancels, said[UNITS], untimed;
    char text[1024]; /* of the call that took longest */
} seen;

static seen worst; /* the row that took longest */
static int failed, late, silent;

static void note_end(int rank, int32_t status) {
    const library *const l = &used;
    ends[rank].status = status, ends[rank].at = seconds();
    snprintf(ends[rank].text, sizeof ends[rank].text, "%s", CALL(last_error)());
}

static gpumex_context *context_of(int rank) { return rank == 0 ? used.ctx : others[0][rank]; }

static void note_rank(const member *m) {
    int rank = 0;
    while (context_of(rank) != m->l.ctx) ++rank;
    note_end(rank, m->status);
}

static int ranks_of(const operation *op) { return strncmp(op->function, "gpumex_comm_", 12) == 0 ? RANKS : 1; }

static const char *label_of_hang;

static void hangs(int number) {
    (void)number;
    static const char text[] = " hangs\n";
    if (write(1, label_of_hang, strlen(label_of_hang)) < 0 || write(1, text, sizeof text - 1) < 0) _exit(3);
    _exit(1);
}

/* Calls it; the time it took. */
static double run(const operation *op) {
    const double start = seconds();
    for (int rank = 0; rank < RANKS; rank++) ends[rank].status = -1;
    alarm(HANGS);
    const int32_t status = op->run(&used);
    const double took = seconds() - start;
    alarm(0);
    if (ranks_of(op) == 1 || ends[0].status == -1) note_end(0, status);
    return took;
}

/* What is wrong with the sentence of a call that was cancelled; NULL: nothing. */
static const char *read_sentence(const operation *op, const end *e, double took, seen *row) {
    cancel_text text;
    if (!read_cancel_text(e->text, op->function, &text)) return "another sentence";
    if (text.time > took + 0.001) return "it says that it ran longer";
    row->said[text.units]++;
    row->untimed += text.time < 0;
    return NULL;
}

/* What is wrong with how a call ended, one of whose ranks was cancelled; NULL: nothing. */
static const char *judge(const operation *op, int target, double took, seen *row) {
    const int is_cancelled = ends[target].status == GPUMEX_STATUS_CANCELLED;
    char name[16];
    snprintf(name, sizeof name, "rank %d", target);
    for (int rank = 0; rank < ranks_of(op); rank++) {
        const end *const e = &ends[rank];
        const int32_t expected = !is_cancelled ? 0 : rank == target ? GPUMEX_STATUS_CANCELLED : GPUMEX_STATUS_PEER;
        if (e->status != expected) return "another status";
        if (!is_cancelled) continue;
        double *const longest = rank == target ? &row->longest : &row->others;
        if (e->at - cancelled_at > *longest) {
            *longest = e->at - cancelled_at;
            if (rank == target) memcpy(row->text, e->text, sizeof row->text);
        }
        const char *const why = rank == target ? read_sentence(op, e, took, row)
                                : strncmp(e->text, op->function, strlen(op->function)) != 0 || strstr(e->text, name) == NULL
                                    ? "a sentence that does not name the rank"
                                    : NULL;
        if (why != NULL) return why;
    }
    row->cancels += is_cancelled;
    return NULL;
}

static void fails(const operation *op, const char *why) {
    printf("%s, variant %d: %s\n", op->label, variant, why);
    for (int rank = 0; rank < ranks_of(op); rank++) {
        const end *const e = &ends[rank];
        printf("    rank %d, status %d: %s\n", rank, (int)e->status, e->status == 0 ? "" : e->text);
    }
    failed++;
}

static int works(const operation *op) {
    for (int rank = 0; rank < ranks_of(op); rank++) {
        if (ends[rank].status != 0) return 0;
    }
    return 1;
}

/* ---- the rows ------------------------------------------------------------------------------------------------------------------------ */

static void report(const operation *op, double takes, const seen *row) {
    printf("%-22s %-10s %9.1f ms, %d cancels: returned after %7.2f ms%s", op->label, variant ? "SEQUENTIAL" : "AUTO", 1e3 * takes,
           row->cancels, 1e3 * row->longest, row->longest > PROMISED ? " LATE" : "");
    if (ranks_of(op) > 1) printf(", others %.2f ms", 1e3 * row->others);
    if (row->said[UNITS_NONE] > 0) printf("; %d said not how far", row->said[UNITS_NONE]);
    if (row->untimed > 0) printf("; %d said no time", row->untimed);
    printf("\n");
    if (row->longest > PROMISED) printf("    %s\n", row->text);
    fflush(stdout);
    late += row->longest > PROMISED;
    silent += row->cancels > 0 && row->said[UNITS_NONE] == row->cancels;
    if (row->longest > worst.longest) worst = *row;
}

/* The calls of one row, which takes so long. */
static void cancel_row(const operation *op, double takes) {
    seen row = {.label = op->label};
    for (int try = 0; try < TRIES && row.cancels < CANCELS; try++) {
        const int target = try % ranks_of(op);
        nap = takes * (1 + try * 7 % 15) / 16; /* its begin, its middle, its end */
        cancelled = context_of(target);
        const long round = atomic_fetch_add(&begun, 1) + 1;
        const double took = run(op);
        while (atomic_load(&ended) < round) nap_for(5e-5);
        const char *const why = judge(op, target, took, &row);
        if (why != NULL) return fails(op, why);
    }
    if (row.cancels == 0 && takes > LONG_CALL) return fails(op, "it was never cancelled");
    run(op);
    if (!works(op)) return fails(op, "it fails after a cancel");
    report(op, takes, &row);
    if (row.longest > LIMIT) fails(op, "it returned late");
}

static void cancel(const operation *op) {
    used.number = op->number;
    label_of_hang = op->label;
    run(op); /* and loads kernels, starts threads */
    if (!works(op) && (used.dtype != GPUMEX_DTYPE_F64 || (variant != 0 && ends[0].status == GPUMEX_STATUS_UNSUPPORTED))) return;
    double takes = 1e9; /* the shortest of three: another process may have had the core */
    for (int again = 0; again < (takes < 0.5 ? 3 : 1) && works(op); again++) {
        const double took = run(op);
        takes = took < takes ? took : takes;
    }
    if (works(op)) cancel_row(op, takes);
    else fails(op, "it fails");
}

/* Its arrays become memory of the host. */
static void move_to_host(library *l, size_t n) {
    void **const arrays[] = {&l->x, &l->y, &l->a, &l->b, &l->values, &l->indices, &l->positions, &l->flags,
                             &l->out[0], &l->out[1], &l->out[2]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        ok(l, CALL(free)(*arrays[i]));
        *arrays[i] = calloc(1, 16 * n + 4096);
        if (*arrays[i] == NULL) exit(2);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) return fprintf(stderr, "usage: cancel_operations LIBRARY cpu|cuda|host ELEMENTS [FILTER [DTYPE]]\n"), 2;
    const int on_host = strcmp(argv[2], "host") == 0;
    const size_t elements = strtoull(argv[3], NULL, 10);
    const int32_t dtype = argc > 5 ? atoi(argv[5]) : GPUMEX_DTYPE_F64;
    pthread_t thread;
    is_on_cuda = on_host || strcmp(argv[2], "cuda") == 0;
    if (is_on_cuda) generations *= 1000;
    open_library(&used, 0, argv[1], is_on_cuda ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU, elements);
    if (on_host) move_to_host(&used, elements);
    fill_arrays(&used, dtype, elements);
    text_of_print = malloc(8 * elements);
    rank_ended = note_rank;
    signal(SIGALRM, hangs);
    if (text_of_print == NULL || pthread_create(&thread, NULL, cancels, NULL) != 0) return 2;
    for (variant = 0; variant <= !is_on_cuda; variant++) {
        for (size_t o = 0; o < operation_count; o++) {
            const operation *const op = &operations[o];
            if ((op->kinds == FLOATS && !is_float(dtype)) || (variant != 0 && strncmp(op->function, "gpumex_print", 12) == 0)) continue;
            if (argc < 5 || strstr(op->label, argv[4]) != NULL) cancel(op);
        }
    }
    nap = -1;
    atomic_fetch_add(&begun, 1);
    if (pthread_join(thread, NULL) != 0) return 2;
    printf("later than %.1f s: %d rows; said nothing of how far they came: %d rows\n", PROMISED, late, silent);
    printf("longest %.3f s: %s\n%d failed\n", worst.longest, worst.label == NULL ? "" : worst.label, failed);
    return failed != 0;
}
