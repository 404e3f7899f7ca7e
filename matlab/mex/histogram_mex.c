/* histogram_mex.c - [counts, ms] = histogram(data, variant, backend), the gateway behind gpumex.histogram.
 *
 * data: uint8 array of any shape. counts: 256x1, double for an array of the host, where every count that fits in memory is exact,
 * and uint64, as the library counts, for one on the device. */

#include "gateway.h"

enum { BINS = 256 };

static const choice variants[] = {{"auto", GPUMEX_HISTOGRAM_VARIANT_AUTO},
                                  {"sequential", GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL},
                                  {"global", GPUMEX_HISTOGRAM_VARIANT_GLOBAL},
                                  {"strided", GPUMEX_HISTOGRAM_VARIANT_STRIDED},
                                  {"shared", GPUMEX_HISTOGRAM_VARIANT_SHARED},
                                  {NULL, 0}};

static mxArray *as_double(const uint64_t *counts)
{
    mxArray *converted = mxCreateDoubleMatrix(BINS, 1, mxREAL);
    double *numbers = mxGetData(converted);
    for (int value = 0; value < BINS; value++)
        numbers[value] = (double)counts[value];
    return converted;
}

void histogram_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    expect(nlhs, 2, nrhs, 3, "[counts, ms] = histogram(data, variant, backend)");
    operand data = read_operand(prhs[0]);
    int is_data = is_full_real(data) && data.class_id == mxUINT8_CLASS;
    require(is_data, "invalidData", "data", data, "it is a uint8 or char array");
    gpumex_histogram_options options = {.size = sizeof options};
    options.variant = choose(prhs[1], "invalidVariant", "variant", variants);
    session s = open_session(prhs[2]);

    const mwSize dims[2] = {BINS, 1};
    uint64_t on_host[BINS];
    result counts = {.place = ON_HOST, .data = on_host};
    if (data.place != ON_HOST)
        counts = new_result(s, data.place, mxUINT64_CLASS, 2, dims);
    check(s, gpumex_histogram(s.ctx, &options, data.data, count_elements(data.ndims, data.dims), counts.data, BINS));
    plhs[0] = data.place == ON_HOST ? as_double(on_host) : deliver(counts);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
