/* histogram_mex.c - [counts, ms] = histogram_mex(data, variant, backend), the gateway behind gpumex.histogram.
 *
 * data: uint8 array of any shape. counts: 256x1 double; every count that fits in memory is exact. */

#define FUNCTION "histogram"
#include "gateway.h"

enum { BINS = 256 };

static const choice variants[] = {{"auto", GPUMEX_HISTOGRAM_VARIANT_AUTO},
                                  {"sequential", GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL},
                                  {"global", GPUMEX_HISTOGRAM_VARIANT_GLOBAL},
                                  {"strided", GPUMEX_HISTOGRAM_VARIANT_STRIDED},
                                  {"shared", GPUMEX_HISTOGRAM_VARIANT_SHARED},
                                  {NULL, 0}};

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    begin(nlhs, 2, nrhs, 3, "[counts, ms] = histogram_mex(data, variant, backend)");
    const mxArray *data = prhs[0];
    require(is_full_real(data) && mxIsUint8(data), "invalidData", "data", data, "it is a uint8 or char array");
    gpumex_histogram_options options = {.size = sizeof options};
    options.variant = choose(prhs[1], "invalidVariant", "variant", variants);
    session s = open_session(prhs[2]);

    uint64_t counts[BINS];
    check(s, gpumex_histogram(s.ctx, &options, mxGetData(data), mxGetNumberOfElements(data), counts, BINS));
    plhs[0] = mxCreateDoubleMatrix(BINS, 1, mxREAL);
    double *result = mxGetData(plhs[0]);
    for (int value = 0; value < BINS; value++)
        result[value] = (double)counts[value];
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
