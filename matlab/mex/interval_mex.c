/* interval_mex.c - the gateways behind gpumex.interval_expand and gpumex.load_balance_search:
 *
 *   y      = interval_expand(values, counts, variant, backend)      values(i), counts(i) times
 *   owners = load_balance_search(counts, variant, backend)          i, counts(i) times
 *
 * values: a vector. counts: whole numbers of any class. owners: doubles of the host, from 1. */

#include "gateway.h"

/* Counts <- what comes before each of them. Their sum. */
static size_t add_counts(uint64_t *counts, size_t many)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < many; k++) {
        uint64_t count = counts[k];
        counts[k] = sum;
        sum += count;
        if (!is_whole((double)sum))
            fail("outOfMemory", "counts(1:%zu) add up to more than 2^53", k + 1);
    }
    return (size_t)sum;
}

void interval_expand_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "y = interval_expand(values, counts, variant, backend)");
    operand values = read_vector(prhs[0], "invalidData", "values"), counts = read_operand(prhs[1]);
    require(length(values) == length(counts), "sizeMismatch", "counts", counts, "it has an element for each value");
    gpumex_interval_expand_options options = GPUMEX_INTERVAL_EXPAND_OPTIONS_INIT;
    options.dtype = dtype_of(values.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);
    uint64_t *scan = read_integers(s, prhs[1], 0, "invalidCounts", "counts");
    size_t intervals = length(values), count = add_counts(scan, intervals);

    result y = new_vector(s, values.location, values.class_id, count, is_row(values));
    check(s, gpumex_interval_expand(s.ctx, &options, count, scan, values.data, intervals, y.data));
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
