#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float keys[] = {5, 1, 3, 1, 9, 7};
    float sorted[6];
    uint32_t from[6];
    int32_t status = gpumex_sort(
        ctx, GPUMEX_OPTIONS(sort, .dtype = GPUMEX_DTYPE_F32,
                            .payload = GPUMEX_PAYLOAD_INDICES,
                            .index_dtype = GPUMEX_DTYPE_U32),
        keys, NULL, 6, sorted, from);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 6; i++) printf("%g came from %u\n", sorted[i], from[i]);
    return 0;
}
