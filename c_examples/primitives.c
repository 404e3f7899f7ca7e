/* primitives.c - the demos of ModernGPU: scan, sort, merge, search, join, sets, intervals and segments on a few numbers each.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/primitives.c -o primitives -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    primitives [--device K]
 *
 * Prints what each operation gives:
 *
 *     Scan                   0 3 4 8 9 14 23 25
 *     Max reduce             9
 *     Bulk remove            0 2 6 9
 *     ...
 *
 * The arrays are the program's own; those of gpumex_malloc or cudaMalloc would do as well. Positions count from 0.
 * Exits with 1 when a result is another one than it should be.
 * Source: S. Baxter, "Modern GPU 1.1", demo.cu and the comments of mgpuhost.cuh, NVIDIA 2013. */
#include "common.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------------------------------------------------------ printing */

static int wrong; /* results that are not as they should be */

/* Prints a result, and says so when it does not read as it should. */
static void show(const char *name, const char *got, const char *want) {
    printf("%-22s %s\n", name, got);
    if (strcmp(got, want) == 0) return;
    printf("%-22s %s was expected\n", "", want);
    wrong++;
}

static void show_numbers(const char *name, const int32_t *numbers, size_t count, const char *want) {
    char text[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof text; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, i > 0 ? " %" PRId32 : "%" PRId32, numbers[i]);
    show(name, text, want);
}

/* Positions; a dash for none. */
static void show_positions(const char *name, const uint64_t *positions, size_t count, const char *want) {
    char text[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < sizeof text; i++) {
        const char *format = positions[i] == UINT64_MAX ? " -" : " %" PRIu64;
        used += (size_t)snprintf(text + used, sizeof text - used, format + (i == 0), positions[i]);
    }
    show(name, text, want);
}

static void show_flags(const char *name, const uint8_t *flags, size_t count, const char *want) {
    int32_t numbers[16];
    for (size_t i = 0; i < count && i < COUNT(numbers); i++) numbers[i] = flags[i];
    show_numbers(name, numbers, count, want);
}

/* --------------------------------------------------------------------------------------------------- reduction and scan */

static void demo_scan(gpumex_context *ctx) {
    const int32_t data[] = {3, 1, 4, 1, 5, 9, 2, 6};
    int32_t before[COUNT(data)], total;
    /* sums, and of each element what comes before it */
    CHECK(gpumex_scan(ctx, GPUMEX_OPTIONS(scan, .dtype = GPUMEX_DTYPE_I32),
                      data, COUNT(data), before, &total));
    show_numbers("Scan", before, COUNT(before), "0 3 4 8 9 14 23 25");
    show_numbers("  total", &total, 1, "31");
}

static void demo_reduce(gpumex_context *ctx) {
    const int32_t data[] = {3, 1, 4, 1, 5, 9, 2, 6};
    int32_t largest;
    CHECK(gpumex_reduce(ctx, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_I32, .op = GPUMEX_OPERATOR_MAX),
                        data, COUNT(data), &largest));
    show_numbers("Max reduce", &largest, 1, "9");
}

/* ------------------------------------------------------------------------------------------------- removal and insertion */

