/* stand_in_nccl.c - a libnccl.so.2 that needs no GPU: ranks are threads of one process, memory of devices is that of the host
 * (stand_in_driver.c), and a call is done when ncclCommGetAsyncError has said so.
 *
 *   Version    That of STAND_IN_NCCL_VERSION in the environment, else 22803.
 *   Faults     stand_in_nccl_fail (name, n, code): the n-th call of a function from then on, from 1, returns an error, once. Where the process
 *              has the stand-in for the driver, calls are counted and fail as that says: each returns any error, and what has begun ends
 *              with any of them as the state that ncclCommGetAsyncError writes.
 *   Aborts     With STAND_IN_NCCL_TELLS in the environment the others get ncclRemoteError, as NCCL tells ranks on other machines; without it
 *              they wait.
 *   Misuse     A call before the one before was done, of a communicator that is gone, or with a config of another beginning, ends the program.
 *   Source     NVIDIA, "NCCL API" 2.28: asynchronous communicators, group calls, errors. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, SYSTEM = 2, ARGUMENT = 4, REMOTE = 6, IN_PROGRESS = 7, MOST_RANKS = 16, MOST_GROUPS = 256, MOST_WORK = 256 };

typedef struct letter {
    struct letter *next;
    size_t bytes;
    char data[];
} letter;

typedef struct group {
    uint64_t id;
    int ranks, joined, finished, is_broken;
    letter *queue[MOST_RANKS][MOST_RANKS]; /* from, to */
} group;

typedef struct receive {
    int from;
    char *to;
    size_t bytes;
} receive;

typedef struct comm {
    group *of;
    int rank, is_final;
    receive work[MOST_WORK];
    int count, done;
} comm;

typedef struct id { uint64_t number; char rest[120]; } id;
typedef struct config { size_t size; unsigned magic, version; int blocking; } config;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static group groups[MOST_GROUPS];
static uint64_t ids;
static int live;
static const char *failing = "";
static int failing_in, failing_with;
static __thread int depth;
static __thread comm *of_group; /* the calls of one group are of one communicator here */

void stand_in_nccl_fail(const char *name, int n, int code) { failing = name, failing_in = n, failing_with = code; }

int stand_in_nccl_live(void) { return live; } /* communicators */

/* Of the stand-in for the driver, where there is one. */
__attribute__((weak)) int stand_in_call(const char *name, const int *errors);

static int counted_fault(const char *name) {
    static const int errors[] = {1 /* CUDA */, SYSTEM, 3 /* internal */, ARGUMENT, 5 /* usage */, REMOTE, 0};
    return stand_in_call == NULL ? SUCCESS : stand_in_call(name, errors);
}

static int fault(const char *name) {
    const int counted = counted_fault(name);
    if (counted != SUCCESS) return counted;
    pthread_mutex_lock(&lock);
    const int fails = strcmp(name, failing) == 0 && failing_in > 0 && --failing_in == 0;
    pthread_mutex_unlock(&lock);
    return fails ? failing_with : SUCCESS;
}
#define FAULT() do { const int code = fault(__func__); if (code) return code; } while (0)

static void misused(const char *what) {
    fprintf(stderr, "stand-in NCCL: %s\n", what);
    abort();
}

int ncclGetVersion(int *version) {
    const char *const text = getenv("STAND_IN_NCCL_VERSION");
    return *version = text == NULL ? 22803 : atoi(text), SUCCESS;
}

const char *ncclGetErrorString(int code) {
    static const char *const texts[] = {"no error", "unhandled cuda error", "unhandled system error", "internal error", "invalid argument",
                                        "invalid usage", "remote process exited"};
    return code >= 0 && code <= REMOTE ? texts[code] : "unknown result code";
}

const char *ncclGetLastError(comm *one) { return (void)one, failing_with ? "the stand-in was told to" : ""; }

int ncclGetUniqueId(id *made) {
    FAULT();
    memset(made, 0, sizeof *made);
    pthread_mutex_lock(&lock);
    made->number = ++ids;
    pthread_mutex_unlock(&lock);
    return SUCCESS;
}

/* The lock is held. */
static void break_group(group *of) { of->is_broken = getenv("STAND_IN_NCCL_TELLS") != NULL; }

static group *group_of(id with, int ranks) {
    group *const of = &groups[with.number % MOST_GROUPS];
    if (of->id != with.number) memset(of, 0, sizeof *of);
    of->id = with.number, of->ranks = ranks;
    return of;
}

/* A rank that does not come. */
static int refused(id with, int ranks, int code) {
    pthread_mutex_lock(&lock);
    break_group(group_of(with, ranks));
    return pthread_mutex_unlock(&lock), code;
}

