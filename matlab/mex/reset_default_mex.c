/* reset_default_mex.c - reset_default(), the gateway behind gpumex.reset_default. */

#include "gateway.h"

void reset_default_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    (void)plhs, (void)prhs;
    check_argument_count(nlhs, 0, nrhs, 0, "reset_default()");
    reset_default();
    warn_of_settings();
}
