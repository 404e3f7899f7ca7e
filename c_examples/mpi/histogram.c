/* histogram.c - how often bytes, or numbers in buckets, occur in a file of which each rank of MPI reads its part.
 *
 * Build:  mpicc -O2 c_examples/mpi/histogram.c -o histogram -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    mpirun -n 4 ./histogram FILE                              bytes, 256 of them
 *         mpirun -n 4 ./histogram FILE f32|f64 BINS FIRST LAST      binary numbers, in BINS even buckets from FIRST to LAST
 *
 *     $ mpirun -n 4 ./histogram numbers.f64 f64 4 0 1
 *     bucket      count
 *          0     250233
 *          1     249807
 *          2     249963
 *          3     249997
 *     1000000 samples, 1000000 of them in buckets; 4 ranks, 0.004 s
 *     Test passed: rank 0 alone counts the same
 *
 * The file may be larger than the memory of all ranks. Prints the first 16 buckets. Exits with 1 when rank 0 alone, on files up to 1 GiB,
 * counts otherwise. */
#include "parts.h"

enum { PRINTED = 16 };
static const size_t LARGEST_COMPARED = (size_t)1 << 30; /* bytes */

typedef struct job {
    const char *path;
    gpumex_histogram_options options;
    size_t size, bins; /* bytes of a sample */
} job;

static void usage(int rank) {
    if (rank == 0) fprintf(stderr, "usage: histogram FILE [f32|f64 BINS FIRST LAST]\n");
    MPI_Finalize();
    exit(2);
}

static job parse(int argc, char **argv, int rank) {
    job j = {NULL, GPUMEX_HISTOGRAM_OPTIONS_INIT, 1, 256};
    if (argc != 2 && argc != 6) usage(rank);
    j.path = argv[1];
    j.options.dtype = GPUMEX_DTYPE_U8;
    if (argc == 2) return j;
    const int is_double = strcmp(argv[2], "f64") == 0;
    if (!is_double && strcmp(argv[2], "f32") != 0) usage(rank);
    j.options.dtype = is_double ? GPUMEX_DTYPE_F64 : GPUMEX_DTYPE_F32;
    j.size = is_double ? 8 : 4;
    j.bins = number(argv[3], 1ul << 28);
    j.options.lo = strtod(argv[4], NULL), j.options.hi = strtod(argv[5], NULL);
    return j;
}

int main(int argc, char **argv) {
    ranks r;
    begin(&r, &argc, &argv);
    const job j = parse(argc, argv, r.rank);
    const size_t samples = size_of(j.path) / j.size; /* bytes behind the last whole one are left out */
    const size_t first = part(samples, r.rank, r.ranks), own = part(samples, r.rank + 1, r.ranks) - first;
    const file_part data = open_part(j.path, first * j.size, own * j.size);
    uint64_t *const counts = (uint64_t *)allocate(2 * j.bins * 8), *const alone = counts + j.bins;

    const double from = wall_ms();
    CHECK(gpumex_comm_histogram(r.comm, &j.options, data.bytes, own, counts, j.bins));
    const double seconds = (wall_ms() - from) / 1e3;
    close_part(data);

    int is_same = 1;
    if (r.rank == 0) {
        uint64_t inside = 0;
        for (size_t i = 0; i < j.bins; i++) inside += counts[i];
        printf("bucket      count\n");
        for (size_t i = 0; i < j.bins && i < PRINTED; i++) printf("%6zu %10" PRIu64 "\n", i, counts[i]);
        printf("%zu samples, %" PRIu64 " of them in buckets; %d ranks, %.3f s\n", samples, inside, r.ranks, seconds);
        if (samples * j.size <= LARGEST_COMPARED) {
            const file_part all = open_part(j.path, 0, samples * j.size);
            CHECK(gpumex_histogram(r.ctx, &j.options, all.bytes, samples, alone, j.bins));
            close_part(all);
            is_same = memcmp(counts, alone, j.bins * 8) == 0;
            printf(is_same ? "Test passed: rank 0 alone counts the same\n" : "TEST FAILED: rank 0 alone counts otherwise\n");
        }
    }
    free(counts);
    return end(&r, is_same ? 0 : 1);
}
