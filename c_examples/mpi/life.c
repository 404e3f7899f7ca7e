/* life.c - Conway's Life on a board whose rows are on all ranks of MPI: a random board, a pattern, or one from a file.
 *
 * Build:  mpicc -O2 c_examples/mpi/life.c -o life -Iinclude -Ltarget/release -lgpumex -Wl,-rpath,$PWD/target/release
 * Run:    mpirun -n 4 ./life [OPTION...] [ROWS COLS GENERATIONS]                            (1000 1000 500)
 *
 *     -p PATTERN      a pattern, RLE or Life 1.06, in the middle, in the place of random cells; cells beyond the edge are dead
 *                     unless its rule says otherwise (":T")
 *     -i BOARD.bits   a board that -o has written, of ROWS x COLS cells
 *     -o BOARD.bits   the last generation as a file
 *     -v PICTURE.pgm  the last generation as a picture of at most 512 x 512 pixels
 *
 *     $ mpirun -n 4 ./life -p acorn.rle -o acorn.bits -v acorn.pgm 4000 4000 5206
 *     4 ranks, 4000 x 4000 cells, 5206 generations: 0.196 s
 *     live cells 633, checksum ec9f9d700a8828a0
 *     Test passed: rank 0 alone has the same board
 *
 * A file of cells is row behind row, each ceil(COLS / 64) words of 8 bytes: bit b of word w is column 64*w + b, as in
 * GPUMEX_LIFE_CELLS_BITS. Each rank reads and writes its own rows at their offset. Exits with 1 when rank 0 alone, on boards up to
 * 2^30 cells, has another board. */
#include "parts.h"

enum { LARGEST_PICTURE = 512 };
static const size_t LARGEST_COMPARED = (size_t)1 << 30; /* cells */

typedef struct game {
    const char *pattern, *in, *out, *picture; /* NULL: none */
    size_t rows, cols, words;                 /* words of a row */
    uint64_t generations;
    int32_t boundary;
    char rule[32];
} game;

static void usage(int rank) {
    if (rank == 0)
        fprintf(stderr, "usage: life [-p PATTERN | -i BOARD.bits] [-o BOARD.bits] [-v PICTURE.pgm] [ROWS COLS GENERATIONS]\n");
    MPI_Finalize();
    exit(2);
}

static game parse(int argc, char **argv, int rank) {
    game g = {NULL, NULL, NULL, NULL, 1000, 1000, 0, 500, GPUMEX_LIFE_BOUNDARY_CLAMP, "B3/S23"};
    for (int option; (option = getopt(argc, argv, "p:i:o:v:")) != -1;) {
        const char **const text = option == 'p' ? &g.pattern : option == 'i' ? &g.in : option == 'o' ? &g.out : &g.picture;
        if (option == '?') usage(rank);
        *text = optarg;
    }
    const int given = argc - optind;
    if (given > 3 || (g.pattern != NULL && g.in != NULL)) usage(rank);
    if (given > 0) g.rows = number(argv[optind], 1ul << 30);
    if (given > 1) g.cols = number(argv[optind + 1], 1ul << 30);
    if (given > 2) g.generations = number_from(0, argv[optind + 2], 1ul << 40);
    g.words = (g.cols + 63) / 64;
    return g;
}

/* ------------------------------------------------------------------------------------------------------- the start */

/* Half of the cells of some rows, the same for any number of ranks. */
static void fill(const game *g, uint64_t *cells, size_t first, size_t rows) {
    for (size_t i = 0; i < rows * g->words; i++) {
        uint64_t x = (first * g->words + i + 1) * UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ x >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
        x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
        cells[i] = x ^ x >> 31;
    }
}

/* Of a pattern in the middle of the board the rows from `first` on; the game gets its rule. */
static void place(game *g, uint64_t *cells, size_t first, size_t rows) {
    const mapped file = open_file(g->pattern);
    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    CHECK(gpumex_pattern_inspect((const char *)file.bytes, file.len, &info));
    if (info.rows > g->rows || info.cols > g->cols) {
        fprintf(stderr, "%s has %zu x %zu cells, more than the board\n", g->pattern, info.rows, info.cols);
        exit(1);
    }
    uint8_t *const pattern = (uint8_t *)allocate(info.rows * info.cols);
    CHECK(gpumex_pattern_read((const char *)file.bytes, file.len, GPUMEX_LIFE_CELLS_BYTES, 0, 0, pattern, info.rows, info.cols));
    close_file(file);
    memset(cells, 0, rows * g->words * 8);
    const size_t top = (g->rows - info.rows) / 2, left = (g->cols - info.cols) / 2;
    for (size_t i = 0; i < info.rows; i++) {
        if (top + i < first || top + i >= first + rows) continue;
        uint64_t *const row = cells + (top + i - first) * g->words;
        for (size_t j = 0; j < info.cols; j++) row[(left + j) / 64] |= (uint64_t)pattern[i * info.cols + j] << (left + j) % 64;
    }
    free(pattern);
    memcpy(g->rule, info.rule, sizeof g->rule);
    g->boundary = info.boundary == GPUMEX_LIFE_BOUNDARY_CLAMP ? GPUMEX_LIFE_BOUNDARY_DEAD : info.boundary;
}

