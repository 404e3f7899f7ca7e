/* reduce_by_key_mex.c - [k, y] = reduce_by_key(keys, x, op, variant, backend), the gateway behind gpumex.reduce_by_key.
 *
 * keys, x: vectors of one length. k: the key of each run of equal keys, y: its elements of x by the operator; both rows where keys
 * are one. */

#include "gateway.h"

void reduce_by_key_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 5, "[k, y] = reduce_by_key(keys, x, op, variant, backend)");
    operand keys = read_key_vector(prhs[0], "invalidKeys", "keys"), x = read_vector(prhs[1], "invalidData", "x");
    require(length(x) == length(keys), "sizeMismatch", "x", x, "it has an element for each key");
    gpumex_reduce_by_key_options options = GPUMEX_REDUCE_BY_KEY_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.key_dtype = dtype_of(keys.class_id);
    options.op = read_operator(prhs[2], x);
    options.variant = read_variant(prhs[3]);
    session s = session_of_few(prhs[4], options.variant, keys, x);

    size_t count = length(keys);
    int as_row = is_row(keys);
    location where = result_location(keys, x);
    uint64_t needed = 0;
    result k = new_room(s, is_text(keys) ? ON_HOST : where, keys.class_id, count), y = new_room(s, where, x.class_id, count);
    check(s, gpumex_reduce_by_key(s.ctx, &options, keys.data, x.data, count, k.data, y.data, NULL, count, &needed));
    plhs[0] = to_mxarray(shrink(s, k, keys.class_id, (size_t)needed, as_row));
    if (nlhs > 1)
        plhs[1] = to_mxarray(shrink(s, y, x.class_id, (size_t)needed, as_row));
}
