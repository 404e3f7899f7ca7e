/* sort.c - keys of all ranks of MPI in order, with their positions: each rank keeps as many as it had.
 *
 * Build:  mpicc -O2 c_examples/mpi/sort.c -o sort -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    mpirun -n 4 ./sort [KEYS]                                                         (1000003)
 *
 *     $ mpirun -n 4 ./sort 1000003
 *     4 ranks, 1000003 keys: 0.051 s
 *     Test passed: the keys are in order, equal ones in that of their positions, and none is lost
 *
 * Exits with 1 when they are not. */
#include "ranks.h"

/* The key at a position: many are equal. */
static uint32_t key_at(size_t position) {
    return (uint32_t)((position + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 40) % 50000;
}

int main(int argc, char **argv) {
    ranks r;
    begin(&r, &argc, &argv);
    const size_t n = argc > 1 ? number_from(0, argv[1], 1ul << 31) : 1000003;
    const size_t first = part(n, r.rank, r.ranks), own = part(n, r.rank + 1, r.ranks) - first;
    uint32_t *const keys = (uint32_t *)allocate(2 * own * sizeof *keys), *const sorted = keys + own;
    uint64_t *const positions = (uint64_t *)allocate(own * sizeof *positions);
    for (size_t i = 0; i < own; i++) keys[i] = key_at(first + i);

    const gpumex_sort_options options = {.size = sizeof options,
                                         .dtype = GPUMEX_DTYPE_U32,
                                         .payload = GPUMEX_PAYLOAD_INDICES,
                                         .index_dtype = GPUMEX_DTYPE_U64};
    const double start = wall_ms();
    CHECK(gpumex_comm_sort(r.comm, &options, keys, NULL, own, sorted, positions));
    const double seconds = (wall_ms() - start) / 1e3;

    /* Keys ascend on each rank, and from rank to rank: the last key of each rank, and its position, stand before the next one's. */
    uint64_t bad = 0, sum = 0, totals[2];
    for (size_t i = 0; i < own; i++) {
        const int ascends = i == 0 || sorted[i - 1] < sorted[i] || (sorted[i - 1] == sorted[i] && positions[i - 1] < positions[i]);
        bad += !ascends || key_at(positions[i]) != sorted[i];
        sum += positions[i];
    }
    const uint64_t ends[2] = {own > 0 ? sorted[0] : 0, own > 0 ? sorted[own - 1] : 0};
    uint64_t *const all = (uint64_t *)allocate(2 * (size_t)r.ranks * sizeof *all);
    MPI_Allgather(ends, 2, MPI_UINT64_T, all, 2, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int i = 1; i < r.ranks; i++) bad += own > 0 && n >= (size_t)r.ranks && all[2 * i - 1] > all[2 * i];
    const gpumex_reduce_options add = {.size = sizeof add, .dtype = GPUMEX_DTYPE_U64};
    CHECK(gpumex_comm_reduce(r.comm, &add, &bad, 1, &totals[0]));
    CHECK(gpumex_comm_reduce(r.comm, &add, &sum, 1, &totals[1]));

    const int is_right = totals[0] == 0 && totals[1] == (n == 0 ? 0 : (uint64_t)n * (n - 1) / 2);
    if (r.rank == 0) {
        printf("%d ranks, %zu keys: %.3f s\n", r.ranks, n, seconds);
        printf(is_right ? "Test passed: the keys are in order, equal ones in that of their positions, and none is lost\n"
                        : "TEST FAILED: the keys are not in order\n");
    }
    free(keys);
    free(positions);
    free(all);
    return end(&r, is_right ? 0 : 1);
}
