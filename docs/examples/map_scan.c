#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float x[] = {1, -2, 3, 4, -6, 5}, y[] = {2, 1, 1, 1, 1, 2};
    const void *const inputs[] = {x, y};
    const int32_t dtypes[] = {GPUMEX_DTYPE_F32, GPUMEX_DTYPE_F32};
    const size_t shape[] = {3, 2}; /* two rows of 3 */
    float sums[6], peaks[6];
    int32_t status = gpumex_map_scan(
        ctx, GPUMEX_OPTIONS(map_scan, .dtype = GPUMEX_DTYPE_F32, .rank = 2,
                            .kind = GPUMEX_SCAN_KIND_INCLUSIVE,
                            .dtypes = dtypes, .shape = shape),
        "a * b", inputs, 2, sums);
    if (status == 0) /* along each row */
        status = gpumex_map_scan(
            ctx, GPUMEX_OPTIONS(map_scan, .dtype = GPUMEX_DTYPE_F32, .rank = 2,
                                .op = GPUMEX_DIM_REDUCTION_MAX, .dimension = 1,
                                .kind = GPUMEX_SCAN_KIND_INCLUSIVE,
                                .dtypes = dtypes, .shape = shape),
            "abs (a)", inputs, 1, peaks);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 6; i++) printf("%g ", sums[i]);
    printf("\n");
    for (int i = 0; i < 6; i++) printf("%g ", peaks[i]);
    printf("\n");
    return 0;
}
