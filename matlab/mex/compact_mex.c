/* compact_mex.c - [kept, positions] = compact(x, mask, variant, backend), the gateway behind gpumex.compact.
 *
 * x: an array of any size, mask: logical or uint8, with as many elements. kept: a row where x is one, else a column; positions:
 * doubles of the host. */

#include "gateway.h"

/* How many elements a mask of the host marks: so many the result has, and needs no copy. */
static size_t count_marked(const uint8_t *mask, size_t count)
{
    size_t marked = 0;
    while (count > 0) {
        size_t part = count < 255 * 32 ? count : 255 * 32;
        uint32_t found = 0;
        for (size_t k = 0; k < part; k++)
            found += mask[k] != 0;
        marked += found, mask += part, count -= part;
    }
    return marked;
}

void compact_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 4, "[kept, positions] = compact(x, mask, variant, backend)");
    operand x = read_keys(prhs[0], "invalidData", "x"), mask = read_operand(prhs[1]);
    int is_mask = is_full_real(mask) && (mask.class_id == mxLOGICAL_CLASS || mask.class_id == mxUINT8_CLASS);
    require(is_mask, "invalidMask", "mask", mask, "it is a full logical array");
    require(length(mask) == length(x), "sizeMismatch", "mask", mask, "it has an element for each of x");
    gpumex_compact_options options = GPUMEX_COMPACT_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);

    size_t count = length(x), room = mask.location == ON_HOST ? count_marked(mask.data, count) : count;
    location where = result_location(x, mask);
    uint64_t needed = 0;
    result kept = new_vector(s, where, x.class_id, room, is_row(x));
    mxArray *positions = nlhs > 1 ? new_positions(room, is_row(x)) : NULL;
    check(s, gpumex_compact(s.ctx, &options, x.data, mask.data, count, kept.data,
                            positions == NULL ? NULL : mxGetData(positions), room, &needed));
    const mwSize nothing[2] = {0, 0};
    if (count == 1 && needed == 0) /* x(false) of one element */
        kept = new_result(s, where, x.class_id, 2, nothing);
    else
        kept = shrink(s, kept, x.class_id, room, (size_t)needed, is_row(x));
    plhs[0] = to_mxarray(kept);
    if (nlhs > 1 && count == 1 && needed == 0) {
        plhs[1] = mxCreateDoubleMatrix(0, 0, mxREAL);
    } else if (nlhs > 1) {
        const result all = {.location = ON_HOST, .data = mxGetData(positions), .owner = positions};
        plhs[1] = to_mxarray(shrink(s, all, mxDOUBLE_CLASS, room, (size_t)needed, is_row(x)));
        make_one_based(plhs[1]);
    }
}
