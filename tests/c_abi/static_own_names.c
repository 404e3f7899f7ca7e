/* static_own_names.c - a program with a matmul, a histogram and a raytrace of its own, linked with libgpumex.a: it keeps them,
 * and gpumex_matmul, gpumex_histogram and gpumex_raytrace are the library's. */
#define GPUMEX_NO_PLAIN_NAMES
#include "check.h"

/* Of other types than the library's functions: a call of the wrong one gives another number, or crashes. */
int matmul(void) { return 41; }
int histogram(void) { return 42; }
int raytrace(void) { return 43; }

int main(void) {
    const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, product[4] = {19, 22, 43, 50};
    const float sphere[7] = {1, 0.5f, 0, 8, 0, 0, 0}; /* the pixel in its middle has its whole colour */
    const uint8_t data[5] = {7, 9, 7, 7, 255}, colour[4] = {255, 127, 0, 255};
    float c[4] = {0};
    uint64_t counts[256] = {0};
    uint8_t image[4 * 4 * 4] = {0};
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    EXPECT(ctx != NULL);
    OK(gpumex_matmul(ctx, NULL, 2, 2, 2, a, b, c));
    EXPECT(memcmp(c, product, sizeof c) == 0);
    OK(gpumex_histogram(ctx, NULL, data, sizeof data, counts, 256));
    EXPECT(counts[7] == 3 && counts[9] == 1 && counts[255] == 1 && counts[0] == 0);
    OK(gpumex_raytrace(ctx, NULL, sphere, 1, 4, 4, image));
    EXPECT(memcmp(image + (2 * 4 + 2) * 4, colour, sizeof colour) == 0);
    EXPECT(life_works(ctx));
    OK(gpumex_context_destroy(ctx));
    EXPECT(matmul() == 41 && histogram() == 42 && raytrace() == 43);
    puts("done");
    return 0;
}
