#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const double a[] = {1, 2, 4, 7}, b[] = {2, 4, 5};   /* both sorted */
    double keys[7];
    uint64_t count;
    int32_t status = gpumex_set_operation(
        ctx, GPUMEX_OPTIONS(set_operation, .dtype = GPUMEX_DTYPE_F64,
                            .op = GPUMEX_SET_OPERATOR_UNION),
        a, NULL, 4, b, NULL, 3, keys, NULL, 7, &count);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (uint64_t i = 0; i < count; i++) printf("%g ", keys[i]);
    printf("\n");
    return 0;
}
