#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float data[] = {1, 2, 3, 4, 5, 6};
    /* CSR: segments of 3, 0, 1 and 2 elements */
    const uint32_t offsets[] = {0, 3, 3, 4, 6};
    float sums[4];
    int32_t status = gpumex_segmented_reduce(
        ctx, GPUMEX_OPTIONS(segmented_reduce, .dtype = GPUMEX_DTYPE_F32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        data, 6, offsets, 4, NULL, sums);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 4; i++) printf("%g ", sums[i]);
    printf("\n");
    return 0;
}
