/* byte_stream.c - the histogram of a stream that is longer than memory: it is counted piece by piece.
 *
 * Build:  make examples
 * Run:    byte_stream [FILE]          the standard input without one:  head -c 1G /dev/urandom | byte_stream
 *
 * Prints the number of bytes, their entropy and the most frequent ones:
 *
 *     bytes 1073741824, entropy 8.000 bits a byte
 *       0x9d   4199219
 *
 * Exits with 1 when the counts do not add up. */
#include "common.h"

#include <math.h>

enum { VALUES = 256, PIECE = 1 << 22, SHOWN = 5 };

/* The most frequent value that has not been shown; its count becomes 0. */
static int most_frequent(uint64_t *counts, uint64_t *count) {
    int most = 0;
    for (int v = 1; v < VALUES; v++)
        if (counts[v] > counts[most]) most = v;
    *count = counts[most];
    counts[most] = 0;
    return most;
}

int main(int argc, char **argv) {
    static uint8_t piece[PIECE];
    uint64_t counts[VALUES] = {0}, total = 0, counted = 0, count;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
    if (file == NULL) {
        perror(argv[1]);
        return 1;
    }
    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    for (size_t bytes; (bytes = fread(piece, 1, PIECE, file)) > 0; total += bytes)
        CHECK(gpumex_histogram(ctx, GPUMEX_OPTIONS(histogram, .accumulate = 1), piece, bytes, counts, VALUES));

    double entropy = 0;
    for (int v = 0; v < VALUES; v++) {
        const double share = counts[v] > 0 ? 1.0 * counts[v] / total : 1;
        entropy -= share * log2(share);
        counted += counts[v];
    }
    printf("bytes %" PRIu64 ", entropy %.3f bits a byte\n", total, entropy);
    for (int i = 0; i < SHOWN; i++) {
        const int value = most_frequent(counts, &count);
        if (count > 0) printf("  0x%02x %9" PRIu64 "\n", value, count);
    }
    gpumex_context_destroy(ctx);
    if (file != stdin) fclose(file);
    return counted == total ? 0 : 1;
}
