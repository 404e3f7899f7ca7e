/* bins.c - edges of bins that suit samples, by the rules that gpumex.histcounts documents.
 *
 * Source: D. Scott, "On optimal and data-based histograms", Biometrika 66 (1979); D. Freedman, P. Diaconis, "On the histogram as a
 * density estimator: L2 theory", 1981; H. Sturges, "The choice of a class interval", 1926. */

#include <math.h>

#include "gateway.h"

enum { PART = SAMPLES_AT_ONCE };

size_t convert_samples(operand x, size_t first, double *part)
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

void convert_all_samples(operand x, double *numbers)
{
    for (size_t first = 0; first < length(x); first += PART)
        convert_samples(x, first, numbers + first);
}

double *samples_as_doubles(session s, operand x)
{
    double *numbers = host_scratch(s, length(x) * sizeof *numbers);
    convert_all_samples(x, numbers);
    return numbers;
}

/* Finite samples within limits: extremes, number, sum, standard deviation, and whether all are whole numbers. */
typedef struct summary {
    double least, greatest, count, sum, deviation;
    int are_whole;
} summary;

static int is_within(double value, const double *limits)
{
    return isfinite(value) && (limits == NULL || (value >= limits[0] && value <= limits[1]));
}

static summary summarise(operand x, const double *limits)
{
    double part[PART], squares = 0;
    summary found = {INFINITY, -INFINITY, 0, 0, 0, 1};
    for (size_t first = 0; first < length(x); first += PART) {
        size_t count = convert_samples(x, first, part);
        for (size_t k = 0; k < count; k++) {
            double value = part[k];
            if (!is_within(value, limits))
                continue;
            found.least = value < found.least ? value : found.least;
            found.greatest = value > found.greatest ? value : found.greatest;
            found.sum += value, found.count++;
            found.are_whole = found.are_whole && floor(value) == value;
        }
    }
    double mean = found.sum / found.count;
    for (size_t first = 0; first < length(x); first += PART) {
        size_t count = convert_samples(x, first, part);
        for (size_t k = 0; k < count; k++)
            squares += is_within(part[k], limits) ? (part[k] - mean) * (part[k] - mean) : 0;
    }
    found.deviation = found.count > 1 ? sqrt(squares / (found.count - 1)) : 0;
    return found;
}

/* The distance between the quartiles of the finite samples, each interpolated between the elements k - 1/2 of the sorted ones. */
static double quartile_distance(session s, operand x)
{
    double *samples = samples_as_doubles(s, x), *sorted = host_scratch(s, length(x) * sizeof *sorted), at[2];
    size_t count = 0;
    for (size_t k = 0; k < length(x); k++)
        if (isfinite(samples[k]))
            samples[count++] = samples[k];
    if (count == 0)
        return 0;
    gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_F64;
    check(s, gpumex_sort(s.ctx, &options, samples, NULL, count, sorted, NULL));
    for (int quartile = 0; quartile < 2; quartile++) {
        double place = fmin(fmax((quartile == 0 ? 0.25 : 0.75) * (double)count + 0.5, 1), (double)count);
        double below = sorted[(size_t)floor(place) - 1], above = sorted[(size_t)ceil(place) - 1];
        at[quartile] = below + (place - floor(place)) * (above - below);
    }
    return at[1] - at[0];
}

static int is_by_integers(summary of, int32_t method)
{
    double largest = fmax(fabs(of.least), fabs(of.greatest));
    int is_small = of.are_whole && of.greatest - of.least <= 50 && largest <= 4503599627370496.0; /* 2^52, where numbers have halves */
    return method == BINS_BY_INTEGERS || (method == BINS_BY_DEFAULT && is_small);
}

/* The width that a rule gives, not yet rounded. */
static double width_of(session s, operand x, summary of, int32_t method)
{
    double range = of.greatest - of.least, samples = fmax(of.count, 1), width;
    switch (method) {
    case BINS_BY_FREEDMAN: width = 2 * quartile_distance(s, x) / pow(of.count, 1.0 / 3); break;
    case BINS_BY_INTEGERS: width = 1; break;
    case BINS_BY_STURGES: width = range / ceil(1 + log2(samples)); break;
    case BINS_BY_ROOT: width = range / ceil(sqrt(samples)); break;
    default: width = is_by_integers(of, method) ? 1 : 3.5 * of.deviation / pow(samples, 1.0 / 3);
    }
    return width > 0 ? width : fmax(range, 1);
}

static double power_below(double value)
{
    return pow(10, floor(log10(value)));
}

/* The nearest of 1, 2, 3, 5 and 10 times a power of ten; not less than what tells the samples apart. */
static double nice(double width, summary of)
{
    static const double digits[] = {1, 2, 3, 5, 10};
    double largest = fmax(fabs(of.least), fabs(of.greatest));
    width = fmax(width, nextafter(largest, INFINITY) - largest);
    double power = power_below(width), best = digits[0];
    for (size_t k = 1; k < sizeof digits / sizeof digits[0]; k++)
        if (fabs(width / power - digits[k]) < fabs(width / power - best))
            best = digits[k];
    return best * power;
}

