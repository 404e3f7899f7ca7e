/* failing_ranks.c - each call of the CUDA driver and of NCCL, and each launch, that a call of several ranks on devices makes fails in turn
 * with each error that it may return.
 *
 *   failing_ranks SEED COUNT [LABEL]           COUNT cases, at least one of each error of each function; COUNT 0: all. Of one path
 *   failing_ranks LABEL COUNTER NUMBER ERROR   one of them: counted call NUMBER (from 0) of a rank, COUNTER 1 + rank, or of what makes the
 *                                              communicators of all, COUNTER 0, returns ERROR; errors are those of failing_driver.c, and
 *                                              for a function of NCCL those of NCCL
 *
 * The program is linked with libgpumex.a and the launchers of comm_kernels.c and stand_in_kernels.c, and finds the driver of
 * stand_in_driver.c and the NCCL of stand_in_nccl.c. A case is a process: contexts on all devices, their communicators (counted), a call
 * of all ranks (counted), the next one, the end of the communicators (counted) and of the contexts; then all that once more.
 *
 * Looked for: a rank that succeeds where another one fails; another status than that of the fault on the rank that has it, or than PEER on
 * the others (by NCCL, and by functions of the caller's, TIMEOUT too, where the others wait for a rank that has not come); a sentence that
 * does not name the error; a communicator that is alive and does not work, or that is dead and does; another result of the next call; a
 * next context that does not work, of another device where one is lost; what is never given back, communicators of NCCL among it; crashes;
 * calls that hang.
 * Left out: a reset of a device by other code while ranks use it. */
#include "failing_ranks.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT_OF_MEMORY = GPUMEX_STATUS_OUT_OF_MEMORY, CUDA = GPUMEX_STATUS_CUDA, UNSUPPORTED = GPUMEX_STATUS_UNSUPPORTED,
       PEER = GPUMEX_STATUS_PEER, TIMEOUT = GPUMEX_STATUS_TIMEOUT, CAPTURE_IMPLICIT = 906, NO_MEMORY = 2, NCCL_REMOTE = 6,
       PEER_IS_OPEN = 704, TOO_MANY_PEERS = 711, LIMIT_S = 30 };

enum step { OPEN, CALL, NEXT, CLOSE, AGAIN, REST };

typedef struct one_case {
    const path *path;
    long number; /* of the call that fails, with its counter; -1: none */
    int error;
} one_case;

typedef struct call_made { const char *name; const int *errors; } call_made;

/* What a case leaves for the process that started it. */
static struct report {
    char text[1400];
    uint64_t bits[MOST_RANKS]; /* without a fault */
    long calls[STAND_IN_COUNTERS];
    call_made call[STAND_IN_COUNTERS][STAND_IN_MOST_CALLS];
    char names[64][64]; /* of NCCL's functions, which have no address here */
} *report;

/* ---- one case ------------------------------------------------------------------------------------------------------------------ */

static void wrong(enum step step, const char *what) {
    static const char *const steps[] = {"communicators", "call", "next call", "end", "next contexts", "contexts of the rest"};
    const char *const failed = stand_in_has_failed() ? stand_in_failed() : "nothing";
    int at = snprintf(report->text, sizeof report->text, "%s failed; %s: %s", failed, steps[step], what);
    for (int i = 0; i < ranks && at < (int)sizeof report->text; ++i) {
        at += snprintf(report->text + at, sizeof report->text - (size_t)at, "\n    rank %d: %d \"%s\"", i, (int)all[i].status, all[i].text);
    }
    _exit(1);
}

static int is_of_nccl(const char *name) { return strncmp(name, "nccl", 4) == 0; }

/* Functions whose failure may go unnoticed: they give something back, or are asked again, or there is another way. */
static int may_be_ignored(const one_case *c, enum step step, const char *name) {
    static const char *const names[] = {
        "cuStreamIsCapturing", "cuDevicePrimaryCtxGetState", "cuCtxGetId", "cuCtxPushCurrent", "cuThreadExchangeStreamCaptureMode",
        "cuPointerGetAttributes", "cuCtxGetCurrent", "cuCtxGetDevice", "cuMemHostAlloc", "cuMemHostRegister", "cuDeviceCanAccessPeer",
        "cuCtxPopCurrent", "cuMemFree", "cuMemHostUnregister", "cuEventDestroy", "cuStreamDestroy", "cuMemPoolDestroy", "cuMemPoolTrimTo",
        "ncclCommFinalize", "ncclCommDestroy", "ncclCommAbort"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strncmp(name, names[i], strlen(names[i])) == 0) return 1;
    }
    const int is_open = c->error == PEER_IS_OPEN || c->error == TOO_MANY_PEERS;
    if (is_open && strcmp(name, "cuCtxEnablePeerAccess") == 0) return 1;
    if (c->path->transport == CALLBACKS && step == OPEN) return 1; /* parts cross in memory of the host then */
    return step == CLOSE || (c->error == NO_MEMORY && strncmp(name, "cuMemAlloc", 10) == 0);
}

