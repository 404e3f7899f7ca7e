#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t a[] = {0, 1, 2, 3, 4}, b[] = {100, 200, 300};
    /* a[i] goes before b[indices[i]]; 3 is the end */
    const uint32_t indices[] = {1, 1, 2, 3, 3};
    int32_t result[8];
    int32_t status = gpumex_bulk_insert(
        ctx, GPUMEX_OPTIONS(bulk_insert, .dtype = GPUMEX_DTYPE_I32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        a, indices, 5, b, 3, result);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 8; i++) printf("%d ", result[i]);
    printf("\n");
    return 0;
}
