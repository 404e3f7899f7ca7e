#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* 3 rows and 3 columns; A(2, 1:2:3) = 7 */
    float a[9] = {0};
    const float seven = 7;
    const size_t shape[] = {3, 3}, counts[] = {1, 2};
    const int64_t starts[] = {1, 0}, steps[] = {1, 2};
    int32_t status = gpumex_scatter_nd(
        ctx, GPUMEX_OPTIONS(scatter_nd, .dtype = GPUMEX_DTYPE_F32, .rank = 2,
                            .broadcast = 1, .shape = shape, .counts = counts,
                            .starts = starts, .steps = steps),
        &seven, a);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 9; i++) printf("%g ", a[i]);
    printf("\n");
    return 0;
}
