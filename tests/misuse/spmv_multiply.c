/* The general operator enum on a sparse product: GPUMEX_OPERATOR_PRODUCT meant SUM there. */
#include "misuse.h"

int main(void) {
    const double values[3] = {2, 3, 4}, x[2] = {10, 100};
    const uint32_t columns[3] = {0, 1, 1}, offsets[3] = {0, 2, 3};
    double y[2];
    gpumex_spmv_options options = GPUMEX_SPMV_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_F64;
    options.index_dtype = GPUMEX_DTYPE_U32;
    tell(gpumex_spmv(context(), &options, values, columns, 3, offsets, 2, x, 2, NULL, y));
    printf("%g %g\n", y[0], y[1]);
    options.multiply = GPUMEX_OPERATOR_PRODUCT;
    tell(gpumex_spmv(context(), &options, values, columns, 3, offsets, 2, x, 2, NULL, y));
    printf("%g %g\n", y[0], y[1]);
    return 0;
}
/* Prints:
 * success
 * 320 400
 * success
 * 320 400
 */
