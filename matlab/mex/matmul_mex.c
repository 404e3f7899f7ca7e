/* matmul_mex.c - [C, ms] = matmul(A, B, name, value, ...), the gateway behind gpumex.matmul.
 *
 * A, B: single or double arrays of one class, pages of matrices; C has that class. The library takes them column by column, as they
 * are, and pages as a batch. */

#include <stdio.h>
#include <string.h>

#include "gateway.h"

static const enumerator variants[] = {{"auto", GPUMEX_MATMUL_VARIANT_AUTO},
                                      {"sequential", GPUMEX_MATMUL_VARIANT_SEQUENTIAL},
                                      {"naive", GPUMEX_MATMUL_VARIANT_NAIVE},
                                      {"blocked", GPUMEX_MATMUL_VARIANT_BLOCKED},
                                      {"tiled", GPUMEX_MATMUL_VARIANT_TILED},
                                      {"tensor", GPUMEX_MATMUL_VARIANT_TENSOR},
                                      {"tf32", GPUMEX_MATMUL_VARIANT_TF32},
                                      {"cublas", GPUMEX_MATMUL_VARIANT_CUBLAS},
                                      {NULL, 0}};

static const char *const names[] = {"Variant", "Backend", "TransA", "TransB", "Alpha", "Beta", "C", NULL};
enum { VARIANT, BACKEND, TRANS_A, TRANS_B, ALPHA, BETA, C, OPTIONS };

static operand read_factor(const char *name, const mxArray *argument)
{
    operand x = read_operand(argument);
    char cure[64];
    snprintf(cure, sizeof cure, "it is full, as full(%s) is", name);
    require(!is_sparse(x), "sparseMatrix", name, x, cure);
    snprintf(cure, sizeof cure, "it is real, as real(%s) and imag(%s) are", name, name);
    require(!is_complex(x), "complexMatrix", name, x, cure);
    int is_good = x.class_id == mxSINGLE_CLASS || x.class_id == mxDOUBLE_CLASS;
    require(is_good, "invalidMatrix", name, x, "it is a full real matrix, single or double");
    return x;
}

static size_t pages(operand x)
{
    return count_elements(x.ndims - 2, x.dims + 2);
}

static int have_same_pages(operand a, operand b)
{
    int are_same = a.ndims == b.ndims;
    for (mwSize i = 2; are_same && i < a.ndims; i++)
        are_same = a.dims[i] == b.dims[i];
    return are_same;
}

static void refuse_sizes(operand a, operand b, const gpumex_matmul_options *options, const char *rule)
{
    char size_a[64], size_b[64];
    write_size(a, size_a, sizeof size_a);
    write_size(b, size_b, sizeof size_b);
    fail("sizeMismatch", "A is %s%s and B is %s%s; %s", size_a, options->trans_a ? " transposed" : "", size_b,
         options->trans_b ? " transposed" : "", rule);
}

/* A result of m x n, with the pages of the factor that has more than one. */
static result new_product(session s, operand a, operand b, size_t m, size_t n)
{
    operand paged = pages(a) != 1 ? a : b;
    mwSize *dims = mxMalloc((size_t)paged.ndims * sizeof *dims);
    memcpy(dims, paged.dims, (size_t)paged.ndims * sizeof *dims);
    dims[0] = (mwSize)m, dims[1] = (mwSize)n;
    result c = new_result(s, result_location(a, b), a.class_id, paged.ndims, dims);
    mxFree(dims);
    return c;
}

/* A factor of a product, or of what is added to it. NULL where it is not given. */
static const double *read_factor_of(const mxArray *argument, const char *reason, const char *name, double *number)
{
    if (argument == NULL)
        return NULL;
    operand x = read_operand(argument);
    int is_number = x.location == ON_HOST && is_full_real(x) && (mxIsNumeric(argument) || mxIsLogical(argument)) && length(x) == 1;
    require(is_number, reason, name, x, "it is a real number");
    *number = mxGetScalar(argument);
    return number;
}

/* c <- C, which beta multiplies. */
static void copy_addend(session s, const mxArray *argument, operand like, result c, mwSize ndims, const mwSize *dims)
{
    operand addend = read_operand(argument);
    int is_good = is_full_real(addend) && addend.class_id == like.class_id && length(addend) == count_elements(ndims, dims);
    require(is_good && rows(addend) == (size_t)dims[0], "invalidC", "C", addend, "it has the class and the size of the product");
    check(s, gpumex_copy(s.ctx, c.data, addend.data, length(addend) * element_bytes(addend.class_id)));
}

