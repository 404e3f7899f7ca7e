/* pagerank.c - PageRank of a random graph, an iteration of which never leaves the device.
 *
 *     rank <- d M rank + (1 - d) / n      M[i][j] = 1 / (links of page j) where j links to i
 *
 * Build:  make examples
 * Run:    pagerank
 *
 * M is sparse and in rows: row i has the pages that link to i. Each page links to LINKS others, so that all values are 1 / LINKS.
 * Prints the change of the last iteration and the first rank, and exits with 1 when ranks do not add up to 1:
 *
 *     100000 pages, 25 iterations, last change 1.4e-08, sum 1.000000 */
#include "common.h"

#include <math.h>

enum { PAGES = 100000, LINKS = 8, NONZEROS = PAGES * LINKS, ITERATIONS = 25 };

static uint32_t offsets[PAGES + 1], columns[NONZEROS], place[PAGES];
static double values[NONZEROS], ones[PAGES];

static uint32_t target(uint32_t page, uint32_t link) { return (page * 2654435761u ^ link * 40503u * (page + 7)) % PAGES; }

static void make_graph(void) {
    for (uint32_t link = 0; link < NONZEROS; link++) offsets[target(link / LINKS, link % LINKS) + 1]++;
    for (uint32_t i = 0; i < PAGES; i++) place[i] = offsets[i + 1] += offsets[i];
    for (uint32_t link = 0; link < NONZEROS; link++) columns[--place[target(link / LINKS, link % LINKS)]] = link / LINKS;
    for (uint32_t k = 0; k < NONZEROS; k++) values[k] = 1 / (double)LINKS;
    for (uint32_t i = 0; i < PAGES; i++) ones[i] = 1.0;
}

static void *on_device(gpumex_context *ctx, const void *array, size_t bytes) {
    void *copy;
    CHECK(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_DEVICE, bytes, &copy));
    CHECK(gpumex_copy(ctx, copy, array, bytes));
    return copy;
}

int main(void) {
    const double damping = 0.85, base = (1 - damping) / (double)PAGES, minus = -1, start = 1 / (double)PAGES;
    double change, sum;
    make_graph();
    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    void *M = on_device(ctx, values, sizeof values), *cols = on_device(ctx, columns, sizeof columns);
    void *rows = on_device(ctx, offsets, sizeof offsets), *all = on_device(ctx, ones, sizeof ones);
    void *rank = on_device(ctx, ones, sizeof ones), *next = on_device(ctx, ones, sizeof ones);
    CHECK(gpumex_fill(ctx, GPUMEX_DTYPE_F64, rank, PAGES, &start));

    for (int i = 0; i < ITERATIONS; i++) {
        CHECK(gpumex_spmv(ctx, GPUMEX_OPTIONS(spmv, .dtype = GPUMEX_DTYPE_F64, .index_dtype = GPUMEX_DTYPE_U32), M, cols,
                          NONZEROS, rows, PAGES, rank, PAGES, NULL, next));
        CHECK(gpumex_axpy(ctx, GPUMEX_OPTIONS(axpy, .dtype = GPUMEX_DTYPE_F64, .alpha = &base, .beta = &damping), all, next, PAGES));
        CHECK(gpumex_axpy(ctx, GPUMEX_OPTIONS(axpy, .dtype = GPUMEX_DTYPE_F64, .beta = &minus), next, rank, PAGES));
        void *before = rank; /* next - rank, until the next product is there */
        rank = next;
        next = before;
    }
    CHECK(gpumex_dot(ctx, GPUMEX_OPTIONS(dot, .dtype = GPUMEX_DTYPE_F64), next, next, PAGES, &change));
    CHECK(gpumex_reduce(ctx, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F64), rank, PAGES, &sum));
    printf("%d pages, %d iterations, last change %.1e, sum %.6f\n", PAGES, ITERATIONS, sqrt(change), sum);

    void *memory[] = {M, cols, rows, all, rank, next};
    for (int i = 0; i < 6; i++) CHECK(gpumex_free(memory[i]));
    gpumex_context_destroy(ctx);
    return fabs(sum - 1) < 1e-9 ? 0 : 1;
}
