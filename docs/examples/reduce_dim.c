#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float x[2][3] = {{1, 5, 3}, {4, 2, 6}}; /* row-major */
    float sums[3], maxima[2];
    uint32_t at[2];
    int32_t status = gpumex_reduce_dim( /* of each column */
        ctx, GPUMEX_OPTIONS(reduce_dim, .dtype = GPUMEX_DTYPE_F32),
        x, 3, 2, 1, sums);
    if (status == 0) /* of each row */
        status = gpumex_reduce_dim(
            ctx, GPUMEX_OPTIONS(reduce_dim, .dtype = GPUMEX_DTYPE_F32,
                                .op = GPUMEX_DIM_REDUCTION_MAX,
                                .index_dtype = GPUMEX_DTYPE_U32,
                                .positions = at),
            x, 1, 3, 2, maxima);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%g %g %g\n", sums[0], sums[1], sums[2]);
    printf("%g at %u, %g at %u\n", maxima[0], at[0], maxima[1], at[1]);
    return 0;
}
