/* comm_devices.c - ranks on devices, without a GPU: parts that cross from device to device, in one process and by NCCL, give the bits
 * of one rank, and a call ends on all ranks when it does on one; a rank that does not come, and an NCCL that fails, is missing or is too
 * old, is a status on every rank.
 *
 *   comm_devices local | joined | nccl | faults | absent | old
 *
 * The program is linked with libgpumex.a and launchers of its own (comm_kernels.c, stand_in_kernels.c), and finds the driver of
 * stand_in_driver.c and the NCCL of stand_in_nccl.c. */
#include "gpumex.h"
#include "stand_in_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 5 };

typedef struct rank {
    int rank, is_late; /* is_late: it leaves out the second call */
    gpumex_context *ctx;
    gpumex_comm *comm;
    int32_t status, next;
    char text[512], next_text[512];
} rank;

static rank all[MOST];
static int ranks, is_nccl, are_apart, timeout_ms = 60000; /* are_apart: a device a rank */
static char id[128];
static void (*work)(rank *);

static void check(int good, const char *what, int line) {
    if (good) return;
    fprintf(stderr, "line %d: %s; %s\n", line, what, gpumex_last_error());
    exit(1);
}
#define CHECK(good) check(good, #good, __LINE__)
#define OK(call) CHECK((call) == GPUMEX_STATUS_OK)

static void *serve(void *argument) {
    work(argument);
    return NULL;
}

static void on_all(void (*body)(rank *)) {
    pthread_t threads[MOST];
    work = body;
    for (int i = 0; i < ranks; ++i) CHECK(pthread_create(&threads[i], NULL, serve, &all[i]) == 0);
    for (int i = 0; i < ranks; ++i) pthread_join(threads[i], NULL);
}

static void create(rank *r) {
    r->status = gpumex_comm_create_nccl(r->ctx, GPUMEX_OPTIONS(comm, .timeout_ms = timeout_ms, .life_halo = 5), id, r->rank, ranks, &r->comm);
    snprintf(r->text, sizeof r->text, "%s", gpumex_last_error());
}

static void destroy(rank *r) { OK(gpumex_comm_destroy(r->comm)); }

static void open_ranks(int count) {
    gpumex_context *contexts[MOST];
    gpumex_comm *comms[MOST];
    ranks = count;
    for (int i = 0; i < ranks; ++i) {
        memset(&all[i], 0, sizeof all[i]);
        all[i].rank = i, all[i].ctx = contexts[i] = gpumex_context_create(GPUMEX_BACKEND_CUDA, are_apart ? i : 0);
        CHECK(all[i].ctx != NULL);
    }
    if (is_nccl) {
        OK(gpumex_comm_unique_id(id, sizeof id));
        on_all(create);
        for (int i = 0; i < ranks; ++i) check(all[i].status == 0, all[i].text, __LINE__);
        return;
    }
    OK(gpumex_comm_create_local(contexts, (size_t)ranks, GPUMEX_OPTIONS(comm, .timeout_ms = timeout_ms, .life_halo = are_apart ? 8 : 5), comms));
    for (int i = 0; i < ranks; ++i) all[i].comm = comms[i];
}

static void close_ranks(void) {
    on_all(destroy);
    for (int i = 0; i < ranks; ++i) OK(gpumex_context_destroy(all[i].ctx));
    for (int kind = LIVE_PUSHED; kind < LIVE_KINDS; ++kind) {
        if (kind != LIVE_CONTEXTS && kind != LIVE_PINNED) check(stand_in_live(kind) == 0, stand_in_kind(kind), __LINE__);
    }
}

/* ---- the bits of one rank ---------------------------------------------------------------------------------------------------------- */

enum { KEYS = 300007, ROWS = 61, COLS = 300, WORDS = (COLS + 63) / 64, GENERATIONS = 37 };

static uint64_t keys[KEYS], values[KEYS], sorted[KEYS], sorted_values[KEYS], got[KEYS], got_values[KEYS];
static uint64_t board[ROWS * WORDS], want[ROWS * WORDS], next[ROWS * WORDS];
static uint32_t short_keys[KEYS], short_sorted[KEYS], short_got[KEYS];
static int32_t boundary;

/* Uneven parts; of more than two ranks the second has none. */
static size_t part(size_t n, int i) { return i == ranks ? n : i == 0 ? 0 : ranks > 2 && i == 1 ? n / 3 : ranks > 2 && i == 2 ? n / 3 : n / 3 + (n - n / 3) * (size_t)i / (size_t)ranks; }

