#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const double data[] = {3, 1, 4, 1, 5, 9, 2, 6};
    double sum, most;
    int32_t status = gpumex_reduce(
        ctx, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F64),
        data, 8, &sum);
    if (status != 0) return puts(gpumex_last_error()), 1;
    status = gpumex_reduce(
        ctx, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F64,
                            .op = GPUMEX_OPERATOR_MAX),
        data, 8, &most);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("sum %g, max %g\n", sum, most);
    return 0;
}
