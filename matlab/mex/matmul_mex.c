/* matmul_mex.c - [C, ms] = matmul(A, B, variant, backend), the gateway behind gpumex.matmul.
 *
 * A, B: single or double matrices of one class; C has it too. The library takes them column by column, as they are. */

#include "gateway.h"

static const choice variants[] = {{"auto", GPUMEX_MATMUL_VARIANT_AUTO},
                                  {"sequential", GPUMEX_MATMUL_VARIANT_SEQUENTIAL},
                                  {"naive", GPUMEX_MATMUL_VARIANT_NAIVE},
                                  {"blocked", GPUMEX_MATMUL_VARIANT_BLOCKED},
                                  {NULL, 0}};

static operand read_factor(const char *name, const mxArray *argument)
{
    operand x = read_operand(argument);
    int is_factor = is_full_matrix(x) && (x.class_id == mxSINGLE_CLASS || x.class_id == mxDOUBLE_CLASS);
    require(is_factor, "invalidMatrix", name, x, "it is a full real matrix, single or double");
    return x;
}

void matmul_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    expect(nlhs, 2, nrhs, 4, "[C, ms] = matmul(A, B, variant, backend)");
    operand a = read_factor("A", prhs[0]), b = read_factor("B", prhs[1]);
    if (a.class_id != b.class_id)
        fail("mixedClasses", "A is %s and B is %s; both have the same class", a.class_name, b.class_name);
    size_t m = rows(a), k = cols(a), n = cols(b);
    if (rows(b) != k)
        fail("sizeMismatch", "A is %zux%zu and B is %zux%zu; A has as many columns as B has rows", m, k, rows(b), n);
    gpumex_matmul_options options = {.size = sizeof options, .order = GPUMEX_MATMUL_ORDER_COLUMN};
    options.dtype = a.class_id == mxSINGLE_CLASS ? GPUMEX_MATMUL_DTYPE_F32 : GPUMEX_MATMUL_DTYPE_F64;
    options.variant = choose(prhs[2], "invalidVariant", "variant", variants);
    session s = open_session(prhs[3]);

    const mwSize dims[2] = {(mwSize)m, (mwSize)n};
    result c = new_result(s, place_of_result(a, b), a.class_id, 2, dims);
    check(s, gpumex_matmul(s.ctx, &options, m, n, k, a.data, b.data, c.data));
    plhs[0] = deliver(c);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
