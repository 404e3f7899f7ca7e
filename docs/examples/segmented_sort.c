#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t keys[] = {9, 7, 8, 3, 2, 1, 6, 5, 4};
    const uint32_t starts[] = {0, 3, 6};   /* three segments of three keys */
    int32_t sorted[9];
    int32_t status = gpumex_segmented_sort(
        ctx, GPUMEX_OPTIONS(segmented_sort, .dtype = GPUMEX_DTYPE_I32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        keys, NULL, 9, starts, 3, sorted, NULL);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 9; i++) printf("%d%s", sorted[i], i % 3 == 2 ? "\n" : " ");
    return 0;
}
