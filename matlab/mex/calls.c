/* calls.c - calls as the users of the functions in M write them: inputs, then perhaps a number or a word, then names and values.
 *
 * gpumex_mex('.scan', x, 'sum', 2, 'exclusive', 'Backend', 'cpu') is gpumex_mex('scan', x, 'sum', 2, 'exclusive', 'auto', 'auto', 'cpu'),
 * which the gateway of the operation takes: every option in its place, 'auto' where it is not given. */

#include <string.h>

#include "gateway.h"

enum { MOST_OPTIONS = 8, MOST_INPUTS = 24 };

static const struct call {
    const char *operation;
    int inputs;            /* which come first */
    const char *number;    /* the name of a whole number from 1 that may come next, 0 where it does not */
    const char *word;      /* what stands for a word that may come next; NULL: none may */
    const char *names[MOST_OPTIONS];
} calls[] = {
    {"add", 2, NULL, NULL, {"Variant", "Backend"}},
    {"bulk_insert", 3, NULL, NULL, {"Variant", "Backend"}},
    {"bulk_remove", 2, NULL, NULL, {"Variant", "Backend"}},
    {"compact", 2, NULL, NULL, {"Variant", "Backend"}},
    {"convolve", 2, NULL, "full", {"Variant", "Backend"}},
    {"dot_product", 2, NULL, NULL, {"Variant", "Backend"}},
    {"fill", 2, NULL, NULL, {"Step", "Class", "Place", "Backend"}},
    {"gather", 2, NULL, NULL, {"Variant", "Backend"}},
    {"histogram", 4, NULL, NULL, {"Weights", "Channels", "Outliers", "Variant", "Backend"}},
    {"intersect", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}},
    {"interval_expand", 2, NULL, NULL, {"Variant", "Backend"}},
    {"interval_move", 5, NULL, NULL, {"Variant", "Backend"}},
    {"ismember", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}},
    {"join", 2, NULL, "inner", {"Sorted", "Variant", "Backend"}},
    {"load_balance_search", 1, NULL, NULL, {"Variant", "Backend"}},
    {"medfilt2", 2, NULL, "zeros", {"Variant", "Backend"}},
    {"merge_keys", 4, NULL, "ascend", {"Variant", "Backend"}},
    {"random", 1, NULL, "uniform", {"Limits", "Seed", "Class", "Place", "Backend"}},
    {"reduce", 2, "DIM", "auto", {"Overflow", "Variant", "Backend"}},
    {"reduce_by_key", 3, NULL, NULL, {"Variant", "Backend"}},
    {"scan", 2, "DIM", "inclusive", {"Overflow", "Variant", "Backend"}},
    {"scatter", 3, NULL, NULL, {"Variant", "Backend"}},
    {"search", 2, NULL, "lower", {"Variant", "Backend"}},
    {"segreduce", 3, NULL, NULL, {"Segments", "Variant", "Backend"}},
    {"segsort", 2, NULL, "ascend", {"Segments", "Variant", "Backend"}},
    {"setdiff", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}},
    {"setxor", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}},
    {"sort_by_key", 2, NULL, "ascend", {"Variant", "Backend"}},
    {"sort_keys", 1, NULL, "ascend", {"Variant", "Backend"}},
    {"sorted_equality_count", 2, NULL, NULL, {"Variant", "Backend"}},
    {"spmv", 2, NULL, NULL, {"Transpose", "Semiring", "Variant", "Backend"}},
    {"threads", 1, NULL, NULL, {"Backend"}},
    {"timer", 1, NULL, NULL, {"Backend"}},
    {"tuning", 3, NULL, NULL, {"Backend"}},
    {"union", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}},
    {"unique", 1, NULL, NULL, {"Sorted", "Variant", "Backend"}},
};

static const struct call *find(const char *name)
{
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++)
        if (strcmp(calls[k].operation, name) == 0)
            return &calls[k];
    fail_as("gpumex_call", "invalidOperation", "'%s' is not an operation with options", name);
    return NULL;
}

/* 0, or what is given as a number. */
static const mxArray *take_number(const struct call *how, int *nrhs, const mxArray ***prhs)
{
    if (*nrhs < 1 || !mxIsNumeric((*prhs)[0]))
        return mxCreateDoubleScalar(0);
    const mxArray *number = *(*prhs)++;
    *nrhs -= 1;
    if (mxGetNumberOfElements(number) == 1 && mxGetScalar(number) == 0)
        fail("invalidDimension", "%s is 0; it is a whole number from 1", how->number);
    return number;
}

/* What stands before the pairs: there is one more then. */
static const mxArray *take_word(const struct call *how, int *nrhs, const mxArray ***prhs)
{
    if (*nrhs % 2 == 0)
        return mxCreateString(how->word);
    *nrhs -= 1;
    return *(*prhs)++;
}

void run_call(const char *name, gateway *run, int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    const struct call *how = find(name);
    const mxArray *inputs[MOST_INPUTS + MOST_OPTIONS + 2], *values[MOST_OPTIONS] = {NULL};
    if (nrhs < how->inputs)
        fail("argumentCount", "the call has %d inputs; it needs %d", nrhs, how->inputs);
    int count = how->inputs;
    for (int k = 0; k < count; k++)
        inputs[k] = *prhs++;
    nrhs -= count;
    if (how->number != NULL)
        inputs[count++] = take_number(how, &nrhs, &prhs);
    if (how->word != NULL)
        inputs[count++] = take_word(how, &nrhs, &prhs);
    read_options(nrhs, prhs, how->names, values);
    const mxArray *not_given = NULL;
    for (int k = 0; k < MOST_OPTIONS && how->names[k] != NULL; k++) {
        if (values[k] == NULL && not_given == NULL)
            not_given = mxCreateString("auto");
        inputs[count++] = values[k] != NULL ? values[k] : not_given;
    }
    run(nlhs, plhs, count, inputs);
}
