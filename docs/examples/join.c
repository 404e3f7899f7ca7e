#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t a[] = {1, 2, 3}, b[] = {2, 3, 3, 9};   /* both sorted */
    uint32_t ia[8], ib[8];
    uint64_t pairs;
    int32_t status = gpumex_join(
        ctx, GPUMEX_OPTIONS(join, .dtype = GPUMEX_DTYPE_I32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        a, 3, b, 4, ia, ib, 8, &pairs);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (uint64_t k = 0; k < pairs; k++)
        printf("row %u of a, row %u of b\n", ia[k], ib[k]);
    return 0;
}