/* The rows from `first` on; or the end of the program. */
static void start(game *g, uint64_t *cells, size_t first, size_t rows) {
    const size_t row = g->words * 8;
    if (g->pattern != NULL) place(g, cells, first, rows);
    else if (g->in == NULL) fill(g, cells, first, rows);
    if (g->in == NULL) return;
    if (size_of(g->in) != g->rows * row) {
        fprintf(stderr, "%s has %zu bytes; %zu x %zu cells are %zu\n", g->in, size_of(g->in), g->rows, g->cols, g->rows * row);
        exit(1);
    }
    const file_part part = open_part(g->in, first * row, rows * row);
    if (part.len > 0) memcpy(cells, part.bytes, part.len);
    close_part(part);
}

/* --------------------------------------------------------------------------------------------------------- the end */

static uint64_t live(uint64_t word) {
    uint64_t count = 0;
    for (; word != 0; word &= word - 1) count++;
    return count;
}

/* How many cells of the rows live, and a sum that tells boards apart. */
static void sums_of(const game *g, const uint64_t *cells, size_t first, size_t rows, uint64_t sums[2]) {
    sums[0] = sums[1] = 0;
    for (size_t i = 0; i < rows * g->words; i++) {
        sums[0] += live(cells[i]);
        sums[1] += cells[i] * (2 * (first * g->words + i) + UINT64_C(0x9E3779B97F4A7C15));
    }
}

static size_t shorter(size_t n) { return n < LARGEST_PICTURE ? n : LARGEST_PICTURE; }

/* Writes the board of all ranks, a pixel white where a third of its cells live. */
static void write_picture(const ranks *r, const game *g, const uint64_t *cells, size_t first, size_t rows) {
    const size_t height = shorter(g->rows), width = shorter(g->cols), pixels = height * width;
    uint64_t *const counts = (uint64_t *)allocate(pixels * 8), *const all = (uint64_t *)allocate(pixels * 8);
    memset(counts, 0, pixels * 8);
    for (size_t i = 0; i < rows; i++) {
        uint64_t *const line = counts + (first + i) * height / g->rows * width;
        for (size_t w = 0; w < g->words; w++) {
            for (uint64_t word = cells[i * g->words + w], b = 0; word != 0; word >>= 1, b++) {
                line[(64 * w + b) * width / g->cols] += word & 1;
            }
        }
    }
    MPI_Reduce(counts, all, (int)pixels, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    if (r->rank == 0) {
        FILE *const file = fopen(g->picture, "wb");
        if (file == NULL) fail_at(g->picture);
        const double each = (double)g->rows / (double)height * (double)g->cols / (double)width;
        fprintf(file, "P5\n%zu %zu\n255\n", width, height);
        for (size_t i = 0; i < pixels; i++) {
            const double light = 3 * 255 * (double)all[i] / each;
            fputc(light < 255 ? (int)light : 255, file);
        }
        if (fclose(file) != 0) fail_at(g->picture);
    }
    free(counts);
    free(all);
}

/* Whether rank 0 alone gets the same board: its first rows, and the sums of all. */
static int compare(const ranks *r, game *g, const uint64_t *own, size_t rows, const uint64_t totals[2]) {
    uint64_t *const all = (uint64_t *)allocate(g->rows * g->words * 8), alone[2];
    start(g, all, 0, g->rows);
    CHECK(gpumex_life(r->ctx, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = g->boundary, .rule = g->rule), all, g->rows,
                      g->cols, g->generations, all));
    sums_of(g, all, 0, g->rows, alone);
    const int is_same = alone[0] == totals[0] && alone[1] == totals[1] && memcmp(all, own, rows * g->words * 8) == 0;
    free(all);
    return is_same;
}

int main(int argc, char **argv) {
    ranks r;
    begin(&r, &argc, &argv);
    game g = parse(argc, argv, r.rank);
    const size_t first = part(g.rows, r.rank, r.ranks), own = part(g.rows, r.rank + 1, r.ranks) - first;
    uint64_t *const board = (uint64_t *)allocate(own * g.words * 8);
    start(&g, board, first, own);

    const double from = wall_ms();
    CHECK(gpumex_comm_life(r.comm, GPUMEX_OPTIONS(life, .cells = GPUMEX_LIFE_CELLS_BITS, .boundary = g.boundary, .rule = g.rule), board, own,
                           g.cols, g.generations, board));
    const double seconds = (wall_ms() - from) / 1e3;

    uint64_t sums[2], totals[2];
    sums_of(&g, board, first, own, sums);
    for (int i = 0; i < 2; i++) {
        CHECK(gpumex_comm_reduce(r.comm, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_U64), &sums[i], 1, &totals[i]));
    }
    int is_same = 1;
    const int is_compared = g.cols <= LARGEST_COMPARED / g.rows;
    if (r.rank == 0) {
        if (is_compared) is_same = compare(&r, &g, board, own, totals);
        printf("%d ranks, %zu x %zu cells, %" PRIu64 " generations: %.3f s\n", r.ranks, g.rows, g.cols, g.generations, seconds);
        printf("live cells %" PRIu64 ", checksum %016" PRIx64 "\n", totals[0], totals[1]);
        if (is_compared) printf(is_same ? "Test passed: rank 0 alone has the same board\n" : "TEST FAILED: rank 0 alone has another board\n");
    }
    if (g.out != NULL) write_part(&r, g.out, g.rows * g.words * 8, first * g.words * 8, board, own * g.words * 8);
    if (g.picture != NULL) write_picture(&r, &g, board, first, own);
    free(board);
    return end(&r, is_same ? 0 : 1);
}
