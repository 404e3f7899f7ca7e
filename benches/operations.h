/* operations.h - a call of every operation, on random input of any size and type: for benches/pairs.c, and for out_of_memory.c,
 * memory_use.c, failing_driver.c and soak.c of tests/c_abi.
 *
 * The library is opened by its path, so that two builds may be compared; with OPERATIONS_LINKED it is part of the program. With
 * OPERATIONS_OWN_ARRAYS, as with OPERATIONS_LINKED but without OPERATIONS_FILLED, the program opens its context and fills its
 * arrays itself. An operation is one place of this file: the function that calls it, and a ROW for each way
 * that it takes. */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#define GPUMEX_NO_PLAIN_NAMES /* matmul and raytrace are functions of this file */
#include "gpumex.h"

#if defined(OPERATIONS_LINKED) && !defined(OPERATIONS_FILLED) && !defined(OPERATIONS_OWN_ARRAYS)
#define OPERATIONS_OWN_ARRAYS
#endif

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAP = 16 };

/* A function of the library l; NULL where it has none. */
#ifdef OPERATIONS_LINKED
#define CALL(name) gpumex_##name
#else
#define CALL(name)                                                                                            \
    ({                                                                                                        \
        static void *known[2];                                                                                \
        if (known[l->number_of] == NULL) known[l->number_of] = dlsym(l->handle, "gpumex_" #name);             \
        (__typeof__(&gpumex_##name))known[l->number_of];                                                      \
    })
#endif

typedef struct library {
    void *handle;
    int number_of; /* 0 the old one, 1 the new one */
    gpumex_context *ctx;
    int32_t dtype;
    size_t n, side; /* elements; rows and columns of a board or a matrix */
    void *x, *y, *a, *b, *values, *out[3]; /* n random, n random, n sorted, n sorted, n values */
    void *positions, *flags;               /* every GAP-th position, n / GAP of them and the end; n bytes */
    void *indices;                         /* n positions in random order, which may repeat */
    int32_t number;                        /* of a case: operator, payload, variant */
} library;

#ifndef OPERATIONS_OWN_ARRAYS
static void ok(const library *l, int32_t status) {
    (void)l; /* where the library is linked */
    if (status == 0) return;
    fprintf(stderr, "%s\n", CALL(last_error)());
    exit(1);
}
#endif

#if !defined(OPERATIONS_LINKED) && !defined(OPERATIONS_OWN_ARRAYS)
static void *memory(const library *l, size_t bytes) {
    void *pointer = NULL;
    ok(l, CALL(malloc)(l->ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes, &pointer));
    return pointer;
}

static void open_library(library *l, int number_of, const char *path, int32_t backend, size_t n_max) {
    l->number_of = number_of;
    l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (l->handle == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    l->ctx = CALL(context_create)(backend, -1);
    if (l->ctx == NULL) ok(l, 1);
    void **const arrays[] = {&l->x, &l->y, &l->a, &l->b, &l->values, &l->indices};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; ++i) *arrays[i] = memory(l, 8 * n_max);
    for (int i = 0; i < 3; ++i) l->out[i] = memory(l, 16 * n_max + 4096);
    l->positions = memory(l, n_max + 64), l->flags = memory(l, n_max);
}
#endif

static int is_float(int32_t dtype) { return dtype == GPUMEX_DTYPE_F32 || dtype == GPUMEX_DTYPE_F64; }

static size_t bytes_of(int32_t dtype) {
    switch (dtype) {
        case GPUMEX_DTYPE_C128: return 16;
        case GPUMEX_DTYPE_F64: case GPUMEX_DTYPE_I64: case GPUMEX_DTYPE_U64: case GPUMEX_DTYPE_C64: return 8;
        case GPUMEX_DTYPE_F16: case GPUMEX_DTYPE_BF16: case GPUMEX_DTYPE_I16: case GPUMEX_DTYPE_U16: return 2;
        case GPUMEX_DTYPE_I8: case GPUMEX_DTYPE_U8: case GPUMEX_DTYPE_BOOL: return 1;
        default: return dtype == GPUMEX_DTYPE_NONE ? 0 : 4;
    }
}

#ifndef OPERATIONS_OWN_ARRAYS
/* Of float types and unsigned ones. */
static void fill_arrays(library *l, int32_t dtype, size_t n) {
    const double most = bytes_of(dtype) >= 4 ? (double)n : bytes_of(dtype) == 2 ? 65535 : 255;
    const double lo = is_float(dtype) ? -1 : 0, hi = is_float(dtype) ? 1 : most;
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
#endif

/* ---- the operations ------------------------------------------------------------------------------------------------------ */

#ifndef OPTIONS /* as a program has them that includes this file */
#define OPTIONS(op, ...) GPUMEX_OPTIONS(op, __VA_ARGS__)
#endif
#define NUMBERS .dtype = l->dtype
#define INDICES .index_dtype = GPUMEX_DTYPE_U64

enum kinds { ALL, FLOATS, ONCE }; /* of all numbers; of floats alone; of any type, so that one is enough */

typedef struct operation {
    const char *label, *function;
    int32_t (*run)(library *);
    int32_t number;
    enum kinds kinds;
} operation;

static operation operations[256];
static size_t operation_count;

/* A row of the table, behind the function that makes its call. */
#define ROW(label, function, run, number, kinds) ROW_AT(__COUNTER__, label, function, run, number, kinds)
#define ROW_AT(row, ...) ROW_OF(row, __VA_ARGS__)
#define ROW_OF(row, label, function, run, number, kinds)                                                      \
    __attribute__((constructor)) static void row_number_##row(void) {                                        \
        operations[operation_count++] = (operation){label, "gpumex_" #function, run, number, kinds};           \
    }

static int32_t add(library *l) {
    return CALL(add)(l->ctx, OPTIONS(add, NUMBERS), l->x, l->out[0], l->n);
}
ROW("add", add, add, 0, FLOATS)

static int32_t axpy(library *l) {
    const double half = 0.5;
    const float half_f32 = 0.5f;
    const void *const alpha = l->dtype == GPUMEX_DTYPE_F64 ? (const void *)&half : &half_f32;
    return CALL(axpy)(l->ctx, OPTIONS(axpy, NUMBERS, .alpha = alpha, .beta = alpha), l->x, l->out[0], l->n);
}
ROW("axpy", axpy, axpy, 0, FLOATS)

static int32_t bulk_insert(library *l) {
    return CALL(bulk_insert)(l->ctx, OPTIONS(bulk_insert, NUMBERS, INDICES), l->x, l->positions, l->n / GAP, l->y, l->n, l->out[0]);
}
ROW("bulk_insert", bulk_insert, bulk_insert, 0, ALL)

static int32_t bulk_remove(library *l) {
    return CALL(bulk_remove)(l->ctx, OPTIONS(bulk_remove, NUMBERS, INDICES), l->x, l->n, l->positions, l->n / GAP, l->out[0]);
}
ROW("bulk_remove", bulk_remove, bulk_remove, 0, ALL)

/* Of what the array holds, taken as edges: some are bad. */
static int32_t check_edges(library *l) {
    uint64_t first_bad;
    return CALL(check_edges)(l->ctx, l->a, l->n / 2, &first_bad);
}
ROW("check_edges", check_edges, check_edges, 0, ONCE)

static int32_t check_sorted(library *l) {
    uint64_t first_bad;
    return CALL(check_sorted)(l->ctx, GPUMEX_OPTIONS(check_sorted, NUMBERS) /* which has no variant */, l->a, l->n, &first_bad);
}
ROW("check_sorted", check_sorted, check_sorted, 0, ALL)

static int32_t compact(library *l) {
    return CALL(compact)(l->ctx, OPTIONS(compact, NUMBERS, INDICES), l->x, l->flags, l->n, l->out[0], l->out[1], l->n, l->out[2]);
}
ROW("compact", compact, compact, 0, ALL)

static int32_t copy(library *l) {
    return CALL(copy)(l->ctx, l->out[0], l->x, l->n * bytes_of(l->dtype));
}
ROW("copy", copy, copy, 0, ALL)

static int32_t dot(library *l) {
    return CALL(dot)(l->ctx, OPTIONS(dot, NUMBERS), l->x, l->y, l->n, l->out[0]);
}
ROW("dot", dot, dot, 0, FLOATS)

static int32_t fill(library *l) {
    const double value = 3;
    return CALL(fill)(l->ctx, l->dtype, l->out[0], l->n, &value);
}
ROW("fill", fill, fill, 0, ALL)

static int32_t fill_ascending(library *l) {
    return CALL(fill_ascending)(l->ctx, l->dtype, l->out[0], l->n, 1, 2);
}
ROW("fill_ascending", fill_ascending, fill_ascending, 0, ALL)

static int32_t gather(library *l) {
    return CALL(gather)(l->ctx, OPTIONS(gather, NUMBERS, INDICES), l->x, l->n, l->indices, l->n, l->out[0]);
}
ROW("gather", gather, gather, 0, ALL)

static int32_t gather_nd(library *l) {
    const size_t shape[] = {l->side, l->side};
    const void *const indices[] = {NULL, l->indices};
    const int32_t dtypes[] = {0, GPUMEX_DTYPE_U64};
    const int64_t starts[] = {0, 0}, steps[] = {1, 1};
    return CALL(gather_nd)(l->ctx, OPTIONS(gather_nd, NUMBERS, .rank = 2, .shape = shape, .starts = starts, .steps = steps,
                                           .indices = indices, .index_dtypes = dtypes), l->x, l->out[0]);
}
ROW("gather_nd", gather_nd, gather_nd, 0, ALL)

static int32_t histogram_bytes(library *l) {
    return CALL(histogram)(l->ctx, OPTIONS(histogram, .dtype = GPUMEX_DTYPE_U8), l->x, l->n * bytes_of(l->dtype), l->out[0], 256);
}
ROW("histogram bytes", histogram, histogram_bytes, 0, ONCE)

static int32_t histogram_even(library *l) {
    const int32_t dtype = is_float(l->dtype) ? GPUMEX_DTYPE_F32 : GPUMEX_DTYPE_U32;
    return CALL(histogram)(l->ctx, OPTIONS(histogram, .dtype = dtype, .lo = -2, .hi = 1e6), l->x, l->n, l->out[0], 1000);
}
ROW("histogram even", histogram, histogram_even, 0, ALL)

static int32_t interval_expand(library *l) {
    return CALL(interval_expand)(l->ctx, OPTIONS(interval_expand, NUMBERS, INDICES), l->n, l->positions, l->x, l->n / GAP, l->out[0]);
}
ROW("interval_expand", interval_expand, interval_expand, 0, ALL)

static int32_t interval_move(library *l) {
    return CALL(interval_move)(l->ctx, OPTIONS(interval_move, NUMBERS, INDICES), l->n, l->positions, l->positions, l->positions,
                               l->n / GAP, l->x, l->n, l->out[0], l->n);
}
ROW("interval_move", interval_move, interval_move, 0, ALL)

static int32_t join(library *l) {
    return CALL(join)(l->ctx, OPTIONS(join, NUMBERS, INDICES, .kind = l->number), l->a, l->n / 2, l->b, l->n / 2, l->out[0], l->out[1],
                      2 * l->n, l->out[2]);
}
ROW("join inner", join, join, GPUMEX_JOIN_KIND_INNER, ALL)
ROW("join outer", join, join, GPUMEX_JOIN_KIND_OUTER, ALL)

static int32_t life(library *l) {
    return CALL(life)(l->ctx, OPTIONS(life, .boundary = l->number), l->flags, l->side, l->side, 10, l->out[0]);
}
ROW("life clamp", life, life, GPUMEX_LIFE_BOUNDARY_CLAMP, ONCE)
ROW("life torus", life, life, GPUMEX_LIFE_BOUNDARY_TORUS, ONCE)

static int32_t life_rule(library *l) {
    return CALL(life)(l->ctx, OPTIONS(life, .rule = "B36/S23"), l->flags, l->side, l->side, 10, l->out[0]);
}
ROW("life B36/S23", life, life_rule, 0, ONCE)

static int32_t load_balance_search(library *l) {
    return CALL(load_balance_search)(l->ctx, OPTIONS(load_balance_search, INDICES), l->n, l->positions, l->n / GAP, l->out[0]);
}
ROW("load_balance_search", load_balance_search, load_balance_search, 0, ONCE)

static int32_t locality_sort(library *l) {
    return CALL(locality_sort)(l->ctx, OPTIONS(locality_sort, NUMBERS), l->x, NULL, l->n, l->out[0], NULL);
}
ROW("locality_sort", locality_sort, locality_sort, 0, ALL)

static int32_t map(library *l) {
    const int32_t dtypes[] = {l->dtype, l->dtype};
    const void *const inputs[] = {l->x, l->y};
    return CALL(map)(l->ctx, OPTIONS(map, NUMBERS, .dtypes = dtypes, .shape = &l->n), "a * b + a", inputs, 2, l->out[0]);
}
ROW("map", map, map, 0, ALL)

/* a * b + a of a few elements, by an expression whose other branch is long, another one in each call. */
static int32_t map_long(library *l) {
    const int32_t dtypes[] = {l->dtype, l->dtype};
    const void *const inputs[] = {l->x, l->y};
    const size_t few = 8;
    static _Thread_local int calls = 0;
    char text[4096];
    int at = snprintf(text, sizeof text, "a * b + (0 ? %d", calls++);
    for (int k = 1; k <= 180; ++k) at += snprintf(text + at, sizeof text - (size_t)at, " * (a + %d)", k);
    snprintf(text + at, sizeof text - (size_t)at, " : a)");
    return CALL(map)(l->ctx, OPTIONS(map, NUMBERS, .dtypes = dtypes, .shape = &few), text, inputs, 2, l->out[0]);
}
ROW("map long", map, map_long, 0, FLOATS)

/* Complex numbers of a float type; half of them take the memory of its numbers. */
static int32_t complex_of(int32_t dtype) { return dtype == GPUMEX_DTYPE_F64 ? GPUMEX_DTYPE_C128 : GPUMEX_DTYPE_C64; }

static int32_t map_complex(library *l) {
    const int32_t dtype = complex_of(l->dtype), dtypes[] = {dtype, dtype};
    const void *const inputs[] = {l->x, l->y};
    const size_t count = l->n / 2;
    return CALL(map)(l->ctx, OPTIONS(map, .dtype = dtype, .dtypes = dtypes, .shape = &count), "a * b + conj (a)", inputs, 2, l->out[0]);
}
ROW("map complex", map, map_complex, 0, FLOATS)

static int32_t map_reduce(library *l) { /* of all elements, of columns of GAP, of rows of as many */
    const int32_t dtypes[] = {l->dtype, l->dtype};
    const void *const inputs[] = {l->x, l->y};
    const size_t shape[] = {l->number == 0 ? l->n : GAP, l->number == 0 ? 1 : l->n / GAP};
    return CALL(map_reduce)(l->ctx, OPTIONS(map_reduce, NUMBERS, .rank = 2, .dimension = l->number, .accumulator_dtype = l->dtype,
                                            .dtypes = dtypes, .shape = shape), "a * b", inputs, 2, l->out[0]);
}
ROW("map_reduce", map_reduce, map_reduce, 0, ALL)
ROW("map_reduce columns", map_reduce, map_reduce, 1, ALL)
ROW("map_reduce rows", map_reduce, map_reduce, 2, ALL)

static int32_t map_scan(library *l) { /* of all elements, of columns of GAP, of rows of as many */
    const int32_t dtypes[] = {l->dtype, l->dtype};
    const void *const inputs[] = {l->x, l->y};
    const size_t shape[] = {l->number == 0 ? l->n : GAP, l->number == 0 ? 1 : l->n / GAP};
    return CALL(map_scan)(l->ctx, OPTIONS(map_scan, NUMBERS, .rank = 2, .dimension = l->number, .kind = GPUMEX_SCAN_KIND_INCLUSIVE,
                                          .accumulator_dtype = l->dtype, .dtypes = dtypes, .shape = shape), "a * b", inputs, 2, l->out[0]);
}
ROW("map_scan", map_scan, map_scan, 0, ALL)
ROW("map_scan columns", map_scan, map_scan, 1, ALL)
ROW("map_scan rows", map_scan, map_scan, 2, ALL)

static int32_t matmul(library *l) {
    return CALL(matmul)(l->ctx, OPTIONS(matmul, NUMBERS, .trans_b = l->number), l->side, l->side, l->side, l->x, l->y, l->out[0]);
}
ROW("matmul", matmul, matmul, 0, FLOATS)
ROW("matmul trans", matmul, matmul, 1, FLOATS)

/* Of complex numbers of the float type, conjugate transposes. */
static int32_t matmul_complex(library *l) {
    const size_t n = l->side / 2, number = (size_t)l->number;
    return CALL(matmul)(l->ctx, OPTIONS(matmul, .dtype = complex_of(l->dtype), .trans_a = 2 * l->number), n, n - number, n, l->x, l->y, l->out[0]);
}
ROW("matmul complex", matmul, matmul_complex, 0, FLOATS)
ROW("matmul complex trans", matmul, matmul_complex, 1, FLOATS)

/* Sizes around multiples of the tiles of the CPU's product, 4 to 96. */
static int32_t matmul_tiles(library *l) {
    const size_t n = l->side < 256 ? l->side : 256;
    return CALL(matmul)(l->ctx, OPTIONS(matmul, NUMBERS, .trans_a = 1, .trans_b = l->number), n - 1, n, n, l->x, l->y, l->out[0]);
}
ROW("matmul tiles", matmul, matmul_tiles, 0, FLOATS)
ROW("matmul tiles trans", matmul, matmul_tiles, 1, FLOATS)

static int32_t merge(library *l) {
    return CALL(merge)(l->ctx, OPTIONS(merge, NUMBERS, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32), l->a, l->values, l->n, l->b,
                       l->values, l->n, l->out[0], l->out[1]);
}
ROW("merge", merge, merge, GPUMEX_PAYLOAD_NONE, ALL)
ROW("merge values", merge, merge, GPUMEX_PAYLOAD_VALUES, ALL)

static int32_t merge_expression(library *l) {
    return CALL(merge)(l->ctx, OPTIONS(merge, NUMBERS, .expression = "a < b"), l->a, NULL, l->n, l->b, NULL, l->n, l->out[0], NULL);
}
ROW("merge expression", merge, merge_expression, 0, ALL)

static int32_t leave_text(void *user, const char *text, size_t bytes) {
    (void)user, (void)text, (void)bytes;
    return 0;
}

static int32_t print_values(library *l, size_t count, size_t columns) {
    return CALL(print_to)(l->ctx, l->dtype, l->x, count, is_float(l->dtype) ? "%g " : "%u ", columns, leave_text, NULL);
}

static int32_t print_to(library *l) {
    return print_values(l, l->n / 100 + 1, 10);
}
ROW("print_to", print_to, print_to, 0, ALL)

static int32_t print_one_row(library *l) {
    return print_values(l, l->n / 4 + 1, SIZE_MAX); /* of text beyond a piece */
}
ROW("print_to one row", print_to, print_one_row, 0, ALL)

static int32_t random_numbers(library *l) {
    return CALL(random)(l->ctx, l->dtype, l->out[0], l->n, 9, 0, 1);
}
ROW("random", random, random_numbers, 0, ALL)

static int32_t random_normal(library *l) {
    return CALL(random_normal)(l->ctx, l->dtype, l->out[0], l->n, 9, 0, 1);
}
ROW("random_normal", random_normal, random_normal, 0, FLOATS)

static int32_t random_sorted(library *l) {
    return CALL(random_sorted)(l->ctx, l->dtype, l->out[0], l->n, 9, 0, 1);
}
ROW("random_sorted", random_sorted, random_sorted, 0, ALL)

static int32_t raytrace(library *l) {
    return CALL(raytrace)(l->ctx, OPTIONS(raytrace, .channels = 4), l->x, l->n / 7000 + 1, 64 + l->side / 4, 64 + l->side / 4, l->out[0]);
}
ROW("raytrace", raytrace, raytrace, 0, ONCE)

static int32_t reduce(library *l) {
    return CALL(reduce)(l->ctx, OPTIONS(reduce, NUMBERS, .op = l->number), l->x, l->n, l->out[0]);
}
ROW("reduce sum", reduce, reduce, GPUMEX_OPERATOR_SUM, ALL)
ROW("reduce max", reduce, reduce, GPUMEX_OPERATOR_MAX, ALL)

static int32_t reduce_expression(library *l) {
    return CALL(reduce)(l->ctx, OPTIONS(reduce, NUMBERS, .expression = "a + b"), l->x, l->n, l->out[0]);
}
ROW("reduce expression", reduce, reduce_expression, 0, ALL)

static int32_t reduce_by_key(library *l) {
    return CALL(reduce_by_key)(l->ctx, OPTIONS(reduce_by_key, NUMBERS, .key_dtype = l->dtype), l->a, l->x, l->n, l->out[0], l->out[1],
                               NULL, l->n, l->out[2]);
}
ROW("reduce_by_key", reduce_by_key, reduce_by_key, 0, ALL)

static int32_t reduce_by_key_expression(library *l) {
    return CALL(reduce_by_key)(l->ctx, OPTIONS(reduce_by_key, NUMBERS, .key_dtype = l->dtype, .expression = "a + b"), l->x, l->x, l->n,
                               l->out[0], l->out[1], NULL, l->n, l->out[2]);
}
ROW("reduce_by_key expression", reduce_by_key, reduce_by_key_expression, 0, ALL)

static int32_t reduce_dim(library *l) { /* rows of GAP elements; the columns of the same; 1000 long columns */
    const size_t inner = l->number == 0 ? 1 : l->number == 1 ? GAP : 1000, count = l->number == 0 ? GAP : l->n / inner;
    return CALL(reduce_dim)(l->ctx, OPTIONS(reduce_dim, NUMBERS, .accumulator_dtype = l->dtype, .op = l->number / 2 * GPUMEX_DIM_REDUCTION_MAX),
                            l->x, inner, count, l->n / inner / (count > 0 ? count : 1), l->out[0]);
}
ROW("reduce_dim rows", reduce_dim, reduce_dim, 0, ALL)
ROW("reduce_dim columns", reduce_dim, reduce_dim, 1, ALL)
ROW("reduce_dim max", reduce_dim, reduce_dim, 2, ALL)

static int32_t scale(library *l) {
    const double minus = -1;
    const float minus_f32 = -1;
    const void *const alpha = l->dtype == GPUMEX_DTYPE_F64 ? (const void *)&minus : &minus_f32;
    return CALL(scale)(l->ctx, OPTIONS(scale, NUMBERS, .factor = l->number), alpha, l->out[0], l->n);
}
ROW("scale", scale, scale, GPUMEX_SCALE_FACTOR_ALPHA, FLOATS)
ROW("scale reciprocal", scale, scale, GPUMEX_SCALE_FACTOR_RECIPROCAL, FLOATS)

static int32_t scan(library *l) {
    return CALL(scan)(l->ctx, OPTIONS(scan, NUMBERS, .op = l->number), l->x, l->n, l->out[0], NULL);
}
ROW("scan sum", scan, scan, GPUMEX_OPERATOR_SUM, ALL)
ROW("scan min", scan, scan, GPUMEX_OPERATOR_MIN, ALL)

static int32_t scan_expression(library *l) {
    return CALL(scan)(l->ctx, OPTIONS(scan, NUMBERS, .kind = GPUMEX_SCAN_KIND_INCLUSIVE, .expression = "a + b"), l->x, l->n, l->out[0], NULL);
}
ROW("scan expression", scan, scan_expression, 0, ALL)

static int32_t scan_dim(library *l) { /* rows of GAP elements; the columns of the same */
    const size_t inner = l->number == 0 ? 1 : GAP, count = l->number == 0 ? GAP : l->n / GAP;
    return CALL(scan_dim)(l->ctx, OPTIONS(scan_dim, NUMBERS, .accumulator_dtype = l->dtype, .kind = GPUMEX_SCAN_KIND_INCLUSIVE),
                          l->x, inner, count, l->n / inner / (count > 0 ? count : 1), l->out[0]);
}
ROW("scan_dim rows", scan_dim, scan_dim, 0, ALL)
ROW("scan_dim columns", scan_dim, scan_dim, 1, ALL)

static int32_t scatter_nd(library *l) {
    const size_t shape[] = {l->side, l->side};
    const int64_t starts[] = {(int64_t)l->side - 1, 0}, steps[] = {-1, 1};
    return CALL(scatter_nd)(l->ctx, OPTIONS(scatter_nd, NUMBERS, .rank = 2, .shape = shape, .starts = starts, .steps = steps), l->x,
                            l->out[0]);
}
ROW("scatter_nd", scatter_nd, scatter_nd, 0, ALL)

static int32_t permute(library *l) {
    const size_t shape[] = {l->side, l->side};
    const int32_t order[] = {1, 0};
    return CALL(permute)(l->ctx, OPTIONS(permute, NUMBERS, .rank = 2), l->x, shape, order, l->out[0]);
}
ROW("permute", permute, permute, 0, ALL)

static int32_t scatter(library *l) {
    return CALL(scatter)(l->ctx, OPTIONS(scatter, NUMBERS, INDICES), l->x, l->indices, l->n, l->out[0], l->n);
}
ROW("scatter", scatter, scatter, 0, ALL)

static int32_t segmented_reduce(library *l) {
    return CALL(segmented_reduce)(l->ctx, OPTIONS(segmented_reduce, NUMBERS, INDICES), l->x, l->n, l->positions, l->n / GAP, NULL, l->out[0]);
}
ROW("segmented_reduce", segmented_reduce, segmented_reduce, 0, ALL)

static int32_t segmented_reduce_expression(library *l) {
    const double zero = 0;
    return CALL(segmented_reduce)(l->ctx, OPTIONS(segmented_reduce, NUMBERS, INDICES, .expression = "a + b", .identity = &zero), l->x, l->n,
                                  l->positions, l->n / GAP, NULL, l->out[0]);
}
ROW("segmented_reduce expression", segmented_reduce, segmented_reduce_expression, 0, ALL)

static int32_t segmented_sort(library *l) {
    return CALL(segmented_sort)(l->ctx, OPTIONS(segmented_sort, NUMBERS, INDICES, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32),
                                l->x, l->values, l->n, l->positions, l->n / GAP, l->out[0], l->out[1]);
}
ROW("segmented_sort", segmented_sort, segmented_sort, GPUMEX_PAYLOAD_NONE, ALL)
ROW("segmented_sort values", segmented_sort, segmented_sort, GPUMEX_PAYLOAD_VALUES, ALL)

static int32_t segments_prepare(library *l) {
    uint64_t needed = 0;
    const int32_t status = CALL(segments_prepare)(l->ctx, GPUMEX_OPTIONS(segments_prepare, INDICES), l->positions, l->n / GAP, l->n, NULL, 0, &needed);
    if (status != 0) return status;
    return CALL(segments_prepare)(l->ctx, GPUMEX_OPTIONS(segments_prepare, INDICES), l->positions, l->n / GAP, l->n, l->out[0], needed, &needed);
}
ROW("segments_prepare", segments_prepare, segments_prepare, 0, ONCE)

static int32_t set_operation(library *l) {
    return CALL(set_operation)(l->ctx, OPTIONS(set_operation, NUMBERS, INDICES, .op = l->number, .payload = GPUMEX_PAYLOAD_INDICES), l->a, NULL,
                               l->n / 2, l->b, NULL, l->n / 2, l->out[0], l->out[1], l->n, l->out[2]);
}
ROW("intersection", set_operation, set_operation, GPUMEX_SET_OPERATOR_INTERSECTION, ALL)
ROW("union", set_operation, set_operation, GPUMEX_SET_OPERATOR_UNION, ALL)
ROW("symmetric difference", set_operation, set_operation, GPUMEX_SET_OPERATOR_SYMMETRIC_DIFFERENCE, ALL)

static int32_t sort(library *l) {
    return CALL(sort)(l->ctx, OPTIONS(sort, NUMBERS, INDICES, .payload = l->number, .value_dtype = GPUMEX_DTYPE_U32), l->x, l->values, l->n,
                      l->out[0], l->out[1]);
}
ROW("sort", sort, sort, GPUMEX_PAYLOAD_NONE, ALL)
ROW("sort values", sort, sort, GPUMEX_PAYLOAD_VALUES, ALL)
ROW("sort indices", sort, sort, GPUMEX_PAYLOAD_INDICES, ALL)

static int32_t sort_descending(library *l) {
    return CALL(sort)(l->ctx, OPTIONS(sort, NUMBERS, .order = GPUMEX_SORT_ORDER_DESCENDING), l->x, NULL, l->n, l->out[0], NULL);
}
ROW("sort descending", sort, sort_descending, 0, ALL)

static int32_t sort_expression(library *l) { /* of few, since each comparison is interpreted */
    return CALL(sort)(l->ctx, OPTIONS(sort, NUMBERS, .expression = "a > b"), l->x, NULL, l->n / GAP, l->out[0], NULL);
}
ROW("sort expression", sort, sort_expression, 0, ALL)

static int32_t sorted_equality_count(library *l) {
    return CALL(sorted_equality_count)(l->ctx, OPTIONS(sorted_equality_count, NUMBERS, INDICES), l->a, l->n, l->b, l->n, l->out[0], NULL);
}
ROW("sorted_equality_count", sorted_equality_count, sorted_equality_count, 0, ALL)

static int32_t sorted_search(library *l) {
    return CALL(sorted_search)(l->ctx, OPTIONS(sorted_search, NUMBERS, INDICES), l->a, l->n, l->b, l->n, l->out[0], NULL, NULL, NULL, NULL);
}
ROW("sorted_search", sorted_search, sorted_search, 0, ALL)

static int32_t sorted_search_expression(library *l) {
    return CALL(sorted_search)(l->ctx, OPTIONS(sorted_search, NUMBERS, INDICES, .expression = "a < b"), l->a, l->n, l->b, l->n, l->out[0], NULL,
                               NULL, NULL, NULL);
}
ROW("sorted_search expression", sorted_search, sorted_search_expression, 0, ALL)

static int32_t spmv(library *l) {
    return CALL(spmv)(l->ctx, OPTIONS(spmv, NUMBERS, INDICES), l->x, l->indices, l->n, l->positions, l->n / GAP, l->y, l->n, NULL, l->out[1]);
}
ROW("spmv", spmv, spmv, 0, ALL)

static int32_t stencil(library *l) {
    const int32_t dtypes[] = {l->dtype};
    const void *const inputs[] = {l->x};
    const size_t cols = l->n < 1000 ? l->n : 1000;
    return CALL(stencil)(l->ctx, OPTIONS(stencil, NUMBERS, .dtypes = dtypes), "a(-1,0) + a(1,0) + a(0,-1) + a(0,1) - 4 * a",
                         inputs, 1, l->n / cols, cols, l->out[0]);
}
ROW("stencil", stencil, stencil, 0, ALL)

static int32_t convolve(library *l) {
    const size_t cols = l->n < 1000 ? l->n : 1000;
    return CALL(convolve)(l->ctx, OPTIONS(convolve, NUMBERS), l->x, l->n / cols, cols, l->y, 3, 3, l->out[0]);
}
ROW("convolve", convolve, convolve, 0, ALL)

static int32_t median_filter(library *l) {
    const size_t cols = l->n < 1000 ? l->n : 1000;
    return CALL(median_filter)(l->ctx, OPTIONS(median_filter, NUMBERS), l->x, l->n / cols, cols, 3, 3, l->out[0]);
}
ROW("median_filter", median_filter, median_filter, 0, ALL)

static int32_t words(library *l) {
    struct gpumex_words_summary summary = {.size = sizeof summary};
    return CALL(words)(l->ctx, OPTIONS(words, .fold = 0), l->x, l->n * bytes_of(l->dtype), 10, l->out[0], l->out[1], l->out[2], &summary);
}
ROW("words", words, words, 0, ONCE)

#endif
