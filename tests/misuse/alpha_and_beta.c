/* C <- 2*A*B + C: alpha and beta were ignored unless a third field, scaled, was 1. */
#include "misuse.h"

int main(void) {
    const float a[1] = {3}, b[1] = {5};
    float c[1] = {7};
    const double alpha = 2, beta = 1;
    gpumex_matmul_options options = GPUMEX_MATMUL_OPTIONS_INIT;
    options.alpha = &alpha;
    options.beta = &beta;
    tell(gpumex_matmul(context(), &options, 1, 1, 1, a, b, c));
    printf("%g\n", c[0]);
    return 0;
}
/* Prints:
 * success
 * 37
 */
