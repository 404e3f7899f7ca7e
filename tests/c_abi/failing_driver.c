/* failing_driver.c - each call of the CUDA driver, and each launch, of each operation fails in turn with each error that it may return.
 *
 *   failing_driver SEED COUNT [LABEL]          COUNT cases, at least one of each error of each function; COUNT 0: all. Of one operation
 *   failing_driver LABEL MODE NUMBER ERROR     one of them: counted call NUMBER (from 0) returns ERROR, a CUresult or cudaError_t;
 *                                              10002: OUT_OF_MEMORY, and so do later calls of the same function in this step;
 *                                              20000 + ERROR: and so does what works in a context from then on; 40000 + ERROR: every call
 *
 * The program is linked with libgpumex.a, has launchers of its own (stand_in_kernels.c) and the driver of stand_in_driver.c: it needs
 * no GPU, and results are not compared. A case is a process. Its mode says from where on calls are counted, and may fail:
 *
 *   cold   the creation of the first context, a call with arrays of the device, of the host (few and many elements), one that is
 *          captured into a graph, the end of the context and then of its memory
 *   warm   the same calls a second time, the end of the memory and then of the context
 *   auto   the creation of the first context with the backend AUTO, a call with arrays of the host
 *
 * Looked for: another status than those of the header; a sentence that does not name the error, does not say what to do about one that
 * stays, or is another one later; a call that succeeds although a part of it failed; a next call that fails; a default context that does
 * not work after its reset; what is never given back; crashes; calls that hang. */
#include "failing_driver.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- one case ------------------------------------------------------------------------------------------------------------------ */

enum { OUT_OF_MEMORY = GPUMEX_STATUS_OUT_OF_MEMORY, NO_DEVICE = GPUMEX_STATUS_NO_DEVICE, CUDA = GPUMEX_STATUS_CUDA,
       UNSUPPORTED = GPUMEX_STATUS_UNSUPPORTED, CAPTURE_IMPLICIT = 906, NOT_READY = 600, NO_MEMORY = 2 };

typedef struct one_case {
    const operation *op;
    enum mode mode;
    long number; /* of the call that fails; -1: none */
    int error;
} one_case;

/* What a case leaves for the process that started it. */
static struct report {
    char text[1024];
    int32_t wanted[STEPS]; /* statuses without a fault */
    long calls;
    struct { const char *name; const int *errors; } call[STAND_IN_MOST_CALLS];
} *report;

static void wrong(enum step step, int32_t status, const char *what) {
    const char *const text = status == 0 ? "" : gpumex_last_error();
    snprintf(report->text, sizeof report->text, "%s: %s: status %d, \"%s\"", step_name(step), what, (int)status, text);
    _exit(1);
}

/* Functions whose failure may go unnoticed: they give something back, or are asked again, or there is another way. */
static int may_be_ignored(const operation *op, const char *name, int error) {
    static const char *const names[] = {
        "cuStreamIsCapturing", "cuDevicePrimaryCtxGetState", "cuCtxGetId", "cuCtxPushCurrent", "cuThreadExchangeStreamCaptureMode",
        "cuPointerGetAttributes", "cuCtxGetCurrent", "cuCtxGetDevice", "cuMemHostAlloc", "cuMemHostRegister",
        "cuCtxPopCurrent", "cuMemFree", "cuMemHostUnregister", "cuEventDestroy", "cuStreamDestroy", "cuMemPoolDestroy", "cuMemPoolTrimTo"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        if (strncmp(name, names[i], strlen(names[i])) == 0) return 1;
    }
    if (error == NOT_READY && strncmp(name, "cuEventElapsedTime", 18) == 0) return 1; /* an event recorded anew is waited for again */
    if (has_copy_threads(op) && error % STAND_IN_STAYS == NO_MEMORY) return 1;
    return error == NO_MEMORY && strncmp(name, "cuMemAlloc", 10) == 0;
}

/* Whether the sentence of an error names a fault. */
static int is_named(const char *text, int error) {
    const char *name = NULL;
    char code[32];
    snprintf(code, sizeof code, "cudaError %d", error);
    if (cuGetErrorName(error, &name) == 0 && strstr(text, name) != NULL) return 1;
    if (stand_in_has_ended() && (strstr(text, "was reset by other code") != NULL || strstr(text, "CONTEXT_IS_DESTROYED") != NULL)) return 1;
    return strstr(text, code) != NULL || strstr(text, "out of ") != NULL;
}