static void sort_part(rank *r) {
    const size_t from = part(KEYS, r->rank), count = part(KEYS, r->rank + 1) - from;
    OK(gpumex_comm_sort(r->comm, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U64, .payload = GPUMEX_PAYLOAD_VALUES, .value_dtype = GPUMEX_DTYPE_U64),
                        keys + from, values + from, count, got + from, got_values + from));
    OK(gpumex_comm_sort(r->comm, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U32), short_keys + from, NULL, count, short_got + from, NULL));
}

static void life_part(rank *r) {
    const size_t from = part(ROWS, r->rank), count = part(ROWS, r->rank + 1) - from, bytes = count * WORDS * 8;
    void *rows = NULL; /* once in memory of the device, once of the host */
    OK(gpumex_malloc(r->ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes, &rows));
    OK(gpumex_copy(r->ctx, rows, board + from * WORDS, bytes));
    OK(gpumex_comm_life(r->comm, GPUMEX_OPTIONS(life, .variant = GPUMEX_LIFE_VARIANT_REGISTERS, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary), rows, count, COLS, GENERATIONS / 2, rows));
    OK(gpumex_copy(r->ctx, next + from * WORDS, rows, bytes));
    OK(gpumex_free(rows));
    OK(gpumex_comm_life(r->comm, GPUMEX_OPTIONS(life, .variant = GPUMEX_LIFE_VARIANT_REGISTERS, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary), next + from * WORDS, count, COLS,
                        GENERATIONS - GENERATIONS / 2, next + from * WORDS));
}

static void same_bits(void) {
    gpumex_context *const cpu = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    OK(gpumex_random(cpu, GPUMEX_DTYPE_U64, keys, KEYS, 1, 0, 1000)); /* many are equal */
    OK(gpumex_random(cpu, GPUMEX_DTYPE_U32, short_keys, KEYS, 2, 0, 4e9));
    for (size_t i = 0; i < KEYS; ++i) values[i] = i;
    OK(gpumex_random(cpu, GPUMEX_DTYPE_U64, board, ROWS * WORDS, 3, 0, 1.8e19));
    OK(gpumex_sort(cpu, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U64, .payload = GPUMEX_PAYLOAD_VALUES, .value_dtype = GPUMEX_DTYPE_U64), keys, values,
                   KEYS, sorted, sorted_values));
    OK(gpumex_sort(cpu, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U32), short_keys, NULL, KEYS, short_sorted, NULL));
    for (int count = 1; count <= MOST; ++count) {
        open_ranks(count);
        memset(got, 0, sizeof got), memset(got_values, 0, sizeof got_values), memset(short_got, 0, sizeof short_got);
        on_all(sort_part);
        CHECK(memcmp(got, sorted, sizeof got) == 0 && memcmp(got_values, sorted_values, sizeof got_values) == 0);
        CHECK(memcmp(short_got, short_sorted, sizeof short_got) == 0);
        for (boundary = 0; boundary < 3; ++boundary) {
            OK(gpumex_life(cpu, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary), board, ROWS, COLS, GENERATIONS, want));
            memset(next, 0, sizeof next);
            on_all(life_part);
            CHECK(memcmp(next, want, sizeof want) == 0);
        }
        close_ranks();
    }
    OK(gpumex_context_destroy(cpu));
}

/* ---- devices that write each other's halos ------------------------------------------------------------------------------------------- */

enum { TALL = 1601 };

extern int joined_launches, joined_loads;
static uint64_t tall[TALL * WORDS], tall_want[TALL * WORDS], tall_next[TALL * WORDS];
static const char *tall_rule;
static uint64_t tall_generations; /* several steps of the kernels, and less than one */

static size_t tall_part(int i) { return i == ranks ? TALL : i == 0 ? 0 : (size_t)(512 + 13) * (size_t)i; }

static void tall_life(rank *r) {
    const size_t from = tall_part(r->rank), count = tall_part(r->rank + 1) - from;
    OK(gpumex_comm_life(r->comm, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary, .rule = tall_rule), tall + from * WORDS, count, COLS,
                        tall_generations, tall_next + from * WORDS));
}

static void same_tall_bits(gpumex_context *cpu) {
    OK(gpumex_life(cpu, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = boundary, .rule = tall_rule), tall, TALL, COLS, tall_generations, tall_want));
    memset(tall_next, 0, sizeof tall_next), joined_launches = joined_loads = 0;
    on_all(tall_life);
    CHECK(joined_launches == ranks && joined_loads == ranks);
    CHECK(memcmp(tall_next, tall_want, sizeof tall_want) == 0);
}

