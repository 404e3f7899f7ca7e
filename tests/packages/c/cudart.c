/* cudart.c - a program with a CUDA runtime of its own, for which two functions stand in: they are not the library's, and the library
 * does not call them. Kernels are registered before main. */
#include <gpumex.h>
#include <stdio.h>

static int calls;

int cudaRuntimeGetVersion(int *version) {
    *version = 42;
    return ++calls;
}

void **__cudaRegisterFatBinary(void *binary) {
    ++calls;
    return binary;
}

int main(void) {
    const float a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
    float c[4];
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    if (ctx == NULL || gpumex_matmul(ctx, NULL, 2, 2, 2, a, b, c) != GPUMEX_STATUS_OK || calls != 0) {
        fprintf(stderr, "%d calls; %s\n", calls, gpumex_last_error());
        return 1;
    }
    printf("%g %g %g %g\n", c[0], c[1], c[2], c[3]);
    return gpumex_context_destroy(ctx) != GPUMEX_STATUS_OK;
}
