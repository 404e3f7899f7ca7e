/* The general dtype enum on a histogram: I32 meant F32 there, and all samples fell into bin 0. */
#include "misuse.h"

int main(void) {
    const int32_t samples[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t counts[16];
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    int i;
    options.dtype = GPUMEX_DTYPE_I32;
    tell(gpumex_histogram(context(), &options, samples, 8, counts, 16));
    for (i = 0; i < 16; i++) printf("%d ", (int)counts[i]);
    printf("\n");
    options.dtype = GPUMEX_DTYPE_I64;
    tell(gpumex_histogram(context(), &options, samples, 4, counts, 16));
    return 0;
}
/* Prints:
 * success
 * 0 1 1 1 1 1 1 1 1 0 0 0 0 0 0 0
 * gpumex_histogram: options.dtype is GPUMEX_DTYPE_I64, which this operation does not serve; it serves U8, U16, U32, I32, F32 and F64
 */
