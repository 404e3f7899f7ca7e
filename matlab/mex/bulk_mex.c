/* bulk_mex.c - the gateways behind gpumex.bulk_remove and gpumex.bulk_insert:
 *
 *   y = bulk_remove(x, indices, variant, backend)        x without x(indices)
 *   y = bulk_insert(x, indices, a, variant, backend)     a(i) before x(indices(i))
 *
 * x, a: vectors of one class. indices: whole numbers from 1 of any class, ascending. Elements of 1 and 2 bytes, which the library has
 * not, lie on the host and are moved here. */

#include <string.h>

#include "gateway.h"

/* The elements of x between neighbouring indices, and of a, if it is not NULL, one before each of them; else one is left out. */
static void move_narrow(operand x, const uint64_t *indices, size_t many, const char *a, char *y)
{
    size_t width = element_bytes(x.class_id), from = 0;
    const char *data = x.data;
    for (size_t k = 0; k <= many; k++) {
        size_t end = k < many ? (size_t)indices[k] : length(x), bytes = (end - from) * width;
        if (bytes > 0)
            memcpy(y, data + from * width, bytes);
        y += bytes;
        if (a != NULL && k < many)
            y = (char *)memcpy(y, a + k * width, width) + width;
        from = end + (a == NULL);
    }
}

/* Refuses indices that do not ascend, or lie beyond the last one. */
static void check_indices(const uint64_t *indices, size_t count, size_t last, int may_repeat)
{
    for (size_t k = 0; k < count; k++) {
        if (indices[k] >= last)
            fail("invalidIndices", "indices(%zu) is %.0f; the last index is %zu", k + 1, (double)indices[k] + 1, last);
        if (k > 0 && indices[k] < indices[k - 1] + !may_repeat)
            fail("invalidIndices", "indices(%zu) is %.0f and indices(%zu) is %.0f; they ascend%s", k, (double)indices[k - 1] + 1, k + 1,
                 (double)indices[k] + 1, may_repeat ? "" : ", each of them once");
    }
}

void bulk_remove_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 4, "y = bulk_remove(x, indices, variant, backend)");
    operand x = read_key_vector(prhs[0], "invalidData", "x"), which = read_operand(prhs[1]);
    int is_moved_here = are_narrow(x, x);
    gpumex_bulk_remove_options options = GPUMEX_BULK_REMOVE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);
    uint64_t *indices = read_integers(s, prhs[1], 1, "invalidIndices", "indices");
    size_t count = length(x), removed = length(which);
    check_indices(indices, removed, count, 0);

    result y = new_vector(s, x.location, x.class_id, count - removed, is_row(x));
    if (is_moved_here)
        move_narrow(x, indices, removed, NULL, y.data);
    else
        check(s, gpumex_bulk_remove(s.ctx, &options, x.data, count, indices, removed, y.data));
    plhs[0] = to_mxarray(y);
}

void bulk_insert_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 5, "y = bulk_insert(x, indices, a, variant, backend)");
    operand x = read_key_vector(prhs[0], "invalidData", "x"), which = read_operand(prhs[1]);
    operand a = read_key_vector(prhs[2], "invalidData", "a");
    require(length(a) == length(which), "sizeMismatch", "a", a, "it has an element for each index");
    method how = read_method(x, a, prhs[3], prhs[4]);
    int is_moved_here = are_narrow(x, a);
    gpumex_bulk_insert_options options = GPUMEX_BULK_INSERT_OPTIONS_INIT;
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    uint64_t *indices = read_integers(how.s, prhs[1], 1, "invalidIndices", "indices");
    size_t count = length(x), inserted = length(a);
    check_indices(indices, inserted, count + 1, 1);

    result y = new_vector(how.s, result_location(x, a), x.class_id, count + inserted, are_rows(x, a));
    if (is_moved_here)
        move_narrow(x, indices, inserted, a.data == NULL ? "" : a.data, y.data);
    else
        check(how.s, gpumex_bulk_insert(how.s.ctx, &options, a.data, indices, inserted, x.data, count, y.data));
    plhs[0] = to_mxarray(y);
}
