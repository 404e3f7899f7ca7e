/* A context and a block of memory after their end, and a context that is none. */
#include "misuse.h"

int main(void) {
    gpumex_context *ctx = context();
    void *block = NULL;
    tell(gpumex_malloc(ctx, GPUMEX_MEMORY_KIND_PINNED, 100, &block));
    tell(gpumex_free(block));
    printf("%s\n", gpumex_status_string(gpumex_free(block)));
    tell(gpumex_context_destroy(ctx));
    printf("%s\n", gpumex_status_string(gpumex_context_synchronize(ctx)));
    tell(gpumex_context_synchronize(NULL));
    return 0;
}
/* Prints:
 * success
 * success
 * invalid argument
 * success
 * invalid argument
 * gpumex_context_synchronize: ctx is NULL
 */