/* The status of a step in which a call has failed. */
static void check_status(const one_case *c, enum step step, int32_t status) {
    const int error = c->error % STAND_IN_STAYS;
    if (status == report->wanted[step]) {
        const int gives_back = has_a_context(c->op) || step >= FREE;
        if (!may_be_ignored(c->op, stand_in_failed(), c->error) && !gives_back && c->mode != AUTO) wrong(step, status, "the fault is ignored");
        return;
    }
    if (error == CAPTURE_IMPLICIT && status == UNSUPPORTED) return; /* another stream is captured */
    if (status != (error == NO_MEMORY ? OUT_OF_MEMORY : CUDA) && !(step == CREATE && status == NO_DEVICE)) {
        wrong(step, status, "another status than that of the fault");
    }
    if (!is_named(gpumex_last_error(), error)) wrong(step, status, "the sentence does not name the error");
    const int needs_help = stand_in_has_faulted() && !stand_in_is_lost() && status == CUDA;
    if (needs_help && strstr(gpumex_last_error(), "anew") == NULL) wrong(step, status, "the sentence does not say what to do");
}

static void check_thread(enum step step, int32_t status) {
    if (stand_in_live(LIVE_PUSHED) != 0) wrong(step, status, "a context is left current");
    if (stand_in_capture_mode() != 0) wrong(step, status, "the capture mode of the thread is left changed");
}

/* What follows the name of the function in the sentence of the error. */
static const char *message(void) {
    const char *const colon = strstr(gpumex_last_error(), ": ");
    return colon == NULL ? "" : colon + 2;
}

/* A step whose calls are counted. */
static void attempt(const one_case *c, run *r, enum step step) {
    static char fault[400]; /* the message of the call that has met a sticky error */
    const int had_failed = stand_in_has_failed();
    stand_in_count(1);
    int32_t status = take(r, step);
    stand_in_count(0);
    check_thread(step, status);
    if (c->number < 0) report->wanted[step] = status;
    if (c->number < 0 && (status == GPUMEX_STATUS_INVALID_ARGUMENT || status == GPUMEX_STATUS_NULL_POINTER)) {
        wrong(step, status, "the operation is refused, and tests nothing");
    }
    const int32_t wanted = report->wanted[step];
    if (had_failed && stand_in_has_ended() && step < FREE) {
        const int is_another = c->mode == AUTO || (has_a_context(c->op) && !stand_in_has_faulted());
        /* It was not kept, and printing an array of the host asks nothing of the device. */
        const int is_unmet = (fault[0] == 0 || stand_in_is_lost()) && (step == FEW_ON_HOST || step == MANY_ON_HOST) && strncmp(c->op->label, "print", 5) == 0;
        if (status != CUDA && !((is_another || is_unmet) && status == report->wanted[step])) wrong(step, status, "a context that has faulted goes on");
        const int may_differ = stand_in_is_lost() && is_named(gpumex_last_error(), c->error % STAND_IN_STAYS); /* another call meets it */
        const int is_told = fault[0] == 0 || status != CUDA || may_differ || strcmp(message(), fault) == 0;
        if (!is_told) wrong(step, status, "another sentence than that of the fault");
    } else if (!stand_in_has_failed() || had_failed) {
        if (status != wanted) wrong(step, status, had_failed ? "a later call fails" : "a call fails without a fault");
    } else {
        check_status(c, step, status);
        if (status == CUDA && stand_in_has_faulted() && !asks_without_context(c->op)) snprintf(fault, sizeof fault, "%s", message());
        if (status == wanted || stand_in_has_ended()) return;
        status = take(r, step);
        if (status != wanted) wrong(step, status, "the next call fails");
        check_thread(step, status);
    }
}

/* After its reset the default context works, on this backend. */
static void use_default_context(int32_t due) {
    const uint8_t data[3] = {1, 2, 2};
    uint64_t counts[256] = {0};
    int32_t backend = GPUMEX_BACKEND_AUTO;
    int32_t status = gpumex_reset_default();
    UNTIL_ERROR(status, gpumex_histogram(gpumex_context_default(), NULL, data, 3, counts, 256));
    UNTIL_ERROR(status, gpumex_context_backend(gpumex_context_default(), &backend));
    if (status != 0 || backend != due) wrong(CREATE, status, "the default context does not work after its reset");
    (void)gpumex_reset_default();
}

