#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const double squares = 25;   /* |x|^2, as gpumex_dot gives it */
    double x[] = {3, 4};
    int32_t status = gpumex_scale(
        ctx, GPUMEX_OPTIONS(scale, .dtype = GPUMEX_DTYPE_F64,
                            .factor = GPUMEX_SCALE_FACTOR_RECIPROCAL_ROOT),
        &squares, x, 2);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%g %g\n", x[0], x[1]);
    return 0;
}
