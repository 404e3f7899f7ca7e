#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t keys[] = {1, 1, 4, 4, 4, 9};
    const double data[] = {10, 20, 1, 2, 3, 7};
    int32_t unique[6];
    double sums[6];
    uint64_t runs;
    int32_t status = gpumex_reduce_by_key(
        ctx, GPUMEX_OPTIONS(reduce_by_key, .dtype = GPUMEX_DTYPE_F64,
                            .key_dtype = GPUMEX_DTYPE_I32),
        keys, data, 6, unique, sums, NULL, 6, &runs);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (uint64_t r = 0; r < runs; r++) printf("key %d: %g\n", unique[r], sums[r]);
    return 0;
}
