/* library.cc - the context, memory and statuses of the C library. */

#include "library.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>

#include <octave/oct.h>

#include "interrupts.h"

namespace gpuarrays {

static gpumex_context *chosen; /* NULL: the default one, which may be reset between two calls */

gpumex_context *context()
{
    gpumex_context *ctx = chosen != nullptr ? chosen : gpumex_context_default();
    if (ctx == nullptr)
        check(gpumex_last_status(), "gpuArray");
    cancel_on_interrupt(ctx);
    return ctx;
}

void choose_context(int32_t backend, int32_t device)
{
    gpumex_context *ctx = gpumex_context_create(backend, device);
    if (ctx == nullptr)
        check(gpumex_last_status(), "gpuDevice");
    gpumex_context_destroy(chosen);
    chosen = ctx;
}

static const char *reason_of(int32_t status)
{
    switch (status) {
    case GPUMEX_STATUS_INVALID_ARGUMENT: return "invalidArgument";
    case GPUMEX_STATUS_OUT_OF_MEMORY: return "outOfMemory";
    case GPUMEX_STATUS_NO_DEVICE: return "noDevice";
    case GPUMEX_STATUS_CUDA: return "cuda";
    case GPUMEX_STATUS_UNSUPPORTED: return "unsupported";
    case GPUMEX_STATUS_BUSY: return "busy";
    case GPUMEX_STATUS_CANCELLED: return "cancelled";
    default: return "internal";
    }
}

/* The message of the last error without the C function that it begins with: users know the Octave function. */
static const char *last_message()
{
    const char *const text = gpumex_last_error();
    const char *const colon = std::strstr(text, ": ");
    return std::strncmp(text, "gpumex_", 7) == 0 && colon != nullptr ? colon + 2 : text;
}

void check(int32_t status, const char *function)
{
    if (status == GPUMEX_STATUS_CANCELLED)
        raise_interrupt();
    if (status != GPUMEX_STATUS_OK)
        fail(reason_of(status), "%s: %s", function, last_message());
}

void fail(const char *reason, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_with_id((std::string("gpumex:gpuArray:") + reason).c_str(), "%s", text);
    throw octave::execution_exception(); /* for the compiler: error_with_id does not return */
}

block::block(std::size_t bytes)
{
    check(gpumex_malloc(context(), GPUMEX_MEMORY_KIND_DEVICE, bytes, &start), "gpuArray");
}

block::~block()
{
    gpumex_free(start);
}

memory allocate(std::size_t bytes)
{
    return bytes == 0 ? memory() : std::make_shared<block>(bytes);
}

void copy(void *to, const void *from, std::size_t bytes, const char *function)
{
    if (bytes > 0)
        check(gpumex_copy(context(), to, from, bytes), function);
}

} // namespace gpuarrays
