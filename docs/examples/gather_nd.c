#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* 2 rows and 3 columns; A(:, p) with p counted from 1 */
    const float a[] = {1, 2, 3, 4, 5, 6};
    const size_t shape[] = {2, 3}, counts[] = {2, 4};
    const double p[] = {3, 1, 1, 2};
    const int64_t starts[] = {0, -1};
    const void *const indices[] = {NULL, p};
    const int32_t dtypes[] = {0, GPUMEX_DTYPE_F64};
    float result[8];
    int32_t status = gpumex_gather_nd(
        ctx, GPUMEX_OPTIONS(gather_nd, .dtype = GPUMEX_DTYPE_F32, .rank = 2,
                            .shape = shape, .counts = counts, .starts = starts,
                            .indices = indices, .index_dtypes = dtypes),
        a, result);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 8; i++) printf("%g ", result[i]);
    printf("\n");
    return 0;
}