/* Where the primary context has faulted CUDA is refused, and AUTO takes the CPU, until it is reset. */
static void meet_fault(void) {
    int32_t backend = GPUMEX_BACKEND_CUDA;
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_CUDA, -1);
    const int is_refused = gpumex_last_status() == CUDA || (stand_in_is_gone() && gpumex_last_status() == NO_DEVICE);
    if (ctx != NULL || !is_refused) wrong(CREATE, gpumex_last_status(), "a context on a device that has faulted");
    ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    const int32_t status = ctx == NULL ? gpumex_last_status() : gpumex_context_backend(ctx, &backend);
    if (status != 0 || backend != GPUMEX_BACKEND_CPU) wrong(CREATE, status, "AUTO does not take the CPU");
    gpumex_context_destroy(ctx);
    use_default_context(GPUMEX_BACKEND_CPU);
}

/* The same steps in a context that comes later. */
static void use_next_context(const one_case *c, run *r) {
    for (enum step step = CREATE; step <= DESTROY; ++step) {
        if (c->mode == AUTO && step != CREATE && step != FEW_ON_HOST && step < FREE) continue;
        const int32_t status = take(r, step), wanted = report->wanted[step];
        if (status != wanted) wrong(step, status, "the next context does not work");
    }
}

/* Nothing is kept at the end but the primary context; of a device that is gone only what threads have. */
static void check_live(const one_case *c) {
    for (int kind = 0; kind < LIVE_KINDS; ++kind) {
        char text[100];
        const int may_be_none = c->mode == AUTO || stand_in_is_lost();
        const long live = stand_in_live(kind), kept = kind == LIVE_CONTEXTS ? may_be_none && live == 0 ? 0 : 1 : 0;
        snprintf(text, sizeof text, "%ld %s at the end", live, stand_in_kind(kind));
        if (live != kept && (kind == LIVE_PUSHED || !stand_in_is_gone())) wrong(DESTROY, 0, text);
    }
}

static void run_case(const one_case *c) {
    static const enum step steps[] = {ON_DEVICE, FEW_ON_HOST, MANY_ON_HOST, CAPTURED};
    static run r;
    alarm(20);
    report->text[0] = 0;
    prepare(&r, c->op, c->mode);
    stand_in_fail(c->number, c->error);
    if (c->mode == WARM) {
        take(&r, CREATE);
        for (int i = 0; i < 4; ++i) take(&r, steps[i]);
    } else {
        attempt(c, &r, CREATE);
    }
    for (int i = 0; i < 4; ++i) {
        if (r.dev.ctx != NULL && (c->mode != AUTO || steps[i] == FEW_ON_HOST)) attempt(c, &r, steps[i]);
    }
    attempt(c, &r, c->mode == WARM ? FREE : DESTROY);
    attempt(c, &r, c->mode == WARM ? DESTROY : FREE);
    if (c->number >= 0 && !stand_in_has_failed() && !has_copy_threads(c->op)) {
        wrong(CREATE, 0, "the call that was to fail was not made");
    }
    if (c->number < 0) {
        report->calls = stand_in_calls(0);
        for (long i = 0; i < report->calls; ++i) report->call[i].name = stand_in_name(i), report->call[i].errors = stand_in_errors(i);
    }
    const int has_faulted = stand_in_has_faulted();
    if (has_faulted) meet_fault();
    if (stand_in_has_ended()) cuDevicePrimaryCtxReset_v2(0);
    if (!stand_in_is_lost()) use_next_context(c, &r);
    if (has_faulted && !stand_in_is_lost()) use_default_context(GPUMEX_BACKEND_CUDA);
    check_live(c);
    _exit(0);
}

/* ---- all of them --------------------------------------------------------------------------------------------------------------- */

#include "failing_cases.h"

/* Runs a case in a new process; whether it fails. */
static int run_apart(const one_case *c) {
    int status = 0;
    const pid_t child = fork();
    if (child == 0) run_case(c);
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) snprintf(report->text, sizeof report->text, "signal %d, %s", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return status != 0;
}

static void add_case(const one_case *baseline, long number, int error) {
    add_listed((listed){{baseline->op, baseline->mode, number, error}, report->call[number].name});
}

