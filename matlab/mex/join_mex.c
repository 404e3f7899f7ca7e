/* join_mex.c - [ia, ib] = join(a, b, kind, are_sorted, variant, backend), the gateway behind gpumex.join.
 *
 * a, b: arrays of one class and any size, whose elements are keys. ia, ib: columns of doubles of the host, a row a pair; 0 where a
 * side has no partner. A NaN has none. */

#include "gateway.h"

static const enumerator kinds[] = {{"inner", GPUMEX_JOIN_KIND_INNER},
                                   {"left", GPUMEX_JOIN_KIND_LEFT},
                                   {"right", GPUMEX_JOIN_KIND_RIGHT},
                                   {"outer", GPUMEX_JOIN_KIND_OUTER},
                                   {NULL, 0}};

/* Positions among the sorted keys <- one-based indices of the unsorted ones, 0 for none. */
static void as_original_indices(uint64_t *pairs, size_t count, const uint64_t *positions, size_t keys)
{
    double *numbers = (double *)pairs;
    for (size_t k = 0; k < count; k++)
        numbers[k] = pairs[k] < keys ? (double)positions[pairs[k]] + 1 : 0;
}

/* Writes the NaN of one side from row `first` on, none of which has a partner. */
static void append_nans(const sorted_keys *side, const uint64_t *positions, double *own, size_t first)
{
    for (size_t k = 0; k < side->nans; k++)
        own[first + k] = (double)positions[side->count - side->nans + k] + 1;
}

void join_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 6, "[ia, ib] = join(a, b, kind, are_sorted, variant, backend)");
    operand x = read_keys(prhs[0], "invalidKeys", "A"), y = read_keys(prhs[1], "invalidKeys", "B");
    gpumex_join_options options = GPUMEX_JOIN_OPTIONS_INIT;
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.kind = read_enum(prhs[2], "invalidKind", "kind", kinds);
    int are_sorted = read_logical_option(prhs[3], "invalidSorted", "Sorted");
    method how = read_method(x, y, prhs[4], prhs[5]);
    options.variant = how.variant;
    options.dtype = how.dtype;

    sorted_keys a = sort_keys(how, x, are_sorted, 1), b = sort_keys(how, y, are_sorted, 1);
    size_t numbers_a = a.count - a.nans, numbers_b = b.count - b.nans;
    uint64_t pairs = 0;
    check(how.s, gpumex_join(how.s.ctx, &options, a.keys, numbers_a, b.keys, numbers_b, NULL, NULL, 0, &pairs));
    size_t count = (size_t)pairs;
    int keeps_a = options.kind == GPUMEX_JOIN_KIND_LEFT || options.kind == GPUMEX_JOIN_KIND_OUTER;
    int keeps_b = options.kind == GPUMEX_JOIN_KIND_RIGHT || options.kind == GPUMEX_JOIN_KIND_OUTER;
    size_t rows = count + (keeps_a ? a.nans : 0) + (keeps_b ? b.nans : 0);
    mxArray *ia = new_positions(rows, 0), *ib = new_positions(rows, 0);
    if (count > 0)
        check(how.s, gpumex_join(how.s.ctx, &options, a.keys, numbers_a, b.keys, numbers_b, mxGetData(ia), mxGetData(ib), count, &pairs));

    const uint64_t *of_a = positions_on_host(how.s, a.positions, 0, a.count), *of_b = positions_on_host(how.s, b.positions, 0, b.count);
    as_original_indices(mxGetData(ia), count, of_a, numbers_a);
    as_original_indices(mxGetData(ib), count, of_b, numbers_b);
    if (keeps_a)
        append_nans(&a, of_a, mxGetData(ia), count);
    if (keeps_b)
        append_nans(&b, of_b, mxGetData(ib), count + (keeps_a ? a.nans : 0));
    plhs[0] = ia;
    if (nlhs > 1)
        plhs[1] = ib;
}
