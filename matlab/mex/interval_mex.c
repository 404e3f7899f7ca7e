/* interval_mex.c - the gateways behind gpumex.interval_expand, interval_move and load_balance_search:
 *
 *   y      = interval_expand(values, counts, variant, backend)      values(i), counts(i) times
 *   z      = interval_move(y, to, x, from, counts, variant, backend)      y after y(to(i) + (0:counts(i) - 1)) = x(from(i) + ...)
 *   owners = load_balance_search(counts, variant, backend)          i, counts(i) times
 *
 * values: a vector. counts: whole numbers of any class. owners: doubles of the host, from 1. */

#include <string.h>

#include "gateway.h"

/* Counts <- what comes before each of them. Their sum. */
static size_t add_counts(uint64_t *counts, size_t many)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < many; k++) {
        uint64_t count = counts[k];
        counts[k] = sum;
        sum += count;
        if (sum > MOST_WHOLE)
            fail("outOfMemory", "counts(1:%zu) add up to more than 2^53", k + 1);
    }
    return (size_t)sum;
}

/* The same of elements of 1 and 2 bytes: which value each element is, and then these. */
static void expand_narrow(session s, operand values, int32_t variant, const uint64_t *scan, size_t count, result y)
{
    gpumex_load_balance_search_options search = GPUMEX_LOAD_BALANCE_SEARCH_OPTIONS_INIT;
    search.index_dtype = GPUMEX_DTYPE_U64;
    search.variant = variant;
    uint64_t *owners = scratch(s, count * sizeof *owners);
    check(s, gpumex_load_balance_search(s.ctx, &search, count, scan, length(values), owners));
    gpumex_gather_options options = GPUMEX_GATHER_OPTIONS_INIT;
    options.dtype = dtype_of(values.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = variant;
    check(s, gpumex_gather(s.ctx, &options, values.data, length(values), owners, count, y.data));
}

void interval_expand_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "y = interval_expand(values, counts, variant, backend)");
    operand values = read_key_vector(prhs[0], "invalidData", "values"), counts = read_operand(prhs[1]);
    require(length(values) == length(counts), "sizeMismatch", "counts", counts, "it has an element for each value");
    gpumex_interval_expand_options options = GPUMEX_INTERVAL_EXPAND_OPTIONS_INIT;
    options.dtype = dtype_of(values.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);
    uint64_t *scan = read_integers(s, prhs[1], 0, "invalidCounts", "counts");
    size_t intervals = length(values), count = add_counts(scan, intervals);

    result y = new_vector(s, values.location, values.class_id, count, is_row(values));
    if (element_bytes(values.class_id) >= 4)
        check(s, gpumex_interval_expand(s.ctx, &options, count, scan, values.data, intervals, y.data));
    else
        expand_narrow(s, values, options.variant, scan, count, y);
    plhs[0] = to_mxarray(y);
}

void load_balance_search_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 3, "owners = load_balance_search(counts, variant, backend)");
    operand counts = read_operand(prhs[0]);
    gpumex_load_balance_search_options options = GPUMEX_LOAD_BALANCE_SEARCH_OPTIONS_INIT;
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[1]);
    session s = open_session(prhs[2]);
    uint64_t *scan = read_integers(s, prhs[0], 0, "invalidCounts", "counts");
    size_t objects = length(counts), count = add_counts(scan, objects);

    mxArray *owners = new_positions(count, is_row(counts));
    check(s, gpumex_load_balance_search(s.ctx, &options, count, scan, objects, mxGetData(owners)));
    make_one_based(owners);
    plhs[0] = owners;
}

/* Refuses an interval that is not all within an array. */
static void check_intervals(const uint64_t *first, const uint64_t *counts, size_t many, size_t last, const char *name)
{
    for (size_t k = 0; k < many; k++)
        if (counts[k] > last || first[k] > last - counts[k])
            fail("invalidIndices", "interval %zu has %.0f elements from %s(%zu) = %.0f on; the last index is %zu", k + 1, (double)counts[k],
                 name, k + 1, (double)first[k] + 1, last);
}

/* Elements of 1 and 2 bytes, which the library does not move. */
static void move_narrow(operand x, const uint64_t *from, char *z, const uint64_t *to, const uint64_t *counts, size_t many)
{
    size_t width = element_bytes(x.class_id);
    for (size_t k = 0; k < many; k++)
        if (counts[k] > 0)
            memcpy(z + (size_t)to[k] * width, (const char *)x.data + (size_t)from[k] * width, (size_t)counts[k] * width);
}

void interval_move_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 7, "z = interval_move(y, to, x, from, counts, variant, backend)");
    operand y = read_key_vector(prhs[0], "invalidData", "Y"), to = read_operand(prhs[1]), x = read_key_vector(prhs[2], "invalidData", "X");
    operand from = read_operand(prhs[3]), counts = read_operand(prhs[4]);
    require_one_class(y, x);
    int is_narrow = are_narrow(y, x);
    require(length(to) == length(counts), "sizeMismatch", "TO", to, "it has an element for each of COUNTS");
    require(length(from) == length(counts), "sizeMismatch", "FROM", from, "it has an element for each of COUNTS");
    gpumex_interval_move_options options = GPUMEX_INTERVAL_MOVE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[5]);
    session s = open_session(prhs[6]);
    size_t many = length(counts);
    const uint64_t *scatter = read_integers(s, prhs[1], 1, "invalidIndices", "TO");
    const uint64_t *gather = read_integers(s, prhs[3], 1, "invalidIndices", "FROM");
    uint64_t *scan = read_integers(s, prhs[4], 0, "invalidCounts", "COUNTS");
    check_intervals(scatter, scan, many, length(y), "TO");
    check_intervals(gather, scan, many, length(x), "FROM");
    result z = copy_beside(s, y, x);
    if (is_narrow)
        move_narrow(x, gather, z.data, scatter, scan, many);
    size_t count = is_narrow ? 0 : add_counts(scan, many);
    if (count > 0)
        check(s, gpumex_interval_move(s.ctx, &options, count, gather, scatter, scan, many, x.data, length(x), z.data, length(y)));
    plhs[0] = to_mxarray(z);
}
