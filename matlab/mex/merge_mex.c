/* merge_mex.c - [merged, merged_values] = merge_keys(a, b, a_values, b_values, direction, variant, backend), the gateway behind
 * gpumex.merge_keys.
 *
 * a, b: sorted vectors of one class. a_values, b_values: [], or vectors of one class with an element for each key; where they are
 * [], merged_values are the numbers from 1 of the keys in [a; b], doubles of the host. */

#include "gateway.h"

static operand read_values_of(const mxArray *argument, const char *name, operand keys)
{
    operand values = read_key_vector(argument, "invalidValues", name);
    require(!is_text(values), "invalidValues", name, values, "values are numbers");
    require(length(values) == length(keys), "sizeMismatch", name, values, "it has an element for each key");
    return values;
}

/* Values of 1 and 2 bytes, which the library does not merge with keys: those of u, then those of v, in the order of positions. */
static void gather_of_both(session s, operand u, operand v, const uint64_t *order, void *moved)
{
    size_t width = element_bytes(u.class_id), count = length(u) + length(v);
    char *both = scratch(s, count * width);
    copy_bytes(s, both, u.data, length(u) * width);
    copy_bytes(s, both + length(u) * width, v.data, length(v) * width);
    gather_values(s, u.class_id, both, count, order, count, moved);
}

void merge_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 7, "[merged, merged_values] = merge_keys(a, b, a_values, b_values, direction, variant, backend)");
    operand a = read_key_vector(prhs[0], "invalidKeys", "A"), b = read_key_vector(prhs[1], "invalidKeys", "B");
    int has_values = !mxIsEmpty(prhs[2]) || !mxIsEmpty(prhs[3]);
    operand u = has_values ? read_values_of(prhs[2], "VA", a) : a;
    operand v = has_values ? read_values_of(prhs[3], "VB", b) : b;
    if (u.class_id != v.class_id)
        fail("mixedClasses", "%s is %s and %s is %s; both have the same class", u.name, u.class_name, v.name, v.class_name);
    int32_t order = read_order(prhs[4]);
    method how = read_method(a, b, prhs[5], prhs[6]);
    gpumex_merge_options options = GPUMEX_MERGE_OPTIONS_INIT;
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.order = order;
    options.index_dtype = GPUMEX_DTYPE_U64;
    int is_narrow = has_values && element_bytes(u.class_id) < 4;
    if (nlhs > 1)
        options.payload = has_values && !is_narrow ? GPUMEX_PAYLOAD_VALUES : GPUMEX_PAYLOAD_INDICES;
    options.value_dtype = has_values && !is_narrow ? dtype_of(u.class_id) : GPUMEX_DTYPE_NONE;
    check_sorted(how, a, order);
    check_sorted(how, b, order);

    location where = result_location(a, b);
    size_t count = length(a) + length(b);
    result merged = new_vector(how.s, where, a.class_id, count, are_rows(a, b)), moved = {.data = NULL};
    if (nlhs > 1 && has_values)
        moved = new_vector(how.s, result_location(u, v), u.class_id, count, are_rows(u, v));
    mxArray *positions = nlhs > 1 && !has_values ? new_positions(count, are_rows(a, b)) : NULL;
    uint64_t *order_of_both = nlhs > 1 && is_narrow ? scratch(how.s, count * sizeof *order_of_both) : NULL;
    const void *a_values = options.payload == GPUMEX_PAYLOAD_VALUES ? u.data : NULL;
    const void *b_values = options.payload == GPUMEX_PAYLOAD_VALUES ? v.data : NULL;
    check(how.s, gpumex_merge(how.s.ctx, &options, a.data, a_values, length(a), b.data, b_values, length(b), merged.data,
                              positions != NULL ? mxGetData(positions) : is_narrow ? order_of_both : moved.data));
    if (order_of_both != NULL)
        gather_of_both(how.s, u, v, order_of_both, moved.data);
    plhs[0] = to_mxarray(merged);
    if (positions != NULL)
        make_one_based(positions);
    if (nlhs > 1)
        plhs[1] = positions != NULL ? positions : to_mxarray(moved);
}
