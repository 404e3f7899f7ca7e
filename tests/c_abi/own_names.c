/* own_names.c - a program that has functions called matmul, histogram and raytrace itself: it keeps them, and the
 * library, which has functions of these names as well, keeps its own. */
#define _GNU_SOURCE
#define GPUMEX_NO_PLAIN_NAMES
#include "check.h"

#include <dlfcn.h>

/* Exported, so that a library which looks its functions up by name would find these. */
int matmul(void) { return 41; }
int histogram(void) { return 42; }
int raytrace(void) { return 43; }

#define TEXT(token) #token
#define DOTTED(major, minor) "libgpumex.so." TEXT(major) "." TEXT(minor)
#define SONAME DOTTED(GPUMEX_VERSION_MAJOR, GPUMEX_VERSION_MINOR)

/* What dlsym finds: the library's functions are of the types of <gpumex.h>, our own ones take nothing. */
typedef union {
    void *address;
    int (*own)(void);
    int32_t (*matmul)(size_t, size_t, size_t, const float *, const float *, float *);
    int32_t (*histogram)(const uint8_t *, size_t, uint64_t *);
    int32_t (*raytrace)(const float *, size_t, size_t, size_t, uint8_t *);
} function;

static const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, product[4] = {19, 22, 43, 50};
static const uint8_t data[5] = {7, 9, 7, 7, 255};
static const float sphere[7] = {1, 0.5f, 0, 8, 0, 0, 0}; /* the pixel in its middle has its whole colour */

static void counts_are_right(const uint64_t *counts) {
    for (int v = 0; v < 256; v++) EXPECT(counts[v] == (v == 7 ? 3 : v == 9 || v == 255 ? 1 : 0));
}

static void picture_is_right(const uint8_t *image) {
    const uint8_t *middle = image + (2 * 4 + 2) * 4;
    EXPECT(middle[0] == 255 && middle[1] == 127 && middle[2] == 0 && middle[3] == 255);
}

static void through_a_context(void) {
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    float c[4] = {0};
    uint64_t counts[256] = {0};
    uint8_t image[4 * 4 * 4] = {0};
    EXPECT(ctx != NULL);
    OK(gpumex_matmul(ctx, NULL, 2, 2, 2, a, b, c));
    EXPECT(memcmp(c, product, sizeof c) == 0);
    OK(gpumex_histogram(ctx, NULL, data, sizeof data, counts, 256));
    counts_are_right(counts);
    OK(gpumex_raytrace(ctx, NULL, sphere, 1, 4, 4, image));
    picture_is_right(image);
    EXPECT(life_works(ctx));
    OK(gpumex_context_destroy(ctx));
}

/* The library's function of that name, which is not ours. */
static function find(void *library, const char *name, int (*own)(void)) {
    function theirs, ours;
    theirs.address = dlsym(library, name);
    ours.own = own;
    EXPECT(theirs.address != NULL && theirs.address != ours.address);
    EXPECT(dlsym(RTLD_DEFAULT, name) == ours.address); /* a look-up by name finds ours first */
    return theirs;
}

static void by_name(void *library) {
    float c[4] = {0};
    uint64_t counts[256] = {0};
    uint8_t image[4 * 4 * 4] = {0};
    OK(find(library, "matmul", matmul).matmul(2, 2, 2, a, b, c));
    EXPECT(memcmp(c, product, sizeof c) == 0);
    OK(find(library, "histogram", histogram).histogram(data, sizeof data, counts));
    counts_are_right(counts);
    OK(find(library, "raytrace", raytrace).raytrace(sphere, 1, 4, 4, image));
    picture_is_right(image);
}

int main(void) {
    void *library = dlopen(SONAME, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    through_a_context();
    by_name(library);
    EXPECT(matmul() == 41 && histogram() == 42 && raytrace() == 43);
    EXPECT(dlclose(library) == 0);
    puts("done");
    return 0;
}
