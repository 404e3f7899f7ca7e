#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const uint8_t a[] = {1, 2, 3, 4, 255, 6, 7, 8, 9}; /* 3 × 3 */
    uint8_t clean[9];
    int32_t status = gpumex_median_filter(
        ctx, GPUMEX_OPTIONS(median_filter, .dtype = GPUMEX_DTYPE_U8),
        a, 3, 3, 3, 3, clean);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 9; i++) printf("%d ", clean[i]);
    printf("\n");
    return 0;
}
