/* raytrace.c - a ray caster of spheres that lie in global memory, behind the read-only cache or in constant memory.
 *
 * Build:  make examples
 *    or:  cc -O2 c_examples/raytrace.c -o raytrace -Iinclude -Ltarget/release -lgpumex -Ltarget/release/examples -lpictures \
 *            -lpthread -ldl -lm -Wl,-rpath,$PWD/target/release
 * Run:    raytrace [-o OUT.png] [--size N]               an image of N x N pixels       (raytrace.png, 2048)
 *
 * Prints the kernel times in ms, and writes the picture of the last row:
 *
 *     Spheres |   Normal | Read-only | Constant
 *          16 |    0.042 |     0.041 |    0.039
 *          32 |    ...
 *
 * Exits with 1 when the three images of a row differ in a byte, or from the plain loop below in their middle line.
 * Source: J. Sanders, E. Kandrot, "CUDA by Example", chapter 6; RSE-Sheffield, CUDALab03, exercise 2. */
#include "common.h"
#include "pictures.h"

#include <math.h>

enum { MOST = 2048 };

typedef struct sphere { /* as gpumex_raytrace takes it: 7 floats */
    float r, g, b, radius, x, y, z;
} sphere;

/* The next number from 0 to `most`, the same ones every time. */
static float uniform(float most) {
    static uint64_t seed = 4521;
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return most * ((float)(seed >> 40) / (float)(1 << 24));
}

/* Spheres of any colour, all over a cube as wide as the image; radius 20 to 120 in an image of 2048. */
static void make_scene(sphere *scene, size_t size) {
    const float width = (float)size;
    for (int i = 0; i < MOST; i++) {
        sphere *s = &scene[i];
        s->r = uniform(1), s->g = uniform(1), s->b = uniform(1);
        s->x = uniform(width) - width / 2, s->y = uniform(width) - width / 2, s->z = uniform(width) - width / 2;
        s->radius = (20 + uniform(100)) * width / 2048;
    }
}

/* One line of the image by the plain loop, in the arithmetic that gpumex.h promises to the last bit. */
static void plain_line(const sphere *scene, size_t count, size_t size, size_t j, uint8_t *line) {
    const float oy = (float)j - (float)size / 2;
    for (size_t i = 0; i < size; i++) {
        const float ox = (float)i - (float)size / 2;
        const sphere *hit = NULL;
        float nearest = 0, height = 0;
        for (const sphere *s = scene; s < scene + count; s++) {
            const float dx = ox - s->x, dy = oy - s->y, d = fmaf(dy, dy, dx * dx);
            if (!(d < s->radius * s->radius)) continue;
            const float dz = sqrtf(fmaf(s->radius, s->radius, -d));
            if (hit == NULL || s->z + dz > nearest) hit = s, nearest = s->z + dz, height = dz;
        }
        const float shade = hit ? height / hit->radius : 0;
        const float colour[4] = {hit ? hit->r * shade : 0, hit ? hit->g * shade : 0, hit ? hit->b * shade : 0, 1};
        for (int channel = 0; channel < 4; channel++) line[4 * i + channel] = (uint8_t)(colour[channel] * 255);
    }
}

/* image <- the picture of the spheres, by one variant; the kernel time in ms. */
static double cast(gpumex_context *ctx, int32_t variant, const sphere *scene, size_t count, size_t size,
                   uint8_t *image) {
    double times[REPEATS];
    gpumex_raytrace_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.variant = variant;
    for (int i = 0; i < REPEATS; i++) {
        memset(image, 0xEE, size * size * 4);
        CHECK(gpumex_raytrace(ctx, &options, &scene->r, count, size, size, image));
        times[i] = kernel_ms(ctx);
    }
    return median(times);
}

int main(int argc, char **argv) {
    static sphere scene[MOST];
    const char *path = "raytrace.png";
    size_t size = 2048;
    for (int i = 1; i < argc; i += 2) {
        const int is_path = strcmp(argv[i], "-o") == 0, is_size = strcmp(argv[i], "--size") == 0;
        if (i + 1 == argc || (!is_path && !is_size)) {
            fprintf(stderr, "usage: raytrace [-o OUT.png] [--size N]\n");
            return 2;
        }
        if (is_path) path = argv[i + 1];
        if (is_size) size = number(argv[i + 1], 16384);
    }
    const int32_t variants[3] = {GPUMEX_RAYTRACE_VARIANT_GLOBAL, GPUMEX_RAYTRACE_VARIANT_READ_ONLY,
                                 GPUMEX_RAYTRACE_VARIANT_CONSTANT};
    const size_t bytes = size * size * 4, middle = size / 2;
    uint8_t *image = (uint8_t *)allocate(bytes), *other = (uint8_t *)allocate(bytes);
    uint8_t *line = (uint8_t *)allocate(size * 4);
    gpumex_context *ctx = open_context(GPUMEX_BACKEND_AUTO);
    int wrong = 0;
    make_scene(scene, size);

    print_device(ctx);
    printf("Ray caster: %zu x %zu pixels, kernel ms\n\n", size, size);
    printf("Spheres |   Normal | Read-only | Constant\n");
    for (size_t count = 16; count <= MOST; count *= 2) {
        double ms[3];
        for (int v = 0; v < 3; v++) {
            ms[v] = cast(ctx, variants[v], scene, count, size, v == 0 ? image : other);
            wrong += v > 0 && memcmp(image, other, bytes) != 0;
        }
        plain_line(scene, count, size, middle, line);
        wrong += memcmp(image + middle * size * 4, line, size * 4) != 0;
        printf("%7zu | %8.3f | %9.3f | %8.3f\n", count, ms[0], ms[1], ms[2]);
    }
    if (wrong == 0) printf("\nTest passed: the three images of each row are the same in every byte\n");
    else printf("\nTest FAILED: %d images are not what they should be\n", wrong);
    if (picture_save_png(path, image, size, size, 4) == 0) printf("Picture: %s\n", path);
    else fprintf(stderr, "%s\n", picture_error()), wrong++;

    CHECK(gpumex_context_destroy(ctx));
    free(line);
    free(other);
    free(image);
    return wrong != 0;
}
