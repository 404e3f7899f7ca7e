/* empty_input.c - empty arrays that mean something are answered, by every variant; a pointer to nothing may be NULL. */
#include "check.h"

static int all_bytes(const void *bytes, size_t n, int value) {
    for (size_t i = 0; i < n; i++)
        if (((const uint8_t *)bytes)[i] != value) return 0;
    return 1;
}

static void life(gpumex_context *ctx, int32_t variant) {
    const uint8_t board[6] = {1, 0, 1, 1, 0, 0};
    uint8_t next[6];
    const gpumex_life_options *o = GPUMEX_OPTIONS(life, .variant = variant);
    OK(gpumex_life(ctx, o, NULL, 0, 5, 3, NULL));
    OK(gpumex_life(ctx, o, NULL, 5, 0, 3, NULL));
    OK(gpumex_life(ctx, o, NULL, 0, SIZE_MAX, 3, NULL));
    OK(gpumex_life(ctx, o, NULL, 0, 0, UINT64_MAX, NULL));
    memset(next, 0xA5, sizeof next);
    OK(gpumex_life(ctx, o, board, 2, 3, 0, next)); /* no generation: a copy */
    EXPECT(memcmp(next, board, sizeof board) == 0);
    OK(gpumex_life(ctx, o, next, 2, 3, 0, next)); /* of itself */
    EXPECT(memcmp(next, board, sizeof board) == 0);
    OK(gpumex_life(ctx, o, next, 0, 3, 1, next)); /* no cell: none changes */
    EXPECT(memcmp(next, board, sizeof board) == 0);
}

static void histograms(gpumex_context *ctx, int32_t variant) {
    uint64_t counts[256];
    const gpumex_histogram_options *o = GPUMEX_OPTIONS(histogram, .variant = variant);
    memset(counts, 0xA5, sizeof counts);
    OK(gpumex_histogram(ctx, o, NULL, 0, counts, 256));
    EXPECT(all_bytes(counts, sizeof counts, 0));
    memset(counts, 0xA5, sizeof counts);
    OK(gpumex_histogram(ctx, o, o, 0, counts, 256));
    EXPECT(all_bytes(counts, sizeof counts, 0));
}

static void products(gpumex_context *ctx, int32_t variant, int32_t dtype, size_t width) {
    const double a[4] = {1, 2, 3, 4};
    double c[7];
    const gpumex_matmul_options *o = GPUMEX_OPTIONS(matmul, .variant = variant, .dtype = dtype);
    memset(c, 0xA5, sizeof c);
    OK(gpumex_matmul(ctx, o, 2, 3, 0, NULL, NULL, c)); /* a sum of nothing */
    EXPECT(all_bytes(c, 6 * width, 0) && all_bytes((uint8_t *)c + 6 * width, sizeof c - 6 * width, 0xA5));
    memset(c, 0xA5, sizeof c);
    OK(gpumex_matmul(ctx, o, 0, 2, 2, NULL, a, NULL)); /* nobody to tell */
    OK(gpumex_matmul(ctx, o, 2, 0, 2, a, NULL, NULL));
    OK(gpumex_matmul(ctx, o, 0, 0, 0, NULL, NULL, c));
    EXPECT(all_bytes(c, sizeof c, 0xA5));
}

static void pictures(gpumex_context *ctx, int32_t variant) {
    const float sphere[7] = {1, 1, 1, 1, 0, 0, 0};
    uint8_t image[3 * 2 * 4 + 1];
    const gpumex_raytrace_options *o = GPUMEX_OPTIONS(raytrace, .variant = variant);
    memset(image, 0xA5, sizeof image);
    OK(gpumex_raytrace(ctx, o, NULL, 0, 3, 2, image)); /* background */
    for (size_t i = 0; i < sizeof image - 1; i++) EXPECT(image[i] == (i % 4 == 3 ? 255 : 0));
    EXPECT(image[sizeof image - 1] == 0xA5);
    OK(gpumex_raytrace(ctx, o, sphere, 1, 0, 2, NULL));
    OK(gpumex_raytrace(ctx, o, sphere, 1, 3, 0, NULL));
    OK(gpumex_raytrace(ctx, o, NULL, 0, 0, SIZE_MAX, NULL));
}

static void plain_functions(void) {
    const uint8_t cell = 1;
    uint8_t next = 0xA5, pixel[4];
    uint64_t counts[256];
    float c = 7;
    OK(life_shmem(NULL, 0, 5, 1, NULL));
    OK(life_texture(NULL, 5, 0, 1, NULL));
    OK(life_shmem(&cell, 1, 1, 0, &next));
    EXPECT(next == 1);
    OK(life_texture(&cell, 1, 1, 1, &next)); /* alone with eight copies of itself */
    EXPECT(next == 0);
    memset(counts, 0xA5, sizeof counts);
    OK(histogram(NULL, 0, counts));
    EXPECT(all_bytes(counts, sizeof counts, 0));
    OK(matmul(1, 1, 0, NULL, NULL, &c));
    EXPECT(c == 0);
    OK(raytrace(NULL, 0, 1, 1, pixel));
    EXPECT(pixel[0] == 0 && pixel[1] == 0 && pixel[2] == 0 && pixel[3] == 255);
    OK(raytrace(NULL, 0, 0, 0, NULL));
}

int main(void) {
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    int32_t backend;
    double ms = 77;
    EXPECT(ctx != NULL);
    OK(gpumex_context_backend(ctx, &backend));
    OK(gpumex_context_set_timing(ctx, 1));
    OK(gpumex_context_kernel_ms(ctx, &ms));
    EXPECT(ms == 0); /* before the first operation */
    for (int32_t variant = 0; variant <= 4; variant++) {
        if (variant == 1 && backend == GPUMEX_BACKEND_CUDA) continue; /* SEQUENTIAL is the CPU's, in each enum */
        life(ctx, variant);
        histograms(ctx, variant);
        pictures(ctx, variant);
        products(ctx, variant, GPUMEX_DTYPE_F32, sizeof(float));
        products(ctx, variant, GPUMEX_DTYPE_F64, sizeof(double));
    }
    plain_functions();
    EXPECT(life_works(ctx));
    EXPECT(strcmp(gpumex_last_error(), "") == 0);
    OK(gpumex_context_destroy(ctx));
    puts("done");
    return 0;
}
