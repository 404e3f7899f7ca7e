/* sort_mex.c - the gateways behind gpumex.sort_keys and gpumex.sort_by_key:
 *
 *   [sorted, positions]        = sort_keys(keys, direction, variant, backend)
 *   [sorted, sorted_values] = sort_by_key(keys, values, direction, variant, backend)
 *
 * keys: an array of any size, sorted along its first dimension that is not 1, whose elements lie side by side: all before it are
 * 1. positions: doubles of the host, from 1 within each column. values: an array with as many elements of any class; those of 1 and
 * 2 bytes, which the library does not sort with keys, are moved after the sort. */

#include "gateway.h"

/* How long the columns are that sort sorts. */
static size_t column_length(operand x)
{
    for (mwSize i = 0; i < x.ndims; i++)
        if (x.dims[i] != 1)
            return (size_t)x.dims[i];
    return 1;
}

/* Sorts keys, and what goes with them, in columns. */
static void sort_columns(session s, gpumex_sort_options how, operand keys, const void *values, void *sorted, void *sorted_values)
{
    size_t count = length(keys), rows = column_length(keys), columns = count == 0 ? 0 : count / rows;
    if (is_of_ranks(s)) {
        require(columns <= 1, "unsupported", "the part", keys, "several ranks sort one vector");
        check(s, gpumex_comm_sort(ranks_of(s), &how, keys.data, values, count, sorted, sorted_values));
        return;
    }
    if (columns <= 1) {
        check(s, gpumex_sort(s.ctx, &how, keys.data, values, count, sorted, sorted_values));
        return;
    }
    gpumex_segmented_sort_options options = GPUMEX_SEGMENTED_SORT_OPTIONS_INIT;
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.order = how.order;
    options.payload = how.payload;
    options.value_dtype = how.value_dtype;
    uint64_t *offsets = new_uint64s(s, columns);
    for (size_t k = 0; k < columns; k++)
        offsets[k] = k * rows;
    check(s, gpumex_segmented_sort(s.ctx, &options, keys.data, values, count, offsets, columns, sorted, sorted_values));
}

/* Zero-based positions among all keys <- one-based indices within each column. */
static void make_one_based_in_columns(mxArray *positions, size_t rows)
{
    if (rows == mxGetNumberOfElements(positions)) {
        make_one_based(positions);
        return;
    }
    const uint64_t *zero_based = mxGetData(positions);
    double *one_based = mxGetData(positions);
    size_t count = mxGetNumberOfElements(positions);
    for (size_t k = 0, first = 0, row = 0; k < count; k++) {
        one_based[k] = (double)(zero_based[k] - first) + 1;
        if (++row == rows)
            first += rows, row = 0;
    }
}

void sort_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 4, "[sorted, positions] = sort_keys(keys, direction, variant, backend)");
    operand keys = read_keys(prhs[0], "invalidData", "A");
    gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
    options.dtype = dtype_of(keys.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.order = read_order(prhs[1]);
    options.variant = read_variant(prhs[2]);
    options.payload = nlhs > 1 ? GPUMEX_PAYLOAD_INDICES : GPUMEX_PAYLOAD_NONE;
    session s = open_session(prhs[3]);

    result sorted = new_result(s, keys.location, keys.class_id, keys.ndims, keys.dims);
    mxArray *positions = nlhs > 1 ? new_unset_array(mxDOUBLE_CLASS, keys.ndims, keys.dims) : NULL;
    sort_columns(s, options, keys, NULL, sorted.data, positions == NULL ? NULL : mxGetData(positions));
    plhs[0] = to_mxarray(sorted);
    if (nlhs > 1) {
        make_one_based_in_columns(positions, column_length(keys));
        plhs[1] = positions;
    }
}

void sort_by_key_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 5, "[sorted, sorted_values] = sort_by_key(keys, values, direction, variant, backend)");
    operand keys = read_keys(prhs[0], "invalidKeys", "keys"), values = read_keys(prhs[1], "invalidValues", "values");
    require(length(values) == length(keys), "sizeMismatch", "values", values, "it has an element for each key");
    gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
    options.dtype = dtype_of(keys.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    int is_narrow = element_bytes(values.class_id) < 4;
    options.payload = is_narrow ? GPUMEX_PAYLOAD_INDICES : GPUMEX_PAYLOAD_VALUES;
    options.value_dtype = is_narrow ? GPUMEX_DTYPE_NONE : dtype_of(values.class_id);
    options.order = read_order(prhs[2]);
    options.variant = read_variant(prhs[3]);
    session s = open_session(prhs[4]);
    require(!is_narrow || !is_of_ranks(s), "unsupported", "values", values, "several ranks move values of 4 and 8 bytes");

    location where = result_location(keys, values);
    result sorted = new_result(s, is_text(keys) ? ON_HOST : where, keys.class_id, keys.ndims, keys.dims);
    result moved = new_result(s, is_text(values) ? ON_HOST : where, values.class_id, values.ndims, values.dims);
    uint64_t *positions = is_narrow ? scratch(s, length(keys) * sizeof *positions) : NULL;
    sort_columns(s, options, keys, is_narrow ? NULL : values.data, sorted.data, is_narrow ? positions : moved.data);
    if (is_narrow)
        gather_values(s, values.class_id, values.data, length(values), positions, length(values), moved.data);
    plhs[0] = to_mxarray(sorted);
    if (nlhs > 1)
        plhs[1] = to_mxarray(moved);
}
