/* life.c - Conway's Life on a random board whose rows are on all ranks of MPI.
 *
 * Build:  mpicc -O2 c_examples/mpi/life.c -o life -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    mpirun -n 4 ./life [ROWS COLS GENERATIONS]                                        (1000 1000 500)
 *
 *     $ mpirun -n 4 ./life 1000 1000 500
 *     4 ranks, 1000 x 1000 cells, 500 generations: 0.012 s
 *     live cells 46393, sum of live positions 23136226817
 *     Test passed: rank 0 alone has the same board
 *
 * Exits with 1 when the board differs from that of one rank. */
#include "ranks.h"

/* The cells of some rows: the same for any number of ranks. */
static void fill(uint8_t *cells, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
        cells[i - from] = (uint8_t)(x >> 63);
    }
}

int main(int argc, char **argv) {
    ranks r;
    begin(&r, &argc, &argv);
    const size_t rows = argc > 1 ? number(argv[1], 1ul << 20) : 1000, cols = argc > 2 ? number(argv[2], 1ul << 20) : 1000;
    const uint64_t generations = argc > 3 ? number_from(0, argv[3], 1ul << 30) : 500;
    const size_t first = part(rows, r.rank, r.ranks), own = part(rows, r.rank + 1, r.ranks) - first;
    uint8_t *const board = (uint8_t *)allocate(own * cols), *const all = (uint8_t *)allocate(r.rank == 0 ? rows * cols : 1);
    fill(board, first * cols, (first + own) * cols);

    const double start = wall_ms();
    CHECK(gpumex_comm_life(r.comm, NULL, board, own, cols, generations, board));
    const double seconds = (wall_ms() - start) / 1e3;

    /* The number of live cells, and a sum that tells boards apart. */
    uint64_t sums[2] = {0, 0}, totals[2];
    for (size_t i = 0; i < own * cols; i++) sums[0] += board[i], sums[1] += board[i] * (first * cols + i);
    const gpumex_reduce_options sum = {.size = sizeof sum, .dtype = GPUMEX_DTYPE_U64};
    for (int i = 0; i < 2; i++) CHECK(gpumex_comm_reduce(r.comm, &sum, &sums[i], 1, &totals[i]));

    int is_same = 1;
    if (r.rank == 0) {
        uint64_t alone[2] = {0, 0};
        fill(all, 0, rows * cols);
        CHECK(gpumex_life(r.ctx, NULL, all, rows, cols, generations, all));
        for (size_t i = 0; i < rows * cols; i++) alone[0] += all[i], alone[1] += all[i] * i;
        is_same = alone[0] == totals[0] && alone[1] == totals[1] && memcmp(all, board, own * cols) == 0;
        printf("%d ranks, %zu x %zu cells, %" PRIu64 " generations: %.3f s\n", r.ranks, rows, cols, generations, seconds);
        printf("live cells %" PRIu64 ", sum of live positions %" PRIu64 "\n", totals[0], totals[1]);
        printf(is_same ? "Test passed: rank 0 alone has the same board\n" : "TEST FAILED: rank 0 alone has another board\n");
    }
    free(board);
    free(all);
    return end(&r, is_same ? 0 : 1);
}
