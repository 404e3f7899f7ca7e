/* wordcount.c - the most frequent words of a file, of which each rank of MPI reads its part.
 *
 * Build:  mpicc -O2 c_examples/mpi/wordcount.c -o wordcount -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    mpirun -n 4 ./wordcount FILE [K]                                                  (10)
 *
 *     $ mpirun -n 4 ./wordcount hamlet.txt 3
 *          count  word
 *           1143  the
 *            965  and
 *            754  to
 *     32026 words, 4785 of them distinct; 4 ranks, 0.004 s
 *     Test passed: rank 0 alone finds the same words
 *
 * The file is cut anywhere, in words too, and may be larger than the memory of all ranks. Exits with 1 when rank 0 alone, on files up
 * to 1 GiB, finds other words. */
#include "parts.h"

static const size_t LARGEST_COMPARED = (size_t)1 << 30; /* bytes */

/* The words that all ranks have found: counts, and where in the file each begins. */
static void print_words(const char *path, const uint64_t *positions, const uint64_t *lengths, const uint64_t *counts, uint64_t listed) {
    if (listed > 0) printf("%10s  word\n", "count");
    for (uint64_t i = 0; i < listed; i++) {
        const file_part word = open_part(path, (size_t)positions[i], (size_t)lengths[i]);
        printf("%10" PRIu64 "  ", counts[i]);
        fwrite(word.bytes, 1, word.len, stdout);
        putchar('\n');
        close_part(word);
    }
}

/* Whether rank 0 alone finds the same. */
static int compare(const ranks *r, const char *path, size_t size, size_t k, const uint64_t *found,
                   const gpumex_words_summary *totals) {
    uint64_t *const alone = (uint64_t *)allocate(3 * k * sizeof *alone);
    const file_part text = open_part(path, 0, size);
    gpumex_words_summary summary = GPUMEX_WORDS_SUMMARY_INIT;
    CHECK(gpumex_words(r->ctx, NULL, text.bytes, size, k, alone, alone + k, alone + 2 * k, &summary));
    const int is_same = memcmp(alone, found, 3 * k * sizeof *alone) == 0 && summary.words == totals->words &&
                        summary.distinct == totals->distinct && summary.listed == totals->listed;
    free(alone);
    close_part(text);
    return is_same;
}

int main(int argc, char **argv) {
    ranks r;
    begin(&r, &argc, &argv);
    if (argc < 2) {
        if (r.rank == 0) fprintf(stderr, "usage: wordcount FILE [K]\n");
        return end(&r, 2);
    }
    const size_t k = argc > 2 ? number(argv[2], 1ul << 30) : 10, size = size_of(argv[1]);
    const size_t first = part(size, r.rank, r.ranks), own = part(size, r.rank + 1, r.ranks) - first;
    const file_part text = open_part(argv[1], first, own);
    uint64_t *const numbers = (uint64_t *)allocate(3 * k * sizeof *numbers);
    gpumex_words_summary totals = GPUMEX_WORDS_SUMMARY_INIT;
    const double start = wall_ms();
    CHECK(gpumex_comm_words(r.comm, NULL, text.bytes, own, k, numbers, numbers + k, numbers + 2 * k, &totals));
    const double seconds = (wall_ms() - start) / 1e3;
    int is_same = 1;
    if (r.rank == 0) {
        print_words(argv[1], numbers, numbers + k, numbers + 2 * k, totals.listed);
        printf("%" PRIu64 " words, %" PRIu64 " of them distinct; %d ranks, %.3f s\n", totals.words, totals.distinct,
               r.ranks, seconds);
        if (size <= LARGEST_COMPARED) {
            is_same = compare(&r, argv[1], size, k, numbers, &totals);
            printf(is_same ? "Test passed: rank 0 alone finds the same words\n" : "TEST FAILED: rank 0 alone finds others\n");
        }
    }
    close_part(text);
    free(numbers);
    return end(&r, is_same ? 0 : 1);
}
