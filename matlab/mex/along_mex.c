/* along_mex.c - reductions and scans along a dimension, and the gateways behind those of gpumex.array:
 *
 *   [y, p] = reduce_dim(x, op, dim, class, nan)   p: zero-based positions of extrema, uint64
 *   y = scan_dim(x, op, dim, class, direction, nan) */

#include "along.h"

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

static int is_extremum(int32_t op)
{
    return op == GPUMEX_DIM_REDUCTION_MIN || op == GPUMEX_DIM_REDUCTION_MAX;
}

int32_t along_operator(int32_t op)
{
    switch (op) {
    case GPUMEX_OPERATOR_PRODUCT: return GPUMEX_DIM_REDUCTION_PRODUCT;
    case GPUMEX_OPERATOR_MIN: return GPUMEX_DIM_REDUCTION_MIN;
    case GPUMEX_OPERATOR_MAX: return GPUMEX_DIM_REDUCTION_MAX;
    default: return GPUMEX_DIM_REDUCTION_SUM;
    }
}

int is_of_bits(int32_t op)
{
    return op == GPUMEX_OPERATOR_AND || op == GPUMEX_OPERATOR_OR || op == GPUMEX_OPERATOR_XOR;
}

int is_along(operand x, int32_t op, uint64_t dim, const mxArray *overflow)
{
    int is_float = x.class_id == mxSINGLE_CLASS || x.class_id == mxDOUBLE_CLASS, is_narrow = element_bytes(x.class_id) < 4;
    int saturates = read_overflow(overflow) == GPUMEX_RULES_MATLAB;
    if (is_of_bits(op)) {
        require(!is_narrow, "invalidData", x.name, x, "bits are of integers of 4 and 8 bytes");
        if (dim > 0)
            fail("invalidDimension", "DIM is %llu; and, or and xor have none", (unsigned long long)dim);
        return 0;
    }
    return dim > 0 || is_narrow || (saturates && !is_float && !is_extremum(along_operator(op)));
}

void refuse_ranks(const mxArray *backend, operand x)
{
    if (is_group(backend))
        require(0, "unsupported", x.name, x, "several ranks take all elements, of 4 and 8 bytes, from the first to the last; NaN as it is "
                                             "by default; of integers sums and products with 'Overflow', 'wrap'");
}

int32_t read_nan_flag(const mxArray *argument)
{
    static const enumerator flags[] = {{"auto", GPUMEX_NAN_FLAG_DEFAULT},        {"omitnan", GPUMEX_NAN_FLAG_OMIT},
                                       {"omitmissing", GPUMEX_NAN_FLAG_OMIT},    {"includenan", GPUMEX_NAN_FLAG_INCLUDE},
                                       {"includemissing", GPUMEX_NAN_FLAG_INCLUDE}, {NULL, 0}};
    return read_enum(argument, "invalidOption", "the NaN flag", flags);
}

int32_t read_reverse(const mxArray *argument)
{
    static const enumerator directions[] = {{"forward", 0}, {"reverse", 1}, {NULL, 0}};
    return read_enum(argument, "invalidOption", "the direction", directions);
}

/* The class of the result. */
static mxClassID class_of_result(reduction how, operand x)
{
    if (how.class_id != mxUNKNOWN_CLASS)
        return how.class_id;
    return x.class_id == mxLOGICAL_CLASS && !is_extremum(how.op) ? mxDOUBLE_CLASS : x.class_id;
}

/* x as one column where the dimension is 0. */
static operand as_column(operand x, size_t *dim)
{
    if (*dim > 0)
        return x;
    mwSize *dims = mxMalloc(2 * sizeof *dims);
    dims[0] = (mwSize)length(x), dims[1] = 1;
    x.ndims = 2, x.dims = dims, *dim = 1;
    return x;
}

