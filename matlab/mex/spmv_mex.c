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

/* Whether the usual product of a matrix that lies column by column is computed here: on the CPU transposing it takes longer, and that of
 * the transpose of a small matrix takes less time than a call of the library. */
static int is_plain(session s, const mxArray *matrix, operand x, int32_t variant, int32_t semiring, int is_transposed)
{
    int is_here = !is_transposed || mxGetJc(matrix)[mxGetN(matrix)] <= FEW;
    return is_here && semiring == 0 && variant == GPUMEX_VARIANT_AUTO && x.location == ON_HOST && s.is_on_host;
}

/* y <- A*x, a column of A after another. */
static void multiply_by_columns(const mxArray *matrix, const double *x, double *y)
{
    const mwIndex *starts = mxGetJc(matrix), *rows_of = mxGetIr(matrix);
    const double *values = mxGetData(matrix);
    size_t m = mxGetM(matrix), n = mxGetN(matrix);
    for (size_t i = 0; i < m; i++)
        y[i] = 0;
    for (size_t j = 0; j < n; j++)
        for (mwIndex k = starts[j]; k < starts[j + 1]; k++)
            y[rows_of[k]] += values[k] * x[j];
}

/* y <- A.'*x. */
static void multiply_by_transpose(const mxArray *matrix, const double *x, double *y)
{
    const mwIndex *starts = mxGetJc(matrix), *rows_of = mxGetIr(matrix);
    const double *values = mxGetData(matrix);
    for (size_t j = 0; j < mxGetN(matrix); j++) {
        y[j] = 0;
        for (mwIndex k = starts[j]; k < starts[j + 1]; k++)
            y[j] += values[k] * x[rows_of[k]];
    }
}

void spmv_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 6, "[y, ms] = spmv(A, x, transpose, semiring, variant, backend)");
    operand matrix = read_operand(prhs[0]), x = read_operand(prhs[1]);
    x.name = "x";
    int is_matrix = matrix.location == ON_HOST && is_sparse(matrix) && !is_complex(matrix) && matrix.class_id == mxDOUBLE_CLASS;
    require(is_matrix, "invalidMatrix", "A", matrix, "it is a real sparse matrix of doubles on the host");
    require(is_full_real(x) && x.class_id == mxDOUBLE_CLASS && is_vector(x), "invalidVector", "x", x, "it is a full real vector of doubles");
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

    if (is_plain(s, prhs[0], x, options.variant, semiring, is_transposed) && nlhs < 2) {
        result y = new_vector(s, ON_HOST, mxDOUBLE_CLASS, m, 0);
        (is_transposed ? multiply_by_transpose : multiply_by_columns)(prhs[0], x.data, y.data);
        plhs[0] = to_mxarray(y);
        return;
    }
    const mxArray *by_rows = is_transposed ? prhs[0] : transposed(prhs[0]);
    const mwIndex *offsets = mxGetJc(by_rows), *columns = mxGetIr(by_rows);
    size_t nonzeros = (size_t)offsets[m];
    result y = new_vector(s, x.location, mxDOUBLE_CLASS, m, 0);
    check(s, gpumex_spmv(s.ctx, &options, mxGetData(by_rows), columns, nonzeros, offsets, m, x.data, n, NULL, y.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
