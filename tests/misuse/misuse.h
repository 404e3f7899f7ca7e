/* misuse.h - what the programs of this folder share. They compiled against version 0.1, returned 0 and gave wrong results or wrote
 * out of bounds; each ends with the lines that it prints now. They are C90. */
#ifndef GPUMEX_TESTS_MISUSE_H
#define GPUMEX_TESTS_MISUSE_H

#include <gpumex.h>
#include <stdio.h>
#include <string.h>

/* The status, and the sentence of a failure. */
static void tell(int32_t status) {
    printf("%s\n", status == 0 ? gpumex_status_string(0) : gpumex_last_error());
}

static gpumex_context *context(void) {
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_CPU, -1);
    if (ctx == NULL) tell(gpumex_last_status());
    return ctx;
}

#endif
