/* matmul_mex.c - [C, ms] = matmul_mex(A, B, variant, backend), the gateway behind gpumex.matmul.
 *
 * A, B: single or double matrices of one class; C has it too. The library takes them column by column, as they are. */

#define FUNCTION "matmul"
#include "gateway.h"

static const choice variants[] = {{"auto", GPUMEX_MATMUL_VARIANT_AUTO},
                                  {"sequential", GPUMEX_MATMUL_VARIANT_SEQUENTIAL},
                                  {"naive", GPUMEX_MATMUL_VARIANT_NAIVE},
                                  {"blocked", GPUMEX_MATMUL_VARIANT_BLOCKED},
                                  {NULL, 0}};

static void require_factor(const char *name, const mxArray *factor)
{
    int is_factor = is_matrix(factor) && (mxIsSingle(factor) || mxIsDouble(factor));
    require(is_factor, "invalidMatrix", name, factor, "it is a full real matrix, single or double");
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    begin(nlhs, 2, nrhs, 4, "[C, ms] = matmul_mex(A, B, variant, backend)");
    const mxArray *a = prhs[0], *b = prhs[1];
    require_factor("A", a);
    require_factor("B", b);
    if (mxGetClassID(a) != mxGetClassID(b))
        fail("mixedClasses", "A is %s and B is %s; both have the same class", mxGetClassName(a), mxGetClassName(b));
    size_t m = mxGetM(a), k = mxGetN(a), n = mxGetN(b);
    if (mxGetM(b) != k)
        fail("sizeMismatch", "A is %zux%zu and B is %zux%zu; A has as many columns as B has rows", m, k, mxGetM(b), n);
    gpumex_matmul_options options = {.size = sizeof options, .order = GPUMEX_MATMUL_ORDER_COLUMN};
    options.dtype = mxIsSingle(a) ? GPUMEX_MATMUL_DTYPE_F32 : GPUMEX_MATMUL_DTYPE_F64;
    options.variant = choose(prhs[2], "invalidVariant", "variant", variants);
    session s = open_session(prhs[3]);

    plhs[0] = mxCreateNumericMatrix((mwSize)m, (mwSize)n, mxGetClassID(a), mxREAL);
    check(s, gpumex_matmul(s.ctx, &options, m, n, k, mxGetData(a), mxGetData(b), mxGetData(plhs[0])));
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
