/* film.h - the output of life.c: an animated GIF, a sequence of PNGs, or nothing but the last board as a pattern. */
#ifndef GPUMEX_EXAMPLES_FILM_H
#define GPUMEX_EXAMPLES_FILM_H

#include "common.h"
#include "pictures.h"

enum { FRAME_HUNDREDTHS = 4, PICTURE_PIXELS = 512, LARGEST_ZOOM = 8 };

/* What is written, by the ending of the file's name; picture_save writes PNG and PPM. */
typedef enum output { NO_OUTPUT, GIF, PNG, RLE, LIFE106 } output;

typedef struct film {
    output kind;
    const char *path; /* of a PNG with %d or %04d in it */
    size_t rows, cols, zoom, channels, frames;
    uint8_t *pixels; /* (rows*zoom, cols*zoom, channels): the number of the colour in a GIF, r g b in a PNG */
    picture_gif *gif;
} film;

static const uint8_t film_colours[2][3] = {{16, 18, 32}, {255, 208, 96}}; /* dead, alive */

/* Ends the program with a sentence about a file. */
static inline void give_up(const char *path, const char *sentence) {
    fprintf(stderr, "%s: %s\n", path, sentence);
    exit(1);
}

/* The number of a picture is written where the name has %d or %04d. */
static inline const char *number_in(const char *path, int *width) {
    const char *percent = strchr(path, '%');
    *width = 0;
    if (percent == NULL) return NULL;
    const char *digit = percent + 1;
    while (*digit >= '0' && *digit <= '9' && *width < 100) *width = 10 * *width + (*digit++ - '0');
    return *digit == 'd' && *width < 100 && strchr(digit, '%') == NULL ? percent : NULL;
}

static inline output kind_of(const char *path) {
    static const struct { const char *ending; output kind; } kinds[] = {
        {".gif", GIF}, {".png", PNG}, {".ppm", PNG}, {".rle", RLE}, {".lif", LIFE106}};
    const char *ending = path ? strrchr(path, '.') : NULL;
    int width;
    for (size_t i = 0; ending != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(ending, kinds[i].ending) == 0 && (kinds[i].kind != PNG || number_in(path, &width) != NULL))
            return kinds[i].kind;
    return NO_OUTPUT;
}

static inline int has_frames(const film *f) { return f->kind == GIF || f->kind == PNG; }

/* Pixels a side of a cell, so that the picture is easy to see. */
static inline size_t fitting_zoom(size_t longest) {
    size_t zoom = 1;
    while (zoom < LARGEST_ZOOM && (zoom + 1) * longest <= PICTURE_PIXELS) zoom++;
    return zoom;
}

static inline film open_film(const char *path, size_t rows, size_t cols, size_t zoom) {
    film f;
    memset(&f, 0, sizeof f);
    f.kind = kind_of(path), f.path = path, f.rows = rows, f.cols = cols;
    f.channels = f.kind == GIF ? 1 : 3;
    f.zoom = zoom > 0 ? zoom : fitting_zoom(rows > cols ? rows : cols);
    if (has_frames(&f)) f.pixels = (uint8_t *)allocate(rows * f.zoom * cols * f.zoom * f.channels);
    if (f.kind == GIF) f.gif = picture_open_gif(f.path, cols * f.zoom, rows * f.zoom, film_colours[0], 2);
    if (f.kind == GIF && f.gif == NULL) give_up(f.path, picture_error());
    return f;
}

/* pixels <- the board, each cell as zoom x zoom pixels. */
static inline void draw(const film *f, const uint8_t *board) {
    const size_t width = f->cols * f->zoom * f->channels;
    for (size_t i = 0; i < f->rows * f->zoom; i++) {
        uint8_t *line = f->pixels + i * width;
        const uint8_t *cells = board + i / f->zoom * f->cols;
        if (i % f->zoom != 0) {
            memcpy(line, line - width, width);
            continue;
        }
        for (size_t j = 0; j < f->cols * f->zoom; j++) {
            const uint8_t alive = cells[j / f->zoom];
            if (f->channels == 1) line[j] = alive;
            else memcpy(line + 3 * j, film_colours[alive], 3);
        }
    }
}

static inline void save_png(film *f, const uint8_t *board) {
    char path[4096];
    int width;
    const char *percent = number_in(f->path, &width);
    snprintf(path, sizeof path, "%.*s%0*zu%s", (int)(percent - f->path), f->path, width, f->frames,
             strchr(percent, 'd') + 1);
    draw(f, board);
    if (picture_save(path, f->pixels, f->cols * f->zoom, f->rows * f->zoom, 3) != 0) give_up(path, picture_error());
}

static inline void shoot(film *f, const uint8_t *board) {
    if (f->kind == GIF) {
        draw(f, board);
        if (picture_add_frame(f->gif, f->pixels, FRAME_HUNDREDTHS) != 0) give_up(f->path, picture_error());
    } else if (f->kind == PNG) {
        save_png(f, board);
    }
    f->frames++;
}

static inline void close_film(film *f) {
    if (f->gif != NULL && picture_close_gif(f->gif) != 0) give_up(f->path, picture_error());
    free(f->pixels);
}

#endif
