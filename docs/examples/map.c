#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const uint8_t x[] = {1, 1, 0, 0}, n[] = {2, 4, 3, 2};
    const void *const inputs[] = {x, n};
    const int32_t dtypes[] = {GPUMEX_DTYPE_BOOL, GPUMEX_DTYPE_U8};
    const size_t shape[] = {4};
    uint8_t next[4];
    int32_t status = gpumex_map(
        ctx, GPUMEX_OPTIONS(map, .dtype = GPUMEX_DTYPE_BOOL, .names = "x n",
                            .dtypes = dtypes, .shape = shape),
        "x & n == 2 | n == 3", inputs, 2, next);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("%d %d %d %d\n", next[0], next[1], next[2], next[3]);
    return 0;
}
