/* scan_mex.c - [y, total] = scan(x, op, kind, variant, backend), the gateway behind gpumex.scan.
 *
 * x: a vector; y: of its size and class; total: a scalar of its class, all elements by the operator. */

#include "gateway.h"

static const enumerator kinds[] = {{"inclusive", GPUMEX_SCAN_KIND_INCLUSIVE}, {"exclusive", GPUMEX_SCAN_KIND_EXCLUSIVE}, {NULL, 0}};

void scan_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 5, "[y, total] = scan(x, op, kind, variant, backend)");
    operand x = read_vector(prhs[0], "invalidData", "x");
    gpumex_scan_options options = GPUMEX_SCAN_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.op = read_operator(prhs[1], x);
    options.kind = read_enum(prhs[2], "invalidKind", "kind", kinds);
    options.variant = read_variant(prhs[3]);
    session s = open_session(prhs[4]);

    const mwSize scalar[2] = {1, 1};
    result y = new_result(s, x.location, x.class_id, x.ndims, x.dims);
    result total = {.data = NULL};
    if (nlhs > 1)
        total = new_result(s, x.location, x.class_id, 2, scalar);
    check(s, gpumex_scan(s.ctx, &options, x.data, length(x), y.data, total.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = to_mxarray(total);
}
