/* pairs.c - two builds of the library side by side: is any operation slower than before?
 *
 *   cc -O2 -Iinclude benches/pairs.c -o target/pairs -ldl
 *   target/pairs OLD/libgpumex.so NEW/libgpumex.so cpu|cuda [FILTER]
 *
 * Each operation runs with both libraries in turn, on the same random input in memory of the backend. A row is microseconds a call
 * (medians; a round is as many calls as take 2 ms) and the median of new / old over the rounds. Rows above 1.05 are measured once
 * more, since most are noise. Both libraries have the same header. */
#define GPUMEX_NO_PLAIN_NAMES /* matmul and raytrace are functions of this file */
#include "gpumex.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 15, GAP = 16, ROUND_NS = 2000000 };

#define FUNCTIONS(X)                                                                                                              \
    X(add) X(bulk_insert) X(bulk_remove) X(check_sorted) X(compact) X(context_create) X(context_synchronize) X(copy) X(dot) X(fill)  \
    X(fill_ascending) X(histogram) X(interval_expand) X(interval_move) X(join) X(last_error) X(life) X(load_balance_search)          \
    X(locality_sort) X(malloc) X(matmul) X(merge) X(random) X(random_sorted) X(raytrace) X(reduce) X(reduce_by_key) X(scan)          \
    X(segmented_reduce) X(segmented_sort) X(set_operation) X(sort) X(sorted_equality_count) X(sorted_search) X(spmv) X(words)

