/* gateway.h - what the MEX gateways of gpumex share: arguments in, contexts, errors out.
 *
 * One source for MATLAB and GNU Octave: C99, "mex.h" with separate complex parts, and of the data accessors mxGetData alone
 * (Octave's typed ones abort on 1:3 and eye(3)). A gateway defines FUNCTION, its name in error ids, and includes this page.
 *
 * Errors are raised here only, before or after a call of the library and never inside one; MATLAB and Octave free what the
 * gateway has created by then. The id is gpumex:<function>:<reason>. */

#ifndef GATEWAY_H
#define GATEWAY_H

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mex.h"

#define GPUMEX_NO_PLAIN_NAMES
#include "gpumex.h"

/* ---------------------------------------------------------------------------------------------------------- errors */

/* Raises gpumex:FUNCTION:reason. Does not return. */
static inline void fail(const char *reason, const char *format, ...)
{
    char id[64], text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(id, sizeof id, "gpumex:%s:%s", FUNCTION, reason);
    mexErrMsgIdAndTxt(id, "%s", text);
}

/* Refuses `argument` unless it is good, saying what it is and what it should be. */
static inline void require(int good, const char *reason, const char *name, const mxArray *argument, const char *rule)
{
    if (good)
        return;
    const char *storage = mxIsSparse(argument) ? "sparse " : "";
    const char *parts = mxIsComplex(argument) ? "complex " : "";
    const mwSize *dims = mxGetDimensions(argument);
    char size[64] = "";
    for (size_t i = 0, used = 0; i < (size_t)mxGetNumberOfDimensions(argument) && used + 24 < sizeof size; i++)
        used += (size_t)snprintf(size + used, sizeof size - used, i == 0 ? "%zu" : "x%zu", (size_t)dims[i]);
    fail(reason, "%s is a %s%s%s %s; %s", name, storage, parts, size, mxGetClassName(argument), rule);
}

/* ------------------------------------------------------------------------------------------------------- arguments */

/* A word and the number that the library knows it by; a list of them ends with {NULL, 0}. */
typedef struct choice {
    const char *word;
    int32_t number;
} choice;

/* The first thing a gateway does: keeps the MEX file in memory, whatever `clear` says, and counts the arguments. */
static inline void begin(int nlhs, int most_outputs, int nrhs, int inputs, const char *usage)
{
    if (!mexIsLocked())
        mexLock();
    if (nrhs != inputs || nlhs > most_outputs)
        fail("argumentCount", "%d inputs and %d outputs; the call is %s", nrhs, nlhs, usage);
}

/* A matrix whose elements lie one after the other, all of them. */
static inline int is_full_real(const mxArray *argument)
{
    return !mxIsSparse(argument) && !mxIsComplex(argument);
}

static inline int is_matrix(const mxArray *argument)
{
    return is_full_real(argument) && mxGetNumberOfDimensions(argument) == 2;
}

/* A scalar that is a whole number from 0 to 2^53. */
static inline uint64_t whole_number(const mxArray *argument, const char *reason, const char *name)
{
    const char *rule = "it is a whole number from 0 to 2^53";
    int is_number = mxIsNumeric(argument) && is_full_real(argument) && mxGetNumberOfElements(argument) == 1;
    require(is_number, reason, name, argument, rule);

    double value = mxGetScalar(argument);
    if (!(value >= 0 && value <= 9007199254740992.0 && floor(value) == value) || signbit(value))
        fail(reason, "%s is %.17g; %s", name, value, rule);
    return (uint64_t)value;
}

/* The number of a word. */
static inline int32_t choose(const mxArray *argument, const char *reason, const char *name, const choice *choices)
{
    char word[32] = "", rule[128] = "it is one of";
    int is_word = mxIsChar(argument) && mxGetM(argument) == 1 && mxGetString(argument, word, sizeof word) == 0;
    for (const choice *candidate = choices; candidate->word != NULL; candidate++) {
        if (is_word && strcmp(candidate->word, word) == 0)
            return candidate->number;
        size_t used = strlen(rule);
        snprintf(rule + used, sizeof rule - used, "%s %s", candidate == choices ? "" : ",", candidate->word);
    }
    require(is_word, reason, name, argument, rule);
    fail(reason, "%s is '%s'; %s", name, word, rule);
    return 0;
}

/* -------------------------------------------------------------------------------------------------------- contexts */

/* The context of one call. */
typedef struct session {
    int32_t backend; /* as asked for */
    gpumex_context *ctx;
} session;

/* The last part of an error id: what the library reports by a status. */
static inline const char *reason_of(int32_t status)
{
    static const char *const reasons[] = {
        [GPUMEX_STATUS_NULL_POINTER] = "nullPointer",   [GPUMEX_STATUS_INVALID_ARGUMENT] = "invalidArgument",
        [GPUMEX_STATUS_OUT_OF_MEMORY] = "outOfMemory",  [GPUMEX_STATUS_NO_DEVICE] = "noDevice",
        [GPUMEX_STATUS_CUDA] = "cuda",                  [GPUMEX_STATUS_UNSUPPORTED] = "unsupported",
        [GPUMEX_STATUS_BUSY] = "busy",                  [GPUMEX_STATUS_CANCELLED] = "cancelled",
        [GPUMEX_STATUS_INTERNAL] = "internal"};
    int known = status > 0 && (size_t)status < sizeof reasons / sizeof reasons[0];
    return known ? reasons[status] : "internal";
}

/* The contexts of 'cpu' and 'cuda', made on first use and kept. 'auto' asks for the default one each time, since it may be
 * reset between two calls. */
static gpumex_context *kept_contexts[3];

static inline session open_session(const mxArray *argument)
{
    static const choice backends[] = {
        {"auto", GPUMEX_BACKEND_AUTO}, {"cpu", GPUMEX_BACKEND_CPU}, {"cuda", GPUMEX_BACKEND_CUDA}, {NULL, 0}};
    session s;
    s.backend = choose(argument, "invalidBackend", "backend", backends);
    s.ctx = s.backend == GPUMEX_BACKEND_AUTO ? gpumex_context_default() : kept_contexts[s.backend];
    if (s.ctx == NULL && s.backend != GPUMEX_BACKEND_AUTO)
        s.ctx = kept_contexts[s.backend] = gpumex_context_create(s.backend, -1);
    if (s.ctx == NULL)
        fail(reason_of(gpumex_last_status()), "%s", gpumex_last_error());
    return s;
}

/* Raises what a call of the library reports. After a CUDA fault a kept context is given up: the next call makes its own. */
static inline void check(session s, int32_t status)
{
    if (status == GPUMEX_STATUS_OK)
        return;

    char text[1024];
    snprintf(text, sizeof text, "%s", gpumex_last_error());
    if (status == GPUMEX_STATUS_CUDA && s.backend != GPUMEX_BACKEND_AUTO) {
        gpumex_context_destroy(s.ctx);
        kept_contexts[s.backend] = NULL;
    }
    fail(reason_of(status), "%s", text);
}

/* How long the kernels of the last call ran, as a MATLAB number. */
static inline mxArray *kernel_ms(session s)
{
    double ms = 0;
    check(s, gpumex_context_kernel_ms(s.ctx, &ms));
    return mxCreateDoubleScalar(ms);
}

#endif /* GATEWAY_H */