static void joined(void) {
    gpumex_context *const cpu = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    are_apart = 1;
    OK(gpumex_random(cpu, GPUMEX_DTYPE_U64, tall, TALL * WORDS, 3, 0, 1.8e19));
    for (int count = 2; count <= 3; ++count) {
        open_ranks(count);
        for (boundary = 0; boundary < 3; ++boundary) {
            tall_rule = boundary == 1 ? "B36/S23" : NULL;
            tall_generations = 21, same_tall_bits(cpu);
            tall_generations = 3, same_tall_bits(cpu);
        }
        close_ranks();
    }
    OK(gpumex_context_destroy(cpu));
}

/* ---- the end of a call ---------------------------------------------------------------------------------------------------------------- */

/* So few columns that 64 exchanges, from one agreement to the next, take less than the 0.1 s that a cancelled rank waits for the others. */
enum { NARROW = 16 };

static void endless(rank *r) {
    const size_t from = part(ROWS, r->rank), count = part(ROWS, r->rank + 1) - from;
    const gpumex_life_options *const options = GPUMEX_OPTIONS(life, .variant = GPUMEX_LIFE_VARIANT_REGISTERS, .cells = GPUMEX_LIFE_CELLS_BITS);
    r->status = gpumex_comm_life(r->comm, options, next + from, count, NARROW, UINT64_MAX, next + from);
    snprintf(r->text, sizeof r->text, "%s", gpumex_last_error());
    r->next = gpumex_comm_life(r->comm, options, next + from, count, NARROW, 3, next + from);
    snprintf(r->next_text, sizeof r->next_text, "%s", gpumex_last_error());
}

static void *cancel_soon(void *unused) {
    const struct timespec moment = {0, 200000000};
    nanosleep(&moment, NULL);
    OK(gpumex_context_cancel(all[1].ctx));
    return unused;
}

static int32_t end_soon(void *user, uint64_t done, uint64_t total) { return (void)user, (void)total, done > 20; }

/* A call that is cancelled, or ended by a progress callback, on one rank: PEER on the others, and the communicator lives. */
static void ended(int is_cancelled) {
    pthread_t canceller;
    open_ranks(3);
    if (is_cancelled) CHECK(pthread_create(&canceller, NULL, cancel_soon, NULL) == 0);
    else OK(gpumex_context_set_progress(all[1].ctx, end_soon, NULL));
    on_all(endless);
    if (is_cancelled) pthread_join(canceller, NULL);
    for (int i = 0; i < ranks; ++i) {
        check(all[i].status == (i == 1 ? GPUMEX_STATUS_CANCELLED : GPUMEX_STATUS_PEER), all[i].text, __LINE__);
        check(all[i].next == GPUMEX_STATUS_OK, all[i].next_text, __LINE__);
    }
    close_ranks();
}

/* ---- faults ------------------------------------------------------------------------------------------------------------------------ */

static void (*fail)(const char *, int, int);

static void two_sorts(rank *r) {
    const size_t from = part(KEYS, r->rank), count = part(KEYS, r->rank + 1) - from;
    const gpumex_sort_options *const options = GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_U64);
    if (!r->is_late) r->status = gpumex_comm_sort(r->comm, options, keys + from, NULL, count, got + from, NULL);
    snprintf(r->text, sizeof r->text, "%s", gpumex_last_error());
    r->next = r->is_late ? GPUMEX_STATUS_PEER : gpumex_comm_sort(r->comm, options, keys + from, NULL, count, got + from, NULL);
    snprintf(r->next_text, sizeof r->next_text, "%s", gpumex_last_error());
}

/* All ranks have failed by PEER or TIMEOUT, or `own`; their communicators are dead, their contexts are not. */
static void all_failed(const char *what, int32_t own) {
    for (int i = 0; i < ranks; ++i) {
        gpumex_comm_info info = GPUMEX_COMM_INFO_INIT;
        uint64_t sum = 0, one = 1;
        const int is_late = all[i].is_late;
        if (!is_late && all[i].status != GPUMEX_STATUS_PEER && all[i].status != GPUMEX_STATUS_TIMEOUT && all[i].status != own) {
            fprintf(stderr, "%s: rank %d: status %d, %s\n", what, i, (int)all[i].status, all[i].text);
            exit(1);
        }
        CHECK(all[i].next == GPUMEX_STATUS_PEER && (is_late || strstr(all[i].next_text, "dead") != NULL));
        OK(gpumex_comm_get_info(all[i].comm, &info));
        CHECK(is_late || info.alive == 0);
        OK(gpumex_copy(all[i].ctx, &sum, &one, sizeof one));
        CHECK(sum == 1);
    }
}

