/* gather_mex.c - the gateways behind gpumex.gather and gpumex.scatter:
 *
 *   y = gather(x, indices, variant, backend)          x(indices)
 *   y = scatter(y, indices, x, variant, backend)      y after y(indices) = x
 *
 * x, y: arrays of one class. indices: whole numbers from 1 of any class. */

#include "gateway.h"

/* Indices of the host, less 1; none is beyond the last one. */
static const uint64_t *read_indices(session s, const mxArray *argument, size_t count, size_t last)
{
    const uint64_t *indices = read_integers(s, argument, 1, "invalidIndices", "indices");
    for (size_t k = 0; k < count; k++)
        if (indices[k] >= last)
            fail("invalidIndices", "indices(%zu) is %.0f; the last index is %zu", k + 1, (double)indices[k] + 1, last);
    return indices;
}

void gather_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "y = gather(x, indices, variant, backend)");
    operand x = read_keys(prhs[0], "invalidData", "X"), at = read_operand(prhs[1]);
    gpumex_gather_options options = GPUMEX_GATHER_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);
    size_t count = length(at);
    const uint64_t *indices = read_indices(s, prhs[1], count, length(x));
    result y = new_result(s, x.location, x.class_id, at.ndims, at.dims);
    check(s, gpumex_gather(s.ctx, &options, x.data, length(x), indices, count, y.data));
    plhs[0] = to_mxarray(y);
}

void scatter_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 5, "y = scatter(y, indices, x, variant, backend)");
    operand y = read_keys(prhs[0], "invalidData", "Y"), at = read_operand(prhs[1]), x = read_keys(prhs[2], "invalidData", "X");
    if (x.class_id != y.class_id)
        fail("mixedClasses", "Y is %s and X is %s; both have the same class", y.class_name, x.class_name);
    require(length(x) == length(at), "sizeMismatch", "X", x, "it has an element for each index");
    gpumex_scatter_options options = GPUMEX_SCATTER_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[3]);
    session s = open_session(prhs[4]);
    size_t count = length(at);
    const uint64_t *indices = read_indices(s, prhs[1], count, length(y));
    result made = new_result(s, result_location(y, x), y.class_id, y.ndims, y.dims);
    check(s, gpumex_copy(s.ctx, made.data, y.data, length(y) * element_bytes(y.class_id)));
    check(s, gpumex_scatter(s.ctx, &options, x.data, indices, count, made.data, length(y)));
    plhs[0] = to_mxarray(made);
}
