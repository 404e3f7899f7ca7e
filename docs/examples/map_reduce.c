#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float x[] = {1, 2, 3, 4, 5, 6}, y[] = {2}; /* x: two rows of 3 */
    const void *const inputs[] = {x, y};
    const int32_t dtypes[] = {GPUMEX_DTYPE_F32, GPUMEX_DTYPE_F32};
    const size_t shape[] = {3, 2};
    const int64_t strides[] = {1, 3, 0, 0}; /* y is broadcast */
    float sum, largest[2];
    int32_t status = gpumex_map_reduce(
        ctx, GPUMEX_OPTIONS(map_reduce, .dtype = GPUMEX_DTYPE_F32, .rank = 2,
                            .dtypes = dtypes, .shape = shape, .strides = strides),
        "(a - b) ^ 2", inputs, 2, &sum);
    if (status == 0) /* of each row */
        status = gpumex_map_reduce(
            ctx, GPUMEX_OPTIONS(map_reduce, .dtype = GPUMEX_DTYPE_F32, .rank = 2,
                                .op = GPUMEX_DIM_REDUCTION_MAX, .dimension = 1,
                                .dtypes = dtypes, .shape = shape,
                                .strides = strides),
            "abs (a - 2 * b)", inputs, 2, largest);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%g; %g %g\n", sum, largest[0], largest[1]);
    return 0;
}