static void faults(void) {
    static const struct { const char *name; int n, code; int32_t status; } told[] = {
        {"ncclSend", 1, 2, GPUMEX_STATUS_CUDA}, {"ncclRecv", 2, 4, GPUMEX_STATUS_CUDA}, {"ncclAllGather", 3, 6, GPUMEX_STATUS_PEER},
        {"ncclGroupEnd", 4, 2, GPUMEX_STATUS_CUDA}, {"ncclGroupStart", 2, 2, GPUMEX_STATUS_CUDA}, {"ncclCommGetAsyncError", 40, 6, GPUMEX_STATUS_PEER}};
    gpumex_context *const cpu = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    gpumex_comm *comm = NULL;
    void *const library = dlopen("libnccl.so.2", RTLD_NOW);
    CHECK(library != NULL);
    *(void **)&fail = dlsym(library, "stand_in_nccl_fail");
    OK(gpumex_random(cpu, GPUMEX_DTYPE_U64, keys, KEYS, 1, 0, 1.8e19));
    CHECK(gpumex_comm_unique_id(id, 127) == GPUMEX_STATUS_INVALID_ARGUMENT && gpumex_comm_unique_id(NULL, 128) == GPUMEX_STATUS_NULL_POINTER);
    OK(gpumex_comm_unique_id(id, sizeof id));
    CHECK(gpumex_comm_create_nccl(cpu, NULL, id, 0, 1, &comm) == GPUMEX_STATUS_UNSUPPORTED && comm == NULL);
    CHECK(gpumex_comm_create_nccl(cpu, NULL, NULL, 0, 1, &comm) == GPUMEX_STATUS_NULL_POINTER);
    CHECK(gpumex_comm_create_nccl(cpu, NULL, id, 2, 2, &comm) == GPUMEX_STATUS_INVALID_ARGUMENT);
    OK(gpumex_context_destroy(cpu));
    timeout_ms = 500;
    open_ranks(3); /* a rank leaves out a call */
    all[1].is_late = 1;
    on_all(two_sorts);
    all_failed("a rank that does not come", GPUMEX_STATUS_TIMEOUT);
    CHECK(all[0].status == GPUMEX_STATUS_TIMEOUT || all[2].status == GPUMEX_STATUS_TIMEOUT);
    close_ranks();
    for (size_t i = 0; i < sizeof told / sizeof *told; ++i) {
        open_ranks(3);
        fail(told[i].name, told[i].n, told[i].code);
        on_all(two_sorts);
        all_failed(told[i].name, told[i].status);
        close_ranks();
    }
    ranks = 2; /* a rank does not come to the creation */
    OK(gpumex_comm_unique_id(id, sizeof id));
    all[0].ctx = gpumex_context_create(GPUMEX_BACKEND_CUDA, 0);
    create(&all[0]);
    CHECK(all[0].status == GPUMEX_STATUS_TIMEOUT && all[0].comm == NULL);
    fail("ncclCommInitRankConfig", 1, 4);
    create(&all[0]);
    CHECK(all[0].status == GPUMEX_STATUS_CUDA && strstr(all[0].text, "invalid argument (the stand-in was told to)") != NULL);
    OK(gpumex_context_destroy(all[0].ctx));
}

/* No NCCL, or an old one: a sentence, and parts of one process cross all the same. */
static void unusable(const char *words) {
    gpumex_context *const ctx = gpumex_context_create(GPUMEX_BACKEND_CUDA, 0);
    gpumex_comm *comm = NULL;
    CHECK(gpumex_comm_unique_id(id, sizeof id) == GPUMEX_STATUS_UNSUPPORTED && strstr(gpumex_last_error(), words) != NULL);
    CHECK(gpumex_comm_create_nccl(ctx, NULL, id, 0, 1, &comm) == GPUMEX_STATUS_UNSUPPORTED && strstr(gpumex_last_error(), words) != NULL);
    OK(gpumex_context_destroy(ctx));
}

int main(int argc, char **argv) {
    const char *const mode = argc > 1 ? argv[1] : "";
    is_nccl = strcmp(mode, "nccl") == 0 || strcmp(mode, "faults") == 0;
    if (strcmp(mode, "local") == 0 || strcmp(mode, "nccl") == 0) same_bits(), ended(0), ended(1);
    else if (strcmp(mode, "joined") == 0) joined();
    else if (strcmp(mode, "faults") == 0) faults();
    else if (strcmp(mode, "absent") == 0) unusable("cannot load");
    else if (strcmp(mode, "old") == 0) unusable("found is 2.10");
    else return 2;
    puts("Test passed");
    return 0;
}
