/* Exercise 2: a ray caster whose spheres lie in global, read-only and constant memory.
 *
 * A thread computes a pixel: it tests all spheres and keeps the one that is nearest to the eye. raytrace_global reads them from
 * global memory. Write the two others; their loops are the same, what differs is how the spheres are declared:
 * - raytrace_read_only: add const and __restrict__ to its parameters, so that the compiler may use the read-only data cache;
 * - raytrace_constant: the spheres are in constant_spheres, which the host fills before the launch. */
#include "lab.h"

enum { BLOCK = 16, MOST = 2048 };

static const char *const gaps[] = {
    "read-only: test all spheres and write the pixel",
    "constant: test all spheres of constant_spheres and write the pixel",
    "constant: copy the spheres to constant_spheres (cudaMemcpyToSymbol)"};

struct sphere {
    float r, g, b, radius, x, y, z;
};

/* What a pixel sees: the sphere, how near its surface is, and its height there over the sphere's centre. */
struct view {
    int sphere;
    float nearest, height;
};

__constant__ sphere constant_spheres[MOST];

/* The place of pixel i of an image of so many pixels; the image's centre is 0. */
__device__ float place(int i, int size) { return (float)i - (float)size / 2; }

/* Tests sphere number k for the ray at (x, y). */
__device__ void test(const sphere &s, int k, float x, float y, view *seen) {
    const float dx = x - s.x, dy = y - s.y, d = fmaf(dy, dy, dx * dx);
    if (!(d < s.radius * s.radius)) return;
    const float height = sqrtf(fmaf(s.radius, s.radius, -d));
    if (seen->sphere >= 0 && !(s.z + height > seen->nearest)) return;
    seen->sphere = k, seen->nearest = s.z + height, seen->height = height;
}

/* The colour of the sphere, darker towards its rim. */
__device__ void paint(const sphere &s, float height, uint8_t *rgba) {
    const float shade = height / s.radius;
    rgba[0] = (uint8_t)(s.r * shade * 255), rgba[1] = (uint8_t)(s.g * shade * 255), rgba[2] = (uint8_t)(s.b * shade * 255);
}

__device__ void paint_background(uint8_t *rgba) { rgba[0] = rgba[1] = rgba[2] = 0, rgba[3] = 255; }

__global__ void raytrace_global(sphere *spheres, int count, int size, uint8_t *image) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    uint8_t *rgba = image + 4 * ((size_t)j * size + i);
    view seen = {-1, 0, 0};
    for (int k = 0; k < count; k++) test(spheres[k], k, place(i, size), place(j, size), &seen);
    paint_background(rgba);
    if (seen.sphere >= 0) paint(spheres[seen.sphere], seen.height, rgba);
}

__global__ void raytrace_read_only(const sphere *__restrict__ spheres, int count, int size, uint8_t *__restrict__ image) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    uint8_t *rgba = image + 4 * ((size_t)j * size + i);
    view seen = {-1, 0, 0};
    for (int k = 0; k < count; k++) test(spheres[k], k, place(i, size), place(j, size), &seen);
    paint_background(rgba);
    if (seen.sphere >= 0) paint(spheres[seen.sphere], seen.height, rgba);
}

__global__ void raytrace_constant(int count, int size, uint8_t *image) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    uint8_t *rgba = image + 4 * ((size_t)j * size + i);
    view seen = {-1, 0, 0};
    for (int k = 0; k < count; k++) test(constant_spheres[k], k, place(i, size), place(j, size), &seen);
    paint_background(rgba);
    if (seen.sphere >= 0) paint(constant_spheres[seen.sphere], seen.height, rgba);
}

/* Spheres all over a cube as wide as the image. */
static void fill(sphere *spheres, float width) {
    for (sphere *s = spheres; s < spheres + MOST; s++) {
        s->r = lab_uniform(0, 1), s->g = lab_uniform(0, 1), s->b = lab_uniform(0, 1);
        s->x = lab_uniform(-width / 2, width / 2), s->y = lab_uniform(-width / 2, width / 2);
        s->z = lab_uniform(-width / 2, width / 2), s->radius = lab_uniform(width / 100, width / 17);
    }
}

static int32_t library(int32_t variant, const sphere *spheres, int count, int size, uint8_t *image) {
    gpumex_raytrace_options options = GPUMEX_RAYTRACE_OPTIONS_INIT;
    options.variant = variant;
    return gpumex_raytrace(lab.ctx, &options, &spheres->r, (size_t)count, (size_t)size, (size_t)size, image);
}

/* The rows of one number of spheres. */
static void compare(sphere *spheres, int count, int size, uint8_t *image, uint8_t *want) {
    const size_t bytes = 4 * (size_t)size * (size_t)size;
    const dim3 block(BLOCK, BLOCK), grid(size / BLOCK, size / BLOCK);
    printf("%d spheres\n", count);
    lab_check(library(GPUMEX_RAYTRACE_VARIANT_AUTO, spheres, count, size, want));
    lab_kernel("global", image, want, bytes, 0, [&] {
        LAUNCH(raytrace_global, grid, block, spheres, count, size, image);
    });
    lab_kernel("read-only", image, want, bytes, 0, [&] {
        LAUNCH(raytrace_read_only, grid, block, spheres, count, size, image);
    });
    cudaMemcpyToSymbol(constant_spheres, spheres, (size_t)count * sizeof(sphere));
    lab_kernel("constant", image, want, bytes, 0, [&] {
        LAUNCH(raytrace_constant, grid, block, count, size, image);
    });
    lab_library("GLOBAL", [&] { return library(GPUMEX_RAYTRACE_VARIANT_GLOBAL, spheres, count, size, want); });
    lab_library("READ_ONLY", [&] { return library(GPUMEX_RAYTRACE_VARIANT_READ_ONLY, spheres, count, size, want); });
    lab_library("CONSTANT", [&] { return library(GPUMEX_RAYTRACE_VARIANT_CONSTANT, spheres, count, size, want); });
    lab_library("AUTO", [&] { return library(GPUMEX_RAYTRACE_VARIANT_AUTO, spheres, count, size, want); });
}

int main(int argc, char **argv) {
    const int size = lab_size(argc, argv, BLOCK, 2048, 64), most = ON_GPU ? MOST : 64;
    lab_begin("Ray caster", gaps);
    sphere *spheres = lab_array<sphere>(MOST);
    uint8_t *image = lab_array<uint8_t>(4 * (size_t)size * (size_t)size);
    uint8_t *want = lab_array<uint8_t>(4 * (size_t)size * (size_t)size);
    fill(spheres, (float)size);
    for (int count = 16; count <= most; count *= 2) compare(spheres, count, size, image, want);
    lab_free(spheres);
    for (uint8_t *array : {image, want}) lab_free(array);
    return lab_end();
}
