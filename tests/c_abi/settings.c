/* settings.c - gpumex_configure: known keys and values, before first use only; it overrides the environment. */
#include "check.h"

#define REFUSED(status, word, key, value)                                           \
    do {                                                                            \
        EXPECT(gpumex_configure(key, value) == GPUMEX_STATUS_##status);             \
        EXPECT(strncmp(gpumex_last_error(), "gpumex_configure: ", 18) == 0);        \
        EXPECT(strstr(gpumex_last_error(), word) != NULL);                          \
    } while (0)

int main(void) {
    gpumex_device_info info;
    REFUSED(INVALID_ARGUMENT, "\"threads\" is unknown", "threads", "1");
    REFUSED(INVALID_ARGUMENT, "\"\" is unknown", "", "1");
    REFUSED(INVALID_ARGUMENT, "\"gpu\"", "backend", "gpu");
    REFUSED(INVALID_ARGUMENT, "\"CPU\"", "backend", "CPU");
    REFUSED(INVALID_ARGUMENT, "\"-1\"", "device", "-1");
    REFUSED(INVALID_ARGUMENT, "\"two\"", "num_threads", "two");
    REFUSED(INVALID_ARGUMENT, "\"\"", "num_threads", "");
    REFUSED(INVALID_ARGUMENT, "\"99999999999999999999\"", "num_threads", "99999999999999999999");
    REFUSED(INVALID_ARGUMENT, "\"loud\"", "log", "loud");
    REFUSED(NULL_POINTER, "key", NULL, "cpu");
    REFUSED(NULL_POINTER, "value", "backend", NULL);

    /* The caller of this program set GPUMEX_BACKEND and GPUMEX_NUM_THREADS to other values. */
    OK(gpumex_configure("backend", "cuda"));
    OK(gpumex_configure("backend", "cpu"));
    OK(gpumex_configure("num_threads", "3"));
    OK(gpumex_configure("device", "0"));
    OK(gpumex_configure("log", "off"));
    EXPECT(life_works(gpumex_context_default()));
    info.size = sizeof info;
    OK(gpumex_context_device_info(gpumex_context_default(), &info));
    EXPECT(info.backend == GPUMEX_BACKEND_CPU && info.multiprocessors == 3);

    REFUSED(BUSY, "num_threads", "num_threads", "1");
    REFUSED(BUSY, "backend", "backend", "cpu");
    REFUSED(INVALID_ARGUMENT, "\"threads\" is unknown", "threads", "1");
    EXPECT(life_works(gpumex_context_default()));
    puts("done");
    return 0;
}
