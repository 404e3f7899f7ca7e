/* map_mex.c - y = map(expression, a, b, ..., names, class, variant, backend), the gateway behind gpumex.map and the operators of
 * gpumex.array.
 *
 * names: those of the inputs, separated by blanks or commas, or 'auto': a to p. class: of y, or 'auto': the one that the expression
 * has by MATLAB's rules. a, b, ...: at most 16 arrays that broadcast. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gateway.h"

enum { MOST_INPUTS = 16, MOST_DIMENSIONS = 8, OPTIONS = 4 };

/* The inputs of a call, and their shape and strides in as few dimensions as they take. */
typedef struct elementwise {
    size_t count;
    operand inputs[MOST_INPUTS];
    const void *data[MOST_INPUTS];
    int32_t dtypes[MOST_INPUTS];
    mwSize ndims, *dims; /* of the result */
    size_t rank, shape[MOST_DIMENSIONS];
    int64_t strides[MOST_INPUTS][MOST_DIMENSIONS];
} elementwise;

static size_t extent_of(operand x, mwSize dimension)
{
    return dimension < x.ndims ? (size_t)x.dims[dimension] : 1;
}

/* The name of input k: one of names, or of the alphabet. */
static void name_input(const char *names, size_t k, char *name, size_t capacity)
{
    snprintf(name, capacity, "%c", (char)('a' + k));
    const char *from = names;
    for (size_t i = 0; from != NULL && *from != '\0'; i++) {
        from += strspn(from, " ,");
        size_t length = strcspn(from, " ,");
        if (i == k && length > 0)
            snprintf(name, capacity, "%.*s", (int)length, from);
        from += length;
    }
}

static void refuse_sizes(const elementwise *e, const char *names, size_t first, size_t second)
{
    char sizes[2][64], called[2][32];
    const size_t pair[2] = {first, second};
    for (size_t i = 0; i < 2; i++) {
        write_size(e->inputs[pair[i]], sizes[i], sizeof sizes[i]);
        name_input(names, pair[i], called[i], sizeof called[i]);
    }
    fail("sizeMismatch", "%s is %s and %s is %s; each dimension is the same, or 1 in one of them", called[0], sizes[0], called[1], sizes[1]);
}

/* The size of the result. */
static void broadcast(elementwise *e, const char *names)
{
    e->ndims = 2;
    for (size_t i = 0; i < e->count; i++)
        e->ndims = e->inputs[i].ndims > e->ndims ? e->inputs[i].ndims : e->ndims;
    e->dims = mxMalloc((size_t)e->ndims * sizeof *e->dims);
    for (mwSize k = 0; k < e->ndims; k++) {
        size_t given_by = 0, extent = 1;
        for (size_t i = 0; i < e->count; i++) {
            size_t own = extent_of(e->inputs[i], k);
            if (own != 1 && extent != 1 && own != extent)
                refuse_sizes(e, names, given_by, i);
            if (own != 1)
                extent = own, given_by = i;
        }
        e->dims[k] = (mwSize)extent;
    }
}

/* Whether in each input the dimension `next` goes on where the last one of `rank` ends. */
static int goes_on(const elementwise *e, const int64_t *next)
{
    for (size_t i = 0; i < e->count; i++)
        if (next[i] != e->strides[i][e->rank - 1] * (int64_t)e->shape[e->rank - 1])
            return 0;
    return 1;
}

static void add_dimension(elementwise *e, size_t extent, const int64_t *next)
{
    if (e->rank > 0 && goes_on(e, next)) {
        e->shape[e->rank - 1] *= extent;
        return;
    }
    if (e->rank == MOST_DIMENSIONS)
        fail("unsupported", "arrays that broadcast along more than %d dimensions are not served", MOST_DIMENSIONS);
    e->shape[e->rank] = extent;
    for (size_t i = 0; i < e->count; i++)
        e->strides[i][e->rank] = next[i];
    e->rank++;
}

static void lay_out(elementwise *e)
{
    int64_t reach[MOST_INPUTS], next[MOST_INPUTS];
    for (size_t i = 0; i < MOST_INPUTS; i++)
        reach[i] = 1;
    for (mwSize k = 0; k < e->ndims; k++) {
        for (size_t i = 0; i < e->count; i++) {
            size_t own = extent_of(e->inputs[i], k);
            next[i] = own == 1 ? 0 : reach[i];
            reach[i] *= (int64_t)own;
        }
        if (e->dims[k] != 1)
            add_dimension(e, (size_t)e->dims[k], next);
    }
    memset(next, 0, sizeof next);
    if (e->rank == 0)
        add_dimension(e, 1, next);
}

