/* player.h - the player of life.c: a pattern from a file, its run as a film or as the pattern that it becomes. */
#ifndef GPUMEX_EXAMPLES_PLAYER_H
#define GPUMEX_EXAMPLES_PLAYER_H

#include "film.h"
#include "progress.h"

#include <signal.h>

enum { WIDEST_MARGIN = 128, LARGEST_SIDE = 100000, OF_THE_PATTERN = -1 };
static const double PIECE_MS = 500; /* of a call */

/* What the command line asks for; NULL and 0 leave it to the pattern. */
typedef struct wish {
    const char *pattern, *out, *rule;
    size_t generations, every, zoom, rows, cols;
    int32_t boundary; /* or OF_THE_PATTERN */
} wish;

static const char *const boundary_names[] = {"clamped edges", "dead beyond the edges", "a torus"};

/* Set by Ctrl-C: the run ends with the last whole frame or piece, and what was written is whole. */
static volatile sig_atomic_t interrupted;

static inline void interrupt(int signal_number) {
    interrupted = 1;
    signal(signal_number, SIG_DFL); /* a second one ends the program at once */
}

/* All bytes of a file. */
static inline char *read_text(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    const long size = ftell(file);
    char *text = (char *)allocate(size > 0 ? (size_t)size : 0);
    rewind(file);
    *length = size > 0 ? fread(text, 1, (size_t)size, file) : 0;
    if (size < 0 || ferror(file) || *length != (size_t)size) give_up(path, "cannot be read");
    fclose(file);
    return text;
}

/* ---------------------------------------------------------------------------------------------------- the board */

/* The size of the board: as wished, as the rule says behind ":T" or ":P", or the pattern with room for a glider to fly
 * until the last generation, a cell in four of them. */
static inline void choose_size(const wish *w, const gpumex_pattern_info *info, size_t *rows, size_t *cols) {
    size_t margin = w->generations / 4 + 8;
    if (margin > WIDEST_MARGIN) margin = WIDEST_MARGIN;
    *rows = info->board_rows ? info->board_rows : info->rows + 2 * margin;
    *cols = info->board_cols ? info->board_cols : info->cols + 2 * margin;
    if (w->rows > 0) *rows = w->rows, *cols = w->cols;
}

/* The pattern of a file in the middle of a board. */
static inline uint8_t *load_board(const wish *w, gpumex_pattern_info *info, size_t *rows, size_t *cols) {
    size_t length;
    char *text = read_text(w->pattern, &length);
    if (gpumex_pattern_inspect(text, length, info) != GPUMEX_STATUS_OK) give_up(w->pattern, gpumex_last_error());
    choose_size(w, info, rows, cols);
    if (info->rows > LARGEST_SIDE || info->cols > LARGEST_SIDE || *rows > LARGEST_SIDE || *cols > LARGEST_SIDE)
        give_up(w->pattern, "the board would have more than 100000 rows or columns");
    uint8_t *board = (uint8_t *)allocate(*rows * *cols);
    const size_t row = *rows > info->rows ? (*rows - info->rows) / 2 : 0;
    const size_t col = *cols > info->cols ? (*cols - info->cols) / 2 : 0;
    if (gpumex_pattern_read(text, length, GPUMEX_LIFE_CELLS_BYTES, row, col, board, *rows, *cols) != GPUMEX_STATUS_OK)
        give_up(w->pattern, gpumex_last_error());
    info->row -= (int64_t)row, info->col -= (int64_t)col; /* of the board, from here on */
    free(text);
    return board;
}

/* Writes the board as a pattern, with the name and the rule that it came with. */
static inline void save_pattern(const char *path, gpumex_pattern_info *info, const uint8_t *board, size_t rows, size_t cols) {
    uint64_t needed = 0;
    CHECK(gpumex_pattern_write(info, GPUMEX_LIFE_CELLS_BYTES, board, rows, cols, NULL, 0, &needed));
    char *text = (char *)allocate((size_t)needed);
    CHECK(gpumex_pattern_write(info, GPUMEX_LIFE_CELLS_BYTES, board, rows, cols, text, (size_t)needed, &needed));
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(text, 1, (size_t)needed - 1, file) != needed - 1 || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    free(text);
}

/* -------------------------------------------------------------------------------------------------- the progress */

