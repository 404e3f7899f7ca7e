/* out_of_memory.c - each allocation of each operation is refused in turn.
 *
 *   out_of_memory LIBRARY ELEMENTS            every operation in a process of its own
 *   out_of_memory LIBRARY ELEMENTS LABEL      one of them, warm: contexts and threads are there
 *   out_of_memory LIBRARY ELEMENTS LABEL N    the same in a new process whose allocation N fails, from the creation of the context on
 *   out_of_memory LIBRARY ELEMENTS LABEL +K   the same in a new process whose address space grows by K KiB at most (RLIMIT_AS)
 *   out_of_memory LIBRARY ELEMENTS LABEL =K   the same where its private writable memory does (RLIMIT_DATA)
 *
 * malloc and its like are functions of this program, the library's calls included. A call gives 0 and the right results, or
 * OUT_OF_MEMORY, and the next call works. Results are compared where a call gives the same bits each time.
 *
 * A few dozen bytes are out of the library's hands, and libc or Rust's library end the process where malloc refuses them: what a thread
 * needs at its start and at its first use of thread-local storage. This is told apart by the text on standard error. */
#include "../../benches/operations.h"

#include "out_of_memory/refused.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT_OF_MEMORY = GPUMEX_STATUS_OUT_OF_MEMORY, MOST_SITES = 400, OUTPUTS = 3, ALL_REFUSED = 3 };

/* ---- one operation ---------------------------------------------------------------------------------------------------------- */

typedef struct state {
    size_t bytes;
    uint8_t *before[OUTPUTS], *after[OUTPUTS]; /* outputs as they are before a call, and behind one that succeeds */
    int repeats;                               /* it gives the same bits each time */
} state;

static int32_t call(library *l, const operation *op, const state *s) {
    l->number = op->number;
    for (int i = 0; i < OUTPUTS; ++i) memcpy(l->out[i], s->before[i], s->bytes);
    return op->run(l);
}

static int is_as_wanted(const library *l, const state *s) {
    for (int i = 0; s->repeats && i < OUTPUTS; ++i) {
        if (memcmp(l->out[i], s->after[i], s->bytes) != 0) return 0;
    }
    return 1;
}

static void fail(library *l, const operation *op, const char *what, long fault, int all, int32_t status) {
    printf("%s: %ld%s: %s, status %d: %s\n", op->label, fault, all ? " and all behind it" : "", what, (int)status, CALL(last_error)());
    exit(1);
}

/* The allocations of a warm call, each refused in turn; how many there are. */
static long refuse_each(library *l, const operation *op, const state *s) {
    refuse(1L << 40, 0);
    if (call(l, op, s) != 0) fail(l, op, "refused without a fault", 0, 0, 1);
    const long sites = allocations < MOST_SITES ? allocations : MOST_SITES;
    for (int all = 0; all < 2; ++all) {
        for (long fault = 0; fault < sites; ++fault) {
            refuse(fault, all);
            const int32_t status = call(l, op, s);
            refuse_nothing();
            if (status != 0 && status != OUT_OF_MEMORY) fail(l, op, "another status than OUT_OF_MEMORY", fault, all, status);
            if (status == 0 && !is_as_wanted(l, s)) fail(l, op, "wrong results", fault, all, status);
            if (call(l, op, s) != 0 || !is_as_wanted(l, s)) fail(l, op, "the next call does not work", fault, all, status);
        }
    }
    return sites;
}

static const operation *find(const char *label) {
    for (size_t o = 0; o < operation_count; ++o) {
        if (strcmp(operations[o].label, label) == 0) return &operations[o];
    }
    fprintf(stderr, "no operation is called %s\n", label);
    exit(2);
}

static void run_warm(const char *path, size_t n, const operation *op) {
    static const int32_t dtypes[] = {GPUMEX_DTYPE_F32, GPUMEX_DTYPE_U64, GPUMEX_DTYPE_U16};
    library l = {0};
    state s = {.bytes = 16 * n + 4096};
    long sites = 0;
    open_library(&l, 0, path, GPUMEX_BACKEND_CPU, n);
    for (int i = 0; i < OUTPUTS; ++i) s.before[i] = calloc(1, s.bytes), s.after[i] = malloc(s.bytes);
    for (size_t d = 0; d < sizeof dtypes / sizeof *dtypes; ++d) {
        if (op->kinds == FLOATS && !is_float(dtypes[d])) continue;
        fill_arrays(&l, dtypes[d], n);
        for (int i = 0; i < OUTPUTS; ++i) memcpy(s.before[i], i == 0 ? l.y : l.x, 4 * n);
        if (call(&l, op, &s) != 0) continue; /* it does not take this type */
        for (int i = 0; i < OUTPUTS; ++i) memcpy(s.after[i], l.out[i], s.bytes);
        s.repeats = 1;
        /* Indices of scatter repeat: any one of the elements may win. */
        s.repeats = strcmp(op->label, "scatter") != 0 && call(&l, op, &s) == 0 && is_as_wanted(&l, &s);
        sites += refuse_each(&l, op, &s);
    }
    printf("%s: %ld allocations refused\n", op->label, sites);
}

/* In a new process, where nothing of the library has run. */
static void open_cold(library *l, const char *path, size_t n, const operation *op) {
    float *const keys = __libc_calloc(n, 16), *const x = __libc_calloc(n, 16);
    *l = (library){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL), .dtype = GPUMEX_DTYPE_F32, .n = n, .side = 16, .number = op->number};
    if (l->handle == NULL || x == NULL || keys == NULL) exit(2);
    for (size_t i = 0; i < n; ++i) keys[i] = (float)i;
    l->a = l->b = keys;
    l->x = l->y = l->values = l->positions = l->flags = l->indices = x;
    for (int i = 0; i < OUTPUTS; ++i) l->out[i] = __libc_calloc(n + 4096, 16);
}

