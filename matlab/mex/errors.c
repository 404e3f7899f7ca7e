/* errors.c - errors, with their ids. The other files call this one; it calls none of them. */

#include "errors.h"

#include <stdarg.h>
#include <stdio.h>

#include "mex.h"

#define GPUMEX_NO_PLAIN_NAMES
#include "gpumex.h"

const char *operation = "gpumex_call";

static void (*clean_up_first)(void);

void set_cleanup(void (*clean_up)(void))
{
    clean_up_first = clean_up;
}

const char *reason_of(int32_t status)
{
    static const char *const reasons[] = {
        [GPUMEX_STATUS_NULL_POINTER] = "nullPointer",   [GPUMEX_STATUS_INVALID_ARGUMENT] = "invalidArgument",
        [GPUMEX_STATUS_OUT_OF_MEMORY] = "outOfMemory",  [GPUMEX_STATUS_NO_DEVICE] = "noDevice",
        [GPUMEX_STATUS_CUDA] = "cuda",                  [GPUMEX_STATUS_UNSUPPORTED] = "unsupported",
        [GPUMEX_STATUS_BUSY] = "busy",                  [GPUMEX_STATUS_CANCELLED] = "cancelled",
        [GPUMEX_STATUS_INTERNAL] = "internal",
        [GPUMEX_STATUS_PEER] = "peer",
        [GPUMEX_STATUS_TIMEOUT] = "timeout"};
    int known = status > 0 && (size_t)status < sizeof reasons / sizeof reasons[0];
    return known ? reasons[status] : "internal";
}

static void raise_error(const char *function, const char *reason, const char *format, va_list arguments)
{
    char id[64], text[1024];
    vsnprintf(text, sizeof text, format, arguments);
    snprintf(id, sizeof id, "gpumex:%s:%s", function, reason);
    if (clean_up_first != NULL)
        clean_up_first();
    mexErrMsgIdAndTxt(id, "%s", text);
}

void fail(const char *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise_error(operation, reason, format, arguments);
    va_end(arguments);
}

void fail_as(const char *function, const char *reason, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise_error(function, reason, format, arguments);
    va_end(arguments);
}
