/* set_operation_mex.c - the gateways behind gpumex.unique, union, intersect, setdiff and setxor:
 *
 *   [c, ia, ic] = unique(a, are_sorted, variant, backend)
 *   [c, ia, ib] = union(a, b, are_sorted, variant, backend)          and the three others
 *
 * a, b: arrays of one class and any size. c: a vector, ascending, without duplicates, or 0x0; ia, ib, ic: columns of doubles of the host,
 * of the first of equal elements.
 *
 * Each input is sorted, and each run of equal keys becomes one. In MATLAB no NaN equals another: they lie behind the other keys,
 * stay out of what the library computes, and are appended to the result of every operation but the intersection. */

#include <string.h>

#include "gateway.h"

/* Distinct keys, ascending, and the first position of each; behind them the NaN of `all`. */
typedef struct set_of_keys {
    const void *keys;
    uint64_t *first; /* NULL if nobody asks */
    size_t count;
    sorted_keys all;
} set_of_keys;

/* Where results are written, and how many there are already. */
typedef struct found {
    char *keys;
    double *of_a, *of_b; /* NULL, or positions from 1 */
    size_t count, count_a, count_b, width;
} found;

#define UNIQUE(type)                                                     \
    do {                                                                 \
        const type *from = all->keys;                                    \
        type *to = keys;                                                 \
        for (size_t k = 0; k < count; k++) {                             \
            if (k == 0 || from[k] != from[k - 1]) {                      \
                to[made] = from[k];                                      \
                if (first != NULL)                                       \
                    first[made] = all->positions[k];                     \
                made++;                                                  \
            } else if (first != NULL && all->positions[k] < first[made - 1]) { \
                first[made - 1] = all->positions[k];                     \
            }                                                            \
        }                                                                \
    } while (0)

/* The same of few keys of the host, without a call of the library. */
static size_t unique_keys_here(mxClassID class_id, const sorted_keys *all, void *keys, uint64_t *first)
{
    size_t count = all->count - all->nans, made = 0;
    if (class_id == mxDOUBLE_CLASS)
        UNIQUE(double);
    else if (class_id == mxSINGLE_CLASS)
        UNIQUE(float);
    else if (element_bytes(class_id) == 8)
        UNIQUE(uint64_t);
    else if (element_bytes(class_id) == 4)
        UNIQUE(uint32_t);
    else if (element_bytes(class_id) == 2)
        UNIQUE(uint16_t);
    else
        UNIQUE(uint8_t);
    return made;
}

/* Each run of equal keys becomes one, with its first position. How many there are. */
static size_t unique_keys(method how, mxClassID class_id, const sorted_keys *all, void *keys, uint64_t *first)
{
    size_t count = all->count - all->nans;
    if (how.s.is_on_host && count <= FEW && how.variant == GPUMEX_VARIANT_AUTO)
        return unique_keys_here(class_id, all, keys, first);
    gpumex_reduce_by_key_options options = GPUMEX_REDUCE_BY_KEY_OPTIONS_INIT;
    options.variant = how.variant;
    options.key_dtype = how.dtype;
    options.op = GPUMEX_OPERATOR_MIN;
    options.dtype = GPUMEX_DTYPE_U64;
    uint64_t needed = 0;
    check(how.s, gpumex_reduce_by_key(how.s.ctx, &options, all->keys, all->positions, count, keys, first, NULL, count,
                                      &needed));
    return (size_t)needed;
}

static set_of_keys make_set(method how, operand x, int are_sorted, int wants_positions)
{
    set_of_keys made = {.all = sort_keys(how, x, are_sorted, wants_positions)};
    size_t numbers = made.all.count - made.all.nans;
    void *keys = scratch(how.s, numbers * element_bytes(x.class_id));
    made.first = wants_positions ? new_uint64s(how.s, numbers) : NULL;
    made.count = unique_keys(how, x.class_id, &made.all, keys, made.first);
    made.keys = keys;
    return made;
}

/* ------------------------------------------------------------------------------------------------------------- unique */

