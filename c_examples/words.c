/* words.c - the most frequent words of a text, as `tr | sort | uniq -c | sort -rn | head` finds them.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/words.c -o words -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    words FILE [-k N] [--fold] [--ascii]      "-" is the standard input
 *
 *         -k N      lists N words                                                      (20)
 *         --fold    takes capitals and small letters for the same
 *         --ascii   takes bytes from 0x80 on for no letters; else the text is UTF-8
 *
 *     $ words --fold hamlet.txt -k 3
 *     CUDA backend: NVIDIA H200
 *          count  word
 *           1143  the
 *            965  and
 *            754  to
 *     32026 words, 4785 of them distinct; 0.002 s, 0.09 GB/s
 *     Test passed: the counts of all words add up
 *
 * Exits with 1 when a file cannot be read, or when the counts of all words, which a second call lists for texts up to 1 GiB, are not
 * those of the text. */
#include "common.h"
#include "files.h"
#include "progress.h"

typedef struct request {
    const char *path;
    size_t k;
    gpumex_words_options options;
} request;

/* What the command line asks for, or the end of the program. */
static request read_request(int argc, char **argv) {
    request asked = {NULL, 20, GPUMEX_WORDS_OPTIONS_INIT};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--fold") == 0) asked.options.fold = 1;
        else if (strcmp(argv[i], "--ascii") == 0) asked.options.encoding = GPUMEX_WORDS_ENCODING_ASCII;
        else if (strcmp(argv[i], "-k") == 0 && i + 1 < argc) asked.k = number(argv[++i], 1ul << 30);
        else if (asked.path == NULL && (argv[i][0] != '-' || argv[i][1] == '\0')) asked.path = argv[i];
        else asked.path = NULL, i = argc;
    }
    if (asked.path == NULL) {
        fprintf(stderr, "usage: words FILE [-k N] [--fold] [--ascii]\n");
        exit(2);
    }
    return asked;
}

static void print_words(const uint8_t *text, const uint64_t *positions, const uint64_t *lengths, const uint64_t *counts,
                        uint64_t listed) {
    if (listed > 0) printf("%10s  word\n", "count");
    for (uint64_t i = 0; i < listed; i++) {
        printf("%10" PRIu64 "  ", counts[i]);
        fwrite(text + positions[i], 1, (size_t)lengths[i], stdout);
        printf("\n");
    }
}

/* Whether the counts of all different words add up to the words of the text, and begin with the `listed` ones. */
static int add_up(gpumex_context *ctx, const request *asked, mapped text, const uint64_t *listed,
                  const gpumex_words_summary *found) {
    const size_t all = (size_t)found->distinct;
    uint64_t *const numbers = (uint64_t *)allocate(3 * all * sizeof *numbers), *const counts = numbers + 2 * all;
    uint64_t sum = 0;
    CHECK(gpumex_words(ctx, &asked->options, text.bytes, text.len, all, numbers, numbers + all, counts, NULL));
    for (size_t i = 0; i < all; i++) sum += counts[i];
    const int is_same = memcmp(listed, counts, (size_t)found->listed * sizeof *listed) == 0;
    free(numbers);
    return is_same && sum == found->words;
}

int main(int argc, char **argv) {
    const request asked = read_request(argc, argv);
    const mapped text = open_file(asked.path);
    uint64_t *const numbers = (uint64_t *)allocate(3 * asked.k * sizeof *numbers);
    uint64_t *const positions = numbers, *const lengths = numbers + asked.k, *const counts = numbers + 2 * asked.k;
    gpumex_context *const ctx = open_context(GPUMEX_BACKEND_AUTO);
    gpumex_words_summary found = GPUMEX_WORDS_SUMMARY_INIT;
    progress shown;

    print_device(ctx);
    start_progress(ctx, &shown, show_progress, print_bytes, text.len);
    const double start = wall_ms();
    CHECK(gpumex_words(ctx, &asked.options, text.bytes, text.len, asked.k, positions, lengths, counts, &found));
    const double seconds = (wall_ms() - start) / 1e3;
    end_progress(ctx, &shown);

    print_words(text.bytes, positions, lengths, counts, found.listed);
    printf("%" PRIu64 " words, %" PRIu64 " of them distinct; %.3f s, %.2f GB/s\n", found.words, found.distinct, seconds,
           (double)text.len / seconds / 1e9);
    const int is_short = text.len <= (size_t)1 << 30, is_right = !is_short || add_up(ctx, &asked, text, counts, &found);
    if (!is_short) printf("Not tested: that takes another run of a long text\n");
    else if (is_right) printf("Test passed: the counts of all words add up\n");
    else printf("Test FAILED: the counts of all words do not add up\n");

    CHECK(gpumex_context_destroy(ctx));
    free(numbers);
    close_file(text);
    return !is_right;
}
