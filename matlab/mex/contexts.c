/* contexts.c - which context a call runs in.
 *
 * The contexts of 'cpu' and 'cuda' are made on first use and kept. 'auto' asks the library for its default one each time, since that
 * may be reset between two calls; once a device is chosen, 'auto' is 'cuda' on that device. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gateway.h"

static gpumex_context *kept[3];     /* by gpumex_backend */
static int32_t chosen_device = -1;  /* -1: as the library chooses */

static void drop(int32_t backend)
{
    gpumex_context_destroy(kept[backend]);
    kept[backend] = NULL;
}

session session_on(int32_t backend)
{
    session s = {.backend = backend};
    if (backend == GPUMEX_BACKEND_AUTO && chosen_device >= 0)
        s.backend = GPUMEX_BACKEND_CUDA;
    s.ctx = s.backend == GPUMEX_BACKEND_AUTO ? gpumex_context_default() : kept[s.backend];
    if (s.ctx == NULL && s.backend != GPUMEX_BACKEND_AUTO)
        s.ctx = kept[s.backend] = gpumex_context_create(s.backend, chosen_device);
    if (s.ctx == NULL)
        fail(reason_of(gpumex_last_status()), "%s", library_message());
    check(s, gpumex_context_set_timing(s.ctx, 1));
    int32_t computes_on = GPUMEX_BACKEND_AUTO;
    check(s, gpumex_context_backend(s.ctx, &computes_on));
    s.is_on_host = computes_on == GPUMEX_BACKEND_CPU;
    cancel_on_interrupt(s.ctx);
    return s;
}

void check(session s, int32_t status)
{
    if (status == GPUMEX_STATUS_OK)
        return;

    const char *text = library_message(); /* before drop calls the library again */
    if (status == GPUMEX_STATUS_CUDA && s.backend != GPUMEX_BACKEND_AUTO)
        drop(s.backend);
    if (status == GPUMEX_STATUS_CANCELLED)
        raise_interrupt();
    fail(reason_of(status), "%s", text);
}

mxArray *kernel_ms(session s)
{
    double ms = 0;
    check(s, gpumex_context_kernel_ms(s.ctx, &ms));
    return mxCreateDoubleScalar(ms);
}

void choose_device(int32_t device)
{
    if (device == chosen_device && kept[GPUMEX_BACKEND_CUDA] != NULL)
        return;
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_CUDA, device);
    if (ctx == NULL)
        fail(reason_of(gpumex_last_status()), "%s", library_message());
    drop(GPUMEX_BACKEND_CUDA);
    kept[GPUMEX_BACKEND_CUDA] = ctx;
    chosen_device = device;
}

int is_device_chosen(void)
{
    return chosen_device >= 0;
}

void reset_default(void)
{
    if (chosen_device >= 0)
        drop(GPUMEX_BACKEND_CUDA);
    chosen_device = -1;
    const session none = {.backend = GPUMEX_BACKEND_AUTO};
    check(none, gpumex_reset_default());
}

static const char *const settings[] = {"GPUMEX_BACKEND", "GPUMEX_DEVICE", "GPUMEX_NUM_THREADS", "GPUMEX_LOG"};
enum { SETTINGS = sizeof settings / sizeof settings[0], MOST_BYTES = 64 };
static char noted[SETTINGS][MOST_BYTES];

static const char *setting(size_t k)
{
    const char *value = getenv(settings[k]);
    return value == NULL ? "" : value;
}

void note_settings(void)
{
    for (size_t k = 0; k < SETTINGS; k++)
        snprintf(noted[k], MOST_BYTES, "%s", setting(k));
}

int is_backend_set(void)
{
    return noted[0][0] != '\0' && strcmp(noted[0], "auto") != 0;
}

void warn_of_settings(void)
{
    for (size_t k = 0; k < SETTINGS; k++)
        if (strncmp(noted[k], setting(k), MOST_BYTES - 1) != 0)
            mexWarnMsgIdAndTxt("gpumex:reset_default:settings", "%s was '%s' when gpumex was first called, and stays so in this session%s",
                               settings[k], noted[k], k == 2 ? "; gpumex.threads sets the threads" : "");
}

void close_contexts(void)
{
    drop(GPUMEX_BACKEND_CPU);
    drop(GPUMEX_BACKEND_CUDA);
}
