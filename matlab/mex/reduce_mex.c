/* reduce_mex.c - [y, ms] = reduce(x, op, variant, backend), the gateway behind gpumex.reduce.
 *
 * x: an array of any size; y: a scalar of its class, 0x0 where x has no element that is the smallest or the largest. */

#include "gateway.h"

void reduce_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 4, "[y, ms] = reduce(x, op, variant, backend)");
    operand x = read_numbers(prhs[0], "invalidData", "x");
    gpumex_reduce_options options = GPUMEX_REDUCE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = read_operator(prhs[1], x);
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);

    int is_extreme = options.op == GPUMEX_OPERATOR_MIN || options.op == GPUMEX_OPERATOR_MAX;
    size_t count = length(x);
    const mwSize scalar[2] = {1, 1}, none[2] = {0, 0};
    result y = new_result(s, x.location, x.class_id, 2, count == 0 && is_extreme ? none : scalar);
    if (count > 0 || !is_extreme)
        check(s, gpumex_reduce(s.ctx, &options, x.data, count, y.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