/* The size of a reduction: no element is the largest one of none, and sum ([]) is 0. Then x is 0x1. */
static mwSize *size_of_reduction(operand *x, size_t along, int32_t op)
{
    size_t bytes = (size_t)x->ndims * sizeof *x->dims;
    mwSize *given = memcpy(mxMalloc(bytes), x->dims, bytes);
    if (!is_extremum(op) && x->ndims == 2 && given[0] == 0 && given[1] == 0)
        given[1] = 1;
    x->dims = given;
    mwSize *dims = memcpy(mxMalloc(bytes), given, bytes);
    if (along < (size_t)x->ndims && (!is_extremum(op) || dims[along] != 0))
        dims[along] = 1;
    return dims;
}

result reduce_along(session s, operand x, reduction how, result *positions)
{
    size_t dim = how.dim, inner, count, outer;
    x = as_column(x, &dim);
    mxClassID class_id = class_of_result(how, x);
    gpumex_reduce_dim_options options = GPUMEX_REDUCE_DIM_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = how.op;
    options.accumulator_dtype = dtype_of(class_id);
    options.nan = how.nan, options.rules = how.rules, options.variant = how.variant;
    mwSize *dims = size_of_reduction(&x, dim - 1, how.op);
    if (how.dim == 0 && is_extremum(how.op) && length(x) == 0)
        dims[0] = dims[1] = 0;
    split(x, dim - 1, &inner, &count, &outer);
    mwSize ndims = shown_rank((size_t)x.ndims, dims);
    result y = new_result(s, x.location, class_id, ndims, dims);
    if (positions != NULL) {
        *positions = new_result(s, x.location, mxUINT64_CLASS, ndims, dims);
        options.positions = positions->data;
        options.index_dtype = GPUMEX_DTYPE_U64;
    }
    if (count_elements(ndims, dims) > 0)
        check(s, gpumex_reduce_dim(s.ctx, &options, x.data, inner, count, outer, y.data));
    return y;
}

result scan_along(session s, operand x, reduction how, int32_t kind)
{
    size_t inner, count, outer;
    mxClassID class_id = class_of_result(how, x);
    gpumex_scan_dim_options options = GPUMEX_SCAN_DIM_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = how.op;
    options.kind = kind;
    options.accumulator_dtype = dtype_of(class_id);
    options.nan = how.nan, options.rules = how.rules, options.variant = how.variant, options.reverse = how.reverse;
    split(x, how.dim - 1, &inner, &count, &outer);
    result y = new_result(s, x.location, class_id, x.ndims, x.dims);
    check(s, gpumex_scan_dim(s.ctx, &options, x.data, inner, count, outer, y.data));
    return y;
}

void reduce_dim_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 5, "[y, p] = reduce_dim(x, op, dim, class, nan)");
    operand x = read_values(prhs[0], "invalidData", "A");
    const reduction how = {read_reduction(prhs[1]), (size_t)read_integer(prhs[2], "invalidDimension", "dim"),
                           read_class(prhs[3], "invalidClass", "class"), read_nan_flag(prhs[4]), GPUMEX_RULES_MATLAB,
                           GPUMEX_VARIANT_AUTO, 0};
    result positions;
    plhs[0] = to_mxarray(reduce_along(session_of(x), x, how, nlhs > 1 ? &positions : NULL));
    if (nlhs > 1)
        plhs[1] = to_mxarray(positions);
}

void scan_dim_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 6, "y = scan_dim(x, op, dim, class, direction, nan)");
    operand x = read_values(prhs[0], "invalidData", "A");
    const reduction how = {read_reduction(prhs[1]), (size_t)read_integer(prhs[2], "invalidDimension", "dim"),
                           read_class(prhs[3], "invalidClass", "class"), read_nan_flag(prhs[5]), GPUMEX_RULES_MATLAB,
                           GPUMEX_VARIANT_AUTO, read_reverse(prhs[4])};
    plhs[0] = to_mxarray(scan_along(session_of(x), x, how, GPUMEX_SCAN_KIND_INCLUSIVE));
}