static inline void print_generations(uint64_t reached, uint64_t total) {
    fprintf(stderr, "Generation %" PRIu64 " of %" PRIu64 ", %.0f %%", reached, total, 100.0 * (double)reached / (double)total);
}

/* The library calls this about 20 times a second, and in each call of its own; an answer other than 0 cancels that. */
static inline int32_t tell_progress(void *user, uint64_t done, uint64_t total) {
    show_progress(user, done, total);
    return interrupted;
}

/* ------------------------------------------------------------------------------------------------------ the run */

/* Plays the pattern; how many generations it got to, which *board is then: a call that is cancelled spoils the other
 * board alone. A run without frames goes in pieces of about half a second, so that little of it is lost. */
static inline size_t run_film(gpumex_context *ctx, const wish *w, const gpumex_life_options *options, film *f,
                              uint8_t **board) {
    size_t every = has_frames(f) && w->every > 0 ? w->every : 1;
    uint8_t *next = (uint8_t *)allocate(f->rows * f->cols);
    progress p;
    start_progress(ctx, &p, tell_progress, print_generations, w->generations);
    if (has_frames(f)) shoot(f, *board);
    while (p.before < w->generations && !interrupted) {
        const size_t left = w->generations - (size_t)p.before, step = every < left ? every : left;
        const double start = wall_ms();
        const int32_t status = gpumex_life(ctx, options, *board, f->rows, f->cols, step, next);
        if (status == GPUMEX_STATUS_CANCELLED) break;
        CHECK(status);
        uint8_t *const previous = *board;
        *board = next, next = previous;
        p.before += step;
        if (has_frames(f)) shoot(f, *board);
        else if (wall_ms() - start < PIECE_MS) every *= 2;
    }
    end_progress(ctx, &p);
    free(next);
    return (size_t)p.before;
}

/* What lies beyond the edge: as wished, as the rule says, or dead cells. A pattern's rule cannot ask for clamped edges,
 * so CLAMP means that it says nothing. */
static inline int32_t choose_boundary(const wish *w, const gpumex_pattern_info *info) {
    if (w->boundary != OF_THE_PATTERN) return w->boundary;
    return info->boundary == GPUMEX_LIFE_BOUNDARY_CLAMP ? GPUMEX_LIFE_BOUNDARY_DEAD : info->boundary;
}

/* Plays as wished and tells what came of it. */
static inline int play_pattern(const wish *w) {
    gpumex_pattern_info info = GPUMEX_PATTERN_INFO_INIT;
    size_t rows, cols;
    uint8_t *board = load_board(w, &info, &rows, &cols);
    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    gpumex_life_options options = GPUMEX_LIFE_OPTIONS_INIT;
    options.boundary = choose_boundary(w, &info);
    if (w->boundary != OF_THE_PATTERN) info.boundary = w->boundary;
    if (w->rule != NULL) snprintf(info.rule, sizeof info.rule, "%s", w->rule);
    options.rule = info.rule;

    print_device(ctx);
    printf("%s: %zu x %zu cells on a board of %zu x %zu, %s, %s\n", info.name[0] ? info.name : w->pattern, info.rows,
           info.cols, rows, cols, info.rule, boundary_names[options.boundary]);
    fflush(stdout);
    film f = open_film(w->out, rows, cols, w->zoom);
    signal(SIGINT, interrupt);
    const size_t done = run_film(ctx, w, &options, &f, &board);
    close_film(&f);

    size_t alive = 0;
    for (size_t cell = 0; cell < rows * cols; cell++) alive += board[cell];
    printf("Generation %zu: %zu cells alive%s\n", done, alive, done < w->generations ? " (interrupted)" : "");
    info.format = f.kind == LIFE106 ? GPUMEX_PATTERN_FORMAT_LIFE106 : GPUMEX_PATTERN_FORMAT_RLE;
    if (f.kind == RLE || f.kind == LIFE106) save_pattern(w->out, &info, board, rows, cols);
    if (w->out != NULL) printf("Saved: %s", w->out);
    if (has_frames(&f)) printf(", %zu frames of %zu x %zu pixels", f.frames, cols * f.zoom, rows * f.zoom);
    if (w->out != NULL) printf("\n");
    CHECK(gpumex_context_destroy(ctx));
    free(board);
    return 0;
}

#endif