/* ic(k) <- which of the distinct keys element k is: in sorted order the next one begins where its first element is. */
static mxArray *groups(const uint64_t *positions, const uint64_t *first, size_t count, size_t distinct)
{
    mxArray *made = new_positions(count, 0);
    double *numbers = mxGetData(made);
    for (size_t k = 0, group = 0; k < count; k++) {
        group += group < distinct && positions[k] == first[group];
        numbers[positions[k]] = (double)group;
    }
    return made;
}

void unique_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    check_argument_count(nlhs, 3, nrhs, 4, "[c, ia, ic] = unique(a, are_sorted, variant, backend)");
    operand a = read_keys(prhs[0], "invalidSet", "A");
    int are_sorted = read_logical_option(prhs[1], "invalidSorted", "Sorted"), wants_positions = nlhs > 1;
    method how = read_method(a, a, prhs[2], prhs[3]);
    session s = how.s;

    sorted_keys all = sort_keys(how, a, are_sorted, wants_positions);
    size_t width = element_bytes(a.class_id), numbers = all.count - all.nans;
    result c = new_room(s, a.location, a.class_id, all.count);
    uint64_t *first = wants_positions ? new_uint64s(s, all.count) : NULL;
    size_t count = unique_keys(how, a.class_id, &all, c.data, first);
    copy_bytes(s, (char *)c.data + count * width, (const char *)all.keys + numbers * width, all.nans * width);
    size_t distinct = count + all.nans;
    const mwSize nothing[2] = {0, 0};
    if (is_0x0(a))
        plhs[0] = to_mxarray(new_result(s, a.location, a.class_id, 2, nothing));
    else
        plhs[0] = to_mxarray(shrink(s, c, a.class_id, distinct, is_row(a)));
    if (!wants_positions)
        return;
    const uint64_t *positions = positions_on_host(s, all.positions, 0, all.count);
    memcpy(first + count, positions + numbers, all.nans * sizeof *first);
    plhs[1] = new_positions(distinct, 0);
    memcpy(mxGetData(plhs[1]), first, distinct * sizeof *first);
    make_one_based(plhs[1]);
    if (nlhs > 2)
        plhs[2] = groups(positions, first, all.count, distinct);
}

/* ----------------------------------------------------------------------------------------------------------- two sets */

static void put(double *numbers, size_t *count, uint64_t position)
{
    numbers[(*count)++] = (double)position + 1;
}

/* Appends the NaN of a set, whose positions go to `numbers` if somebody asks. */
static void append_nans(session s, const sorted_keys *all, found *c, double *numbers, size_t *count)
{
    size_t bytes = all->nans * c->width;
    const char *nans = (const char *)all->keys + (all->count - all->nans) * c->width;
    copy_bytes(s, c->keys + c->count * c->width, nans, bytes);
    c->count += all->nans;
    if (numbers == NULL)
        return;
    const uint64_t *positions = positions_on_host(s, all->positions, all->count - all->nans, all->nans);
    for (size_t k = 0; k < all->nans; k++)
        put(numbers, count, positions[k]);
}

/* c <- the distinct keys that an operation leaves of two sets; the positions of those from a and from b. */
static void operate(method how, int32_t op, const set_of_keys *a, const set_of_keys *b, found *c, size_t capacity)
{
    gpumex_set_operation_options options = GPUMEX_SET_OPERATION_OPTIONS_INIT;
    options.variant = how.variant;
    options.dtype = how.dtype;
    options.op = op;
    options.index_dtype = GPUMEX_DTYPE_U64;
    int wants_positions = c->of_a != NULL;
    options.payload = wants_positions ? GPUMEX_PAYLOAD_INDICES : GPUMEX_PAYLOAD_NONE;
    options.distinct = 1;
    uint64_t *from = wants_positions ? new_uint64s(how.s, capacity) : NULL, needed = 0;
    check(how.s, gpumex_set_operation(how.s.ctx, &options, a->keys, NULL, a->count, b->keys, NULL, b->count, c->keys, from, capacity,
                                      &needed));
    c->count = (size_t)needed;
    for (size_t k = 0; wants_positions && k < c->count; k++) {
        if (from[k] < a->count)
            put(c->of_a, &c->count_a, a->first[from[k]]);
        else
            put(c->of_b, &c->count_b, b->first[from[k] - a->count]);
    }
}

