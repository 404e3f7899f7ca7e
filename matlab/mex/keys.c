/* keys.c - keys in ascending order, which the operations on sets, joins and searches begin with. */

#include <math.h>

#include "gateway.h"

method read_method(operand a, operand b, const mxArray *variant, const mxArray *backend)
{
    require_one_class(a, b);
    method how = {.variant = read_variant(variant), .dtype = dtype_of(a.class_id)};
    how.s = session_of_few(backend, how.variant, a, b);
    return how;
}

static int is_nan_at(mxClassID class_id, const void *keys, size_t k)
{
    return class_id == mxSINGLE_CLASS ? isnan(((const float *)keys)[k]) : isnan(((const double *)keys)[k]);
}

/* The same by bisection. */
static size_t count_nans_here(mxClassID class_id, const void *keys, size_t count)
{
    size_t numbers = 0;
    for (size_t end = count; numbers < end;) {
        size_t middle = numbers + (end - numbers) / 2;
        if (is_nan_at(class_id, keys, middle))
            end = middle;
        else
            numbers = middle + 1;
    }
    return count - numbers;
}

/* The number of NaN, which are last in sorted keys: count less the lower bound of NaN. */
static size_t count_nans(method how, mxClassID class_id, const void *keys, size_t count)
{
    if (count == 0 || (class_id != mxSINGLE_CLASS && class_id != mxDOUBLE_CLASS))
        return 0;
    if (how.s.is_on_host)
        return count_nans_here(class_id, keys, count);
    const float single_nan = NAN;
    const double double_nan = NAN;
    const void *nan = class_id == mxSINGLE_CLASS ? (const void *)&single_nan : &double_nan;
    gpumex_sorted_search_options options = GPUMEX_SORTED_SEARCH_OPTIONS_INIT;
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    uint64_t numbers = 0;
    check(how.s, gpumex_sorted_search(how.s.ctx, &options, nan, 1, keys, count, &numbers, NULL, NULL, NULL, NULL));
    return count - (size_t)numbers;
}

/* The positions of keys that are not moved: 0, 1, 2, ... */
static uint64_t *initial_positions(session s, size_t count)
{
    uint64_t *positions = scratch(s, count * sizeof *positions);
    check(s, gpumex_fill_ascending(s.ctx, GPUMEX_DTYPE_U64, positions, count, 0, 1));
    return positions;
}

sorted_keys sort_keys(method how, operand x, int are_sorted, int wants_positions)
{
    sorted_keys sorted = {.keys = x.data, .count = length(x)};
    if (are_sorted)
        check_sorted(how, x, GPUMEX_SORT_ORDER_ASCENDING);
    if (are_sorted || sorted.count == 0) {
        sorted.positions = wants_positions ? initial_positions(how.s, sorted.count) : NULL;
    } else {
        gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
        options.variant = how.variant;
        options.dtype = how.dtype;
        options.index_dtype = GPUMEX_DTYPE_U64;
        options.payload = wants_positions ? GPUMEX_PAYLOAD_INDICES : GPUMEX_PAYLOAD_NONE;
        void *keys = scratch(how.s, sorted.count * element_bytes(x.class_id));
        sorted.positions = wants_positions ? scratch(how.s, sorted.count * sizeof *sorted.positions) : NULL;
        sorted.keys = keys;
        check(how.s, gpumex_sort(how.s.ctx, &options, x.data, NULL, sorted.count, keys, sorted.positions));
    }
    sorted.nans = count_nans(how, x.class_id, sorted.keys, sorted.count);
    return sorted;
}

const uint64_t *positions_on_host(session s, const uint64_t *positions, size_t first, size_t count)
{
    if (positions != NULL && s.is_on_host)
        return positions + first;
    uint64_t *copy = new_uint64s(s, count);
    check(s, gpumex_copy(s.ctx, copy, positions == NULL ? NULL : positions + first, count * sizeof *copy));
    return copy;
}

/* The first element that is smaller than the one before it, or greater in descending order; their number where all are in order. */
static uint64_t first_misplaced(method how, operand x, int32_t order)
{
    gpumex_check_sorted_options options = GPUMEX_CHECK_SORTED_OPTIONS_INIT;
    options.dtype = how.dtype;
    options.order = order;
    uint64_t first_bad = length(x);
    check(how.s, gpumex_check_sorted(how.s.ctx, &options, x.data, length(x), &first_bad));
    return first_bad;
}

int are_ascending(method how, operand x)
{
    return first_misplaced(how, x, GPUMEX_SORT_ORDER_ASCENDING) >= length(x);
}

void check_sorted(method how, operand x, int32_t order)
{
    uint64_t count = length(x), first_bad = first_misplaced(how, x, order);
    if (first_bad < count)
        fail("invalidArgument", "%s is not in %s order: %s(%.0f) belongs before %s(%.0f)", x.name,
             order == GPUMEX_SORT_ORDER_ASCENDING ? "ascending" : "descending", x.name, (double)first_bad + 1, x.name,
             (double)first_bad);
}
