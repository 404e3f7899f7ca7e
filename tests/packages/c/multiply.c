/* multiply.c - the product of two matrices with the installed library. */
#include <gpumex.h>
#include <stdio.h>

int main(void) {
    const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    float c[4];
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    if (ctx == NULL || gpumex_matmul(ctx, NULL, 2, 2, 2, a, b, c) != GPUMEX_STATUS_OK) {
        fprintf(stderr, "%s\n", gpumex_last_error());
        return 1;
    }
    printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]);
    return gpumex_context_destroy(ctx) != GPUMEX_STATUS_OK;
}