/* The positions in b of what both sets have. */
static void find_in_second(method how, const set_of_keys *a, const set_of_keys *b, found *c, size_t capacity)
{
    found twice = *c;
    twice.keys = NULL;
    twice.of_a = c->of_b;
    twice.count_a = 0;
    operate(how, GPUMEX_SET_OPERATOR_INTERSECTION, b, a, &twice, capacity);
    c->count_b = twice.count_a;
}

static int32_t read_set_operation(void)
{
    static const enumerator operations[] = {{"union", GPUMEX_SET_OPERATOR_UNION},
                                        {"intersect", GPUMEX_SET_OPERATOR_INTERSECTION},
                                        {"setdiff", GPUMEX_SET_OPERATOR_DIFFERENCE},
                                        {"setxor", GPUMEX_SET_OPERATOR_SYMMETRIC_DIFFERENCE},
                                        {NULL, 0}};
    const enumerator *chosen = operations;
    while (strcmp(chosen->word, operation) != 0)
        chosen++;
    return chosen->number;
}

static size_t distinct_keys(const set_of_keys *x)
{
    return x->count + x->all.nans;
}

/* Whether the results are 0x0, as those of Octave: an intersection with no elements, or of one and another one, a set of [] alone. */
static int is_nothing(int32_t op, operand x, operand y, const set_of_keys *a, const set_of_keys *b, size_t found)
{
    if (op == GPUMEX_SET_OPERATOR_INTERSECTION)
        return length(x) == 0 || length(y) == 0 || (distinct_keys(a) == 1 && distinct_keys(b) == 1 && found == 0);
    return is_0x0(x) && (op == GPUMEX_SET_OPERATOR_DIFFERENCE || is_0x0(y));
}

static mxArray *column_of(const double *numbers, size_t count)
{
    mxArray *column = new_positions(count, 0);
    if (count > 0)
        memcpy(mxGetData(column), numbers, count * sizeof *numbers);
    return column;
}

void set_operation_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    const int32_t op = read_set_operation();
    int is_difference = op == GPUMEX_SET_OPERATOR_DIFFERENCE, is_intersection = op == GPUMEX_SET_OPERATOR_INTERSECTION;
    check_argument_count(nlhs, is_difference ? 2 : 3, nrhs, 5, "[c, ia, ib] = operation(a, b, are_sorted, variant, backend)");
    operand x = read_keys(prhs[0], "invalidSet", "A"), y = read_keys(prhs[1], "invalidSet", "B");
    int are_sorted = read_logical_option(prhs[2], "invalidSorted", "Sorted"), wants_positions = nlhs > 1;
    method how = read_method(x, y, prhs[3], prhs[4]);

    set_of_keys a = make_set(how, x, are_sorted, wants_positions), b = make_set(how, y, are_sorted, wants_positions);
    size_t capacity = a.count + b.count, most = capacity + a.all.nans + b.all.nans;
    int as_row = is_difference ? is_row(x) : are_rows(x, y);
    result made = new_room(how.s, result_location(x, y), x.class_id, most);
    found c = {.keys = made.data, .width = element_bytes(x.class_id)};
    c.of_a = wants_positions ? (double *)new_uint64s(how.s, most) : NULL;
    c.of_b = wants_positions ? (double *)new_uint64s(how.s, most) : NULL;
    operate(how, op, &a, &b, &c, capacity);
    if (is_intersection && nlhs > 2)
        find_in_second(how, &a, &b, &c, capacity);
    if (!is_intersection)
        append_nans(how.s, &a.all, &c, c.of_a, &c.count_a);
    if (!is_intersection && !is_difference)
        append_nans(how.s, &b.all, &c, c.of_b, &c.count_b);
    if (is_nothing(op, x, y, &a, &b, c.count)) {
        const mwSize nothing[2] = {0, 0};
        plhs[0] = to_mxarray(new_result(how.s, made.location, x.class_id, 2, nothing));
        for (int k = 1; k < nlhs; k++)
            plhs[k] = mxCreateDoubleMatrix(0, 0, mxREAL);
        return;
    }
    plhs[0] = to_mxarray(shrink(how.s, made, x.class_id, c.count, as_row));
    if (nlhs > 1)
        plhs[1] = column_of(c.of_a, c.count_a);
    if (nlhs > 2)
        plhs[2] = column_of(c.of_b, c.count_b);
}
