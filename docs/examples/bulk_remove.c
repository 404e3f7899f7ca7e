#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t source[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    const uint32_t indices[] = {1, 3, 4, 5, 7, 8};
    int32_t result[4];
    int32_t status = gpumex_bulk_remove(
        ctx, GPUMEX_OPTIONS(bulk_remove, .dtype = GPUMEX_DTYPE_I32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        source, 10, indices, 6, result);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 4; i++) printf("%d ", result[i]);
    printf("\n");
    return 0;
}
