#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* objects of 2, 5, 3, 0 and 1 items */
    const uint32_t scan[] = {0, 2, 7, 10, 10};
    uint32_t owners[11];
    int32_t status = gpumex_load_balance_search(
        ctx, GPUMEX_OPTIONS(load_balance_search, .index_dtype = GPUMEX_DTYPE_U32),
        11, scan, 5, owners);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 11; i++) printf("%u ", owners[i]);
    printf("\n");
    return 0;
}
