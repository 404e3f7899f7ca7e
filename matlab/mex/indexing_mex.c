/* indexing_mex.c - the gateways behind the indexing of gpumex.array:
 *
 *   y = gather_nd(x, size, i1, i2, ...)      x(i1, i2, ...), of a size
 *   y = scatter_nd(x, values, i1, i2, ...)   x with values, or one value, at (i1, i2, ...)
 *   p = find(mask)                           zero-based positions, uint64 */

#include "nd.h"

void gather_nd_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs < 3 ? nrhs : 3, 3, "y = gather_nd(x, size, i1, ...)");
    operand x = read_values(prhs[0], "invalidData", "A");
    subscripts at = read_subscripts(x, nrhs - 2, prhs + 2);
    size_t rank = 0;
    mwSize *dims = read_size(prhs[1], &rank);
    if (count_elements((mwSize)rank, dims) != at.taken)
        fail("invalidSize", "the size has %zu elements, the subscripts take %zu", count_elements((mwSize)rank, dims), at.taken);
    session s = session_of(x);
    result y = new_result(s, x.location, x.class_id, (mwSize)rank, dims);
    gpumex_gather_nd_options options = GPUMEX_GATHER_ND_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.rank = (int32_t)at.rank;
    options.check = 1;
    options.shape = at.shape, options.counts = at.counts, options.starts = at.starts;
    options.indices = at.indices, options.index_dtypes = at.dtypes;
    if (at.taken > 0)
        check(s, gpumex_gather_nd(s.ctx, &options, x.data, y.data));
    plhs[0] = to_mxarray(y);
}

void scatter_nd_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs < 3 ? nrhs : 3, 3, "y = scatter_nd(x, values, i1, ...)");
    operand x = read_values(prhs[0], "invalidData", "A"), values = read_values(prhs[1], "invalidData", "values");
    require(values.class_id == x.class_id, "mixedClasses", "values", values, "it has the class of A");
    subscripts at = read_subscripts(x, nrhs - 2, prhs + 2);
    require(length(values) == 1 || length(values) == at.taken, "sizeMismatch", "values", values, "it has an element for each place");
    session s = session_of(x);
    result y = copy_of(s, x, x.ndims, x.dims);
    gpumex_scatter_nd_options options = scatter_options(&at, values);
    options.check = options.last = 1;
    options.broadcast = length(values) == 1;
    options.indices = at.indices, options.index_dtypes = at.dtypes;
    if (at.taken > 0)
        check(s, gpumex_scatter_nd(s.ctx, &options, values.data, y.data));
    plhs[0] = to_mxarray(y);
}

void find_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 1, "p = find(mask)");
    operand mask = read_values(prhs[0], "invalidData", "mask");
    require(mask.class_id == mxLOGICAL_CLASS, "invalidMask", "mask", mask, "it is logical");
    session s = session_of(mask);
    size_t count = length(mask);
    uint64_t needed = 0;
    gpumex_compact_options options = GPUMEX_COMPACT_OPTIONS_INIT;
    options.index_dtype = GPUMEX_DTYPE_U64;
    check(s, gpumex_compact(s.ctx, &options, NULL, mask.data, count, NULL, NULL, 0, &needed));
    result positions = new_vector(s, mask.location, mxUINT64_CLASS, (size_t)needed, is_row(mask));
    if (needed > 0)
        check(s, gpumex_compact(s.ctx, &options, NULL, mask.data, count, NULL, positions.data, (size_t)needed, &needed));
    plhs[0] = to_mxarray(positions);
}
