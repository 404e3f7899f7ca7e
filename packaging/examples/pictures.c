/* pictures.c - of pictures.h what needs no other library: portable pixmaps, name.ppm. In the source tree the examples link
 * libpictures.a, which writes PNG files, animated GIFs and plots as well. */
#include "pictures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *error = "";

static int fail(const char *sentence) {
    error = sentence;
    return 1;
}

static int is_pixmap(const char *path) {
    const char *ending = strrchr(path, '.');
    return ending != NULL && strcmp(ending, ".ppm") == 0;
}

/* r g b of a pixel; one of a single channel is grey. */
static int put_pixel(FILE *file, const uint8_t *pixel, int channels) {
    const uint8_t grey[3] = {pixel[0], pixel[0], pixel[0]};
    return fwrite(channels < 3 ? grey : pixel, 1, 3, file) == 3;
}

int picture_save(const char *path, const uint8_t *pixels, size_t width, size_t height, int channels) {
    if (!is_pixmap(path)) return fail("the installed examples write name.ppm; those of the source tree write PNG as well");
    FILE *file = fopen(path, "wb");
    if (file == NULL) return fail(strerror(errno));
    int written = fprintf(file, "P6\n%zu %zu\n255\n", width, height) > 0;
    for (size_t i = 0; i < width * height && written; i++) written = put_pixel(file, pixels + i * (size_t)channels, channels);
    written = fclose(file) == 0 && written;
    return written ? 0 : fail(strerror(errno));
}

int picture_save_plot(const char *path, const char *title, const char *x_name, const char *y_name,
                      const picture_curve *curves, size_t count) {
    (void)path, (void)title, (void)x_name, (void)y_name, (void)curves, (void)count;
    return fail("the examples of the source tree write plots; here --csv writes the numbers");
}

picture_gif *picture_open_gif(const char *path, size_t width, size_t height, const uint8_t *colours, size_t count) {
    (void)path, (void)width, (void)height, (void)colours, (void)count;
    fail("the examples of the source tree write GIFs; here name%04d.ppm is a picture a frame");
    return NULL;
}

int picture_add_frame(picture_gif *gif, const uint8_t *pixels, unsigned hundredths) {
    (void)gif, (void)pixels, (void)hundredths;
    return fail("there is no GIF");
}

int picture_close_gif(picture_gif *gif) {
    (void)gif;
    return fail("there is no GIF");
}

const char *picture_error(void) { return error; }
