#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* no key is far from its place */
    const uint32_t keys[] = {2, 1, 3, 5, 4, 6, 8, 7};
    uint32_t sorted[8];
    int32_t status = gpumex_locality_sort(
        ctx, GPUMEX_OPTIONS(locality_sort, .dtype = GPUMEX_DTYPE_U32),
        keys, NULL, 8, sorted, NULL);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 8; i++) printf("%u ", sorted[i]);
    printf("\n");
    return 0;
}
