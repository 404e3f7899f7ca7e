#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float x[] = {1, 2, 3};
    float y[] = {10, 20, 30};
    int32_t status = gpumex_add(
        ctx, GPUMEX_OPTIONS(add, .dtype = GPUMEX_DTYPE_F32),
        x, y, 3);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%g %g %g\n", y[0], y[1], y[2]);
    return 0;
}
