#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float x[] = {1, 2, 3}, y[] = {4, 5, 6};
    float result;
    int32_t status = gpumex_dot(
        ctx, GPUMEX_OPTIONS(dot, .dtype = GPUMEX_DTYPE_F32),
        x, y, 3, &result);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%g\n", result);
    return 0;
}