static void demo_bulk_remove(gpumex_context *ctx) {
    const int32_t source[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const uint64_t indices[] = {1, 3, 4, 5, 7, 8};
    int32_t rest[COUNT(source) - COUNT(indices)];
    CHECK(gpumex_bulk_remove(ctx, GPUMEX_OPTIONS(bulk_remove, .dtype = GPUMEX_DTYPE_I32,
                                                              .index_dtype = GPUMEX_DTYPE_U64),
                             source, COUNT(source), indices, COUNT(indices), rest));
    show_numbers("Bulk remove", rest, COUNT(rest), "0 2 6 9");
}

static void demo_bulk_insert(gpumex_context *ctx) {
    const int32_t a[] = {0, 1, 2, 3, 4}, b[] = {100, 200, 300};
    const uint64_t indices[] = {1, 1, 2, 3, 3}; /* each of a goes in front of that one of b */
    int32_t both[COUNT(a) + COUNT(b)];
    CHECK(gpumex_bulk_insert(ctx, GPUMEX_OPTIONS(bulk_insert, .dtype = GPUMEX_DTYPE_I32,
                                                              .index_dtype = GPUMEX_DTYPE_U64),
                             a, indices, COUNT(a), b, COUNT(b), both));
    show_numbers("Bulk insert", both, COUNT(both), "100 0 1 200 2 300 3 4");
}

/* ------------------------------------------------------------------------------------------------------ merging, sorting */

static void demo_merge(gpumex_context *ctx) {
    const int32_t a[] = {1, 3, 5, 7, 7}, b[] = {2, 3, 3, 8};
    const int32_t a_values[] = {10, 11, 12, 13, 14}, b_values[] = {20, 21, 22, 23};
    int32_t keys[COUNT(a) + COUNT(b)], values[COUNT(keys)];
    CHECK(gpumex_merge(ctx, GPUMEX_OPTIONS(merge, .dtype = GPUMEX_DTYPE_I32),
                       a, NULL, COUNT(a), b, NULL, COUNT(b), keys, NULL));
    show_numbers("Merge keys", keys, COUNT(keys), "1 2 3 3 3 5 7 7 8");
    CHECK(gpumex_merge(ctx, GPUMEX_OPTIONS(merge, .dtype = GPUMEX_DTYPE_I32, .payload = GPUMEX_PAYLOAD_VALUES,
                                                  .value_dtype = GPUMEX_DTYPE_I32),
                       a, a_values, COUNT(a), b, b_values, COUNT(b), keys, values));
    show_numbers("Merge pairs", values, COUNT(values), "10 20 11 21 22 12 13 14 23");
}

static void demo_sort(gpumex_context *ctx) {
    const int32_t keys[] = {5, 3, 9, 1, 3, 7}, values[] = {50, 30, 90, 10, 31, 70};
    int32_t sorted[COUNT(keys)], moved[COUNT(keys)];
    CHECK(gpumex_sort(ctx, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_I32),
                      keys, NULL, COUNT(keys), sorted, NULL));
    show_numbers("Sort keys", sorted, COUNT(sorted), "1 3 3 5 7 9");
    CHECK(gpumex_sort(ctx, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_I32, .payload = GPUMEX_PAYLOAD_VALUES,
                                                .value_dtype = GPUMEX_DTYPE_I32),
                      keys, values, COUNT(keys), sorted, moved));
    show_numbers("Sort pairs", moved, COUNT(moved), "10 30 31 50 70 90");
}

static void demo_segmented_sort(gpumex_context *ctx) {
    const int32_t keys[] = {9, 7, 8, /**/ 3, 1, /**/ 6, 5, 4, 2};
    const uint64_t starts[] = {0, 3, 5};
    int32_t sorted[COUNT(keys)];
    uint64_t places[COUNT(keys)];
    CHECK(gpumex_segmented_sort(ctx, GPUMEX_OPTIONS(segmented_sort, .dtype = GPUMEX_DTYPE_I32,
                                                                    .payload = GPUMEX_PAYLOAD_INDICES,
                                                                    .index_dtype = GPUMEX_DTYPE_U64),
                                keys, NULL, COUNT(keys), starts, COUNT(starts), sorted, places));
    show_numbers("Segmented sort keys", sorted, COUNT(sorted), "7 8 9 1 3 2 4 5 6");
    show_positions("Segmented sort pairs", places, COUNT(places), "1 2 0 4 3 8 7 6 5");
}

static void demo_locality_sort(gpumex_context *ctx) {
    const int32_t keys[] = {1, 0, 2, 4, 3, 5, 7, 6}; /* no key is far from its place */
    int32_t sorted[COUNT(keys)];
    uint64_t places[COUNT(keys)];
    CHECK(gpumex_locality_sort(ctx, GPUMEX_OPTIONS(locality_sort, .dtype = GPUMEX_DTYPE_I32,
                                                                  .payload = GPUMEX_PAYLOAD_INDICES,
                                                                  .index_dtype = GPUMEX_DTYPE_U64),
                               keys, NULL, COUNT(keys), sorted, places));
    show_numbers("Locality sort keys", sorted, COUNT(sorted), "0 1 2 3 4 5 6 7");
    show_positions("Locality sort pairs", places, COUNT(places), "1 0 2 4 3 5 7 6");
}

/* ------------------------------------------------------------------------------------------------------------ searching */

