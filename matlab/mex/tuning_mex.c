/* tuning_mex.c - the gateways behind gpumex.tuning, timer, threads and version:
 *
 *   text   = tuning('text', [], [], backend)
 *   values = tuning('get', kernel, [], backend)      Threads, Values, Cache
 *            tuning('set', kernel, values, backend)
 *            timer('start', backend)
 *   ms     = timer('stop', backend)
 *            threads(count, backend)
 *   text   = version() */

#include "gateway.h"

enum { TEXT, GET, SET, START = 0, STOP };

static void read_kernel(const mxArray *argument, char *name, size_t capacity)
{
    require(read_word(argument, name, capacity), "invalidKernel", "the kernel", read_operand(argument), "it is the name of a kernel");
}

static void read_field(const mxArray *values, const char *field, int32_t *number)
{
    const mxArray *given = mxGetField(values, 0, field);
    if (given == NULL)
        return;
    uint64_t read = read_integer(given, "invalidTuning", field);
    if (read > INT32_MAX)
        fail("invalidTuning", "%s is %.0f; it is a whole number below 2^31", field, (double)read);
    *number = (int32_t)read;
}

static void set_tuning(session s, const char *kernel, const mxArray *values)
{
    require(mxIsStruct(values) && mxGetNumberOfElements(values) == 1, "invalidTuning", "the tuning", read_operand(values),
            "it is a structure with Threads, Values, Cache");
    gpumex_kernel_tuning tuning = GPUMEX_KERNEL_TUNING_INIT;
    check(s, gpumex_tuning_get(s.ctx, kernel, &tuning));
    read_field(values, "Threads", &tuning.threads);
    read_field(values, "Values", &tuning.values);
    read_field(values, "Cache", &tuning.cache);
    check(s, gpumex_tuning_set(s.ctx, kernel, &tuning));
}

static mxArray *get_tuning(session s, const char *kernel)
{
    gpumex_kernel_tuning tuning = GPUMEX_KERNEL_TUNING_INIT;
    check(s, gpumex_tuning_get(s.ctx, kernel, &tuning));
    mxArray *values = mxCreateStructMatrix(1, 1, 0, NULL);
    set_number(values, "Threads", tuning.threads);
    set_number(values, "Values", tuning.values);
    set_number(values, "Cache", tuning.cache);
    return values;
}

void tuning_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    static const enumerator actions[] = {{"text", TEXT}, {"get", GET}, {"set", SET}, {NULL, 0}};
    check_argument_count(nlhs, 1, nrhs, 4, "tuning(action, kernel, values, backend)");
    char kernel[64];
    int32_t action = read_enum(prhs[0], "invalidAction", "action", actions);
    session s = open_session(prhs[3]);
    if (action != TEXT)
        read_kernel(prhs[1], kernel, sizeof kernel);
    if (action == SET)
        set_tuning(s, kernel, prhs[2]);
    else if (action == GET)
        plhs[0] = get_tuning(s, kernel);
    else {
        const char *text = gpumex_tuning_text(s.ctx);
        if (text == NULL)
            check(s, gpumex_last_status());
        plhs[0] = mxCreateString(text);
    }
}

void timer_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    static const enumerator actions[] = {{"start", START}, {"stop", STOP}, {NULL, 0}};
    check_argument_count(nlhs, 1, nrhs, 2, "timer(action, backend)");
    int32_t action = read_enum(prhs[0], "invalidAction", "action", actions);
    session s = open_session(prhs[1]);
    double ms = 0;
    if (action == START) {
        check(s, gpumex_timer_start(s.ctx));
        return;
    }
    check(s, gpumex_timer_stop(s.ctx, &ms));
    plhs[0] = mxCreateDoubleScalar(ms);
}

void threads_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    (void)plhs;
    check_argument_count(nlhs, 0, nrhs, 2, "threads(count, backend)");
    uint64_t count = read_integer(prhs[0], "invalidCount", "N");
    if (count > INT32_MAX)
        fail("invalidCount", "N is %.0f; it is a whole number below 2^31", (double)count);
    session s = open_session(prhs[1]);
    check(s, gpumex_context_set_threads(s.ctx, (int32_t)count));
}

void version_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    (void)prhs;
    check_argument_count(nlhs, 1, nrhs, 0, "text = version()");
    plhs[0] = mxCreateString(gpumex_version());
}
