/* shapes_mex.c - the gateways behind the sizes of gpumex.array:
 *
 *   y = resize(x, size)       x in the front corner of zeros
 *   y = reshape(x, size)
 *   y = permute(x, order)
 *   y = cat(dim, a, b, ...)   arrays of one class and of sizes that fit */

#include "nd.h"

/* Writes x into a result of `shape`, from `start` on in dimension `along`. */
static void put(session s, operand x, size_t rank, const mwSize *shape, size_t along, size_t start, result y)
{
    subscripts at = {.rank = rank};
    if (rank > MOST_DIMENSIONS)
        fail("unsupported", "%zu dimensions are more than %d", rank, MOST_DIMENSIONS);
    for (size_t k = 0; k < rank; k++) {
        at.shape[k] = (size_t)shape[k];
        at.counts[k] = k < (size_t)x.ndims ? (size_t)x.dims[k] : 1;
    }
    at.starts[along] = (int64_t)start;
    gpumex_scatter_nd_options options = scatter_options(&at, x);
    if (length(x) > 0)
        check(s, gpumex_scatter_nd(s.ctx, &options, x.data, y.data));
}

void resize_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 2, "y = resize(x, size)");
    operand x = read_values(prhs[0], "invalidData", "A");
    size_t rank = 0;
    mwSize *dims = read_size(prhs[1], &rank);
    session s = session_of(x);
    result y = new_result(s, x.location, x.class_id, (mwSize)rank, dims);
    size_t bytes = count_elements((mwSize)rank, dims) * element_bytes(x.class_id);
    const uint8_t zero = 0;
    check(s, gpumex_fill(s.ctx, GPUMEX_DTYPE_U8, y.data, bytes, &zero));
    put(s, x, rank, dims, 0, 0, y);
    plhs[0] = to_mxarray(y);
}

void reshape_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 2, "y = reshape(x, size)");
    operand x = read_values(prhs[0], "invalidData", "A");
    size_t rank = 0;
    mwSize *dims = read_size(prhs[1], &rank);
    require(count_elements((mwSize)rank, dims) == length(x), "sizeMismatch", "A", x, "the new size has as many elements");
    plhs[0] = to_mxarray(copy_of(session_of(x), x, (mwSize)rank, dims));
}

void permute_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 2, "y = permute(x, order)");
    operand x = read_values(prhs[0], "invalidData", "A");
    session s = session_of(x);
    uint64_t *wanted = read_integers(s, prhs[1], 1, "invalidOrder", "the order");
    size_t rank = mxGetNumberOfElements(prhs[1]), shape[MOST_DIMENSIONS], seen = 0;
    int32_t order[MOST_DIMENSIONS];
    mwSize dims[MOST_DIMENSIONS];
    if (rank < (size_t)x.ndims || rank > MOST_DIMENSIONS)
        fail("invalidOrder", "the order has %zu dimensions; A has %zu, and %d are served", rank, (size_t)x.ndims, MOST_DIMENSIONS);
    for (size_t k = 0; k < rank; k++) {
        shape[k] = k < (size_t)x.ndims ? (size_t)x.dims[k] : 1;
        if (wanted[k] >= rank || (seen >> wanted[k] & 1))
            fail("invalidOrder", "the order has each of the numbers 1 to %zu once", rank);
        seen |= (size_t)1 << wanted[k];
        order[k] = (int32_t)wanted[k];
    }
    for (size_t k = 0; k < rank; k++)
        dims[k] = (mwSize)shape[order[k]];
    result y = new_result(s, x.location, x.class_id, shown_rank(rank, dims), dims);
    gpumex_permute_options options = GPUMEX_PERMUTE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.rank = (int32_t)rank;
    check(s, gpumex_permute(s.ctx, &options, x.data, shape, order, y.data));
    plhs[0] = to_mxarray(y);
}

static int is_nothing(size_t rank, const mwSize *dims)
{
    return rank == 2 && dims[0] == 0 && dims[1] == 0;
}

static size_t extent_of(size_t rank, const mwSize *dims, size_t k)
{
    return k < rank ? (size_t)dims[k] : 1;
}

/* Whether two sizes are the same but along a dimension. */
static int fit(size_t rank_a, const mwSize *a, size_t rank_b, const mwSize *b, size_t along)
{
    for (size_t k = 0; k < rank_a || k < rank_b; k++)
        if (k != along && extent_of(rank_a, a, k) != extent_of(rank_b, b, k))
            return 0;
    return 1;
}

/* The size of parts that are joined along a dimension. One of 0x0 fits everywhere. */
static mwSize *size_of_joined(size_t along, int count, const mxArray *parts[], size_t *rank)
{
    mwSize *dims = NULL;
    mxClassID class_id = mxUNKNOWN_CLASS;
    for (int i = 0; i < count; i++) {
        operand x = read_values(parts[i], "invalidData", "a part");
        require(i == 0 || x.class_id == class_id, "mixedClasses", "a part", x, "all parts have one class");
        class_id = x.class_id;
        if (dims != NULL && fit(*rank, dims, (size_t)x.ndims, x.dims, along)) {
            dims[along] += (mwSize)extent_of((size_t)x.ndims, x.dims, along);
            continue;
        }
        if (dims != NULL && is_nothing((size_t)x.ndims, x.dims))
            continue;
        int is_first = dims == NULL || is_nothing(shown_rank(*rank, dims), dims);
        require(is_first, "sizeMismatch", "a part", x, "the other dimensions are those of the part before it");
        *rank = (size_t)x.ndims > along + 1 ? (size_t)x.ndims : along + 1;
        dims = mxMalloc(*rank * sizeof *dims);
        for (size_t k = 0; k < *rank; k++)
            dims[k] = (mwSize)extent_of((size_t)x.ndims, x.dims, k);
    }
    return dims;
}

void cat_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs < 2 ? nrhs : 2, 2, "y = cat(dim, a, b, ...)");
    uint64_t dim = read_integer(prhs[0], "invalidDimension", "dim");
    if (dim < 1 || dim > MOST_DIMENSIONS)
        fail("invalidDimension", "dim is %llu; it is from 1 to %d", (unsigned long long)dim, MOST_DIMENSIONS);
    size_t along = (size_t)dim - 1, rank = 2, start = 0;
    operand device = read_values(prhs[1], "invalidData", "a part");
    for (int i = 2; i < nrhs; i++) {
        operand x = read_values(prhs[i], "invalidData", "a part");
        device = x.location > device.location ? x : device;
    }
    mwSize *dims = size_of_joined(along, nrhs - 1, prhs + 1, &rank);
    session s = session_of(device);
    result y = new_result(s, device.location, device.class_id, shown_rank(rank, dims), dims);
    for (int i = 1; i < nrhs; i++) {
        operand x = read_values(prhs[i], "invalidData", "a part");
        if (length(x) == 0)
            continue;
        put(s, x, rank, dims, along, start, y);
        start += extent_of((size_t)x.ndims, x.dims, along);
    }
    plhs[0] = to_mxarray(y);
}
