/* segreduce_mex.c - [y, ms] = segreduce(x, segments, op, segments_by, variant, backend), the gateway behind gpumex.segreduce.
 *
 * x: a vector. segments: whole numbers of any class and size, the lengths of the segments, which add up to numel(x), or their first
 * elements from 1, which ascend. y: of the class of x and the size of segments. */

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

void segreduce_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 6, "[y, ms] = segreduce(x, segments, op, segments_by, variant, backend)");
    operand x = read_vector(prhs[0], "invalidData", "x"), segments = read_operand(prhs[1]);
    gpumex_segmented_reduce_options options = GPUMEX_SEGMENTED_REDUCE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.op = read_operator(prhs[2], x);
    int by_starts = read_enum(prhs[3], "invalidSegments", "Segments", ways) == BY_STARTS;
    options.variant = read_variant(prhs[4]);
    session s = open_session(prhs[5]);
    size_t count = length(x), many = length(segments);
    const uint64_t *numbers = read_integers(s, prhs[1], by_starts, "invalidSegments", by_starts ? "starts" : "lengths");
    uint64_t *offsets = new_uint64s(many + 1);
    if (by_starts)
        copy_starts(numbers, many, count, offsets);
    else
        add_lengths(numbers, many, count, offsets);
    offsets[many] = count;

    result y = new_result(s, x.location, x.class_id, segments.ndims, segments.dims);
    check(s, gpumex_segmented_reduce(s.ctx, &options, x.data, count, offsets, many, NULL, y.data));
    plhs[0] = to_mxarray(y);
    if (nlhs > 1)
        plhs[1] = kernel_ms(s);
}