int ncclCommInitRankConfig(comm **made, int ranks, id with, int rank, const config *how) {
    *made = NULL;
    const int code = fault(__func__);
    if (code != SUCCESS) return refused(with, ranks, code);
    if (how->size < 20 || how->magic != 0xcafebeef || how->version < 21400 || how->blocking != 0) misused("another ncclConfig_t");
    if (ranks > MOST_RANKS || rank >= ranks || with.number == 0) return ARGUMENT;
    comm *const one = calloc(1, sizeof *one);
    pthread_mutex_lock(&lock);
    one->of = group_of(with, ranks), one->rank = rank;
    ++one->of->joined, ++live;
    pthread_mutex_unlock(&lock);
    return *made = one, IN_PROGRESS;
}

/* Receives what has come. */
static int state_of(comm *one) {
    group *const of = one->of;
    const int waits = of->is_broken ? REMOTE : IN_PROGRESS;
    if (of->joined < of->ranks || (one->is_final && of->finished < of->ranks)) return waits;
    while (one->done < one->count) {
        const receive *const next = &one->work[one->done];
        letter **const first = &of->queue[next->from][one->rank], *const got = *first;
        if (got == NULL) return waits;
        if (got->bytes != next->bytes) misused("a message of another size");
        memcpy(next->to, got->data, got->bytes);
        *first = got->next;
        free(got);
        ++one->done;
    }
    return one->count = one->done = 0, SUCCESS;
}

int ncclCommGetAsyncError(comm *one, int *state) {
    FAULT();
    if (one == NULL) misused("a communicator that is NULL");
    pthread_mutex_lock(&lock);
    *state = state_of(one);
    pthread_mutex_unlock(&lock);
    const int code = counted_fault("ncclCommGetAsyncError, the state");
    if (code != SUCCESS) *state = code;
    return SUCCESS;
}

int ncclGroupStart(void) {
    FAULT();
    return ++depth, SUCCESS;
}

int ncclGroupEnd(void) {
    --depth;
    of_group = NULL;
    FAULT();
    return IN_PROGRESS;
}

static void begin(comm *one) {
    pthread_mutex_lock(&lock);
    if (depth == 0) misused("a call outside of a group");
    if (of_group != one && state_of(one) != SUCCESS) misused("a call before the one before was done");
    of_group = one;
}

static void put(comm *one, const void *data, size_t bytes, int to) {
    letter *const sent = malloc(sizeof *sent + bytes), **last = &one->of->queue[one->rank][to];
    sent->next = NULL, sent->bytes = bytes;
    memcpy(sent->data, data, bytes);
    while (*last != NULL) last = &(*last)->next;
    *last = sent;
}

static void expect(comm *one, void *to, size_t bytes, int from) {
    if (one->count == MOST_WORK) misused("too much at once");
    one->work[one->count++] = (receive){from, to, bytes};
}

int ncclSend(const void *data, size_t bytes, int type, int peer, comm *one, void *stream) {
    (void)stream;
    FAULT();
    if (type != 0 || peer == one->rank || peer >= one->of->ranks) return ARGUMENT;
    begin(one);
    put(one, data, bytes, peer);
    return pthread_mutex_unlock(&lock), SUCCESS;
}

int ncclRecv(void *data, size_t bytes, int type, int peer, comm *one, void *stream) {
    (void)stream;
    FAULT();
    if (type != 0 || peer == one->rank || peer >= one->of->ranks) return ARGUMENT;
    begin(one);
    expect(one, data, bytes, peer);
    return pthread_mutex_unlock(&lock), SUCCESS;
}

int ncclAllGather(const void *own, void *all, size_t bytes, int type, comm *one, void *stream) {
    (void)stream;
    FAULT();
    if (type != 0) return ARGUMENT;
    begin(one);
    for (int rank = 0; rank < one->of->ranks; ++rank) put(one, own, bytes, rank);
    for (int rank = 0; rank < one->of->ranks; ++rank) expect(one, (char *)all + (size_t)rank * bytes, bytes, rank);
    return pthread_mutex_unlock(&lock), SUCCESS;
}

int ncclCommFinalize(comm *one) {
    FAULT();
    pthread_mutex_lock(&lock);
    one->is_final = 1;
    ++one->of->finished;
    pthread_mutex_unlock(&lock);
    return IN_PROGRESS;
}

int ncclCommDestroy(comm *one) {
    const int code = counted_fault(__func__);
    if (!one->is_final || one->of->finished < one->of->ranks) misused("the end of a communicator that is in use");
    pthread_mutex_lock(&lock);
    --live;
    return pthread_mutex_unlock(&lock), free(one), code;
}

int ncclCommAbort(comm *one) {
    const int code = counted_fault(__func__);
    pthread_mutex_lock(&lock);
    break_group(one->of), --live;
    return pthread_mutex_unlock(&lock), free(one), code;
}