static void demo_sorted_search(gpumex_context *ctx) {
    const int32_t a[] = {1, 4, 4, 9}, b[] = {0, 2, 4, 4, 6, 8};
    uint64_t a_places[COUNT(a)], b_places[COUNT(b)];
    uint8_t a_flags[COUNT(a)], b_flags[COUNT(b)];
    CHECK(gpumex_sorted_search(ctx, GPUMEX_OPTIONS(sorted_search, .dtype = GPUMEX_DTYPE_I32,
                                                                  .index_dtype = GPUMEX_DTYPE_U64),
                               a, COUNT(a), b, COUNT(b), a_places, NULL, NULL, NULL, NULL));
    show_positions("Sorted search 1", a_places, COUNT(a), "1 2 2 6");
    CHECK(gpumex_sorted_search(ctx, GPUMEX_OPTIONS(sorted_search, .dtype = GPUMEX_DTYPE_I32,
                                                                  .index_dtype = GPUMEX_DTYPE_U64),
                               a, COUNT(a), b, COUNT(b), a_places, b_places, a_flags, b_flags, NULL));
    show_positions("Sorted search 2, A", a_places, COUNT(a), "1 2 2 6");
    show_flags("  matches of A", a_flags, COUNT(a), "0 1 1 0");
    show_positions("Sorted search 2, B", b_places, COUNT(b), "0 1 3 3 3 3");
    show_flags("  matches of B", b_flags, COUNT(b), "0 0 1 1 0 0");
}

static void demo_load_balancing_search(gpumex_context *ctx) {
    const uint64_t scan[] = {0, 2, 7, 10, 10}; /* of objects with 2, 5, 3, 0 and 1 items */
    uint64_t owners[11];
    CHECK(gpumex_load_balance_search(ctx, GPUMEX_OPTIONS(load_balance_search, .index_dtype = GPUMEX_DTYPE_U64),
                                     COUNT(owners), scan, COUNT(scan), owners));
    show_positions("Load-balancing search", owners, COUNT(owners), "0 0 1 1 1 1 1 2 2 2 4");
}

/* ------------------------------------------------------------------------------------------------------------ intervals */

static void demo_interval_expand(gpumex_context *ctx) {
    const int32_t values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const uint64_t scan[] = {0, 1, 3, 4, 4, 8, 10, 13, 13}; /* of the counts 1, 2, 1, 0, 4, 2, 3, 0, 2 */
    int32_t expanded[15];
    CHECK(gpumex_interval_expand(ctx, GPUMEX_OPTIONS(interval_expand, .dtype = GPUMEX_DTYPE_I32,
                                                                      .index_dtype = GPUMEX_DTYPE_U64),
                                 COUNT(expanded), scan, values, COUNT(values), expanded));
    show_numbers("Interval expand", expanded, COUNT(expanded), "0 1 1 2 4 4 4 4 5 5 6 6 6 8 8");
}

static void demo_interval_move(gpumex_context *ctx) {
    const int32_t input[] = {10, 11, 12, 13, 14, 15, 16, 17};
    const uint64_t from[] = {6, 0, 4}, to[] = {4, 1, 0}, scan[] = {0, 2, 5}; /* 2, 3 and 1 elements */
    int32_t output[6];
    CHECK(gpumex_interval_move(ctx, GPUMEX_OPTIONS(interval_move, .dtype = GPUMEX_DTYPE_I32,
                                                                  .index_dtype = GPUMEX_DTYPE_U64),
                               COUNT(output), from, to, scan, COUNT(scan), input, COUNT(input), output, COUNT(output)));
    show_numbers("Interval move", output, COUNT(output), "14 10 11 12 16 17");
}

/* ------------------------------------------------------------------------------------------------------------ databases */

static void demo_join(gpumex_context *ctx) {
    const int32_t a[] = {100, 101, 103, 103}, b[] = {100, 100, 102, 103};
    uint64_t a_rows[16], b_rows[16], pairs;
    CHECK(gpumex_join(ctx, GPUMEX_OPTIONS(join, .dtype = GPUMEX_DTYPE_I32, .kind = GPUMEX_JOIN_KIND_OUTER,
                                                .index_dtype = GPUMEX_DTYPE_U64),
                      a, COUNT(a), b, COUNT(b), a_rows, b_rows, COUNT(a_rows), &pairs));
    show_positions("Outer join, A", a_rows, (size_t)pairs, "0 0 1 2 3 -");
    show_positions("Outer join, B", b_rows, (size_t)pairs, "0 1 - 3 3 2");
}

