#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t x[2][3] = {{1, 5, 3}, {4, 2, 6}}; /* row-major */
    int32_t sums[2][3];
    int32_t status = gpumex_scan_dim( /* along each row */
        ctx, GPUMEX_OPTIONS(scan_dim, .dtype = GPUMEX_DTYPE_I32,
                            .kind = GPUMEX_SCAN_KIND_INCLUSIVE),
        x, 1, 3, 2, sums);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int row = 0; row < 2; row++)
        printf("%d %d %d\n", sums[row][0], sums[row][1], sums[row][2]);
    return 0;
}
