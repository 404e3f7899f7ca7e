/* histcounts_mex.c - the gateway behind gpumex.histcounts:
 *
 *   [N, edges, bin] = histcounts(X, bins, NumBins, BinWidth, BinLimits, BinEdges, BinMethod, Normalization, backend)
 *
 * X: full and real; on the host, unless edges are given and bin is not asked for. bins: [], how many, or edges. The options are [] or
 * 'auto' where they are not given. N and edges: rows of doubles; bin: doubles of the size of X, 0 where an element is in none. */

#include <math.h>

#include "gateway.h"

enum { COUNT, PROBABILITY, COUNT_DENSITY, PDF, CUMULATIVE_COUNT, CDF };

static const enumerator methods[] = {{"auto", BINS_BY_DEFAULT},     {"scott", BINS_BY_SCOTT},     {"fd", BINS_BY_FREEDMAN},
                                     {"integers", BINS_BY_INTEGERS}, {"sturges", BINS_BY_STURGES}, {"sqrt", BINS_BY_ROOT},
                                     {NULL, 0}};

static const enumerator normalizations[] = {
    {"count", COUNT},           {"probability", PROBABILITY},        {"countdensity", COUNT_DENSITY}, {"pdf", PDF},
    {"cumcount", CUMULATIVE_COUNT}, {"cdf", CDF}, {NULL, 0}};

/* Whether an option is given: not 'auto', nor empty. */
static int is_given(const mxArray *argument)
{
    return !is_auto(argument) && !mxIsEmpty(argument);
}

/* A number that the option holds. */
static double read_positive(const mxArray *argument, const char *name, int is_whole_number)
{
    operand x = read_operand(argument);
    int is_number = x.location == ON_HOST && mxIsNumeric(argument) && is_full_real(x) && length(x) == 1;
    double value = is_number ? mxGetScalar(argument) : 0;
    require(isfinite(value) && value > 0 && !(is_whole_number && floor(value) != value), "invalidBins", name, x,
            is_whole_number ? "it is a whole number from 1" : "it is a finite number greater than 0");
    return value;
}

static void read_limits(const mxArray *argument, double *limits)
{
    operand x = read_operand(argument);
    double part[2] = {NAN, NAN};
    if (x.location == ON_HOST && mxIsNumeric(argument) && is_full_real(x) && length(x) == 2)
        convert_all_samples(x, part);
    require(isfinite(part[0]) && isfinite(part[1]) && part[0] <= part[1], "invalidBins", "BinLimits", x,
            "they are [LO HI], two finite numbers that ascend");
    limits[0] = part[0], limits[1] = part[1];
}

static edges_of_bins read_edges(const mxArray *argument)
{
    operand x = read_operand(argument);
    int are_numbers = x.location == ON_HOST && (mxIsNumeric(argument) || mxIsLogical(argument)) && is_full_real(x);
    int are_edges = are_numbers && is_vector(x) && length(x) > 1;
    require(are_edges, "invalidBins", "edges", x, "they are a vector of two or more real numbers that ascend");
    const mwSize dims[2] = {1, (mwSize)length(x)};
    edges_of_bins made = {.bins = length(x) - 1, .owner = new_unset_array(mxDOUBLE_CLASS, 2, dims)};
    made.edges = mxGetData(made.owner);
    convert_all_samples(x, made.edges);
    check_edges(made.edges, length(x));
    return made;
}

/* The edges that are given, or chosen. */
static edges_of_bins read_bins(session s, operand x, const mxArray *prhs[])
{
    int are_edges = is_given(prhs[0]) && mxGetNumberOfElements(prhs[0]) != 1;
    const mxArray *number = is_given(prhs[0]) && !are_edges && !is_given(prhs[1]) ? prhs[0] : prhs[1];
    const mxArray *edges = are_edges && !is_given(prhs[4]) ? prhs[0] : prhs[4];
    bins_wanted how = {.method = read_enum(prhs[5], "invalidBins", "BinMethod", methods)};
    how.number = is_given(number) ? read_positive(number, "NumBins", 1) : 0;
    how.width = is_given(prhs[2]) ? read_positive(prhs[2], "BinWidth", 0) : 0;
    how.has_limits = is_given(prhs[3]);
    if (how.has_limits)
        read_limits(prhs[3], how.limits);
    if (how.number > 0 && how.width > 0)
        fail("invalidBins", "NumBins and BinWidth contradict each other");
    if (is_given(edges) && (how.number > 0 || how.width > 0 || how.has_limits))
        fail("invalidBins", "BinEdges say all there is to say of the bins");
    if (is_given(edges))
        return read_edges(edges);
    require(x.location == ON_HOST, "invalidData", "X", x, "it is an array of the host, unless edges are given");
    return choose_edges(s, x, how);
}

