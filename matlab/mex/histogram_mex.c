/* histogram_mex.c - the gateway behind gpumex.histogram:
 *
 *   [counts, ms] = histogram(data, edges, bins, limits, weights, channels, outliers, variant, backend)
 *
 * data: an array of any shape, char or of a class that the library counts; channels of its elements in turn. edges: doubles, or [] where
 * bins and limits, [lo hi], say what to count into; all three [] for the 256 values of bytes. weights: [] or 'auto', or double or
 * single, one for `channels` elements. counts: bins-by-channels, double for arrays of the host, where every count that fits in memory
 * is exact, and uint64, as the library counts, or double with weights, for those on the device. */

#include "gateway.h"

enum { BYTE_VALUES = 256 };

static const enumerator variants[] = {{"auto", GPUMEX_HISTOGRAM_VARIANT_AUTO},
                                      {"sequential", GPUMEX_HISTOGRAM_VARIANT_SEQUENTIAL},
                                      {"global", GPUMEX_HISTOGRAM_VARIANT_GLOBAL},
                                      {"strided", GPUMEX_HISTOGRAM_VARIANT_STRIDED},
                                      {"shared", GPUMEX_HISTOGRAM_VARIANT_SHARED},
                                      {NULL, 0}};

static const enumerator policies[] = {
    {"ignore", GPUMEX_HISTOGRAM_OUTLIERS_IGNORE},
    {"auto", GPUMEX_HISTOGRAM_OUTLIERS_IGNORE},
    {"clamp", GPUMEX_HISTOGRAM_OUTLIERS_CLAMP},
    {NULL, 0}};

static operand read_doubles(const mxArray *argument, const char *reason, const char *name)
{
    operand x = read_operand(argument);
    int are_doubles = x.location == ON_HOST && is_full_real(x) && x.class_id == mxDOUBLE_CLASS;
    require(are_doubles, reason, name, x, "it is double");
    return x;
}

/* Reads edges, or bins and limits, into the options; how many bins these are. */
static size_t read_bins(const mxArray *prhs[], gpumex_histogram_options *options)
{
    operand edges = read_doubles(prhs[0], "invalidBins", "edges");
    operand limits = read_doubles(prhs[2], "invalidBins", "limits");
    options->right_edge = length(edges) > 0 || length(limits) > 0;
    if (length(edges) > 0) {
        require(is_vector(edges) && length(edges) > 1, "invalidBins", "edges", edges,
                "it is a vector of two or more real numbers that ascend");
        options->edges = edges.data;
        return length(edges) - 1;
    }
    if (length(limits) == 0)
        return BYTE_VALUES;
    require(length(limits) == 2, "invalidBins", "limits", limits, "it is [lo hi]");
    options->lo = ((const double *)limits.data)[0];
    options->hi = ((const double *)limits.data)[1];
    if (!(options->lo < options->hi)) /* NaN, and 0 and 0, which the library takes for none */
        fail("invalidBins", "limits are %g and %g; the first is less than the second", options->lo, options->hi);
    return (size_t)read_integer(prhs[1], "invalidBins", "bins");
}

static int is_counted(int32_t dtype)
{
    static const int32_t counted[] = {GPUMEX_DTYPE_U8,  GPUMEX_DTYPE_U16, GPUMEX_DTYPE_U32,
                                      GPUMEX_DTYPE_I32, GPUMEX_DTYPE_F32, GPUMEX_DTYPE_F64};
    for (size_t k = 0; k < sizeof counted / sizeof counted[0]; k++)
        if (counted[k] == dtype)
            return 1;
    return 0;
}

/* Characters as bytes; anything else as it is. */
static const mxArray *as_bytes(const mxArray *argument)
{
    if (!mxIsChar(argument))
        return argument;
    size_t count = mxGetNumberOfElements(argument);
    mxArray *bytes = new_unset_array(mxUINT8_CLASS, mxGetNumberOfDimensions(argument), mxGetDimensions(argument));
    const mxChar *characters = mxGetData(argument);
    uint8_t *codes = mxGetData(bytes);
    for (size_t k = 0; k < count; k++) {
        codes[k] = (uint8_t)characters[k];
        if (sizeof(mxChar) > 1 && characters[k] != codes[k])
            fail("invalidData", "data holds the character code %d; codes go up to 255", (int)characters[k]);
    }
    return bytes;
}