/* One operation on two multisets, their keys and then the values beside them. */
static void demo_set(gpumex_context *ctx, const char *name, int32_t op, const char *want_keys,
                     const char *want_values) {
    const int32_t a[] = {1, 2, 2, 4, 7}, b[] = {2, 4, 4, 5};
    const int32_t a_values[] = {10, 11, 12, 13, 14}, b_values[] = {20, 21, 22, 23};
    int32_t keys[COUNT(a) + COUNT(b)], values[COUNT(keys)];
    uint64_t found;
    CHECK(gpumex_set_operation(ctx, GPUMEX_OPTIONS(set_operation, .dtype = GPUMEX_DTYPE_I32, .op = op,
                                                                  .payload = GPUMEX_PAYLOAD_VALUES,
                                                                  .value_dtype = GPUMEX_DTYPE_I32),
                               a, a_values, COUNT(a), b, b_values, COUNT(b), keys, values, COUNT(keys), &found));
    show_numbers(name, keys, (size_t)found, want_keys);
    show_numbers("  their values", values, (size_t)found, want_values);
}

static void demo_sets(gpumex_context *ctx) {
    demo_set(ctx, "Intersection", GPUMEX_SET_OPERATOR_INTERSECTION, "2 4", "11 13");
    demo_set(ctx, "Union", GPUMEX_SET_OPERATOR_UNION, "1 2 2 4 4 5 7", "10 11 12 13 22 23 14");
    demo_set(ctx, "Difference", GPUMEX_SET_OPERATOR_DIFFERENCE, "1 2 7", "10 12 14");
    demo_set(ctx, "Symmetric difference", GPUMEX_SET_OPERATOR_SYMMETRIC_DIFFERENCE, "1 2 4 5 7", "10 12 22 23 14");
}

/* ------------------------------------------------------------------------------------------------------------- segments */

static void demo_reduce_by_key(gpumex_context *ctx) {
    const int32_t keys[] = {1, 1, 2, 2, 2, 5, 5, 7}, data[] = {1, 2, 3, 4, 5, 6, 7, 8};
    int32_t unique[COUNT(keys)], sums[COUNT(keys)];
    uint32_t offsets[COUNT(keys) + 1];
    uint64_t found;
    CHECK(gpumex_reduce_by_key(ctx, GPUMEX_OPTIONS(reduce_by_key, .dtype = GPUMEX_DTYPE_I32,
                                                                  .key_dtype = GPUMEX_DTYPE_I32,
                                                                  .index_dtype = GPUMEX_DTYPE_U32),
                               keys, data, COUNT(keys), unique, sums, offsets, COUNT(unique), &found));
    show_numbers("Reduce by key", unique, (size_t)found, "1 2 5 7");
    show_numbers("  their sums", sums, (size_t)found, "3 12 13 8");
}

static void demo_segmented_reduce(gpumex_context *ctx) {
    const int32_t data[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint64_t offsets[] = {0, 3, 3, 5, 8}; /* where segments begin and the last one ends; the second one is empty */
    int32_t sums[COUNT(offsets) - 1];
    CHECK(gpumex_segmented_reduce(ctx, GPUMEX_OPTIONS(segmented_reduce, .dtype = GPUMEX_DTYPE_I32,
                                                                        .index_dtype = GPUMEX_DTYPE_U64),
                                  data, COUNT(data), offsets, COUNT(sums), NULL, sums));
    show_numbers("Segmented reduce", sums, COUNT(sums), "6 0 9 21");
}

int main(int argc, char **argv) {
    static void (*const demos[])(gpumex_context *) = {
        demo_scan,          demo_reduce,          demo_bulk_remove,    demo_bulk_insert,
        demo_merge,         demo_sort,            demo_segmented_sort, demo_locality_sort,
        demo_sorted_search, demo_load_balancing_search, demo_interval_expand, demo_interval_move,
        demo_join,          demo_sets,            demo_reduce_by_key,  demo_segmented_reduce};
    if (argc > 3 || (argc > 1 && strncmp(argv[1], "--device", 8) != 0)) {
        fprintf(stderr, "usage: primitives [--device K]\n");
        return 2;
    }
    gpumex_context *ctx = gpumex_context_create_from_args(argc, argv, 0);
    if (ctx == NULL) {
        fprintf(stderr, "%s\n", gpumex_last_error());
        return 1;
    }
    print_device(ctx);
    for (size_t i = 0; i < COUNT(demos); i++) demos[i](ctx);
    if (wrong == 0) printf("\nTest passed: every result is as it should be\n");
    else printf("\nTest FAILED: %d results are not as they should be\n", wrong);
    CHECK(gpumex_context_destroy(ctx));
    return wrong != 0;
}
