/* calls.c - calls as the users of the functions in M write them: inputs, then perhaps a number or a word, then names and values.
 *
 * gpumex_mex('.scan', x, 'sum', 2, 'exclusive', 'Backend', 'cpu') is gpumex_mex('scan', x, 'sum', 2, 'exclusive', 'auto', 'auto', 'cpu'),
 * which the gateway of the operation takes: every option in its place, 'auto' where it is not given. */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "gateway.h"

enum { MOST_OPTIONS = 8, MOST_INPUTS = 24, MOST_CHOICES = 3 };

static const char dimension[] = "DIM";
static const char *const kinds[] = {"inclusive", "exclusive", NULL}, *const directions[] = {"forward", "reverse", NULL};
/* In place of a word: edges, or a number of bins and their limits; numbers of any kind, [] where there are none. */
static const char bins[] = "bins", numbers[] = "numbers";
static const char *const nan_flags[] = {"auto", "omitnan", "omitmissing", "includenan", "includemissing", NULL};

static const struct call {
    const char *operation;
    int inputs;            /* which come first */
    const char *number;    /* the name of numbers that may come next: a dimension, or columns; 0 where they do not */
    const char *word;      /* what stands for a word that may come next; NULL: none may */
    const char *names[MOST_OPTIONS];
    const char *const *choices[MOST_CHOICES]; /* in place of a word: one of each list, in any order, the first where none is given */
} calls[] = {
    {"add", 2, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"bulk_insert", 3, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"bulk_remove", 2, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"compact", 2, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"convolve", 2, NULL, "full", {"Variant", "Backend"}, {NULL}},
    {"dot_product", 2, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"fill", 2, NULL, NULL, {"Step", "Class", "Place", "Backend"}, {NULL}},
    {"gather", 2, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"histcounts", 1, NULL, numbers,
     {"NumBins", "BinWidth", "BinLimits", "BinEdges", "BinMethod", "Normalization", "Backend"}, {NULL}},
    {"histogram", 1, NULL, bins, {"Weights", "Channels", "Outliers", "Variant", "Backend"}, {NULL}},
    {"intersect", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}, {NULL}},
    {"interval_expand", 2, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"interval_move", 5, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"ismember", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}, {NULL}},
    {"join", 2, NULL, "inner", {"Sorted", "Variant", "Backend"}, {NULL}},
    {"load_balance_search", 1, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"medfilt2", 2, NULL, "zeros", {"Variant", "Backend"}, {NULL}},
    {"merge_keys", 4, NULL, "ascend", {"Variant", "Backend"}, {NULL}},
    {"random", 1, NULL, "uniform", {"Limits", "Seed", "Class", "Place", "Backend"}, {NULL}},
    {"raytrace", 3, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"reduce", 2, dimension, "auto", {"Overflow", "Variant", "Backend"}, {NULL}},
    {"reduce_by_key", 3, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"scan", 2, dimension, NULL, {"Overflow", "Variant", "Backend"}, {kinds, directions, nan_flags}},
    {"scatter", 3, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"search", 2, NULL, "lower", {"Variant", "Backend"}, {NULL}},
    {"segreduce", 3, NULL, NULL, {"Segments", "Variant", "Backend"}, {NULL}},
    {"segsort", 2, NULL, "ascend", {"Segments", "Variant", "Backend"}, {NULL}},
    {"setdiff", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}, {NULL}},
    {"setxor", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}, {NULL}},
    {"sort_by_key", 2, NULL, "ascend", {"Variant", "Backend"}, {NULL}},
    {"sort_keys", 1, NULL, "ascend", {"Variant", "Backend"}, {NULL}},
    {"sorted_equality_count", 2, NULL, NULL, {"Variant", "Backend"}, {NULL}},
    {"sortrows", 1, "COLUMNS", "auto", {"Variant", "Backend"}, {NULL}},
    {"spmv", 2, NULL, NULL, {"Transpose", "Semiring", "Variant", "Backend"}, {NULL}},
    {"threads", 1, NULL, NULL, {"Backend"}, {NULL}},
    {"timer", 1, NULL, NULL, {"Backend"}, {NULL}},
    {"tuning", 3, NULL, NULL, {"Backend"}, {NULL}},
    {"union", 2, NULL, NULL, {"Sorted", "Variant", "Backend"}, {NULL}},
    {"unique", 1, NULL, NULL, {"Sorted", "Variant", "Backend"}, {NULL}},
    {"words", 2, NULL, NULL, {"Fold", "Encoding", "Backend"}, {NULL}},
};

static const struct call *find(const char *name)
{
    for (size_t k = 0; k < sizeof calls / sizeof calls[0]; k++)
        if (strcmp(calls[k].operation, name) == 0)
            return &calls[k];
    fail_as("gpumex_call", "invalidOperation", "'%s' is not an operation with options", name);
    return NULL;
}

/* Refuses what is no dimension; 0 of what may be negative, and may be several. */
static void check_number(const struct call *how, const mxArray *number)
{
    int is_scalar = mxGetNumberOfElements(number) == 1 && !mxIsComplex(number);
    double value = is_scalar ? mxGetScalar(number) : 0;
    if (how->number == dimension && !is_scalar)
        fail("invalidDimension", "%s is a %zux%zu array; it is a whole number from 1", how->number, mxGetM(number), mxGetN(number));
    if (value == 0 || (how->number == dimension && !is_whole(value)))
        fail("invalidDimension", "%s is %.17g; it is a whole number from 1", how->number, value);
}

