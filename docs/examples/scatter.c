#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float source[] = {7, 8};
    const uint32_t indices[] = {4, 1};
    float target[5] = {0, 0, 0, 0, 0};
    int32_t status = gpumex_scatter(
        ctx, GPUMEX_OPTIONS(scatter, .dtype = GPUMEX_DTYPE_F32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        source, indices, 2, target, 5);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 5; i++) printf("%g ", target[i]);
    printf("\n");
    return 0;
}
