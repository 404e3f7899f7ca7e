#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t values[] = {7, 8, 9};
    const uint32_t scan[] = {0, 2, 2};   /* lengths 2, 0 and 3 */
    int32_t output[5];
    int32_t status = gpumex_interval_expand(
        ctx, GPUMEX_OPTIONS(interval_expand, .dtype = GPUMEX_DTYPE_I32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        5, scan, values, 3, output);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 5; i++) printf("%d ", output[i]);
    printf("\n");
    return 0;
}
