/* Weights of float: GPUMEX_DTYPE_F32 meant double for them, which was read past their end. */
#include "misuse.h"

int main(void) {
    const uint8_t samples[4] = {0, 1, 1, 3};
    const float weights[4] = {1.0f, 0.5f, 0.25f, 2.0f};
    double sums[4];
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    options.weights = weights;
    tell(gpumex_histogram(context(), &options, samples, 4, sums, 4));
    options.weights_dtype = GPUMEX_DTYPE_F32;
    tell(gpumex_histogram(context(), &options, samples, 4, sums, 4));
    printf("%g %g %g %g\n", sums[0], sums[1], sums[2], sums[3]);
    return 0;
}
/* Prints:
 * gpumex_histogram: options.weights_dtype is GPUMEX_DTYPE_NONE: the dtype is not set
 * success
 * 1 0.75 0 2
 */
