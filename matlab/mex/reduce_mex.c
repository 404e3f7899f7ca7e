/* reduce_mex.c - [y, ms] = reduce(x, op, dim, nan, overflow, variant, backend), the gateway behind gpumex.reduce.
 *
 * dim 0: of all elements; y is a scalar of x's class then, 0x0 where x has no element that is the smallest or the largest. What
 * gpumex_reduce has, of all elements of 4 or 8 bytes, uses all cores; the rest goes along a dimension. */

#include "along.h"

void reduce_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 7, "[y, ms] = reduce(x, op, dim, nan, overflow, variant, backend)");
    operand x = read_values(prhs[0], "invalidData", "x");
    gpumex_reduce_options options = GPUMEX_REDUCE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = read_operator(prhs[1], x);
    uint64_t dim = read_integer(prhs[2], "invalidDimension", "DIM");
    int32_t nan = read_nan_flag(prhs[3]);
    int goes_along = is_along(x, options.op, dim, prhs[4]); /* which refuses bits along a dimension */
    int is_float = x.class_id == mxSINGLE_CLASS || x.class_id == mxDOUBLE_CLASS;
    if (goes_along || (is_float && nan != GPUMEX_NAN_FLAG_DEFAULT)) {
        const reduction how = {along_operator(options.op), (size_t)dim, mxUNKNOWN_CLASS, nan, read_overflow(prhs[4]), read_variant(prhs[5]), 0};
        refuse_ranks(prhs[6], x);
        session s = open_session(prhs[6]);
        plhs[0] = to_mxarray(reduce_along(s, x, how, NULL));
        if (nlhs > 1)
            plhs[1] = kernel_ms(s);
        return;
    }
    options.variant = read_variant(prhs[5]);
    session s = open_session(prhs[6]);

    int is_extreme = options.op == GPUMEX_OPERATOR_MIN || options.op == GPUMEX_OPERATOR_MAX;
    size_t count = length(x);
    const mwSize scalar[2] = {1, 1}, none[2] = {0, 0};
    int is_none = count == 0 && is_extreme && !is_of_ranks(s);
    result y = new_result(s, x.location, x.class_id, 2, is_none ? none : scalar);
    if (is_of_ranks(s))
        check(s, gpumex_comm_reduce(ranks_of(s), &options, x.data, count, y.data));
    else if (!is_none)
        check(s, gpumex_reduce(s.ctx, &options, x.data, count, y.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
