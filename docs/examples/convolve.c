#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9}; /* 3 × 3 */
    const float sobel[] = {1, 0, -1, 2, 0, -2, 1, 0, -1};
    float edges[9];
    int32_t status = gpumex_convolve(
        ctx, GPUMEX_OPTIONS(convolve, .dtype = GPUMEX_DTYPE_F32,
                            .boundary = GPUMEX_BOUNDARY_DEAD),
        a, 3, 3, sobel, 3, 3, edges);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 9; i++) printf("%g ", edges[i]);
    printf("\n");
    return 0;
}
