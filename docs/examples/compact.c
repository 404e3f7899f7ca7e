#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float data[] = {8, 1, 6, 3, 5};
    const uint8_t flags[] = {1, 0, 1, 0, 1};
    float kept[5];
    uint64_t count;
    int32_t status = gpumex_compact(
        ctx, GPUMEX_OPTIONS(compact, .dtype = GPUMEX_DTYPE_F32),
        data, flags, 5, kept, NULL, 5, &count);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (uint64_t i = 0; i < count; i++) printf("%g ", kept[i]);
    printf("\n");
    return 0;
}
