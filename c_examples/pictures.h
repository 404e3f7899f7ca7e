/* pictures.h - PNG files, plots and animated GIFs for the examples, by the crates png and gif of image-rs and embedded-graphics.
 *
 * Link target/release/libpictures.a, which `make examples` makes of pictures/. A function that returns an int returns 0 when
 * the file is written so far; after another number picture_error() says why. */
#ifndef GPUMEX_PICTURES_H
#define GPUMEX_PICTURES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes an image of height x width pixels, top line first, channels bytes each: 1 grey, 3 r g b, 4 r g b alpha. A path that ends
 * in .ppm gives a portable pixmap, without alpha; every other one a PNG. */
int picture_save(const char *path, const uint8_t *pixels, size_t width, size_t height, int channels);

/* Points (x, y) that are joined by lines. One whose x or y is not above 0 and finite, such as NaN, is a gap. */
typedef struct picture_curve {
    const char *name;
    const double *x, *y;
    size_t count;
} picture_curve;

/* Writes a PNG: the curves over logarithmic axes with these names, and which colour is which. Texts are ASCII. */
int picture_save_plot(const char *path, const char *title, const char *x_name, const char *y_name,
                      const picture_curve *curves, size_t count);

/* An animated GIF that is being written. */
typedef struct picture_gif picture_gif;

/* A GIF of height x width pixels, 65535 at most, whose colours are r g b each, 256 at most; it plays for ever.
 * NULL when there is none. */
picture_gif *picture_open_gif(const char *path, size_t width, size_t height, const uint8_t *colours, size_t count);

/* Adds a frame, which is shown for so many hundredths of a second: a byte a pixel, the number of its colour. */
int picture_add_frame(picture_gif *gif, const uint8_t *pixels, unsigned hundredths);

/* Ends the file and frees gif, also where it could not be written. */
int picture_close_gif(picture_gif *gif);

/* Why the last call on this thread failed; valid until the next one fails. */
const char *picture_error(void);

#ifdef __cplusplus
}
#endif

#endif
