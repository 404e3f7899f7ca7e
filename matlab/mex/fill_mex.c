/* fill_mex.c - the gateways behind gpumex.fill and gpumex.random:
 *
 *   x = fill(size, first, step, class, place, backend)               first, first + step, ...
 *   x = random(size, distribution, limits, seed, class, place, backend)
 *
 * size: a row of whole numbers. limits: two doubles, of a normal distribution its mean and its deviation. place: 'host' or 'device'. */

#include "nd.h"

enum { UNIFORM, NORMAL, SORTED };

static const enumerator distributions[] = {{"uniform", UNIFORM}, {"normal", NORMAL}, {"sorted", SORTED}, {NULL, 0}};
static const enumerator places[] = {{"host", ON_HOST}, {"auto", ON_HOST}, {"device", ON_DEVICE}, {NULL, 0}};

static double read_number(const mxArray *argument, const char *reason, const char *name)
{
    operand x = read_operand(argument);
    int is_number = x.location == ON_HOST && is_full_real(x) && element_bytes(x.class_id) > 0 && length(x) == 1;
    require(is_number, reason, name, x, "it is a number");
    return mxGetScalar(argument);
}

static mxClassID read_class_or_double(const mxArray *argument)
{
    return is_auto(argument) ? mxDOUBLE_CLASS : read_class(argument, "invalidClass", "Class");
}

void fill_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 6, "x = fill(size, first, step, class, place, backend)");
    size_t rank;
    mwSize *dims = read_size(prhs[0], &rank);
    double first = read_number(prhs[1], "invalidValue", "the value");
    double step = is_auto(prhs[2]) ? 0 : read_number(prhs[2], "invalidStep", "Step");
    mxClassID class_id = read_class_or_double(prhs[3]);
    location where = (location)read_enum(prhs[4], "invalidPlace", "Place", places);
    session s = open_session(prhs[5]);
    result x = new_result(s, where, class_id, (mwSize)rank, dims);
    size_t count = count_elements((mwSize)rank, dims);
    if (step != 0 || (class_id != mxDOUBLE_CLASS && class_id != mxSINGLE_CLASS)) {
        check(s, gpumex_fill_ascending(s.ctx, dtype_of(class_id), x.data, count, first, step));
    } else {
        const float as_single = (float)first;
        check(s, gpumex_fill(s.ctx, dtype_of(class_id), x.data, count, class_id == mxSINGLE_CLASS ? (const void *)&as_single : &first));
    }
    plhs[0] = to_mxarray(x);
}

void random_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 7, "x = random(size, distribution, limits, seed, class, place, backend)");
    size_t rank;
    mwSize *dims = read_size(prhs[0], &rank);
    int32_t kind = read_enum(prhs[1], "invalidDistribution", "the distribution", distributions);
    double range[2] = {0, 1};
    operand limits = read_operand(prhs[2]);
    if (!is_auto(prhs[2])) {
        int is_pair = limits.location == ON_HOST && limits.class_id == mxDOUBLE_CLASS && is_full_real(limits) && length(limits) == 2;
        require(is_pair, "invalidLimits", "Limits", limits, "they are [LO HI], or [MEAN DEVIATION]");
        range[0] = ((const double *)limits.data)[0], range[1] = ((const double *)limits.data)[1];
    }
    uint64_t seed = is_auto(prhs[3]) ? 0 : read_integer(prhs[3], "invalidSeed", "Seed");
    mxClassID class_id = read_class_or_double(prhs[4]);
    if (kind == NORMAL && class_id != mxDOUBLE_CLASS && class_id != mxSINGLE_CLASS)
        fail("invalidClass", "Class is %s; normal numbers are single or double", class_name(class_id));
    location where = (location)read_enum(prhs[5], "invalidPlace", "Place", places);
    session s = open_session(prhs[6]);
    result x = new_result(s, where, class_id, (mwSize)rank, dims);
    size_t count = count_elements((mwSize)rank, dims);
    int32_t dtype = dtype_of(class_id);
    if (kind == NORMAL)
        check(s, gpumex_random_normal(s.ctx, dtype, x.data, count, seed, range[0], range[1]));
    else if (kind == SORTED)
        check(s, gpumex_random_sorted(s.ctx, dtype, x.data, count, seed, range[0], range[1]));
    else
        check(s, gpumex_random(s.ctx, dtype, x.data, count, seed, range[0], range[1]));
    plhs[0] = to_mxarray(x);
}
