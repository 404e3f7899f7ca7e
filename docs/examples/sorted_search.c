#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float a[] = {10, 20, 20, 30}, b[] = {5, 20, 31};
    /* of b before a[i]; of a before b[j], or equal */
    uint32_t before_a[4], before_b[3];
    int32_t status = gpumex_sorted_search(
        ctx, GPUMEX_OPTIONS(sorted_search, .dtype = GPUMEX_DTYPE_F32,
                            .bound = GPUMEX_BOUND_UPPER,
                            .index_dtype = GPUMEX_DTYPE_U32),
        a, 4, b, 3, before_a, before_b, NULL, NULL, NULL);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int j = 0; j < 3; j++) printf("%g: %u are less\n", b[j], before_b[j]);
    return 0;
}