/* What a driver answers when the device falls off the bus, resets itself or is taken away. */
static const int losses[] = {46 /* unavailable */, 100 /* no device */, 214 /* ECC */, 220 /* NVLink */, 719, 802 /* not ready */, 999};
enum { LOSSES = sizeof losses / sizeof *losses };

static void list(const one_case *baseline) {
    for (long i = 0; i < report->calls; ++i) {
        for (const int *error = report->call[i].errors; *error != 0; ++error) {
            add_case(baseline, i, *error);
            if (*error == NO_MEMORY) add_case(baseline, i, NO_MEMORY + STAND_IN_STAYS);
        }
        add_case(baseline, i, STAND_IN_LOST + losses[i % LOSSES]);
        add_case(baseline, i, STAND_IN_GONE + losses[i % LOSSES]);
    }
}

static int is_launcher(const char *name) { return strncmp(name, "cu", 2) != 0 && strcmp(name, "device_ready") != 0; }

/* Whether two cases are of the same function, all launchers of an operation being one, and the same error; a loss is of no function. */
static int are_alike(const listed *a, const listed *b) {
    if (a->one.error >= STAND_IN_LOST && a->one.error == b->one.error) return 1;
    return a->one.error == b->one.error && (strcmp(a->name, b->name) == 0 || (is_launcher(a->name) && is_launcher(b->name)));
}

/* At least one case of each error of each function comes first, in a random order. */
static void shuffle(void) {
    bring_into_random_order();
    printf("%zu pairs of a function and an error\n", bring_forward(0, NULL, are_alike));
}

static int run_all(uint64_t seed, size_t count, const char *label) {
    enum { SHOWN = 40 };
    static int32_t wanted[sizeof operations / sizeof *operations][MODES][STEPS];
    size_t failed = 0;
    random_state = seed;
    for (size_t o = 0; o < operation_count; ++o) {
        for (enum mode mode = COLD; mode < MODES; ++mode) {
            if (label != NULL && strcmp(operations[o].label, label) != 0) continue;
            if (mode == AUTO && !runs_on_cpu(&operations[o])) continue;
            const one_case baseline = {&operations[o], mode, -1, 0};
            if (run_apart(&baseline)) return printf("%s %s without a fault: %s\n", baseline.op->label, mode_name(mode), report->text), 1;
            memcpy(wanted[o][mode], report->wanted, sizeof report->wanted);
            list(&baseline);
        }
    }
    const size_t all = case_count;
    shuffle();
    if (count != 0 && count < all) case_count = count;
    for (size_t i = 0; i < case_count; ++i) {
        const one_case *const c = &cases[i].one;
        memcpy(report->wanted, wanted[c->op - operations][c->mode], sizeof report->wanted);
        if (!run_apart(c)) continue;
        if (++failed > SHOWN && count != 0) continue;
        printf("\"%s\" %s %ld %d: %s: %s\n", c->op->label, mode_name(c->mode), c->number, c->error, cases[i].name, report->text);
    }
    printf("%zu of %zu cases, seed %llu, %zu failed\n", case_count, all, (unsigned long long)seed, failed);
    return failed != 0;
}

static int run_one(char **argv) {
    one_case c = {NULL, COLD, -1, 0};
    for (size_t o = 0; o < operation_count; ++o) {
        if (strcmp(operations[o].label, argv[1]) == 0) c.op = &operations[o];
    }
    while (c.mode < MODES && strcmp(mode_name(c.mode), argv[2]) != 0) ++c.mode;
    if (c.op == NULL || c.mode == MODES) return fprintf(stderr, "no such operation or mode\n"), 2;
    int failed = run_apart(&c);
    if (!failed) {
        c.number = strtol(argv[3], NULL, 10), c.error = atoi(argv[4]);
        printf("call %ld of %ld is %s\n", c.number, report->calls, report->call[c.number].name);
        failed = run_apart(&c);
    }
    return printf("%s\n", failed ? report->text : "as it should be"), failed;
}

int main(int argc, char **argv) {
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (report == MAP_FAILED) return 2;
    if (argc == 5) return run_one(argv);
    if (argc != 3 && argc != 4) return fprintf(stderr, "usage: failing_driver SEED COUNT [LABEL] | LABEL MODE NUMBER ERROR\n"), 2;
    return run_all(strtoull(argv[1], NULL, 10), strtoul(argv[2], NULL, 10), argv[3]);
}
