/* arguments.c - what a call is given, and what is said when it is wrong. */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "gateway.h"

void check_argument_count(int nlhs, int most_outputs, int nrhs, int inputs, const char *usage)
{
    if (nlhs > most_outputs)
        fail("argumentCount", "%d outputs are asked for; there are %d at most", nlhs, most_outputs);
    if (nrhs != inputs)
        fail("argumentCount", "the gateway has %d inputs; its call is %s", nrhs, usage);
}

uint64_t read_integer(const mxArray *argument, const char *reason, const char *name)
{
    const char *rule = "it is a whole number from 0 to 2^53, of class uint64 to 2^64 - 1";
    operand x = read_operand(argument);
    int is_number = x.location == ON_HOST && mxIsNumeric(argument) && is_full_real(x);
    require(is_number && mxGetNumberOfElements(argument) == 1, reason, name, x, rule);
    if (x.class_id == mxUINT64_CLASS)
        return *(const uint64_t *)x.data;
    if (x.class_id == mxINT64_CLASS && *(const int64_t *)x.data >= 0)
        return (uint64_t) * (const int64_t *)x.data;

    double value = mxGetScalar(argument);
    if (!is_whole(value))
        fail(reason, "%s is %.17g; %s", name, value, rule);
    return (uint64_t)value;
}

int is_whole(double value)
{
    return value >= 0 && value <= MOST_WHOLE && (double)(uint64_t)value == value && !signbit(value);
}

/* A text as a char row; anything else as it is. MATLAB's strings are objects, which char opens. */
static const mxArray *as_text(const mxArray *argument)
{
    mxArray *text = NULL, *object = (mxArray *)argument;
    if (!mxIsChar(argument) && mxIsClass(argument, "string") && mxGetNumberOfElements(argument) == 1 && mexCallMATLAB(1, &text, 1, &object, "char") == 0)
        return text;
    return argument;
}

int read_word(const mxArray *argument, char *word, size_t capacity)
{
    argument = as_text(argument);
    return mxIsChar(argument) && mxGetM(argument) == 1 && mxGetString(argument, word, (mwSize)capacity) == 0;
}

int is_auto(const mxArray *argument)
{
    char word[8] = "";
    return read_word(argument, word, sizeof word) && strcasecmp(word, "auto") == 0;
}

/* Which of the names an argument is, without case; any other is refused. */
static size_t read_option_name(const mxArray *argument, const char *const *names)
{
    char word[32] = "", rule[256] = "";
    int is_word = read_word(argument, word, sizeof word);
    for (size_t k = 0; names[k] != NULL; k++) {
        if (is_word && strcasecmp(names[k], word) == 0)
            return k;
        size_t used = strlen(rule);
        snprintf(rule + used, sizeof rule - used, "%s%s", k == 0 ? "" : ", ", names[k]);
    }
    if (!is_word)
        fail("invalidOption", "the name of an option is a %s; the options are %s", mxGetClassName(argument), rule);
    fail("invalidOption", "'%s' is not an option; the options are %s", word, rule);
    return 0;
}

int32_t read_logical(const mxArray *argument, const char *reason, const char *name)
{
    if (argument == NULL)
        return 0;
    operand x = read_operand(argument);
    int is_number = x.location == ON_HOST && (mxIsNumeric(argument) || mxIsLogical(argument)) && is_full_real(x);
    double value = is_number && mxGetNumberOfElements(argument) == 1 ? mxGetScalar(argument) : -1;
    require(value == 0 || value == 1, reason, name, x, "it is true or false");
    return value == 1;
}

void read_options(int nrhs, const mxArray *prhs[], const char *const *names, const mxArray **values)
{
    for (int k = 0; k < nrhs; k += 2) {
        size_t option = read_option_name(prhs[k], names);
        if (k + 1 == nrhs)
            fail("invalidOption", "%s has no value; an option is a name and a value", names[option]);
        values[option] = prhs[k + 1];
    }
}

int32_t read_enum(const mxArray *argument, const char *reason, const char *name, const enumerator *enumerators)
{
    if (argument == NULL)
        return enumerators->number;

    char word[32] = "", rule[160] = "it is one of";
    int is_word = read_word(argument, word, sizeof word);
    for (const enumerator *candidate = enumerators; candidate->word != NULL; candidate++) {
        if (is_word && strcasecmp(candidate->word, word) == 0)
            return candidate->number;
        size_t used = strlen(rule);
        snprintf(rule + used, sizeof rule - used, "%s %s", candidate == enumerators ? "" : ",", candidate->word);
    }
    require(is_word, reason, name, read_operand(argument), rule);
    fail(reason, "%s is '%s'; %s", name, word, rule);
    return 0;
}

void write_size(operand x, char *text, size_t capacity)
{
    text[0] = '\0';
    for (size_t i = 0, used = 0; i < (size_t)x.ndims && used + 24 < capacity; i++)
        used += (size_t)snprintf(text + used, capacity - used, i == 0 ? "%zu" : "x%zu", (size_t)x.dims[i]);
}

void require(int good, const char *reason, const char *name, operand x, const char *rule)
{
    static const char *const where[] = {
        [ON_HOST] = "", [IN_GPU_ARRAY] = "gpuArray, ", [ON_DEVICE] = "gpumex.array, "};
    if (good)
        return;
    char size[64];
    write_size(x, size, sizeof size);
    fail(reason, "%s is a %s%s%s %s; %s", name, where[x.location], x.parts, size, x.class_name, rule);
}

session open_session(const mxArray *argument)
{
    static const enumerator backends[] = {
        {"auto", GPUMEX_BACKEND_AUTO}, {"cpu", GPUMEX_BACKEND_CPU}, {"cuda", GPUMEX_BACKEND_CUDA}, {NULL, 0}};
    if (is_group(argument))
        return session_of_ranks(argument);
    return session_on(read_enum(argument, "invalidBackend", "backend", backends));
}

session session_of_few(const mxArray *argument, int32_t variant, operand a, operand b)
{
    enum { FEW_BYTES = 32 << 10 };
    session s = open_session(argument);
    size_t bytes = length(a) * element_bytes(a.class_id) + length(b) * element_bytes(b.class_id);
    int are_few = a.location == ON_HOST && b.location == ON_HOST && bytes <= FEW_BYTES;
    int may_choose = s.backend == GPUMEX_BACKEND_AUTO && variant == GPUMEX_VARIANT_AUTO && !is_backend_set();
    return are_few && may_choose && !s.is_on_host ? session_on(GPUMEX_BACKEND_CPU) : s;
}

session session_beside(const mxArray *argument, const operand *operands, size_t count)
{
    int is_open = argument == NULL || is_auto(argument);
    for (size_t i = 0; is_open && i < count; i++)
        if (operands[i].location == ON_DEVICE)
            return session_on(operands[i].backend);
    return open_session(argument);
}

mxClassID read_class(const mxArray *argument, const char *reason, const char *name)
{
    enumerator classes[16] = {{NULL, 0}};
    size_t count = 0;
    for (int32_t dtype = GPUMEX_DTYPE_F32; dtype <= GPUMEX_DTYPE_BOOL; dtype++) {
        const enumerator known = {class_name(class_of_dtype(dtype)), dtype};
        if (class_of_dtype(dtype) != mxUNKNOWN_CLASS)
            classes[count++] = known;
    }
    return class_of_dtype(read_enum(argument, reason, name, classes));
}