typedef struct api {
#define MEMBER(name) __typeof__(&gpumex_##name) name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} api;

typedef struct library {
    api call;
    gpumex_context *ctx;
    int32_t dtype;
    size_t n, side; /* elements; rows and columns of a board or a matrix */
    void *x, *y, *a, *b, *values, *out[3]; /* n random, n random, n sorted, n sorted, n values */
    void *positions, *flags;               /* every GAP-th position, n / GAP of them and the end; n bytes */
    int32_t number;                        /* of a case: operator, payload, variant */
} library;

static void ok(const library *l, int32_t status) {
    if (status == 0) return;
    fprintf(stderr, "%s\n", l->call.last_error());
    exit(1);
}

static void *memory(const library *l, size_t bytes) {
    void *pointer = NULL;
    ok(l, l->call.malloc(l->ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes, &pointer));
    return pointer;
}

static library open_library(const char *path, int32_t backend, size_t n_max) {
    library l = {0};
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define LOAD(name) *(void **)&l.call.name = dlsym(handle, "gpumex_" #name);
    FUNCTIONS(LOAD)
#undef LOAD
    l.ctx = l.call.context_create(backend, -1);
    if (l.ctx == NULL) ok(&l, 1);
    void **const arrays[] = {&l.x, &l.y, &l.a, &l.b, &l.values};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) *arrays[i] = memory(&l, 8 * n_max);
    for (int i = 0; i < 3; ++i) l.out[i] = memory(&l, 16 * n_max + 4096);
    l.positions = memory(&l, n_max + 64), l.flags = memory(&l, n_max);
    return l;
}

static int is_float(int32_t dtype) { return dtype == GPUMEX_DTYPE_F32 || dtype == GPUMEX_DTYPE_F64; }

static size_t bytes_of(int32_t dtype) {
    return dtype == GPUMEX_DTYPE_F64 || dtype == GPUMEX_DTYPE_I64 || dtype == GPUMEX_DTYPE_U64 ? 8 : 4;
}

static void fill_arrays(library *l, int32_t dtype, size_t n) {
    const double lo = is_float(dtype) ? -1 : 0, hi = is_float(dtype) ? 1 : (double)n;
    l->dtype = dtype, l->n = n;
    for (l->side = 16; 4 * l->side * l->side <= n; l->side *= 2) continue;
    ok(l, l->call.random(l->ctx, dtype, l->x, n, 1, lo, hi));
    ok(l, l->call.random(l->ctx, dtype, l->y, n, 2, lo, hi));
    ok(l, l->call.random_sorted(l->ctx, dtype, l->a, n, 3, lo, hi));
    ok(l, l->call.random_sorted(l->ctx, dtype, l->b, n, 4, lo, hi));
    ok(l, l->call.fill_ascending(l->ctx, GPUMEX_DTYPE_U32, l->values, n, 0, 1));
    ok(l, l->call.fill_ascending(l->ctx, GPUMEX_DTYPE_U64, l->positions, n / GAP + 1, 0, GAP));
    ok(l, l->call.random(l->ctx, GPUMEX_DTYPE_U8, l->flags, n, 5, 0, 1));
}

/* ---- the operations ------------------------------------------------------------------------------------------------------ */

#define OPTIONS(op, ...) const struct gpumex_##op##_options options = {.size = sizeof options, __VA_ARGS__}
#define NUMBERS .dtype = l->dtype

static int32_t add(library *l) {
    OPTIONS(add, NUMBERS);
    return l->call.add(l->ctx, &options, l->x, l->out[0], l->n);
}
static int32_t bulk_insert(library *l) {
    OPTIONS(bulk_insert, NUMBERS);
    return l->call.bulk_insert(l->ctx, &options, l->x, l->positions, l->n / GAP, l->y, l->n, l->out[0]);
}
static int32_t bulk_remove(library *l) {
    OPTIONS(bulk_remove, NUMBERS);
    return l->call.bulk_remove(l->ctx, &options, l->x, l->n, l->positions, l->n / GAP, l->out[0]);
}
static int32_t check_sorted(library *l) {
    OPTIONS(check_sorted, NUMBERS);
    return l->call.check_sorted(l->ctx, &options, l->a, l->n);
}
static int32_t compact(library *l) {
    OPTIONS(compact, NUMBERS);
    return l->call.compact(l->ctx, &options, l->x, l->flags, l->n, l->out[0], l->out[1], l->n, l->out[2]);
}
static int32_t copy(library *l) { return l->call.copy(l->ctx, l->out[0], l->x, l->n * bytes_of(l->dtype)); }
static int32_t dot(library *l) {
    OPTIONS(dot, NUMBERS);
    return l->call.dot(l->ctx, &options, l->x, l->y, l->n, l->out[0]);
}
static int32_t fill(library *l) {
    const double value = 3;
    return l->call.fill(l->ctx, l->dtype, l->out[0], l->n, &value);
}
static int32_t fill_ascending(library *l) { return l->call.fill_ascending(l->ctx, l->dtype, l->out[0], l->n, 1, 2); }
static int32_t histogram_bytes(library *l) {
    OPTIONS(histogram, .dtype = 0);
    return l->call.histogram(l->ctx, &options, l->x, l->n * bytes_of(l->dtype), l->out[0], 256);
}
static int32_t histogram_even(library *l) {
    OPTIONS(histogram, .dtype = is_float(l->dtype) ? GPUMEX_HISTOGRAM_DTYPE_F32 : GPUMEX_HISTOGRAM_DTYPE_U32, .lo = -2, .hi = 1e6);
    return l->call.histogram(l->ctx, &options, l->x, l->n, l->out[0], 1000);
}
static int32_t interval_expand(library *l) {
    OPTIONS(interval_expand, NUMBERS);
    return l->call.interval_expand(l->ctx, &options, l->n, l->positions, l->x, l->n / GAP, l->out[0]);
}
static int32_t interval_move(library *l) {
    OPTIONS(interval_move, NUMBERS);
    return l->call.interval_move(l->ctx, &options, l->n, l->positions, l->positions, l->positions, l->n / GAP, l->x, l->n, l->out[0],
                                 l->n);
}
static int32_t join(library *l) {
    OPTIONS(join, NUMBERS, .kind = l->number);
    return l->call.join(l->ctx, &options, l->a, l->n / 2, l->b, l->n / 2, l->out[0], l->out[1], 2 * l->n, l->out[2]);
}
static int32_t life(library *l) {
    OPTIONS(life, .boundary = l->number);
    return l->call.life(l->ctx, &options, l->flags, l->side, l->side, 10, l->out[0]);
}
static int32_t life_rule(library *l) {
    OPTIONS(life, .rule = "B36/S23");
    return l->call.life(l->ctx, &options, l->flags, l->side, l->side, 10, l->out[0]);
}
static int32_t load_balance_search(library *l) {
    OPTIONS(load_balance_search, .variant = 0);
    return l->call.load_balance_search(l->ctx, &options, l->n, l->positions, l->n / GAP, l->out[0]);
}
static int32_t locality_sort(library *l) {
    OPTIONS(locality_sort, NUMBERS, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32);
    return l->call.locality_sort(l->ctx, &options, l->x, l->values, l->n, l->out[0], l->out[1]);
}
static int32_t matmul(library *l) {
    OPTIONS(matmul, .dtype = l->dtype == GPUMEX_DTYPE_F64 ? GPUMEX_MATMUL_DTYPE_F64 : GPUMEX_MATMUL_DTYPE_F32, .trans_b = l->number);
    return l->call.matmul(l->ctx, &options, l->side, l->side, l->side, l->x, l->y, l->out[0]);
}
static int32_t merge(library *l) {
    OPTIONS(merge, NUMBERS, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32);
    return l->call.merge(l->ctx, &options, l->a, l->values, l->n, l->b, l->values, l->n, l->out[0], l->out[1]);
}
static int32_t random_numbers(library *l) { return l->call.random(l->ctx, l->dtype, l->out[0], l->n, 9, 0, 1); }
static int32_t raytrace(library *l) {
    OPTIONS(raytrace, .variant = 0);
    return l->call.raytrace(l->ctx, &options, l->x, l->n / 7000 + 1, 64 + l->side / 4, 64 + l->side / 4, l->out[0]);
}
static int32_t reduce(library *l) {
    OPTIONS(reduce, NUMBERS, .op = l->number);
    return l->call.reduce(l->ctx, &options, l->x, l->n, l->out[0]);
}
static int32_t reduce_by_key(library *l) {
    OPTIONS(reduce_by_key, NUMBERS, .key_dtype = l->dtype, .op = l->number);
    return l->call.reduce_by_key(l->ctx, &options, l->a, l->x, l->n, l->out[0], l->out[1], l->n, l->out[2]);
}
static int32_t scan(library *l) {
    OPTIONS(scan, NUMBERS, .op = l->number);
    return l->call.scan(l->ctx, &options, l->x, l->n, l->out[0], NULL);
}
static int32_t segmented_reduce(library *l) {
    OPTIONS(segmented_reduce, NUMBERS, .op = l->number);
    return l->call.segmented_reduce(l->ctx, &options, l->x, l->n, l->positions, l->n / GAP, NULL, l->out[0]);
}
static int32_t segmented_sort(library *l) {
    OPTIONS(segmented_sort, NUMBERS, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32);
    return l->call.segmented_sort(l->ctx, &options, l->x, l->values, l->n, l->positions, l->n / GAP, l->out[0], l->out[1]);
}
static int32_t set_operation(library *l) {
    OPTIONS(set_operation, NUMBERS, .op = l->number, .payload = GPUMEX_PAYLOAD_INDICES);
    return l->call.set_operation(l->ctx, &options, l->a, NULL, l->n / 2, l->b, NULL, l->n / 2, l->out[0], l->out[1], l->n, l->out[2]);
}
static int32_t sort(library *l) {
    OPTIONS(sort, NUMBERS, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32);
    return l->call.sort(l->ctx, &options, l->x, l->values, l->n, l->out[0], l->out[1]);
}
static int32_t sort_descending(library *l) {
    OPTIONS(sort, NUMBERS, .order = GPUMEX_ORDER_GREATER);
    return l->call.sort(l->ctx, &options, l->x, NULL, l->n, l->out[0], NULL);
}
static int32_t sorted_equality_count(library *l) {
    OPTIONS(sorted_equality_count, NUMBERS);
    return l->call.sorted_equality_count(l->ctx, &options, l->a, l->n, l->b, l->n, l->out[0], NULL);
}
static int32_t sorted_search(library *l) {
    OPTIONS(sorted_search, NUMBERS, .bound = l->number);
    return l->call.sorted_search(l->ctx, &options, l->a, l->n, l->b, l->n, l->out[0], NULL, NULL, NULL, NULL);
}
static int32_t spmv(library *l) {
    OPTIONS(spmv, NUMBERS);
    return l->call.spmv(l->ctx, &options, l->x, l->out[0], l->n, l->positions, l->n / GAP, l->y, l->n, NULL, l->out[1]);
}
static int32_t words(library *l) {
    OPTIONS(words, .encoding = l->number);
    struct gpumex_words_summary summary = {.size = sizeof summary};
    return l->call.words(l->ctx, &options, l->x, l->n * bytes_of(l->dtype), 10, l->out[0], l->out[1], l->out[2], &summary);
}

typedef struct operation {
    const char *name;
    int32_t (*run)(library *);
    int32_t number;
    int floats; /* 0: of all numbers, 1: of floats alone, 2: of any type, so that one is enough */
} operation;

static const operation OPERATIONS[] = {
    {"add", add, 0, 1}, {"bulk_insert", bulk_insert, 0, 0}, {"bulk_remove", bulk_remove, 0, 0}, {"check_sorted", check_sorted, 0, 0},
    {"compact", compact, 0, 0}, {"copy", copy, 0, 0}, {"dot", dot, 0, 1}, {"fill", fill, 0, 0}, {"fill_ascending", fill_ascending, 0, 0},
    {"histogram bytes", histogram_bytes, 0, 2}, {"histogram even", histogram_even, 0, 0}, {"interval_expand", interval_expand, 0, 0},
    {"interval_move", interval_move, 0, 0}, {"join inner", join, GPUMEX_JOIN_KIND_INNER, 0}, {"join outer", join, GPUMEX_JOIN_KIND_OUTER, 0},
    {"life clamp", life, 0, 2}, {"life torus", life, 2, 2}, {"life B36/S23", life_rule, 0, 2},
    {"load_balance_search", load_balance_search, 0, 2}, {"locality_sort", locality_sort, 0, 0}, {"matmul", matmul, 0, 1},
    {"matmul trans", matmul, 1, 1}, {"merge", merge, 0, 0}, {"merge values", merge, 1, 0}, {"random", random_numbers, 0, 0},
    {"raytrace", raytrace, 0, 2}, {"reduce sum", reduce, 0, 0}, {"reduce max", reduce, 3, 0}, {"reduce_by_key", reduce_by_key, 0, 0},
    {"scan sum", scan, 0, 0}, {"scan min", scan, 2, 0}, {"segmented_reduce", segmented_reduce, 0, 0},
    {"segmented_sort", segmented_sort, 0, 0}, {"segmented_sort values", segmented_sort, 1, 0}, {"intersection", set_operation, 0, 0},
    {"union", set_operation, 1, 0}, {"symmetric difference", set_operation, 3, 0}, {"sort", sort, 0, 0},
    {"sort descending", sort_descending, 0, 0}, {"sort values", sort, 1, 0}, {"sort indices", sort, 2, 0},
    {"sorted_equality_count", sorted_equality_count, 0, 0}, {"sorted_search", sorted_search, 0, 0}, {"spmv", spmv, 0, 0},
    {"words", words, 0, 2},
};

/* ---- measuring ------------------------------------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double mean_ns(library *l, const operation *op, int calls) {
    const double start = now_ns();
    for (int i = 0; i < calls; ++i) (void)op->run(l);
    ok(l, l->call.context_synchronize(l->ctx));
    return (now_ns() - start) / calls;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, ascending);
    return values[ROUNDS / 2];
}

/* The ratio new / old; medians of both in us, NAN when the operation refuses these arguments. */
static double compare(library *both, const operation *op, double us[2]) {
    double ns[2][ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < 2; ++i) {
        both[i].number = op->number;
        if (op->run(&both[i]) != 0) return -1;
        ok(&both[i], both[i].call.context_synchronize(both[i].ctx));
    }
    const double once = mean_ns(&both[0], op, 1);
    const int calls = once > ROUND_NS ? 1 : (int)(ROUND_NS / once) + 1;
    for (int r = 0; r < ROUNDS; ++r) {
        const int first = r % 2; /* who goes first changes */
        ns[first][r] = mean_ns(&both[first], op, calls);
        ns[1 - first][r] = mean_ns(&both[1 - first], op, calls);
        ratio[r] = ns[1][r] / ns[0][r];
    }
    for (int i = 0; i < 2; ++i) us[i] = median(ns[i]) / 1e3;
    return median(ratio);
}

int main(int argc, char **argv) {
    if (argc < 4) return fprintf(stderr, "usage: pairs OLD.so NEW.so cpu|cuda [FILTER]\n"), 2;
    const int cuda = strcmp(argv[3], "cuda") == 0;
    const size_t sizes[] = {1000, 100000, cuda ? 64000000 : 4000000};
    const struct { int32_t dtype; const char *name; } types[] = {
        {GPUMEX_DTYPE_U32, "u32"}, {GPUMEX_DTYPE_I32, "i32"}, {GPUMEX_DTYPE_I64, "i64"}, {GPUMEX_DTYPE_F32, "f32"}, {GPUMEX_DTYPE_F64, "f64"}};
    library both[2];
    for (int i = 0; i < 2; ++i) both[i] = open_library(argv[1 + i], cuda ? GPUMEX_BACKEND_CUDA : GPUMEX_BACKEND_CPU, sizes[2]);
    int rows = 0, slower = 0, refused = 0;
    printf("%-22s %-4s %9s %12s %12s %7s\n", "operation", "type", "elements", "old us", "new us", "ratio");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        for (size_t t = 0; t < sizeof types / sizeof *types; ++t) {
            for (int i = 0; i < 2; ++i) fill_arrays(&both[i], types[t].dtype, sizes[s]);
            for (size_t o = 0; o < sizeof OPERATIONS / sizeof *OPERATIONS; ++o) {
                const operation *const op = &OPERATIONS[o];
                if (argc > 4 && strstr(op->name, argv[4]) == NULL) continue;
                if ((op->floats == 1 && !is_float(types[t].dtype)) || (op->floats == 2 && t > 0)) continue;
                if (op->run == spmv) { /* columns, which it reads: positions below n */
                    for (int i = 0; i < 2; ++i) ok(&both[i], both[i].call.random(both[i].ctx, GPUMEX_DTYPE_U64, both[i].out[0], sizes[s], 7, 0, (double)sizes[s] - 1));
                }
                double us[2];
                double ratio = compare(both, op, us);
                if (ratio < 0) {
                    ++refused;
                    printf("%-22s %-4s %9zu  %s\n", op->name, types[t].name, sizes[s], both[1].call.last_error());
                    continue;
                }
                if (ratio > 1.05) ratio = compare(both, op, us);
                ++rows, slower += ratio > 1.05;
                printf("%-22s %-4s %9zu %12.2f %12.2f %7.3f%s\n", op->name, types[t].name, sizes[s], us[0], us[1], ratio, ratio > 1.05 ? "  slower" : "");
                fflush(stdout);
            }
        }
    }
    printf("%d rows, %d slower by more than 5 %%, %d refused\n", rows, slower, refused);
    return 0;
}