/* All columns of A, which are on all ranks, are as many as the rows of B are. */
static void check_columns(session s, operand a, operand b)
{
    gpumex_reduce_options sum = GPUMEX_REDUCE_OPTIONS_INIT;
    sum.dtype = GPUMEX_DTYPE_U64;
    const uint64_t own = cols(a);
    uint64_t all = 0;
    struct group *of = s.group;
    check(s, gpumex_comm_reduce(ranks_of(s), &sum, &own, 1, &all));
    expect_call(of);
    if (all != rows(b))
        fail("sizeMismatch", "B has %zu rows, and A has %llu columns on all ranks; there are as many", rows(b), (unsigned long long)all);
}

/* Column by column it is C.' = B.'*A.' row by row, and the ranks have rows of these. */
static void multiply_on_ranks(session s, gpumex_matmul_options options, operand a, operand b, result c)
{
    int is_plain = options.trans_a == 0 && options.trans_b == 0 && a.ndims == 2 && b.ndims == 2;
    if (!is_plain)
        refuse_sizes(a, b, &options, "several ranks multiply two matrices, neither of them transposed");
    check_columns(s, a, b);
    options.order = GPUMEX_MATMUL_ORDER_ROW;
    options.batch = 0, options.same_a = options.same_b = 0;
    int32_t status = gpumex_comm_matmul(ranks_of(s), &options, cols(b), rows(a), cols(a), b.data, a.data, c.data);
    check_ranks(s, status, "n is", "the number of rows of A is");
}

void matmul_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs < 2 ? nrhs : 2, 2, "[C, ms] = matmul(A, B, name, value, ...)");
    const mxArray *values[OPTIONS] = {NULL};
    read_options(nrhs - 2, prhs + 2, names, values);
    operand a = read_factor("A", prhs[0]), b = read_factor("B", prhs[1]);
    if (a.class_id != b.class_id)
        fail("mixedClasses", "A is %s and B is %s; both have the same class", a.class_name, b.class_name);
    gpumex_matmul_options options = GPUMEX_MATMUL_OPTIONS_INIT;
    options.order = GPUMEX_MATMUL_ORDER_COLUMN;
    options.dtype = dtype_of(a.class_id);
    options.variant = read_enum(values[VARIANT], "invalidVariant", "variant", variants);
    options.trans_a = read_logical(values[TRANS_A], "invalidTransA", "TransA");
    options.trans_b = read_logical(values[TRANS_B], "invalidTransB", "TransB");

    size_t m = options.trans_a ? cols(a) : rows(a), k = options.trans_a ? rows(a) : cols(a);
    size_t n = options.trans_b ? rows(b) : cols(b);
    if (!is_group(values[BACKEND]) && k != (options.trans_b ? cols(b) : rows(b)))
        refuse_sizes(a, b, &options, "the first of a product has as many columns as the second has rows");
    options.same_a = pages(a) == 1, options.same_b = pages(b) == 1;
    if (!options.same_a && !options.same_b && !have_same_pages(a, b))
        refuse_sizes(a, b, &options, "both have the same pages, or one is a single matrix");
    options.batch = options.same_a ? pages(b) : pages(a);
    double alpha, beta;
    options.alpha = read_factor_of(values[ALPHA], "invalidAlpha", "Alpha", &alpha);
    options.beta = read_factor_of(values[BETA], "invalidBeta", "Beta", &beta);
    if ((options.beta == NULL) != (values[C] == NULL))
        fail("invalidC", "Beta and C are given together: the result is Alpha*A*B + Beta*C");
    session s = open_session(values[BACKEND]);

    result c = new_product(s, a, b, m, n);
    if (values[C] != NULL) {
        operand paged = pages(a) != 1 ? a : b;
        mwSize *dims = memcpy(mxMalloc((size_t)paged.ndims * sizeof *dims), paged.dims, (size_t)paged.ndims * sizeof *dims);
        dims[0] = (mwSize)m, dims[1] = (mwSize)n;
        copy_addend(s, values[C], a, c, paged.ndims, dims);
    }
    if (is_of_ranks(s)) {
        multiply_on_ranks(s, options, a, b, c);
        plhs[0] = to_mxarray(c);
        return;
    }
    if (options.batch == 0) /* which the library takes for 1 */
        m = n = k = 0;
    check(s, gpumex_matmul(s.ctx, &options, m, n, k, a.data, b.data, c.data));
    plhs[0] = to_mxarray(c);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