/* counts <- how many samples lie in each bin; the library counts some classes, others are converted to double. */
static void count_samples(session s, operand x, edges_of_bins of, uint64_t *counts)
{
    gpumex_histogram_options options = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    const void *data = x.data;
    options.dtype = x.class_id == mxLOGICAL_CLASS ? GPUMEX_DTYPE_U8 : dtype_of(x.class_id);
    int is_wide = x.class_id == mxINT64_CLASS || x.class_id == mxUINT64_CLASS;
    if (is_wide || x.class_id == mxINT8_CLASS || x.class_id == mxINT16_CLASS) {
        require(x.location == ON_HOST, "invalidData", "X", x, "on the device it is uint8, uint16, uint32, int32, single or double");
        options.dtype = GPUMEX_DTYPE_F64;
        data = samples_as_doubles(s, x);
    }
    options.edges = of.edges;
    options.right_edge = 1;
    check(s, gpumex_histogram(s.ctx, &options, data, length(x), counts, of.bins));
}

/* Counts as doubles in place, normalized for so many samples. */
static void normalize(uint64_t *counts, edges_of_bins of, double samples, int32_t how)
{
    double *numbers = (double *)counts, before = 0;
    for (size_t k = 0; k < of.bins; k++) {
        double count = (double)counts[k], width = of.edges[k + 1] - of.edges[k];
        switch (how) {
        case PROBABILITY: count /= samples; break;
        case COUNT_DENSITY: count /= width; break;
        case PDF: count = count / samples / width; break;
        case CUMULATIVE_COUNT: count = before += count; break;
        case CDF: count = before += count / samples; break;
        default: break;
        }
        numbers[k] = count;
    }
}

/* The bin of a value by bisection, 0 where there is none. The guess is right where the edges are evenly spaced, and saves it. */
static double bin_of(double value, const double *edges, size_t bins, double per_width)
{
    if (!(value >= edges[0] && value <= edges[bins]))
        return 0;
    size_t guess = (size_t)((value - edges[0]) * per_width);
    if (guess < bins && edges[guess] <= value && value < edges[guess + 1])
        return (double)guess + 1;
    size_t low = 0, high = bins;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(edges[middle] <= value ? &low : &high) = middle;
    }
    return (double)low + 1;
}

/* The bin of each sample, an array of the size of x. */
static mxArray *bin_numbers(operand x, edges_of_bins of)
{
    double part[SAMPLES_AT_ONCE], width = of.edges[of.bins] - of.edges[0];
    double per_width = width > 0 && isfinite(width) ? (double)of.bins / width : 0;
    mxArray *made = new_unset_array(mxDOUBLE_CLASS, x.ndims, x.dims);
    double *numbers = mxGetData(made);
    for (size_t first = 0; first < length(x); first += SAMPLES_AT_ONCE) {
        size_t count = convert_samples(x, first, part);
        for (size_t k = 0; k < count; k++)
            numbers[first + k] = bin_of(part[k], of.edges, of.bins, per_width);
    }
    return made;
}

void histcounts_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 3, nrhs, 9,
                         "[N, edges, bin] = histcounts(X, bins, NumBins, BinWidth, BinLimits, BinEdges, BinMethod, Normalization, backend)");
    operand x = read_values(prhs[0], "invalidData", "X");
    require(x.location == ON_HOST || nlhs < 3, "invalidData", "X", x, "it is an array of the host where bin is asked for");
    int32_t how = is_auto(prhs[7]) ? COUNT : read_enum(prhs[7], "invalidNormalization", "Normalization", normalizations);
    session s = session_beside(prhs[8], &x, 1);
    edges_of_bins of = read_bins(s, x, prhs + 1);
    const mwSize dims[2] = {1, (mwSize)of.bins};
    plhs[0] = new_unset_array(mxDOUBLE_CLASS, 2, dims);
    uint64_t *counts = mxGetData(plhs[0]);
    count_samples(s, x, of, counts);
    normalize(counts, of, (double)length(x), how);
    if (nlhs > 1)
        plhs[1] = of.owner;
    if (nlhs > 2)
        plhs[2] = bin_numbers(x, of);
}