/* The samples: bytes where there are no bins, else of any class that the library counts. */
static operand read_data(const mxArray *argument, gpumex_histogram_options *options)
{
    operand data = read_operand(as_bytes(argument));
    int has_bins = options->right_edge;
    options->dtype = dtype_of(data.class_id);
    int is_good = has_bins ? is_counted(options->dtype) : options->dtype == GPUMEX_DTYPE_U8;
    require(is_full_real(data) && is_good, "invalidData", "data", data,
            has_bins ? "it is uint8, uint16, uint32, int32, single, double or what converts to them"
                     : "it is a uint8 or char array; with edges, or bins and limits, other numbers");
    return data;
}

/* The weights, if there are some; `pixels` of them. Where the part of a rank is empty its weights are some, as those of the other ranks. */
static operand read_weights(const mxArray *argument, size_t pixels, int is_part, gpumex_histogram_options *options)
{
    static const double none;
    operand weights = read_operand(argument);
    if (is_auto(argument) || (weights.location == ON_HOST && mxIsEmpty(argument) && pixels > 0))
        return weights;
    int are_reals = is_full_real(weights) && (weights.class_id == mxSINGLE_CLASS || weights.class_id == mxDOUBLE_CLASS);
    if (pixels == 0 && length(weights) == 0) {
        options->weights = is_part ? &none : NULL;
        options->weights_dtype = is_part ? dtype_of(weights.class_id) : GPUMEX_DTYPE_NONE;
        return weights;
    }
    require(are_reals && length(weights) == pixels, "invalidWeights", "Weights", weights,
            "they are double or single, one for each element of data, or for each pixel of several channels");
    options->weights = weights.data;
    options->weights_dtype = dtype_of(weights.class_id);
    return weights;
}

/* counters <- their values as double, in place: both have 8 bytes. */
static void as_double(void *counters, size_t count)
{
    const uint64_t *counts = counters;
    double *numbers = counters;
    for (size_t k = 0; k < count; k++)
        numbers[k] = (double)counts[k];
}

void histogram_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 9,
                         "[counts, ms] = histogram(data, edges, bins, limits, weights, channels, outliers, variant, backend)");
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    size_t bins = read_bins(prhs + 1, &options);
    operand data = read_data(prhs[0], &options);
    size_t count = length(data), channels = is_auto(prhs[5]) ? 1 : (size_t)read_integer(prhs[5], "invalidChannels", "Channels");
    if (channels < 1 || channels > 4 || count % channels != 0)
        fail("invalidChannels", "Channels is %zu and data has %zu elements; it is 1 to 4, and divides them", channels, count);
    options.channels = (int32_t)channels;
    operand weights = read_weights(prhs[4], count / channels, is_group(prhs[8]), &options);
    options.outliers = read_enum(prhs[6], "invalidOutliers", "Outliers", policies);
    options.variant = read_enum(prhs[7], "invalidVariant", "variant", variants);
    if (options.edges != NULL)
        check_edges(options.edges, bins + 1);
    session s = open_session(prhs[8]);

    const mwSize dims[2] = {(mwSize)bins, (mwSize)channels};
    location where = result_location(data, weights);
    int are_counts = options.weights == NULL;
    mxClassID class_id = are_counts && where != ON_HOST ? mxUINT64_CLASS : mxDOUBLE_CLASS;
    result counts = new_result(s, where, class_id, 2, dims);
    check(s, is_of_ranks(s) ? gpumex_comm_histogram(ranks_of(s), &options, data.data, count, counts.data, bins)
                            : gpumex_histogram(s.ctx, &options, data.data, count, counts.data, bins));
    if (where == ON_HOST && are_counts)
        as_double(counts.data, bins * channels);
    plhs[0] = to_mxarray(counts);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
