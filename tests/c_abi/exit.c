/* exit.c - the library in an exit handler, when the variables of the thread are gone: a failed call is a status still, and
 * only its sentence is lost. */
#include "check.h"

static void at_exit(void) {
    uint64_t counts[256];
    const int32_t status = gpumex_context_destroy((gpumex_context *)(uintptr_t)12345);
    const char *sentence = gpumex_last_error(), *device = gpumex_context_device_text(gpumex_context_default());
    const int works = histogram((const uint8_t *)"exit", 4, counts) == GPUMEX_STATUS_OK && counts['i'] == 1;
    if (status == GPUMEX_STATUS_INVALID_ARGUMENT && sentence != NULL && device == NULL && works) puts("done");
}

int main(void) {
    EXPECT(gpumex_context_device_text(gpumex_context_default()) != NULL);
    EXPECT(gpumex_context_destroy((gpumex_context *)(uintptr_t)12345) == GPUMEX_STATUS_INVALID_ARGUMENT);
    EXPECT(atexit(at_exit) == 0);
    return 0;
}
