#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float a[2 * 3] = {1, 2, 3, 4, 5, 6}, b[3 * 2] = {1, 0, 0, 1, 1, 1};
    float c[2 * 2];   /* row-major */
    int32_t status = gpumex_matmul(ctx, NULL, 2, 2, 3, a, b, c);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%g %g\n%g %g\n", c[0], c[1], c[2], c[3]);
    return 0;
}
