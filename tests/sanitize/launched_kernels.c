/* launched_kernels.c - the name of each kernel that a process launches, a line each, at the end of the file $LAUNCHED_KERNELS.
 *
 * A library that the CUDA driver loads (CUDA_INJECTION64_PATH); it asks CUPTI to be called at each launch.
 *     cc -shared -fPIC -I$CUDA/extras/CUPTI/include launched_kernels.c -o launched_kernels.so -L$CUDA/extras/CUPTI/lib64 -lcupti */
#define _GNU_SOURCE
#include <cupti.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMES 8192 /* a power of two; the library has some 700 */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *names[NAMES];
static int file = -1;

/* Whether the name is new, and is kept from here on. */
static int is_new(const char *name) {
    unsigned hash = 5381;
    for (const char *at = name; *at; at++) hash = hash * 33 ^ (unsigned char)*at;
    for (unsigned probe = 0; probe < NAMES; probe++) {
        char **slot = &names[(hash + probe) % NAMES];
        if (*slot == NULL) return (*slot = strdup(name)) != NULL;
        if (strcmp(*slot, name) == 0) return 0;
    }
    return 0;
}

static void CUPTIAPI at_launch(void *user, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void *data) {
    const CUpti_CallbackData *call = data;
    (void)user, (void)domain, (void)id;
    if (call->callbackSite != CUPTI_API_ENTER || call->symbolName == NULL) return;
    pthread_mutex_lock(&lock);
    if (is_new(call->symbolName)) dprintf(file, "%s\n", call->symbolName);
    pthread_mutex_unlock(&lock);
}

/* Called by the driver when CUDA starts. */
int InitializeInjection(void) {
    static const CUpti_CallbackId launches[] = {
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,   CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    };
    const char *path = getenv("LAUNCHED_KERNELS");
    CUpti_SubscriberHandle subscriber;
    if (path == NULL) return 1;
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file < 0 || cuptiSubscribe(&subscriber, at_launch, NULL) != CUPTI_SUCCESS) return 0;
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++)
        if (cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, launches[i]) != CUPTI_SUCCESS) return 0;
    return 1;
}
