/* device_mex.c - [...] = device(action, ...), the gateway behind gpumex.device.
 *
 *   count = device('count')
 *           device('choose', ordinal)
 *           device('wait', backend) */

#include "gateway.h"

enum { COUNT, CHOOSE, WAIT };

static const enumerator actions[] = {{"count", COUNT}, {"choose", CHOOSE}, {"wait", WAIT}, {NULL, 0}};

static void choose_ordinal(const mxArray *argument)
{
    uint64_t ordinal = read_integer(argument, "invalidDevice", "device");
    choose_device(ordinal < INT32_MAX ? (int32_t)ordinal : INT32_MAX); /* no machine has so many: the library says how many */
}

void device_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    if (nrhs < 1)
        fail("argumentCount", "no input; the first one is an action");
    int32_t count = 0;
    session s = {.backend = GPUMEX_BACKEND_AUTO};
    switch (read_enum(prhs[0], "invalidAction", "action", actions)) {
    case COUNT:
        check_argument_count(nlhs, 1, nrhs, 1, "count = device('count')");
        check(s, gpumex_device_count(&count));
        plhs[0] = mxCreateDoubleScalar(count);
        break;
    case CHOOSE:
        check_argument_count(nlhs, 0, nrhs, 2, "device('choose', ordinal)");
        choose_ordinal(prhs[1]);
        break;
    default:
        check_argument_count(nlhs, 0, nrhs, 2, "device('wait', backend)");
        s = open_session(prhs[1]);
        check(s, gpumex_context_synchronize(s.ctx));
    }
}
