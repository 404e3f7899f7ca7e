/* along_mex.c - the gateways behind what gpumex.array computes along a dimension:
 *
 *   [y, p] = reduce_dim(x, op, dim, class, nan)   p: zero-based positions of extrema, uint64
 *   y = scan_dim(x, op, dim, class) */

#include <string.h>

#include "nd.h"

/* The elements before, along and behind a dimension. */
static void split(operand x, size_t along, size_t *inner, size_t *count, size_t *outer)
{
    *inner = product_of(x.dims, 0, along < (size_t)x.ndims ? along : (size_t)x.ndims);
    *count = along < (size_t)x.ndims ? (size_t)x.dims[along] : 1;
    *outer = along + 1 < (size_t)x.ndims ? product_of(x.dims, along + 1, (size_t)x.ndims) : 1;
}

static int32_t read_reduction(const mxArray *argument)
{
    static const enumerator words[] = {
        {"sum", GPUMEX_DIM_REDUCTION_SUM}, {"prod", GPUMEX_DIM_REDUCTION_PRODUCT}, {"min", GPUMEX_DIM_REDUCTION_MIN},
        {"max", GPUMEX_DIM_REDUCTION_MAX}, {"any", GPUMEX_DIM_REDUCTION_ANY},      {"all", GPUMEX_DIM_REDUCTION_ALL},
        {"count", GPUMEX_DIM_REDUCTION_COUNT}, {"mean", GPUMEX_DIM_REDUCTION_MEAN}, {NULL, 0}};
    return read_enum(argument, "invalidOperator", "op", words);
}

void reduce_dim_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    static const enumerator flags[] = {
        {"default", GPUMEX_NAN_FLAG_DEFAULT}, {"omitnan", GPUMEX_NAN_FLAG_OMIT}, {"includenan", GPUMEX_NAN_FLAG_INCLUDE}, {NULL, 0}};
    check_argument_count(nlhs, 2, nrhs, 5, "[y, p] = reduce_dim(x, op, dim, class, nan)");
    operand x = read_keys(prhs[0], "invalidData", "A");
    gpumex_reduce_dim_options options = GPUMEX_REDUCE_DIM_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = read_reduction(prhs[1]);
    size_t along = (size_t)read_integer(prhs[2], "invalidDimension", "dim") - 1, inner, count, outer;
    mxClassID class_id = read_class(prhs[3], "invalidClass", "class");
    options.accumulator_dtype = dtype_of(class_id);
    options.rules = GPUMEX_RULES_MATLAB;
    options.nan = read_enum(prhs[4], "invalidOption", "the NaN flag", flags);
    int is_extremum = options.op == GPUMEX_DIM_REDUCTION_MIN || options.op == GPUMEX_DIM_REDUCTION_MAX;
    mwSize *dims = mxMalloc((size_t)x.ndims * sizeof *dims);
    memcpy(dims, x.dims, (size_t)x.ndims * sizeof *dims);
    if (!is_extremum && x.ndims == 2 && dims[0] == 0 && dims[1] == 0)
        dims[1] = 1; /* sum ([]) is 0 */
    x.dims = memcpy(mxMalloc((size_t)x.ndims * sizeof *dims), dims, (size_t)x.ndims * sizeof *dims);
    split(x, along, &inner, &count, &outer);
    if (along < (size_t)x.ndims && (!is_extremum || dims[along] != 0)) /* no element is the largest one of none */
        dims[along] = 1;
    mwSize ndims = shown_rank((size_t)x.ndims, dims);
    session s = session_of(x);
    result y = new_result(s, x.location, class_id, ndims, dims), positions = {.location = x.location};
    if (nlhs > 1) {
        positions = new_result(s, x.location, mxUINT64_CLASS, ndims, dims);
        options.positions = positions.data;
        options.index_dtype = GPUMEX_DTYPE_U64;
    }
    if (count_elements(ndims, dims) > 0)
        check(s, gpumex_reduce_dim(s.ctx, &options, x.data, inner, count, outer, y.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = to_mxarray(positions);
}

void scan_dim_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "y = scan_dim(x, op, dim, class)");
    operand x = read_keys(prhs[0], "invalidData", "A");
    gpumex_scan_dim_options options = GPUMEX_SCAN_DIM_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = read_reduction(prhs[1]);
    options.kind = GPUMEX_SCAN_KIND_INCLUSIVE;
    size_t along = (size_t)read_integer(prhs[2], "invalidDimension", "dim") - 1, inner, count, outer;
    mxClassID class_id = read_class(prhs[3], "invalidClass", "class");
    options.accumulator_dtype = dtype_of(class_id);
    options.rules = GPUMEX_RULES_MATLAB;
    split(x, along, &inner, &count, &outer);
    session s = session_of(x);
    result y = new_result(s, x.location, class_id, x.ndims, x.dims);
    check(s, gpumex_scan_dim(s.ctx, &options, x.data, inner, count, outer, y.data));
    plhs[0] = to_mxarray(y);
}
