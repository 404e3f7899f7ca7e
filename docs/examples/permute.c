#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float a[] = {1, 2, 3, 4, 5, 6}; /* 2 rows and 3 columns */
    const size_t shape[] = {2, 3};
    const int32_t order[] = {1, 0};
    float transposed[6];
    int32_t status = gpumex_permute(
        ctx, GPUMEX_OPTIONS(permute, .dtype = GPUMEX_DTYPE_F32, .rank = 2),
        a, shape, order, transposed);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 6; i++) printf("%g ", transposed[i]);
    printf("\n");
    return 0;
}