/* Whether the sentence of an error names the fault. */
static int is_named(const one_case *c, const char *text) {
    static const char *const of_nccl[] = {"", "unhandled cuda error", "unhandled system error", "internal error", "invalid argument",
                                          "invalid usage", "remote process exited"};
    const int error = c->error % STAND_IN_STAYS;
    const char *name = NULL;
    char code[32];
    snprintf(code, sizeof code, "cudaError %d", error);
    if (error == CAPTURE_IMPLICIT && strstr(text, "is captured") != NULL) return 1;
    if (c->error >= STAND_IN_LOST && strstr(text, of_nccl[1]) != NULL) return 1; /* NCCL met the lost device */
    if (is_of_nccl(stand_in_failed()) && c->error < STAND_IN_LOST) return strstr(text, of_nccl[error]) != NULL;
    if (cuGetErrorName(error, &name) == 0 && strstr(text, name) != NULL) return 1;
    return strstr(text, code) != NULL || strstr(text, "out of ") != NULL;
}

/* Whether a status is that of the fault. */
static int is_own(const one_case *c, int32_t status) {
    const int error = c->error % STAND_IN_STAYS, is_nccl = is_of_nccl(stand_in_failed());
    if (is_nccl && c->error < STAND_IN_LOST) return status == (error == NCCL_REMOTE ? PEER : CUDA);
    if (error == CAPTURE_IMPLICIT && status == UNSUPPORTED) return 1; /* another stream is captured */
    return status == (error == NO_MEMORY && !is_nccl ? OUT_OF_MEMORY : CUDA);
}

static int is_of_others(const one_case *c, int32_t status) {
    return status == PEER || (status == TIMEOUT && c->path->transport != LOCAL) || (status == CUDA && stand_in_is_gone());
}

static int succeeded(void) {
    int count = 0;
    for (int i = 0; i < ranks; ++i) count += all[i].status == 0;
    return count;
}

/* The rank that has the fault, -1: all. A thread may give back what is another device's, and meet an error of that one. */
static int failed_rank(const one_case *c) {
    const int counter = (int)(c->number / STAND_IN_MOST_CALLS);
    for (int i = 0; i < ranks && counter > 0; ++i) {
        if (stand_in_device_has_faulted(all[i].device)) return i;
    }
    return counter - 1;
}

/* The statuses of a step in which a call has failed. */
static void check_fault(const one_case *c, enum step step) {
    const int failed = failed_rank(c), is_by_functions = c->path->transport == CALLBACKS && step == OPEN;
    if (succeeded() == ranks) {
        if (!may_be_ignored(c, step, stand_in_failed())) wrong(step, "the fault is ignored");
        return;
    }
    /* Behind the last step of a call it cannot tell others that it has failed, where these are not of one group of threads. */
    const int are_told = c->path->transport == LOCAL || failed < 0 || is_alive(&all[failed]);
    if (succeeded() != 0 && are_told) wrong(step, "a rank succeeds where another one fails");
    for (int i = 0; i < ranks; ++i) {
        const int is_failed = failed < 0 || i == failed;
        if (is_failed && !is_own(c, all[i].status)) {
            if (!((stand_in_is_gone() || is_by_functions) && is_of_others(c, all[i].status))) wrong(step, "another status than that of the fault");
        } else if (is_failed && !is_named(c, all[i].text)) {
            wrong(step, "the sentence does not name the error");
        } else if (!is_failed && !is_of_others(c, all[i].status) && (are_told || all[i].status != 0)) {
            wrong(step, "another status of a rank that has not failed");
        }
    }
}

static void check_bits(const one_case *c, enum step step) {
    for (int i = 0; i < ranks && c->path->has_bits && step != REST; ++i) {
        if (c->number < 0 && step == CALL) report->bits[i] = bits_of(&all[i]);
        else if (bits_of(&all[i]) != report->bits[i]) wrong(step, "another result");
    }
}

