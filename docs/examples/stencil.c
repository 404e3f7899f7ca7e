#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float plate[] = {0, 0, 0, 0, 16, 0, 0, 0, 0}; /* 3 × 3 */
    const void *const inputs[] = {plate};
    const int32_t dtypes[] = {GPUMEX_DTYPE_F32};
    float next[9];
    int32_t status = gpumex_stencil(
        ctx, GPUMEX_OPTIONS(stencil, .dtype = GPUMEX_DTYPE_F32, .dtypes = dtypes,
                            .boundary = GPUMEX_BOUNDARY_DEAD),
        "a + 0.125 * (a(-1,0) + a(1,0) + a(0,-1) + a(0,1) - 4*a)",
        inputs, 1, 3, 3, next);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%g %g %g\n", next[3], next[4], next[5]);
    return 0;
}
