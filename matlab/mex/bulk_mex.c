/* bulk_mex.c - the gateways behind gpumex.bulk_remove and gpumex.bulk_insert:
 *
 *   y = bulk_remove(x, places, variant, backend)        x without x(places)
 *   y = bulk_insert(x, places, a, variant, backend)     a(i) before x(places(i))
 *
 * x, a: vectors of one class. places: whole numbers from 1 of any class, ascending. */

#include "gateway.h"

/* Refuses places that do not ascend, or lie beyond the last one. */
static void check_places(const uint64_t *places, size_t count, size_t last, int may_repeat)
{
    for (size_t k = 0; k < count; k++) {
        if (places[k] >= last)
            fail("invalidPlaces", "places(%zu) is %.0f; the last place is %zu", k + 1, (double)places[k] + 1, last);
        if (k > 0 && places[k] < places[k - 1] + !may_repeat)
            fail("invalidPlaces", "places(%zu) is %.0f and places(%zu) is %.0f; they ascend%s", k, (double)places[k - 1] + 1, k + 1,
                 (double)places[k] + 1, may_repeat ? "" : ", each of them once");
    }
}

void bulk_remove_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    expect(nlhs, 1, nrhs, 4, "y = bulk_remove(x, places, variant, backend)");
    operand x = read_vector(prhs[0], "invalidData", "x"), which = read_operand(prhs[1]);
    gpumex_bulk_remove_options options = GPUMEX_BULK_REMOVE_OPTIONS_INIT;
    options.dtype = dtype_of(x.class_id);
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.variant = read_variant(prhs[2]);
    session s = open_session(prhs[3]);
    uint64_t *places = read_whole_numbers(s, prhs[1], 1, "invalidPlaces", "places");
    size_t count = length(x), removed = length(which);
    check_places(places, removed, count, 0);

    result y = new_vector(s, x.place, x.class_id, count - removed, is_row(x));
    check(s, gpumex_bulk_remove(s.ctx, &options, x.data, count, places, removed, y.data));
    plhs[0] = deliver(y);
}

void bulk_insert_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    expect(nlhs, 1, nrhs, 5, "y = bulk_insert(x, places, a, variant, backend)");
    operand x = read_vector(prhs[0], "invalidData", "x"), which = read_operand(prhs[1]);
    operand a = read_vector(prhs[2], "invalidData", "a");
    require(length(a) == length(which), "sizeMismatch", "a", a, "it has an element for each place");
    method how = read_method(x, a, prhs[3], prhs[4]);
    gpumex_bulk_insert_options options = GPUMEX_BULK_INSERT_OPTIONS_INIT;
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    uint64_t *places = read_whole_numbers(how.s, prhs[1], 1, "invalidPlaces", "places");
    size_t count = length(x), inserted = length(a);
    check_places(places, inserted, count + 1, 1);

    result y = new_vector(how.s, place_of_result(x, a), x.class_id, count + inserted, are_rows(x, a));
    check(how.s, gpumex_bulk_insert(how.s.ctx, &options, a.data, places, inserted, x.data, count, y.data));
    plhs[0] = deliver(y);
}
