/* search_mex.c - the gateways behind gpumex.search, sorted_equality_count and ismember:
 *
 *   positions     = search(haystack, needles, bound, variant, backend)
 *   [counts, positions] = sorted_equality_count(a, b, variant, backend)      how many of b equal each of a, and the first one
 *   [tf, loc]  = ismember(a, b, are_sorted, variant, backend)
 *
 * haystack: a sorted vector; needles: an array of its class; positions: doubles of the host, of the size of needles. a, b: arrays of one class and
 * any size; tf, loc: logical and double, of the host, of the size of a. */

#include "gateway.h"

static const enumerator bounds[] = {{"lower", GPUMEX_BOUND_LOWER}, {"upper", GPUMEX_BOUND_UPPER}, {NULL, 0}};

/* What was found for sorted needles, in the order in which they were given. */
static mxArray *in_first_order(method how, const sorted_keys *sorted, mxArray *found)
{
    const uint64_t *places = positions_on_host(how.s, sorted->positions, 0, sorted->count);
    mxArray *made = new_unset_array(mxDOUBLE_CLASS, mxGetNumberOfDimensions(found), mxGetDimensions(found));
    const double *from = mxGetData(found);
    double *to = mxGetData(made);
    for (size_t k = 0; k < sorted->count; k++)
        to[places[k]] = from[k];
    return made;
}

void search_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 1, nrhs, 5, "positions = search(haystack, needles, bound, variant, backend)");
    operand haystack = read_key_vector(prhs[0], "invalidHaystack", "haystack");
    operand needles = read_keys(prhs[1], "invalidNeedles", "needles");
    gpumex_sorted_search_options options = GPUMEX_SORTED_SEARCH_OPTIONS_INIT;
    options.index_dtype = GPUMEX_DTYPE_U64;
    options.bound = read_enum(prhs[2], "invalidBound", "bound", bounds);
    method how = read_method(haystack, needles, prhs[3], prhs[4]);
    options.variant = how.variant;
    options.dtype = how.dtype;
    check_sorted(how, haystack, GPUMEX_SORT_ORDER_ASCENDING);

    mxArray *positions = new_unset_array(mxDOUBLE_CLASS, needles.ndims, needles.dims);
    sorted_keys sorted = {.keys = needles.data, .count = length(needles)};
    if (!are_ascending(how, needles))
        sorted = sort_keys(how, needles, 0, 1);
    check(how.s, gpumex_sorted_search(how.s.ctx, &options, sorted.keys, sorted.count, haystack.data, length(haystack),
                                      mxGetData(positions), NULL, NULL, NULL, NULL));
    make_one_based(positions);
    plhs[0] = sorted.positions == NULL ? positions : in_first_order(how, &sorted, positions);
}

/* Which of the sorted keys a are in b, and at which position of b. No NaN is. */
static void find(method how, const sorted_keys *a, const sorted_keys *b, uint64_t *positions, uint8_t *flags)
{
    gpumex_sorted_search_options options = GPUMEX_SORTED_SEARCH_OPTIONS_INIT;
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    check(how.s, gpumex_sorted_search(how.s.ctx, &options, a->keys, a->count - a->nans, b->keys, b->count - b->nans, positions, NULL, flags,
                                      NULL, NULL));
}

/* Which of the numbers in any order are among few sorted ones, by bisection, and at which position of these; `none` for the others. */
#define FIND_EACH(type)                                                                  \
    do {                                                                                 \
        const type *keys = (const type *)x.data + first, *among = few->keys;             \
        for (size_t k = 0; k < count; k++) {                                             \
            const type key = keys[k];                                                    \
            size_t low = 0;                                                              \
            for (size_t part = many; part > 1; part -= part / 2)                         \
                low += among[low + part / 2 - 1] < key ? part / 2 : 0;                   \
            positions[k] = many > 0 && among[low] == key ? low : many;                   \
        }                                                                                \
    } while (0)

/* The same for some elements of an array from `first` on, which is not sorted: worth it where the other set has few elements. */
static void find_in_few(operand x, size_t first, size_t count, const sorted_keys *few, uint64_t *positions)
{
    size_t many = few->count - few->nans;
    switch (x.class_id) {
    case mxDOUBLE_CLASS: FIND_EACH(double); break;
    case mxSINGLE_CLASS: FIND_EACH(float); break;
    case mxINT8_CLASS: FIND_EACH(int8_t); break;
    case mxINT16_CLASS: FIND_EACH(int16_t); break;
    case mxINT32_CLASS: FIND_EACH(int32_t); break;
    case mxINT64_CLASS: FIND_EACH(int64_t); break;
    case mxUINT16_CLASS: FIND_EACH(uint16_t); break;
    case mxUINT32_CLASS: FIND_EACH(uint32_t); break;
    case mxUINT64_CLASS: FIND_EACH(uint64_t); break;
    default: FIND_EACH(uint8_t);
    }
}

