/* scan_mex.c - [y, total] = scan(x, op, dim, kind, direction, nan, overflow, variant, backend), the gateway behind gpumex.scan.
 *
 * dim 0: the first dimension that is not 1; y: of the size of x; total: a scalar, all elements of a vector by the operator. What
 * gpumex_scan has, vectors of elements of 4 or 8 bytes from the first to the last, is one scan; the rest goes along a dimension. */

#include "along.h"

static const enumerator kinds[] = {{"inclusive", GPUMEX_SCAN_KIND_INCLUSIVE}, {"exclusive", GPUMEX_SCAN_KIND_EXCLUSIVE}, {NULL, 0}};

static uint64_t first_dimension(operand x)
{
    for (mwSize k = 0; k < x.ndims; k++)
        if (x.dims[k] != 1)
            return (uint64_t)k + 1;
    return 1;
}

void scan_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 9, "[y, total] = scan(x, op, dim, kind, direction, nan, overflow, variant, backend)");
    operand x = read_values(prhs[0], "invalidData", "x");
    gpumex_scan_options options = GPUMEX_SCAN_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = read_operator(prhs[1], x);
    uint64_t dim = read_integer(prhs[2], "invalidDimension", "DIM");
    options.kind = read_enum(prhs[3], "invalidKind", "kind", kinds);
    int32_t reverse = read_reverse(prhs[4]), nan = read_nan_flag(prhs[5]);
    if (is_of_bits(options.op)) {
        require(is_vector(x) && !reverse, "invalidData", "x", x, "and, or and xor are of a vector, from its first element on");
        nan = GPUMEX_NAN_FLAG_DEFAULT; /* integers have none */
    }
    int goes_along = is_along(x, options.op, dim, prhs[6]) || !is_vector(x) || reverse || nan != GPUMEX_NAN_FLAG_DEFAULT;
    options.variant = read_variant(prhs[7]);
    require(nlhs < 2 || is_vector(x), "invalidData", "x", x, "it is a vector where TOTAL is asked for");
    if (goes_along)
        refuse_ranks(prhs[8], x);
    session s = open_session(prhs[8]);
    if (goes_along) {
        int32_t op = along_operator(options.op), rules = read_overflow(prhs[6]);
        const reduction how = {op, (size_t)(dim == 0 ? first_dimension(x) : dim), mxUNKNOWN_CLASS, nan, rules,
                               options.variant, reverse};
        plhs[0] = to_mxarray(scan_along(s, x, how, options.kind));
        const reduction all = {op, 0, mxUNKNOWN_CLASS, nan, rules, options.variant, 0};
        if (nlhs > 1)
            plhs[1] = to_mxarray(reduce_along(s, x, all, NULL));
        return;
    }
    const mwSize scalar[2] = {1, 1};
    result y = new_result(s, x.location, x.class_id, x.ndims, x.dims);
    result total = {.data = NULL};
    if (nlhs > 1)
        total = new_result(s, x.location, x.class_id, 2, scalar);
    check(s, is_of_ranks(s) ? gpumex_comm_scan(ranks_of(s), &options, x.data, length(x), y.data, total.data)
                            : gpumex_scan(s.ctx, &options, x.data, length(x), y.data, total.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = to_mxarray(total);
}