/* 0, or what is given as a number. */
static const mxArray *take_number(const struct call *how, int *nrhs, const mxArray ***prhs)
{
    if (*nrhs < 1 || !mxIsNumeric((*prhs)[0]))
        return mxCreateDoubleScalar(0);
    const mxArray *number = *(*prhs)++;
    *nrhs -= 1;
    if (how->number == dimension || mxGetNumberOfElements(number) == 1)
        check_number(how, number);
    return number;
}

/* What is given as numbers, or []. */
static const mxArray *take_numbers(int *nrhs, const mxArray ***prhs)
{
    if (*nrhs < 1 || !mxIsNumeric((*prhs)[0]))
        return mxCreateDoubleMatrix(0, 0, mxREAL);
    *nrhs -= 1;
    return *(*prhs)++;
}

/* values <- edges, or [], a number of bins and their limits; all three [] where there is no number. */
static int take_bins(int *nrhs, const mxArray ***prhs, const mxArray **values)
{
    const mxArray *none = mxCreateDoubleMatrix(0, 0, mxREAL), **given = *prhs;
    int taken = *nrhs < 1 || !mxIsNumeric(given[0]) ? 0 : mxGetNumberOfElements(given[0]) != 1 ? 1 : 2;
    if (taken == 2 && (*nrhs < 2 || !mxIsNumeric(given[1]) || mxGetNumberOfElements(given[1]) != 2))
        fail("invalidBins", "behind a number of bins come their limits, [lo hi]; edges are two or more");
    values[0] = taken == 1 ? given[0] : none;
    values[1] = taken == 2 ? given[0] : none;
    values[2] = taken == 2 ? given[1] : none;
    *prhs += taken, *nrhs -= taken;
    return 3;
}

static int is_one_of(const mxArray *argument, const char *const *words)
{
    char word[32] = "";
    int is_word = read_word(argument, word, sizeof word), is_there = 0;
    for (; is_word && *words != NULL; words++)
        is_there |= strcasecmp(*words, word) == 0;
    return is_there;
}

/* Refuses the name of an option in the place of a word. */
static void check_has_value(const struct call *how, const mxArray *argument)
{
    for (int k = 0; k < MOST_OPTIONS && how->names[k] != NULL; k++) {
        const char *const name[2] = {how->names[k], NULL};
        if (is_one_of(argument, name))
            fail("invalidOption", "%s has no value; an option is a name and a value", name[0]);
    }
}

/* What stands before the pairs: there is one more then. */
static const mxArray *take_word(const struct call *how, int *nrhs, const mxArray ***prhs)
{
    if (*nrhs % 2 == 0)
        return mxCreateString(how->word);
    check_has_value(how, (*prhs)[0]);
    *nrhs -= 1;
    return *(*prhs)++;
}

/* Refuses what is a word of none of the lists, or one of a list of which there is one already. */
static void refuse_choice(const struct call *how, const mxArray *argument)
{
    char word[32] = "", rule[160] = "";
    check_has_value(how, argument);
    for (int k = 0; k < MOST_CHOICES && how->choices[k] != NULL; k++)
        for (const char *const *candidate = how->choices[k]; *candidate != NULL; candidate++) {
            size_t used = strlen(rule);
            snprintf(rule + used, sizeof rule - used, "%s%s", used == 0 ? "" : candidate == how->choices[k] ? "; " : ", ", *candidate);
        }
    if (!read_word(argument, word, sizeof word))
        fail("invalidKind", "a word is a %s; it is one of each group at most: %s", mxGetClassName(argument), rule);
    fail("invalidKind", "'%s' cannot stand here; the words are one of each group at most: %s", word, rule);
}

/* values <- one word of each list, of those in front of the pairs; the first one of it where none is given. */
static int take_choices(const struct call *how, int *nrhs, const mxArray ***prhs, const mxArray **values)
{
    int count = 0, is_taken = 1;
    while (count < MOST_CHOICES && how->choices[count] != NULL)
        values[count++] = NULL;
    while (is_taken && *nrhs > 0) {
        int k = 0;
        while (k < count && (values[k] != NULL || !is_one_of((*prhs)[0], how->choices[k])))
            k++;
        is_taken = k < count;
        if (is_taken)
            values[k] = *(*prhs)++, *nrhs -= 1;
    }
    if (count > 0 && *nrhs % 2 == 1)
        refuse_choice(how, (*prhs)[0]);
    for (int k = 0; k < count; k++)
        values[k] = values[k] != NULL ? values[k] : mxCreateString(how->choices[k][0]);
    return count;
}

void run_call(const char *name, gateway *run, int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])
{
    const struct call *how = find(name);
    const mxArray *inputs[MOST_INPUTS + MOST_OPTIONS + MOST_CHOICES + 2], *values[MOST_OPTIONS] = {NULL};
    if (nrhs < how->inputs)
        fail("argumentCount", "the call has %d inputs; it needs %d", nrhs, how->inputs);
    int count = how->inputs;
    for (int k = 0; k < count; k++)
        inputs[k] = *prhs++;
    nrhs -= count;
    if (how->number != NULL)
        inputs[count++] = take_number(how, &nrhs, &prhs);
    if (how->word == bins)
        count += take_bins(&nrhs, &prhs, inputs + count);
    else if (how->word == numbers)
        inputs[count++] = take_numbers(&nrhs, &prhs);
    else if (how->word != NULL)
        inputs[count++] = take_word(how, &nrhs, &prhs);
    count += take_choices(how, &nrhs, &prhs, inputs + count);
    read_options(nrhs, prhs, how->names, values);
    const mxArray *not_given = NULL;
    for (int k = 0; k < MOST_OPTIONS && how->names[k] != NULL; k++) {
        if (values[k] == NULL && not_given == NULL)
            not_given = mxCreateString("auto");
        inputs[count++] = values[k] != NULL ? values[k] : not_given;
    }
    run(nlhs, plhs, count, inputs);
}
