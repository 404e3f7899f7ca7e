/* reset_default_mex.c - reset_default_mex(), the gateway behind gpumex.reset_default. */

#define FUNCTION "reset_default"
#include "gateway.h"

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    (void)plhs, (void)prhs;
    begin(nlhs, 0, nrhs, 0, "reset_default_mex()");
    const session s = {GPUMEX_BACKEND_AUTO, NULL};
    check(s, gpumex_reset_default());
}
