#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    float *array;
    char text[64];
    int32_t status = gpumex_malloc(
        ctx, GPUMEX_MEMORY_KIND_DEVICE, 6 * sizeof *array, (void **)&array);
    if (status != 0) return puts(gpumex_last_error()), 1;
    status = gpumex_fill_ascending(ctx, GPUMEX_DTYPE_F32, array, 6, 0, 0.5);
    if (status != 0) return puts(gpumex_last_error()), 1;
    status = gpumex_print(
        ctx, GPUMEX_DTYPE_F32, array, 6, "%g", 3, text, sizeof text, NULL);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%s", text);   /* the array has not left the device */
    gpumex_free(array);
    return 0;
}
