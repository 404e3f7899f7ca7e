/* errors.c - errors, with their ids. The other files call this one; it calls none of them. */

#include "errors.h"

#include <stdarg.h>
#include <stdio.h>

#include "mex.h"

const char *operation = "gpumex_call";

static void (*clean_up_first)(void);

void set_cleanup(void (*clean_up)(void))
{
    clean_up_first = clean_up;
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
