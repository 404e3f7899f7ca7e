#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t input[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    /* 3 elements from 7 on, 2 from 2 on */
    const uint32_t gather[] = {7, 2}, scan[] = {0, 3};
    int32_t output[5];
    int32_t status = gpumex_interval_move(
        ctx, GPUMEX_OPTIONS(interval_move, .dtype = GPUMEX_DTYPE_I32,
                            .index_dtype = GPUMEX_DTYPE_U32),
        5, gather, NULL, scan, 2, input, 10, output, 5);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int i = 0; i < 5; i++) printf("%d ", output[i]);
    printf("\n");
    return 0;
}