static int32_t create_and_call(library *l, const operation *op) {
    if (l->ctx == NULL) l->ctx = CALL(context_create)(GPUMEX_BACKEND_CPU, -1);
    return l->ctx == NULL ? CALL(last_status)() : op->run(l);
}

/* Its allocation `fault` fails. Exits with ALL_REFUSED where there are not so many. */
static void run_cold(const char *path, size_t n, const operation *op, long fault) {
    library l;
    open_cold(&l, path, n, op);
    refuse(fault, 0);
    const int32_t status = create_and_call(&l, op);
    const long seen = allocations;
    refuse_nothing();
    if (status != 0 && status != OUT_OF_MEMORY) fail(&l, op, "cold, another status than OUT_OF_MEMORY", fault, 0, status);
    if (create_and_call(&l, op) != 0) fail(&l, op, "cold, the next call does not work", fault, 0, status);
    exit(seen <= fault ? ALL_REFUSED : 0);
}

/* KiB of private writable memory, which RLIMIT_DATA counts. */
static unsigned long data_kib(void) {
    char line[256];
    unsigned long kib = 0;
    FILE *const file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "VmData: %lu", &kib) != 1) continue;
    if (file != NULL) fclose(file);
    return kib;
}

static unsigned long address_space_kib(void) {
    unsigned long pages = 0;
    FILE *const statm = fopen("/proc/self/statm", "r");
    if (statm == NULL || fscanf(statm, "%lu", &pages) != 1) exit(2);
    fclose(statm);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE) / 1024;
}

/* Its memory ends: of RLIMIT_AS or RLIMIT_DATA. */
static void run_limited(const char *path, size_t n, const operation *op, __rlimit_resource_t resource, long kib) {
    library l;
    struct rlimit before, limit;
    open_cold(&l, path, n, op);
    const unsigned long used = resource == RLIMIT_DATA ? data_kib() : address_space_kib();
    if (used == 0 || getrlimit(resource, &before) != 0) exit(2);
    limit = before;
    limit.rlim_cur = 1024ul * (used + (unsigned long)kib);
    if (setrlimit(resource, &limit) != 0) exit(2);
    const int32_t status = create_and_call(&l, op);
    setrlimit(resource, &before);
    if (status != 0 && status != OUT_OF_MEMORY) fail(&l, op, "limited, another status than OUT_OF_MEMORY", kib, 0, status);
    if (create_and_call(&l, op) != 0) fail(&l, op, "limited, the next call does not work", kib, 0, status);
    exit(0);
}

/* ---- all of them -------------------------------------------------------------------------------------------------------------- */

/* Whether a process was ended by what is out of the library's hands. */
static int is_of_a_thread(const char *text) {
    static const char *const texts[] = {"thread-local data", "TLS destructor", "std::thread::thread::Thread"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        if (strstr(text, texts[i]) != NULL) return 1;
    }
    return 0;
}

/* Runs this program on an operation; whether it fails, or ALL_REFUSED. */
static int run(char **argv, const operation *op, char *fault) {
    char *arguments[] = {argv[0], argv[1], argv[2], (char *)op->label, fault, NULL};
    static char text[1 << 16];
    int ends[2], status = 0;
    size_t len = 0;
    fflush(stdout);
    if (pipe(ends) != 0) exit(2);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]), close(ends[1]);
        execv("/proc/self/exe", arguments);
        _exit(2);
    }
    close(ends[1]);
    for (ssize_t now = 1; now > 0 && len < sizeof text - 1; len += (size_t)(now > 0 ? now : 0)) now = read(ends[0], text + len, sizeof text - 1 - len);
    text[len] = 0;
    close(ends[0]);
    waitpid(child, &status, 0);
    if (is_of_a_thread(text)) return 0;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    if (code != 0 && code != ALL_REFUSED) printf("%s %s: exit status or signal %d\n%s\n", op->label, fault == NULL ? "" : fault, code, text);
    return code;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: out_of_memory LIBRARY ELEMENTS [LABEL [N]]\n"), 2;
    const size_t n = strtoul(argv[2], NULL, 10);
    if (argc == 4) return run_warm(argv[1], n, find(argv[3])), 0;
    if (argc == 5 && argv[4][0] == '+') run_limited(argv[1], n, find(argv[3]), RLIMIT_AS, strtol(argv[4], NULL, 10));
    if (argc == 5 && argv[4][0] == '=') run_limited(argv[1], n, find(argv[3]), RLIMIT_DATA, strtol(argv[4] + 1, NULL, 10));
    if (argc == 5) run_cold(argv[1], n, find(argv[3]), strtol(argv[4], NULL, 10));
    static char *const limits[] = {"+0", "+64", "+256", "+1024", "+4096", "+16384", "+65536", "=0", "=256", "=1024", "=4096", "=16384"};
    setenv("RUST_BACKTRACE", "1", 1);
    int failed = 0;
    for (size_t o = 0; o < operation_count; ++o) {
        const operation *const op = &operations[o];
        failed += run(argv, op, NULL) != 0;
        for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i) failed += run(argv, op, limits[i]) != 0;
    }
    static const char *const from_the_start[] = {"reduce sum", "sort"}; /* threads start in one of them */
    for (size_t o = 0; o < sizeof from_the_start / sizeof *from_the_start; ++o) {
        char number[16];
        int status = 0;
        for (int fault = 0; fault < MOST_SITES && status != ALL_REFUSED; ++fault) {
            snprintf(number, sizeof number, "%d", fault);
            status = run(argv, find(from_the_start[o]), number);
            failed += status != 0 && status != ALL_REFUSED;
        }
    }
    printf("%d failed\n", failed);
    return failed != 0;
}