static void ismember_of_few(method how, operand x, const sorted_keys *few, int nlhs, mxArray *plhs[])
{
    enum { PART = 2048 };
    uint64_t positions[PART];
    size_t count = length(x), none = few->count - few->nans;
    const uint64_t *of_few = nlhs > 1 ? positions_on_host(how.s, few->positions, 0, few->count) : NULL;
    plhs[0] = new_unset_array(mxLOGICAL_CLASS, x.ndims, x.dims);
    mxLogical *tf = mxGetData(plhs[0]);
    double *loc = NULL;
    if (nlhs > 1)
        loc = mxGetData(plhs[1] = new_unset_array(mxDOUBLE_CLASS, x.ndims, x.dims));
    for (size_t first = 0; first < count; first += PART) {
        size_t part = count - first < PART ? count - first : PART;
        find_in_few(x, first, part, few, positions);
        for (size_t k = 0; k < part; k++)
            tf[first + k] = positions[k] < none;
        for (size_t k = 0; loc != NULL && k < part; k++)
            loc[first + k] = positions[k] < none ? (double)of_few[positions[k]] + 1 : 0;
    }
}

/* Whether all is at hand for it: keys of the host, few of them, and nothing asked of how it is computed. */
static int is_of_few(method how, operand x, operand y, int are_sorted)
{
    return x.location == ON_HOST && y.location == ON_HOST && how.s.is_on_host && how.variant == GPUMEX_VARIANT_AUTO &&
           !are_sorted && length(y) <= FEW && length(x) >= length(y);
}

void ismember_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 5, "[tf, loc] = ismember(a, b, are_sorted, variant, backend)");
    operand x = read_keys(prhs[0], "invalidSet", "A"), y = read_keys(prhs[1], "invalidSet", "B");
    int are_sorted = read_logical_option(prhs[2], "invalidSorted", "Sorted");
    method how = read_method(x, y, prhs[3], prhs[4]);

    if (is_of_few(how, x, y, are_sorted)) {
        sorted_keys few = sort_keys(how, y, 0, nlhs > 1);
        ismember_of_few(how, x, &few, nlhs, plhs);
        return;
    }
    sorted_keys a = sort_keys(how, x, are_sorted, 1), b = sort_keys(how, y, are_sorted, nlhs > 1);
    size_t numbers = a.count - a.nans;
    uint64_t *positions = nlhs > 1 ? new_uint64s(how.s, numbers) : NULL;
    uint8_t *flags = host_scratch(how.s, numbers);
    find(how, &a, &b, positions, flags);

    const uint64_t *of_a = positions_on_host(how.s, a.positions, 0, numbers);
    plhs[0] = new_host_array(mxLOGICAL_CLASS, x.ndims, x.dims);
    mxLogical *tf = mxGetData(plhs[0]);
    for (size_t k = 0; k < numbers; k++)
        tf[of_a[k]] = flags[k] != 0;
    if (nlhs < 2)
        return;
    const uint64_t *of_b = positions_on_host(how.s, b.positions, 0, b.count);
    plhs[1] = new_host_array(mxDOUBLE_CLASS, x.ndims, x.dims);
    double *loc = mxGetData(plhs[1]);
    for (size_t k = 0; k < numbers; k++)
        loc[of_a[k]] = flags[k] != 0 ? (double)of_b[positions[k]] + 1 : 0;
}

void sorted_equality_count_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 2, nrhs, 4, "[counts, positions] = sorted_equality_count(a, b, variant, backend)");
    operand a = read_key_vector(prhs[0], "invalidKeys", "A"), b = read_key_vector(prhs[1], "invalidKeys", "B");
    gpumex_sorted_equality_count_options options = GPUMEX_SORTED_EQUALITY_COUNT_OPTIONS_INIT;
    method how = read_method(a, b, prhs[2], prhs[3]);
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    check_sorted(how, a, GPUMEX_SORT_ORDER_ASCENDING);
    check_sorted(how, b, GPUMEX_SORT_ORDER_ASCENDING);
    mxArray *counts = new_unset_array(mxDOUBLE_CLASS, a.ndims, a.dims);
    mxArray *positions = nlhs > 1 ? new_unset_array(mxDOUBLE_CLASS, a.ndims, a.dims) : NULL;
    check(how.s, gpumex_sorted_equality_count(how.s.ctx, &options, a.data, length(a), b.data, length(b), mxGetData(counts),
                                              positions == NULL ? NULL : mxGetData(positions)));
    const uint64_t *whole = mxGetData(counts);
    double *numbers = mxGetData(counts);
    for (size_t k = 0; k < length(a); k++)
        numbers[k] = (double)whole[k];
    plhs[0] = counts;
    if (positions != NULL) {
        make_one_based(positions);
        plhs[1] = positions;
    }
}
