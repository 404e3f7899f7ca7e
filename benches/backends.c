/* backends.c - arrays of the host: which backend is sooner, and does GPUMEX_BACKEND_AUTO take it?
 *
 *   cc -O2 -pthread -Iinclude benches/backends.c -o target/backends -ldl
 *   target/backends libgpumex.so [BYTES [FILTER]]
 *
 * Each operation of operations.h runs on contexts of the CPU, of CUDA and of AUTO in turn, on the same arrays in ordinary memory of
 * the host, with 1 KiB to BYTES (1 MiB) in an array. A row is microseconds a call, medians of rounds of some 200 us, and what AUTO takes
 * against the sooner one of the other two; the last line sums that up.
 *
 * With GPUMEX_LOG=debug a row is what AUTO expects of both, and nothing is timed. benches/fit_backends has both tables, and writes the
 * rows of src/ops/cost.rs. */
#define OPERATIONS_OWN_ARRAYS
#include "operations.h"

#include <time.h>

enum { CPU, CUDA, AUTO, CONTEXTS, ROUNDS = 11, ROUND_NS = 200000, MOST_ROWS = 4096 };

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void ok(const library *l, int32_t status) {
    if (status == 0) return;
    fprintf(stderr, "%s\n", CALL(last_error)());
    exit(1);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What AUTO told last of a call, in us. */
static double expected[2];

static void listen(void *user, int32_t level, const char *line) {
    (void)user, (void)level;
    const char *const colon = strchr(line, ':');
    if (strncmp(line, "on the ", 7) == 0 && colon != NULL) {
        (void)sscanf(colon, ": %lf us are expected on the host, %lf on the device", &expected[0], &expected[1]);
    }
}

static int32_t listen_to(const library *l) { return CALL(set_log_callback)(listen, NULL); }

static void open_library(library *l, const char *path, gpumex_context *contexts[CONTEXTS]) {
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (l->handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    const int32_t backends[CONTEXTS] = {GPUMEX_BACKEND_CPU, GPUMEX_BACKEND_CUDA, GPUMEX_BACKEND_AUTO};
    for (int c = 0; c < CONTEXTS; ++c) {
        contexts[c] = CALL(context_create)(backends[c], -1);
        if (contexts[c] == NULL) ok(l, 1);
    }
}

static void make_arrays(library *l, size_t n_max) {
    void **const arrays[] = {&l->x, &l->y, &l->a, &l->b, &l->values, &l->indices};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) *arrays[i] = malloc(8 * n_max);
    for (int i = 0; i < 3; ++i) l->out[i] = malloc(16 * n_max + 4096);
    l->positions = malloc(n_max + 64), l->flags = malloc(n_max);
}

static void fill_arrays(library *l, int32_t dtype, size_t n) {
    const double lo = is_float(dtype) ? -1 : 0, hi = is_float(dtype) ? 1 : (double)n;
    l->dtype = dtype, l->n = n;
    for (l->side = 16; 4 * l->side * l->side <= n; l->side *= 2) continue;
    ok(l, CALL(random)(l->ctx, dtype, l->x, n, 1, lo, hi));
    ok(l, CALL(random)(l->ctx, dtype, l->y, n, 2, lo, hi));
    ok(l, CALL(random_sorted)(l->ctx, dtype, l->a, n, 3, lo, hi));
    ok(l, CALL(random_sorted)(l->ctx, dtype, l->b, n, 4, lo, hi));
    ok(l, CALL(fill_ascending)(l->ctx, GPUMEX_DTYPE_U32, l->values, n, 0, 1));
    ok(l, CALL(fill_ascending)(l->ctx, GPUMEX_DTYPE_U64, l->positions, n / GAP + 1, 0, GAP));
    ok(l, CALL(random)(l->ctx, GPUMEX_DTYPE_U8, l->flags, n, 5, 0, 1));
    ok(l, CALL(random)(l->ctx, GPUMEX_DTYPE_U64, l->indices, n, 6, 0, (double)n - 1));
}

static double mean_ns(library *l, const operation *op, gpumex_context *ctx, int calls) {
    l->ctx = ctx;
    const double start = now_ns();
    for (int i = 0; i < calls; ++i) (void)op->run(l);
    return (now_ns() - start) / calls;
}

/* Medians on each context in us; 0 where the operation refuses these arguments. */
static int measure(library *l, const operation *op, gpumex_context *contexts[CONTEXTS], double us[CONTEXTS]) {
    double ns[CONTEXTS][ROUNDS];
    int calls[CONTEXTS];
    l->number = op->number;
    for (int c = 0; c < CONTEXTS; ++c) {
        l->ctx = contexts[c];
        if (op->run(l) != 0) return 0;
        const double once = mean_ns(l, op, contexts[c], 2);
        calls[c] = once > ROUND_NS ? 1 : (int)(ROUND_NS / once) + 1;
    }
    for (int r = 0; r < ROUNDS; ++r) {
        for (int c = 0; c < CONTEXTS; ++c) {
            const int turn = (c + r) % CONTEXTS;
            ns[turn][r] = mean_ns(l, op, contexts[turn], calls[turn]);
        }
    }
    for (int c = 0; c < CONTEXTS; ++c) {
        qsort(ns[c], ROUNDS, sizeof **ns, ascending);
        us[c] = ns[c][ROUNDS / 2] / 1e3;
    }
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 2) return fprintf(stderr, "usage: backends LIBRARY [BYTES [FILTER]]\n"), 2;
    const size_t bytes = argc > 2 ? strtoull(argv[2], NULL, 10) : (size_t)1 << 20;
    const struct { int32_t dtype; const char *name; } types[] = {{GPUMEX_DTYPE_F32, "f32"}, {GPUMEX_DTYPE_U32, "u32"}, {GPUMEX_DTYPE_F64, "f64"}};
    library l = {0};
    gpumex_context *contexts[CONTEXTS];
    open_library(&l, argv[1], contexts);
    make_arrays(&l, bytes / 4);
    const char *const level = getenv("GPUMEX_LOG");
    const int is_told = level != NULL && strcmp(level, "debug") == 0;
    if (is_told) ok(&l, listen_to(&l));
    static double ratios[MOST_ROWS];
    int rows = 0, above[2] = {0};
    printf("%-28s %-4s %9s %10s %10s %10s %8s\n", "operation", "type", "bytes", "CPU us", "CUDA us", "AUTO us", "of best");
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
        for (size_t size = 1024; size <= bytes; size *= 4) {
            l.ctx = contexts[CPU];
            fill_arrays(&l, types[t].dtype, size / bytes_of(types[t].dtype));
            for (size_t o = 0; o < operation_count; ++o) {
                const operation *const op = &operations[o];
                if (argc > 3 && strstr(op->label, argv[3]) == NULL) continue;
                if ((op->kinds == FLOATS && !is_float(types[t].dtype)) || (op->kinds == ONCE && t > 0)) continue;
                double us[CONTEXTS];
                if (is_told) {
                    l.ctx = contexts[AUTO], l.number = op->number, expected[0] = 0;
                    if (op->run(&l) == 0 && expected[0] > 0) {
                        printf("%-28s %-4s %9zu %10.2f %10.2f %s\n", op->label, types[t].name, size, expected[0], expected[1], op->function);
                    }
                    continue;
                }
                if (!measure(&l, op, contexts, us)) continue;
                const double best = us[CPU] < us[CUDA] ? us[CPU] : us[CUDA], ratio = us[AUTO] / best;
                printf("%-28s %-4s %9zu %10.2f %10.2f %10.2f %8.2f\n", op->label, types[t].name, size, us[CPU], us[CUDA], us[AUTO], ratio);
                fflush(stdout);
                if (rows < MOST_ROWS) ratios[rows++] = ratio;
                above[0] += ratio > 1.05, above[1] += ratio > 1.15;
            }
        }
    }
    qsort(ratios, (size_t)rows, sizeof *ratios, ascending);
    if (rows > 0) {
        printf("%d rows: AUTO against the sooner one: median %.2f, worst %.2f; %d above 1.05, %d above 1.15\n", rows, ratios[rows / 2],
               ratios[rows - 1], above[0], above[1]);
    }
    return 0;
}