static location place_of(const elementwise *e)
{
    location where = ON_HOST;
    for (size_t i = 0; i < e->count; i++)
        where = e->inputs[i].location > where ? e->inputs[i].location : where;
    return where;
}

/* The message of the library with the expression below it, and a mark where it is wrong. Long texts are cut to what is around. */
static void refuse_expression(const char *text, int32_t status)
{
    enum { AROUND = 56 };
    const char *message = library_message(), *place = strstr(message, "expression, at ");
    if (place == NULL)
        fail(reason_of(status), "%s", message);
    size_t at = (size_t)strtoul(place + strlen("expression, at "), NULL, 10), length = strlen(text);
    at = at > length + 1 ? length + 1 : at;
    size_t first = at > AROUND ? at - AROUND : 1, shown = length - first + 1 < 2 * AROUND ? length - first + 1 : 2 * AROUND;
    char line[2 * AROUND + 1];
    for (size_t k = 0; k < shown; k++)
        line[k] = (unsigned char)text[first - 1 + k] < ' ' ? ' ' : text[first - 1 + k];
    fail("invalidExpression", "%s\n  %.*s\n  %*s^", place, (int)shown, line, (int)(at - first), "");
}

static char *read_text(const mxArray *argument, const char *reason, const char *name)
{
    int is_text = mxIsChar(argument) && (mxGetM(argument) == 1 || mxGetNumberOfElements(argument) == 0);
    require(is_text, reason, name, read_operand(argument), "it is a text");
    return mxArrayToString(argument);
}

static void read_inputs(elementwise *e, const char *names, int count, const mxArray *arguments[])
{
    if (count > MOST_INPUTS)
        fail("unsupported", "there are %d arrays; an expression has %d at most", count, MOST_INPUTS);
    e->count = (size_t)count;
    for (size_t i = 0; i < e->count; i++) {
        operand x = e->inputs[i] = read_operand(arguments[i]);
        char name[64];
        name_input(names, i, name, sizeof name);
        require(is_full_real(x) && dtype_of(x.class_id) != GPUMEX_DTYPE_NONE, "invalidData", name, x,
                "it is full and real: logical, an integer class, single or double");
        e->data[i] = x.data;
        e->dtypes[i] = dtype_of(x.class_id);
    }
}

/* The class of the result: the one that is asked for, else that of the expression. */
static mxClassID class_of_result(const mxArray *wanted, const gpumex_map_options *options, const char *text, size_t count)
{
    if (!is_auto(wanted))
        return read_class(wanted, "invalidClass", "Class");
    int32_t dtype = GPUMEX_DTYPE_NONE, status = gpumex_map_dtype(options, text, count, &dtype);
    if (status != GPUMEX_STATUS_OK)
        refuse_expression(text, status);
    mxClassID class_id = class_of_dtype(dtype);
    if (class_id == mxUNKNOWN_CLASS)
        fail("unsupported", "half and bfloat16 are classes of no array here; single(...) is one");
    return class_id;
}

void map_mex(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    int count = nrhs - 1 - OPTIONS;
    check_argument_count(nlhs, 1, count < 0 ? nrhs : 0, 0, "y = map(expression, a, b, ..., names, class, variant, backend)");
    const mxArray **values = prhs + 1 + count; /* of the options */
    char *text = read_text(prhs[0], "invalidExpression", "the expression");
    char *names = is_auto(values[0]) ? NULL : read_text(values[0], "invalidNames", "Names");
    elementwise e = {.count = 0};
    read_inputs(&e, names, count, prhs + 1);
    broadcast(&e, names);
    lay_out(&e);

    gpumex_map_options options = GPUMEX_MAP_OPTIONS_INIT;
    options.rules = GPUMEX_RULES_MATLAB;
    options.names = names;
    options.dtypes = e.dtypes;
    mxClassID class_id = class_of_result(values[1], &options, text, e.count);
    int64_t strides[MOST_INPUTS * MOST_DIMENSIONS];
    for (size_t i = 0; i < e.count; i++)
        memcpy(strides + i * e.rank, e.strides[i], e.rank * sizeof *strides);
    options.variant = read_variant(values[2]);
    options.dtype = dtype_of(class_id);
    options.rank = (int32_t)e.rank;
    options.shape = e.shape;
    options.strides = strides;
    session s = session_beside(values[3], e.inputs, e.count);
    result y = new_result(s, place_of(&e), class_id, e.ndims, e.dims);
    int32_t status = gpumex_map(s.ctx, &options, text, e.data, e.count, y.data);
    if (status == GPUMEX_STATUS_INVALID_ARGUMENT)
        refuse_expression(text, status);
    check(s, status);
    plhs[0] = to_mxarray(y);
    mxFree(e.dims);
}
