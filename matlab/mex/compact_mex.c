/* compact_mex.c - [kept, positions] = compact(x, mask, variant, backend), the gateway behind gpumex.compact.
 *
 * x: an array of any size, mask: logical or uint8, with as many elements. kept: a vector that lies as x does where x is one, else a
 * column; positions: doubles of the host, a row or a column. */

#include "gateway.h"

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

    size_t count = length(x);
    location where = is_text(x) ? ON_HOST : result_location(x, mask);
    uint64_t needed = 0;
    check(s, gpumex_compact(s.ctx, &options, NULL, mask.data, count, NULL, NULL, 0, &needed));
    const mwSize nothing[2] = {0, 0};
    int is_nothing = (count == 1 && needed == 0) || is_0x0(x); /* x(false) of one element, and [] */
    size_t room = (size_t)needed;
    result kept = is_nothing ? new_result(s, where, x.class_id, 2, nothing) : new_line(s, x, where, room);
    mxArray *positions = nlhs < 2 ? NULL : is_nothing ? mxCreateDoubleMatrix(0, 0, mxREAL) : new_positions(room, is_row(x));
    if (room > 0)
        check(s, gpumex_compact(s.ctx, &options, x.data, mask.data, count, kept.data,
                                positions == NULL ? NULL : mxGetData(positions), room, &needed));
    plhs[0] = to_mxarray(kept);
    if (nlhs > 1) {
        make_one_based(positions);
        plhs[1] = positions;
    }
}
