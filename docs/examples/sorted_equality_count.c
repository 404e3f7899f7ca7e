#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const uint32_t a[] = {1, 2, 4}, b[] = {2, 2, 3, 4};
    uint32_t counts[3], lower[3];
    int32_t status = gpumex_sorted_equality_count(
        ctx, GPUMEX_OPTIONS(sorted_equality_count, .dtype = GPUMEX_DTYPE_U32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        a, 3, b, 4, counts, lower);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 3; i++)
        printf("%u: %u times, from %u on\n", a[i], counts[i], lower[i]);
    return 0;
}
