#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const int32_t keys[] = {1, 2, 5, 4, 6};
    uint64_t first_bad;
    int32_t status = gpumex_check_sorted(
        ctx, GPUMEX_OPTIONS(check_sorted, .dtype = GPUMEX_DTYPE_I32),
        keys, 5, &first_bad);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("the key at %d is out of order\n", (int)first_bad);
    return 0;
}
