#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* rows (4 0 1), (0 0 0), (0 2 3) */
    const double values[] = {4, 1, 2, 3}, x[] = {1, 10, 100};
    const uint32_t columns[] = {0, 2, 1, 2}, offsets[] = {0, 2, 2, 4};
    double y[3];
    int32_t status = gpumex_spmv(
        ctx, GPUMEX_OPTIONS(spmv, .dtype = GPUMEX_DTYPE_F64,
                            .index_dtype = GPUMEX_DTYPE_U32),
        values, columns, 4, offsets, 3, x, 3, NULL, y);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int r = 0; r < 3; r++) printf("%g ", y[r]);
    printf("\n");
    return 0;
}