/* edges <- first + k width, k from 0 to bins. */
static edges_of_bins evenly_from(double first, double width, double bins)
{
    if (!(bins < 1099511627776.0)) /* 2^40 */
        fail("invalidBins", "these are %g bins; there is no memory for so many edges", bins);
    edges_of_bins made = {.bins = (size_t)bins};
    const mwSize dims[2] = {1, (mwSize)made.bins + 1};
    made.owner = new_unset_array(mxDOUBLE_CLASS, 2, dims);
    made.edges = mxGetData(made.owner);
    for (size_t k = 0; k <= made.bins; k++)
        made.edges[k] = first + width * (double)k;
    return made;
}

static edges_of_bins evenly_between(double low, double high, double bins)
{
    edges_of_bins made = evenly_from(low, (high - low) / bins, bins);
    made.edges[made.bins] = high;
    return made;
}

/* Multiples of a width that cover the samples. */
static edges_of_bins of_width(summary of, double width)
{
    if (of.greatest == of.least && width >= 1 && of.least != trunc(of.least))
        return evenly_between(of.least - 0.5, of.least + 0.5, 1);
    double first = fmin(width * floor(of.least / width), of.least);
    edges_of_bins made = evenly_from(first, width, fmax(1, ceil((of.greatest - first) / width)));
    made.edges[made.bins] = fmax(made.edges[made.bins], of.greatest);
    return made;
}

/* From the lower limit on; the last bin may be narrower. */
static edges_of_bins of_width_between(const double *limits, double width)
{
    double whole = floor((limits[1] - limits[0]) / width);
    int has_rest = limits[0] + width * whole < limits[1] || whole < 1;
    edges_of_bins made = evenly_from(limits[0], width, whole + has_rest);
    if (has_rest)
        made.edges[made.bins] = limits[1];
    return made;
}

/* Bins of a round width, the first one from a multiple of a round number on. */
static edges_of_bins of_number(summary of, double bins)
{
    double range = of.greatest - of.least;
    if (!(range > 0))
        return evenly_between(of.least - 0.5, of.least + 0.5, bins);
    double width = range / bins, power = power_below(width);
    width = power * floor(width / power);
    double first = fmin(width * floor(of.least / width), of.least);
    if (bins > 1) {
        double least = (of.greatest - first) / bins;
        power = power_below((of.greatest - first) / (bins - 1) - least);
        width = power * ceil(least / power);
    }
    edges_of_bins made = evenly_from(first, width, bins);
    made.edges[made.bins] = fmax(made.edges[made.bins], of.greatest);
    return made;
}

/* Edges between the integers; between every tenth, hundredth and so on where these were more than 65536 bins. */
static edges_of_bins of_integers(summary of)
{
    double range = of.greatest - of.least, width = range > 65536 ? pow(10, ceil(log10(range / 65536))) : 1;
    double first = width * floor(of.least / width) - width / 2;
    return evenly_from(first, width, fmax(1, ceil((of.greatest - first) / width)));
}

edges_of_bins choose_edges(session s, operand x, bins_wanted how)
{
    if (how.has_limits && how.width > 0)
        return of_width_between(how.limits, how.width);
    if (how.has_limits && how.number > 0)
        return evenly_between(how.limits[0], how.limits[1], how.number);
    summary of = summarise(x, how.has_limits ? how.limits : NULL);
    if (how.has_limits) {
        of.least = how.limits[0], of.greatest = how.limits[1];
        double bins = fmax(1, ceil((of.greatest - of.least) / width_of(s, x, of, how.method)));
        return evenly_between(of.least, of.greatest, bins);
    }
    if (of.count == 0)
        return evenly_from(0, how.width > 0 ? how.width : 1, how.number > 0 ? how.number : 1);
    if (how.width > 0)
        return of_width(of, how.width);
    if (how.number > 0)
        return of_number(of, how.number);
    return is_by_integers(of, how.method) ? of_integers(of) : of_width(of, nice(width_of(s, x, of, how.method), of));
}

void check_edges(const double *edges, size_t count)
{
    size_t k = 0;
    while (k < count && !isnan(edges[k]) && (k == 0 || edges[k - 1] <= edges[k]))
        k++;
    if (k == count)
        return;
    if (isnan(edges[k]))
        fail("invalidBins", "edges(%zu) is NaN; edges are numbers that ascend", k + 1);
    fail("invalidBins", "edges(%zu) is %.17g and edges(%zu) is %.17g; edges are numbers that ascend", k, edges[k - 1], k + 1, edges[k]);
}
