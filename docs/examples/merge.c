#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float a[] = {1, 3, 5}, b[] = {2, 3};
    float keys[5];
    uint32_t from[5];   /* i for a[i], 3 + j for b[j] */
    int32_t status = gpumex_merge(
        ctx, GPUMEX_OPTIONS(merge, .dtype = GPUMEX_DTYPE_F32,
                            .payload = GPUMEX_PAYLOAD_INDICES,
                            .index_dtype = GPUMEX_DTYPE_U32),
        a, NULL, 3, b, NULL, 2, keys, from);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 5; i++) printf("%g (%u)\n", keys[i], from[i]);
    return 0;
}
