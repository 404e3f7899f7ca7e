#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float source[] = {10, 11, 12, 13};
    /* 9 is out of range: zero, or an error with .check = 1 */
    const uint32_t indices[] = {3, 0, 0, 9};
    float result[4];
    int32_t status = gpumex_gather(
        ctx, GPUMEX_OPTIONS(gather, .dtype = GPUMEX_DTYPE_F32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        source, 4, indices, 4, result);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 4; i++) printf("%g ", result[i]);
    printf("\n");
    return 0;
}
