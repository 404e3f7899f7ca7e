/* segreduce_mex.c - the gateways behind gpumex.segreduce and gpumex.segsort:
 *
 *   [y, ms] = segreduce(x, segments, op, segments_by, variant, backend)
 *   [sorted, positions] = segsort(x, segments, direction, segments_by, variant, backend)
 *
 * x: a vector. segments: whole numbers of any class and size, the lengths of the segments, which add up to numel(x), or their first
 * elements from 1, which ascend. y: of the class of x and the size of segments; sorted: of that of x; positions: doubles of the host,
 * from 1 within x. */

#include "gateway.h"

enum { BY_LENGTHS, BY_STARTS };

static const enumerator ways[] = {{"lengths", BY_LENGTHS}, {"auto", BY_LENGTHS}, {"starts", BY_STARTS}, {NULL, 0}};

/* offsets <- where the segments begin, and where the last one ends: with x. */
static void add_lengths(const uint64_t *lengths, size_t segments, size_t count, uint64_t *offsets)
{
    uint64_t first = 0;
    for (size_t k = 0; k < segments && first <= count; k++) {
        offsets[k] = first;
        first += lengths[k];
    }
    if (first != count)
        fail("invalidSegments", "the lengths add up to %s than the %zu elements of x", first < count ? "less" : "more", count);
}

static void copy_starts(const uint64_t *starts, size_t segments, size_t count, uint64_t *offsets)
{
    if (segments == 0 ? count > 0 : starts[0] != 0)
        fail("invalidSegments", "the first segment begins with the first element of x");
    for (size_t k = 0; k < segments; k++) {
        if (starts[k] > count || (k > 0 && starts[k] < starts[k - 1]))
            fail("invalidSegments", "segment %zu begins at %.0f; the starts ascend, up to numel(x) + 1 = %zu", k + 1,
                 (double)starts[k] + 1, count + 1);
        offsets[k] = starts[k];
    }
}

/* Where the segments of an argument begin, and where the last one ends: with x. */
static const uint64_t *read_segments(session s, const mxArray *argument, const mxArray *way, size_t count)
{
    int by_starts = read_enum(way, "invalidSegments", "Segments", ways) == BY_STARTS;
    size_t many = length(read_operand(argument));
    const uint64_t *numbers = read_integers(s, argument, by_starts, "invalidSegments", by_starts ? "starts" : "lengths");
    uint64_t *offsets = new_uint64s(s, many + 1);
    if (by_starts)
        copy_starts(numbers, many, count, offsets);
    else
        add_lengths(numbers, many, count, offsets);
    offsets[many] = count;
    return offsets;
}

void segreduce_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 6, "[y, ms] = segreduce(x, segments, op, segments_by, variant, backend)");
    operand x = read_vector(prhs[0], "invalidData", "x"), segments = read_operand(prhs[1]);
    gpumex_segmented_reduce_options options = GPUMEX_SEGMENTED_REDUCE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.op = read_operator(prhs[2], x);
    options.variant = read_variant(prhs[4]);
    session s = open_session(prhs[5]);
    size_t count = length(x), many = length(segments);
    const uint64_t *offsets = read_segments(s, prhs[1], prhs[3], count);

    result y = new_result(s, x.location, x.class_id, segments.ndims, segments.dims);
    check(s, gpumex_segmented_reduce(s.ctx, &options, x.data, count, offsets, many, NULL, y.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}

void segsort_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 6, "[sorted, positions] = segsort(x, segments, direction, segments_by, variant, backend)");
    operand x = read_key_vector(prhs[0], "invalidData", "x"), segments = read_operand(prhs[1]);
    gpumex_segmented_sort_options options = GPUMEX_SEGMENTED_SORT_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.order = read_order(prhs[2]);
    options.variant = read_variant(prhs[4]);
    options.payload = nlhs > 1 ? GPUMEX_PAYLOAD_INDICES : GPUMEX_PAYLOAD_NONE;
    session s = open_session(prhs[5]);
    size_t count = length(x);
    const uint64_t *offsets = read_segments(s, prhs[1], prhs[3], count);
    result sorted = new_result(s, x.location, x.class_id, x.ndims, x.dims);
    mxArray *positions = nlhs > 1 ? new_unset_array(mxDOUBLE_CLASS, x.ndims, x.dims) : NULL;
    check(s, gpumex_segmented_sort(s.ctx, &options, x.data, NULL, count, offsets, length(segments), sorted.data,
                                   positions == NULL ? NULL : mxGetData(positions)));
    plhs[0] = to_mxarray(sorted);
    if (nlhs > 1) {
        make_one_based(positions);
        plhs[1] = positions;
    }
}