/* The statuses of a step whose calls are counted. */
static void check_counted(const one_case *c, enum step step, int had_failed) {
    if (stand_in_has_failed() && !had_failed) check_fault(c, step);
    else if (succeeded() != ranks && !stand_in_has_ended()) wrong(step, had_failed ? "a later call fails" : "a call fails without a fault");
    if (step == CALL && succeeded() == ranks) check_bits(c, step);
}

/* A call behind the one that may have failed. */
static void take_next(const one_case *c) {
    int alive = 0;
    for (int i = 0; i < ranks; ++i) alive += is_alive(&all[i]);
    on_all(call);
    if (alive == ranks && !stand_in_has_ended()) {
        if (succeeded() != ranks) wrong(NEXT, "it fails, and the communicator is alive");
        return check_bits(c, NEXT);
    }
    if (alive < ranks && succeeded() != 0) wrong(NEXT, "it succeeds in a communicator that is dead");
    for (int i = 0; i < ranks; ++i) {
        const int32_t status = all[i].status;
        const int is_dead = status == PEER || (status == TIMEOUT && c->path->transport != LOCAL);
        if (status != 0 && !is_dead && !(stand_in_has_ended() && status == CUDA)) wrong(NEXT, "another status");
    }
}

/* All of it without a fault, on all devices but one, or on all. */
static void take_again(const one_case *c, enum step step, int but) {
    if (open_contexts(but) != 0) wrong(step, gpumex_last_error());
    fill_blocks();
    open_comms();
    if (succeeded() != ranks) wrong(step, "no communicators");
    on_all(call);
    if (succeeded() != ranks) wrong(step, "the call fails");
    check_bits(c, step);
    on_all(destroy);
    if (succeeded() != ranks || close_contexts() != 0) wrong(step, "the end fails");
}

/* Nothing is kept at the end but primary contexts; of a device that is gone only what threads have. */
static void check_live(void) {
    char text[100];
    int (*nccl_live)(void) = NULL;
    void *const nccl = dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
    if (nccl != NULL) *(void **)&nccl_live = dlsym(nccl, "stand_in_nccl_live");
    for (int kind = LIVE_PUSHED; kind < LIVE_KINDS; ++kind) {
        snprintf(text, sizeof text, "%ld %s are left", stand_in_live(kind), stand_in_kind(kind));
        if (stand_in_live(kind) != 0 && (kind == LIVE_PUSHED || !stand_in_is_gone())) wrong(CLOSE, text);
    }
    if (nccl_live != NULL && nccl_live() != 0 && !stand_in_is_gone()) wrong(CLOSE, "communicators of NCCL are left");
}

static void use_the_rest(const one_case *c) {
    int lost = -1;
    for (int device = 0; device < c->path->ranks; ++device) {
        if (stand_in_device_has_faulted(device)) lost = device;
    }
    if (stand_in_is_lost()) {
        if (!stand_in_is_gone() && c->path->ranks > 2) take_again(c, REST, lost);
        return;
    }
    if (lost >= 0) cuDevicePrimaryCtxReset_v2(lost);
    take_again(c, AGAIN, -1);
}

/* Names of functions in another library, which parents and children do not have at one address. */
static const char *kept(const char *name) {
    if (!is_of_nccl(name)) return name;
    size_t i = 0;
    while (i < 63 && report->names[i][0] != 0 && strcmp(report->names[i], name) != 0) ++i;
    snprintf(report->names[i], sizeof report->names[i], "%s", name);
    return report->names[i];
}

static void note_calls(void) {
    static const int of_nccl[] = {1, 2, 3, 4, 5, NCCL_REMOTE, 0};
    for (int counter = 0; counter < STAND_IN_COUNTERS; ++counter) {
        report->calls[counter] = stand_in_calls(counter);
        for (long i = 0; i < report->calls[counter]; ++i) {
            const long number = counter * STAND_IN_MOST_CALLS + i;
            const char *const name = stand_in_name(number);
            report->call[counter][i] = (call_made){kept(name), is_of_nccl(name) ? of_nccl : stand_in_errors(number)};
        }
    }
}

