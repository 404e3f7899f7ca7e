#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t data[] = {3, 1, 4, 1, 5};
    int32_t before[5], total;
    int32_t status = gpumex_scan(
        ctx, GPUMEX_OPTIONS(scan, .dtype = GPUMEX_DTYPE_I32),
        data, 5, before, &total);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 5; i++) printf("%d ", before[i]);
    printf("total %d\n", total);
    return 0;
}
