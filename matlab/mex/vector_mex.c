/* vector_mex.c - the gateways behind gpumex.add and gpumex.dot_product:
 *
 *   [z, ms] = add(x, y, variant, backend)          z = x + y
 *   [d, ms] = dot_product(x, y, variant, backend)          the sum of x .* y
 *
 * x, y: single or double, of one class and as many elements. */

#include "gateway.h"

enum { LONG_VECTOR = 1 << 16 };   /* from where on a copy takes longer than reading an expression */

static const enumerator add_variants[] = {{"auto", GPUMEX_ADD_VARIANT_AUTO}, {"sequential", GPUMEX_ADD_VARIANT_SEQUENTIAL},
                                          {"on_demand", GPUMEX_ADD_VARIANT_ON_DEMAND}, {"prefetch", GPUMEX_ADD_VARIANT_PREFETCH}, {NULL, 0}};
static const enumerator dot_variants[] = {{"auto", GPUMEX_DOT_VARIANT_AUTO}, {"sequential", GPUMEX_DOT_VARIANT_SEQUENTIAL},
                                          {"atomic", GPUMEX_DOT_VARIANT_ATOMIC}, {"two_pass", GPUMEX_DOT_VARIANT_TWO_PASS},
                                          {"shared", GPUMEX_DOT_VARIANT_SHARED}, {NULL, 0}};

static operand read_reals(const mxArray *argument, const char *name)
{
    operand x = read_operand(argument);
    x.name = name;
    int are_reals = is_full_real(x) && (x.class_id == mxSINGLE_CLASS || x.class_id == mxDOUBLE_CLASS);
    require(are_reals, "invalidData", name, x, "it is full and real, single or double");
    return x;
}

static void check_pair(operand x, operand y)
{
    if (x.class_id != y.class_id)
        fail("mixedClasses", "X is %s and Y is %s; both have the same class", x.class_name, y.class_name);
    require(length(x) == length(y), "sizeMismatch", "Y", y, "it has an element for each of X");
}

/* z = x + y. gpumex_add adds to a vector that holds the other one already; long ones are added by gpumex_map, which
 * needs no copy, unless a variant or the time of gpumex_add itself is asked for. The sums have the same bits. */
static void add(session s, const gpumex_add_options *options, operand x, operand y, result z, int is_timed)
{
    const size_t count = length(x);
    if (options->variant != GPUMEX_ADD_VARIANT_AUTO || is_timed || count < LONG_VECTOR) {
        check(s, gpumex_copy(s.ctx, z.data, y.data, count * element_bytes(y.class_id)));
        check(s, gpumex_add(s.ctx, options, x.data, z.data, count));
        return;
    }
    const int32_t dtypes[2] = {options->dtype, options->dtype};
    const void *const inputs[2] = {x.data, y.data};
    gpumex_map_options map = GPUMEX_MAP_OPTIONS_INIT;
    map.dtype = options->dtype, map.dtypes = dtypes, map.shape = &count;
    check(s, gpumex_map(s.ctx, &map, "a + b", inputs, 2, z.data));
}

void add_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 4, "[z, ms] = add(x, y, variant, backend)");
    operand x = read_reals(prhs[0], "X"), y = read_reals(prhs[1], "Y");
    check_pair(x, y);
    gpumex_add_options options = GPUMEX_ADD_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.variant = read_enum(prhs[2], "invalidVariant", "variant", add_variants);
    session s = open_session(prhs[3]);
    result z = new_result(s, result_location(x, y), x.class_id, y.ndims, y.dims);
    add(s, &options, x, y, z, nlhs > 1);
    plhs[0] = to_mxarray(z);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}

void dot_product_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 4, "[d, ms] = dot_product(x, y, variant, backend)");
    operand x = read_reals(prhs[0], "X"), y = read_reals(prhs[1], "Y");
    check_pair(x, y);
    gpumex_dot_options options = GPUMEX_DOT_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.variant = read_enum(prhs[2], "invalidVariant", "variant", dot_variants);
    session s = open_session(prhs[3]);
    const mwSize scalar[2] = {1, 1};
    result d = new_result(s, result_location(x, y), x.class_id, 2, scalar);
    check(s, is_of_ranks(s) ? gpumex_comm_dot(ranks_of(s), &options, x.data, y.data, length(x), d.data)
                            : gpumex_dot(s.ctx, &options, x.data, y.data, length(x), d.data));
    plhs[0] = to_mxarray(d);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