static void run_case(const one_case *c) {
    alarm(LIMIT_S);
    taken = c->path;
    if (open_contexts(-1) != 0) wrong(OPEN, gpumex_last_error());
    fill_blocks();
    stand_in_fail(c->number, c->error);
    stand_in_count(1);
    open_comms();
    stand_in_count(0);
    check_counted(c, OPEN, 0);
    const int are_open = succeeded() == ranks;
    if (are_open) {
        const int had_failed = stand_in_has_failed();
        stand_in_count(1);
        on_all(call);
        stand_in_count(0);
        check_counted(c, CALL, had_failed);
        take_next(c);
    }
    const int had_failed = stand_in_has_failed();
    stand_in_count(1);
    on_all(destroy);
    stand_in_count(0);
    check_counted(c, CLOSE, had_failed);
    if (c->number < 0) note_calls();
    const int32_t closed = close_contexts();
    if (closed != 0 && !stand_in_has_ended()) wrong(CLOSE, gpumex_last_error());
    use_the_rest(c);
    check_live();
    _exit(c->number < 0 || stand_in_has_failed() ? 0 : 3);
}

/* ---- all of them --------------------------------------------------------------------------------------------------------------- */

static size_t not_made;

/* Runs a case in a new process; whether it fails. */
static int run_apart(const one_case *c) {
    int status = 0;
    report->text[0] = 0;
    const pid_t child = fork();
    if (child == 0) run_case(c);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) snprintf(report->text, sizeof report->text, "signal %d, %s", WTERMSIG(status), strsignal(WTERMSIG(status)));
    const int is_made = !WIFEXITED(status) || WEXITSTATUS(status) != 3;
    not_made += !is_made;
    return status != 0 && is_made;
}

#include "failing_ranks_cases.h"

static int run_all(uint64_t seed, size_t count, const char *label) {
    static uint64_t bits[PATHS][MOST_RANKS];
    size_t failed = 0;
    random_state = seed;
    for (size_t i = 0; i < PATHS; ++i) {
        if (label != NULL && strcmp(paths[i].label, label) != 0) continue;
        const one_case baseline = {&paths[i], -1, 0};
        if (run_apart(&baseline)) return printf("%s without a fault: %s\n", paths[i].label, report->text), 1;
        memcpy(bits[i], report->bits, sizeof report->bits);
        list(&paths[i]);
    }
    const size_t listed_count = case_count;
    shuffle();
    if (count != 0 && count < case_count) case_count = count;
    for (size_t i = 0; i < case_count; ++i) {
        const one_case *const c = &cases[i].one;
        memcpy(report->bits, bits[c->path - paths], sizeof report->bits);
        if (!run_apart(c)) continue;
        ++failed;
        const long counter = c->number / STAND_IN_MOST_CALLS, number = c->number % STAND_IN_MOST_CALLS;
        printf("\"%s\" %ld %ld %d: %s: %s\n", c->path->label, counter, number, c->error, cases[i].name, report->text);
    }
    printf("%zu of %zu cases, seed %llu, %zu not made, %zu failed\n", case_count, listed_count, (unsigned long long)seed, not_made, failed);
    return failed != 0;
}

static int run_one(char **argv) {
    one_case c = {NULL, -1, 0};
    for (size_t i = 0; i < PATHS; ++i) {
        if (strcmp(paths[i].label, argv[1]) == 0) c.path = &paths[i];
    }
    if (c.path == NULL) return fprintf(stderr, "no such path\n"), 2;
    int failed = run_apart(&c);
    if (!failed) {
        const long counter = atol(argv[2]) % STAND_IN_COUNTERS, number = atol(argv[3]);
        printf("call %ld of %ld is %s\n", number, report->calls[counter], report->call[counter][number].name);
        c.number = counter * STAND_IN_MOST_CALLS + number, c.error = atoi(argv[4]);
        failed = run_apart(&c);
    }
    return printf("%s\n", failed ? report->text : "as it should be"), failed;
}

int main(int argc, char **argv) {
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    setenv("STAND_IN_DEVICES", "3", 1), setenv("STAND_IN_NCCL_TELLS", "1", 1);
    if (report == MAP_FAILED) return 2;
    fill_in();
    if (argc == 5) return run_one(argv);
    if (argc != 3 && argc != 4) return fprintf(stderr, "usage: failing_ranks SEED COUNT [LABEL] | LABEL COUNTER NUMBER ERROR\n"), 2;
    return run_all(strtoull(argv[1], NULL, 10), strtoul(argv[2], NULL, 10), argv[3]);
}
