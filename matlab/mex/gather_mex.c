/* gather_mex.c - the gateways behind gpumex.gather and gpumex.scatter:
 *
 *   y = gather(x, indices, variant, backend)          x(indices), of the size that MATLAB gives it
 *   y = scatter(y, indices, x, variant, backend)      y after y(indices) = x
 *
 * x, y: arrays of one class. indices: whole numbers from 1 of any class. */

#include <string.h>

#include "gateway.h"

/* Indices of the host, less 1, of a gpumex_dtype. */
typedef struct zero_based {
    const void *data;
    int32_t dtype;
} zero_based;

enum { BLOCK = 256 };

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* to <- whole doubles from 1 to last, less 1; 0 where one is not. 2^52 and a whole number below have it in the low bits; of anything
 * else the sum has other high bits, or less 2^52 is another number. No comparison, which would keep vector instructions away. */
static int read_block(const double *from, uint64_t last, uint32_t *to)
{
    const double two_to_52 = 4503599627370496.0;
    uint64_t beyond = 0, differing = 0;
    for (int k = 0; k < BLOCK; k++) {
        double sum = from[k] + two_to_52;
        uint64_t index = bits_of(sum) - (bits_of(two_to_52) + 1);
        beyond |= index | ~(index - last); /* the highest bit is 0 where index < last */
        differing |= bits_of(sum - two_to_52) ^ bits_of(from[k]);
        to[k] = (uint32_t)index;
    }
    return beyond >> 63 == 0 && differing == 0;
}

/* Doubles in blocks that the compiler makes vector instructions of; NULL where an element is no index, or the last one beyond int32. */
static const uint32_t *read_narrow(session s, const double *data, size_t count, size_t last)
{
    if (last >= INT32_MAX)
        return NULL;
    uint32_t *indices = host_scratch(s, count * sizeof *indices);
    size_t whole = count - count % BLOCK;
    for (size_t k = 0; k < whole; k += BLOCK)
        if (!read_block(data + k, last, indices + k))
            return NULL;
    double rest[BLOCK];
    uint32_t narrow[BLOCK];
    for (size_t k = 0; k < BLOCK; k++)
        rest[k] = whole + k < count ? data[whole + k] : last > 0;
    if (whole < count && !read_block(rest, last, narrow))
        return NULL;
    memcpy(indices + whole, narrow, (count - whole) * sizeof *indices);
    return indices;
}

/* Indices, of which none is beyond the last one. */
static zero_based read_indices(session s, const mxArray *argument, size_t count, size_t last)
{
    operand x = read_operand(argument);
    int is_of_host = x.location == ON_HOST && x.class_id == mxDOUBLE_CLASS && is_full_real(x);
    const uint32_t *narrow = is_of_host ? read_narrow(s, x.data, count, last) : NULL;
    if (narrow != NULL) {
        const zero_based read = {narrow, GPUMEX_DTYPE_U32};
        return read;
    }
    const uint64_t *indices = read_integers(s, argument, 1, "invalidIndices", "indices");
    for (size_t k = 0; k < count; k++)
        if (indices[k] >= last)
            fail("invalidIndices", "indices(%zu) is %.0f; the last index is %zu", k + 1, (double)indices[k] + 1, last);
    const zero_based read = {indices, GPUMEX_DTYPE_U64};
    return read;
}

/* x(at) has the size of the indices, but a vector of a vector lies as x does. */
static result new_gathered(session s, operand x, operand at)
{
    if (at.ndims == 2 && (rows(at) == 1 || cols(at) == 1) && is_line(x))
        return new_line(s, x, x.location, length(at));
    return new_result(s, x.location, x.class_id, at.ndims, at.dims);
}

void gather_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "y = gather(x, indices, variant, backend)");
    operand x = read_keys(prhs[0], "invalidData", "X"), at = read_operand(prhs[1]);
    gpumex_gather_options options = GPUMEX_GATHER_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);
    size_t count = length(at);
    zero_based indices = read_indices(s, prhs[1], count, length(x));
    options.index_dtype = indices.dtype;
    result y = new_gathered(s, x, at);
    check(s, gpumex_gather(s.ctx, &options, x.data, length(x), indices.data, count, y.data));
    plhs[0] = to_mxarray(y);
}

void scatter_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 5, "y = scatter(y, indices, x, variant, backend)");
    operand y = read_keys(prhs[0], "invalidData", "Y"), at = read_operand(prhs[1]), x = read_keys(prhs[2], "invalidData", "X");
    require_one_class(y, x);
    require(length(x) == length(at), "sizeMismatch", "X", x, "it has an element for each index");
    gpumex_scatter_options options = GPUMEX_SCATTER_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.variant = read_variant(prhs[3]);
    session s = open_session(prhs[4]);
    size_t count = length(at);
    zero_based indices = read_indices(s, prhs[1], count, length(y));
    options.index_dtype = indices.dtype;
    result made = copy_beside(s, y, x);
    check(s, gpumex_scatter(s.ctx, &options, x.data, indices.data, count, made.data, length(y)));
    plhs[0] = to_mxarray(made);
}
