/* filter_mex.c - the gateways behind gpumex.convolve and gpumex.medfilt2:
 *
 *   c = convolve(a, b, shape, variant, backend)
 *   b = medfilt2(a, window, padding, variant, backend)
 *
 * a, b: matrices, of convolve both single or both double; window: [m n]. */

#include <math.h>

#include "gateway.h"

static const enumerator shapes[] = {{"full", GPUMEX_CONVOLVE_SHAPE_FULL}, {"same", GPUMEX_CONVOLVE_SHAPE_SAME},
                                    {"valid", GPUMEX_CONVOLVE_SHAPE_VALID}, {NULL, 0}};

enum { ZEROS, SYMMETRIC, INDEXED };

static const enumerator paddings[] = {{"zeros", ZEROS}, {"symmetric", SYMMETRIC}, {"indexed", INDEXED}, {NULL, 0}};

static operand read_matrix(const mxArray *argument, const char *name)
{
    operand x = read_values(argument, "invalidData", name);
    require(x.ndims == 2, "invalidData", name, x, "it is a matrix");
    return x;
}

static operand read_real_matrix(const mxArray *argument, const char *name)
{
    operand x = read_matrix(argument, name);
    require(x.class_id == mxSINGLE_CLASS || x.class_id == mxDOUBLE_CLASS, "invalidData", name, x, "it is single or double");
    return x;
}

static size_t extent_of(int32_t shape, size_t a, size_t b)
{
    if (shape == GPUMEX_CONVOLVE_SHAPE_FULL)
        return a + b - 1;
    return shape == GPUMEX_CONVOLVE_SHAPE_SAME ? a : a >= b ? a - b + 1 : 0;
}

/* Outside a are zeros, which times infinite weights are NaN, where conv2 computes nothing. */
static void refuse_infinite(session s, operand b)
{
    size_t count = length(b), bytes = count * element_bytes(b.class_id);
    const void *weights = b.data;
    if (b.location != ON_HOST) {
        void *copy = mxMalloc(bytes);
        check(s, gpumex_copy(s.ctx, copy, b.data, bytes));
        weights = copy;
    }
    for (size_t k = 0; k < count; k++) {
        double weight = b.class_id == mxSINGLE_CLASS ? ((const float *)weights)[k] : ((const double *)weights)[k];
        if (!isfinite(weight))
            fail("unsupported", "%s(%zu) is %g; the smaller array has finite elements, but with 'valid'", b.name, k + 1, weight);
    }
}

void convolve_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 5, "c = convolve(a, b, shape, variant, backend)");
    operand a = read_real_matrix(prhs[0], "A"), b = read_real_matrix(prhs[1], "B");
    if (a.class_id != b.class_id)
        fail("mixedClasses", "A is %s and B is %s; both have the same class", a.class_name, b.class_name);
    gpumex_convolve_options options = GPUMEX_CONVOLVE_OPTIONS_INIT;
    options.dtype = dtype_of(a.class_id);
    options.boundary = GPUMEX_BOUNDARY_DEAD;
    options.shape = read_enum(prhs[2], "invalidShape", "shape", shapes);
    options.order = GPUMEX_STENCIL_ORDER_COLUMN;
    options.variant = read_variant(prhs[3]);
    session s = open_session(prhs[4]);

    int is_empty = length(a) == 0 || length(b) == 0;
    const mwSize dims[2] = {is_empty ? 0 : (mwSize)extent_of(options.shape, rows(a), rows(b)),
                            is_empty ? 0 : (mwSize)extent_of(options.shape, cols(a), cols(b))};
    location where = result_location(a, b);
    result c = new_result(s, where, a.class_id, 2, dims);
    if (options.shape == GPUMEX_CONVOLVE_SHAPE_FULL && length(b) > length(a)) {
        operand larger = b;
        b = a, a = larger;
    }
    if (dims[0] > 0 && dims[1] > 0) {
        if (options.shape != GPUMEX_CONVOLVE_SHAPE_VALID)
            refuse_infinite(s, b);
        check(s, gpumex_convolve(s.ctx, &options, a.data, rows(a), cols(a), b.data, rows(b), cols(b), c.data));
    }
    plhs[0] = to_mxarray(c);
}

void medfilt2_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 5, "b = medfilt2(a, window, padding, variant, backend)");
    operand a = read_matrix(prhs[0], "A"), window = read_operand(prhs[1]);
    int is_pair = window.location == ON_HOST && window.class_id == mxDOUBLE_CLASS && is_full_real(window) && length(window) == 2;
    require(is_pair, "invalidWindow", "window", window, "it is [M N], its rows and columns");
    const double *of = window.data;
    for (int k = 0; k < 2; k++)
        if (!is_whole(of[k]) || of[k] < 1 || of[k] > 31)
            fail("invalidWindow", "window(%d) is %g; it is a whole number from 1 to 31", k + 1, of[k]);
    gpumex_median_filter_options options = GPUMEX_MEDIAN_FILTER_OPTIONS_INIT;
    options.dtype = dtype_of(a.class_id);
    options.order = GPUMEX_STENCIL_ORDER_COLUMN;
    int32_t padding = read_enum(prhs[2], "invalidPadding", "padding", paddings);
    options.boundary = padding == SYMMETRIC ? GPUMEX_BOUNDARY_MIRROR : GPUMEX_BOUNDARY_DEAD;
    if (padding == INDEXED && a.class_id == mxDOUBLE_CLASS) {
        options.boundary = GPUMEX_BOUNDARY_CONSTANT;
        options.constant = 1;
    }
    options.variant = read_variant(prhs[3]);
    session s = open_session(prhs[4]);
    result b = new_result(s, a.location, a.class_id, 2, a.dims);
    if (length(a) > 0)
        check(s, gpumex_median_filter(s.ctx, &options, a.data, rows(a), cols(a), (size_t)of[0], (size_t)of[1], b.data));
    plhs[0] = to_mxarray(b);
}
