/* nd.c - subscripts and sizes.
 *
 * A subscript is ':' or a vector of one-based positions: of the host or a gpumex.array, double, int32, uint32, int64 or uint64. The last of
 * fewer subscripts than dimensions counts through all that are left. */

#include "nd.h"

#include <string.h>

session session_of(operand x)
{
    return session_beside(NULL, &x, 1);
}

size_t product_of(const mwSize *dims, size_t from, size_t to)
{
    size_t count = 1;
    for (size_t i = from; i < to; i++)
        count *= (size_t)dims[i];
    return count;
}

static void read_subscript(subscripts *at, size_t k, const mxArray *argument)
{
    char word[4] = "";
    if (read_word(argument, word, sizeof word) && strcmp(word, ":") == 0) {
        at->counts[k] = at->shape[k];
        return;
    }
    operand x = read_values(argument, "invalidData", "subscript");
    int is_index = x.class_id == mxDOUBLE_CLASS || x.class_id == mxINT32_CLASS || x.class_id == mxUINT32_CLASS ||
                   x.class_id == mxINT64_CLASS || x.class_id == mxUINT64_CLASS;
    require(is_index, "invalidSubscript", "subscript", x, "it holds positions of class double");
    at->counts[k] = length(x);
    at->starts[k] = -1;
    at->indices[k] = x.data;
    at->dtypes[k] = dtype_of(x.class_id);
}

subscripts read_subscripts(operand x, int count, const mxArray *arguments[])
{
    subscripts at = {.rank = (size_t)count, .taken = 1};
    if (count < 1 || count > MOST_DIMENSIONS)
        fail("unsupported", "there are %d subscripts; 1 to %d are served", count, MOST_DIMENSIONS);
    for (size_t k = 0; k < at.rank; k++) {
        size_t last = k + 1 == at.rank ? (size_t)x.ndims : k + 1;
        at.shape[k] = k < (size_t)x.ndims ? product_of(x.dims, k, last) : 1;
        read_subscript(&at, k, arguments[k]);
        at.taken *= at.counts[k];
    }
    return at;
}

mwSize *read_size(const mxArray *argument, size_t *rank)
{
    operand x = read_operand(argument);
    int is_size = x.location == ON_HOST && x.class_id == mxDOUBLE_CLASS && is_full_real(x) && length(x) >= 2;
    require(is_size, "invalidSize", "size", x, "it is a vector of two whole numbers at least");
    *rank = length(x);
    mwSize *dims = mxMalloc(*rank * sizeof *dims);
    for (size_t k = 0; k < *rank; k++) {
        double extent = ((const double *)x.data)[k];
        if (!is_whole(extent))
            fail("invalidSize", "extent %zu of a size is %.17g; it is a whole number", k + 1, extent);
        dims[k] = (mwSize)extent;
    }
    *rank = (size_t)shown_rank(*rank, dims);
    return dims;
}

result copy_of(session s, operand x, mwSize ndims, const mwSize *dims)
{
    result y = new_result(s, x.location, x.class_id, ndims, dims);
    check(s, gpumex_copy(s.ctx, y.data, x.data, length(x) * element_bytes(x.class_id)));
    return y;
}

gpumex_scatter_nd_options scatter_options(const subscripts *at, operand values)
{
    gpumex_scatter_nd_options options = GPUMEX_SCATTER_ND_OPTIONS_INIT;
    options.dtype = dtype_of(values.class_id);
    options.rank = (int32_t)at->rank;
    options.shape = at->shape, options.counts = at->counts, options.starts = at->starts;
    return options;
}
