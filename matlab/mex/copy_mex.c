/* copy_mex.c - B = copy(A), what every MEX file costs that returns an array; bench_life takes it off. */

#include <string.h>

#include "gateway.h"

void copy_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 1, "B = copy(A)");
    operand a = read_operand(prhs[0]);
    int is_good = a.location == ON_HOST && is_full_real(a) && element_bytes(a.class_id) > 0;
    require(is_good, "invalidData", "A", a, "it is a full real array on the host");
    plhs[0] = new_host_array(a.class_id, a.ndims, a.dims);
    memcpy(mxGetData(plhs[0]), a.data, mxGetNumberOfElements(plhs[0]) * element_bytes(a.class_id));
}
