/* life_pgm.c - a pattern of Life from a file, played for some generations, as a picture that any viewer opens.
 *
 * Build:  make examples
 * Run:    life_pgm PATTERN GENERATIONS > picture.pgm       life_pgm c_examples/patterns/gosper.rle 500 > picture.pgm
 *
 * The pattern lies in the middle of a board with a margin on each side; its own rule and boundary are played. Says on the standard
 * error how many cells live:
 *
 *     Gosper glider gun: 36 x 9, B3/S23, 36 cells; after 500 generations 129 */
#include "common.h"

enum { MARGIN = 64, LONGEST = 1 << 20 };

int main(int argc, char **argv) {
    static char text[LONGEST];
    FILE *file = argc == 3 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "life_pgm PATTERN GENERATIONS: PATTERN is a file in RLE or Life 1.06\n");
        return 1;
    }
    const size_t length = fread(text, 1, LONGEST, file);
    fclose(file);

    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    CHECK(gpumex_pattern_inspect(text, length, &info));
    const size_t rows = info.rows + 2 * MARGIN, cols = info.cols + 2 * MARGIN;
    uint8_t *board = (uint8_t *)calloc(rows, cols);
    if (board == NULL) return 1;
    CHECK(gpumex_pattern_read(text, length, GPUMEX_LIFE_CELLS_BYTES, MARGIN, MARGIN, board, rows, cols));

    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    CHECK(gpumex_life(ctx, GPUMEX_OPTIONS(life, .boundary = info.boundary, .rule = info.rule), board, rows, cols,
                      strtoull(argv[2], NULL, 10), board));
    gpumex_context_destroy(ctx);

    uint64_t population = 0;
    for (size_t i = 0; i < rows * cols; i++) {
        population += board[i];
        board[i] = board[i] ? 255 : 0;
    }
    fprintf(stderr, "%s: %zu x %zu, %s, %" PRIu64 " cells; after %s generations %" PRIu64 "\n",
            info.name[0] ? info.name : argv[1], info.cols, info.rows, info.rule, info.population, argv[2], population);
    printf("P5\n%zu %zu\n255\n", cols, rows);
    const int is_written = fwrite(board, cols, rows, stdout) == rows;
    free(board);
    return is_written ? 0 : 1;
}
