/* spmv_mex.c - [y, ms] = spmv(A, x, transpose, semiring, variant, backend), the gateway behind gpumex.spmv.
 *
 * A: a real sparse double matrix, x: a vector of doubles, y: a column. A is stored column by column, which is A.' row by row, as the
 * library multiplies: y = A.'*x takes A as it is, y = A*x transposes it first. */

#include "gateway.h"

/* The operator that adds and the one that multiplies. */
static const struct {
    int32_t add, multiply;
} semirings[] = {{GPUMEX_OPERATOR_SUM, GPUMEX_OPERATOR_PRODUCT}, {GPUMEX_OPERATOR_MIN, GPUMEX_OPERATOR_SUM},
                 {GPUMEX_OPERATOR_MAX, GPUMEX_OPERATOR_SUM},     {GPUMEX_OPERATOR_MIN, GPUMEX_OPERATOR_PRODUCT},
                 {GPUMEX_OPERATOR_MAX, GPUMEX_OPERATOR_PRODUCT}, {GPUMEX_OPERATOR_MIN, GPUMEX_OPERATOR_MAX},
                 {GPUMEX_OPERATOR_MAX, GPUMEX_OPERATOR_MIN}};

static const enumerator names[] = {{"plus-times", 0}, {"auto", 0},      {"min-plus", 1}, {"max-plus", 2}, {"min-times", 3},
                                   {"max-times", 4},  {"min-max", 5},   {"max-min", 6},  {NULL, 0}};

/* A.' of a sparse matrix, by MATLAB. */
static const mxArray *transposed(const mxArray *matrix)
{
    mxArray *result = NULL, *argument = (mxArray *)matrix;
    if (mexCallMATLAB(1, &result, 1, &argument, "transpose") != 0)
        fail("outOfMemory", "no memory for the transpose of A");
    return result;
}

void spmv_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 6, "[y, ms] = spmv(A, x, transpose, semiring, variant, backend)");
    operand matrix = read_operand(prhs[0]), x = read_vector(prhs[1], "invalidVector", "x");
    int is_matrix = matrix.location == ON_HOST && is_sparse(matrix) && !is_complex(matrix) && matrix.class_id == mxDOUBLE_CLASS;
    require(is_matrix, "invalidMatrix", "A", matrix, "it is a real sparse matrix of doubles on the host");
    require(x.class_id == mxDOUBLE_CLASS, "invalidVector", "x", x, "it is double");
    int is_transposed = read_logical_option(prhs[2], "invalidTranspose", "Transpose");
    int32_t semiring = read_enum(prhs[3], "invalidSemiring", "Semiring", names);
    size_t m = is_transposed ? cols(matrix) : rows(matrix), n = is_transposed ? rows(matrix) : cols(matrix);
    require(length(x) == n, "sizeMismatch", "x", x,
            is_transposed ? "it has an element for each row of A" : "it has an element for each column of A");
    gpumex_spmv_options options = GPUMEX_SPMV_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_F64;
    options.add = semirings[semiring].add;
    options.multiply = semirings[semiring].multiply;
    options.index_dtype = sizeof(mwIndex) == 8 ? GPUMEX_DTYPE_U64 : GPUMEX_DTYPE_U32;
    options.variant = read_variant(prhs[4]);
    session s = open_session(prhs[5]);

    const mxArray *by_rows = is_transposed ? prhs[0] : transposed(prhs[0]);
    const mwIndex *offsets = mxGetJc(by_rows), *columns = mxGetIr(by_rows);
    size_t nonzeros = (size_t)offsets[m];
    result y = new_vector(s, x.location, mxDOUBLE_CLASS, m, 0);
    check(s, gpumex_spmv(s.ctx, &options, mxGetData(by_rows), columns, nonzeros, offsets, m, x.data, n, NULL, y.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
