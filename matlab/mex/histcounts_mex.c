/* histcounts_mex.c - what gpumex.histcounts asks of its samples:
 *
 *   summary = sample_summary(x)        a row: the smallest and the largest of the finite elements, their standard deviation, how many
 *                                      there are, and 1 where all are whole numbers
 *   bins    = bin_numbers(x, edges)    double, of the size of x: k where edges(k) <= x < edges(k + 1), in the last bin <=; else 0
 *
 * x: a full real array of the host. */

#include <math.h>

#include "gateway.h"

static operand read_samples(const mxArray *argument)
{
    operand x = read_keys(argument, "invalidData", "X");
    require(x.location == ON_HOST, "invalidData", "X", x, "it is an array of the host");
    return x;
}

enum { PART = 1024 };

/* part <- elements from `first` on, as double. How many. */
static size_t convert(operand x, size_t first, double *part)
{
    size_t count = length(x) - first < PART ? length(x) - first : PART;
#define CONVERT(type)                                                                 \
    for (size_t k = 0; k < count; k++)                                                \
        part[k] = (double)((const type *)x.data)[first + k];                          \
    break
    switch (x.class_id) {
    case mxDOUBLE_CLASS: CONVERT(double);
    case mxSINGLE_CLASS: CONVERT(float);
    case mxINT8_CLASS: CONVERT(int8_t);
    case mxINT16_CLASS: CONVERT(int16_t);
    case mxINT32_CLASS: CONVERT(int32_t);
    case mxINT64_CLASS: CONVERT(int64_t);
    case mxUINT16_CLASS: CONVERT(uint16_t);
    case mxUINT32_CLASS: CONVERT(uint32_t);
    case mxUINT64_CLASS: CONVERT(uint64_t);
    default: CONVERT(uint8_t);
    }
#undef CONVERT
    return count;
}

/* The finite elements of x: extremes, sum, number, and whether all are whole. */
typedef struct summary {
    double least, greatest, sum, count, whole;
} summary;

static summary summarise(operand x)
{
    double part[PART];
    summary found = {INFINITY, -INFINITY, 0, 0, 1};
    for (size_t first = 0; first < length(x); first += PART) {
        size_t count = convert(x, first, part);
        for (size_t k = 0; k < count; k++) {
            double value = part[k];
            if (!isfinite(value))
                continue;
            found.least = value < found.least ? value : found.least;
            found.greatest = value > found.greatest ? value : found.greatest;
            found.sum += value, found.count++;
            found.whole = found.whole != 0 && floor(value) == value;
        }
    }
    return found;
}

static double deviation(operand x, summary of)
{
    double part[PART], mean = of.sum / of.count, squares = 0;
    for (size_t first = 0; first < length(x); first += PART) {
        size_t count = convert(x, first, part);
        for (size_t k = 0; k < count; k++)
            squares += isfinite(part[k]) ? (part[k] - mean) * (part[k] - mean) : 0;
    }
    return of.count > 1 ? sqrt(squares / (of.count - 1)) : 0;
}

void sample_summary_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 1, "summary = sample_summary(x)");
    operand x = read_samples(prhs[0]);
    summary found = summarise(x);
    plhs[0] = mxCreateDoubleMatrix(1, 5, mxREAL);
    double *row = mxGetData(plhs[0]);
    row[0] = found.least, row[1] = found.greatest, row[2] = deviation(x, found), row[3] = found.count, row[4] = found.whole;
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

void bin_numbers_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 2, "bins = bin_numbers(x, edges)");
    operand x = read_samples(prhs[0]), edges = read_operand(prhs[1]);
    int are_edges = edges.location == ON_HOST && edges.class_id == mxDOUBLE_CLASS && is_full_real(edges) && length(edges) > 1;
    require(are_edges, "invalidBins", "edges", edges, "they are two doubles or more");
    const double *of = edges.data;
    size_t bins = length(edges) - 1;
    double part[PART], width = of[bins] - of[0], per_width = width > 0 && isfinite(width) ? (double)bins / width : 0;
    plhs[0] = new_unset_array(mxDOUBLE_CLASS, x.ndims, x.dims);
    double *numbers = mxGetData(plhs[0]);
    for (size_t first = 0; first < length(x); first += PART) {
        size_t count = convert(x, first, part);
        for (size_t k = 0; k < count; k++)
            numbers[first + k] = bin_of(part[k], of, bins, per_width);
    }
}
