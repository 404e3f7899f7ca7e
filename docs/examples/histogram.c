#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const double samples[] = {0.1, 0.7, 0.2, 0.9, 0.15, 1.5};   /* 1.5 lies outside */
    uint64_t counts[4];
    int32_t status = gpumex_histogram(
        ctx, GPUMEX_OPTIONS(histogram, .dtype = GPUMEX_DTYPE_F64, .lo = 0, .hi = 1),
        samples, 6, counts, 4);
    if (status != 0) return puts(gpumex_last_error()), 1;
    for (int k = 0; k < 4; k++) printf("from %.2f: %d\n", k / 4.0, (int)counts[k]);
    return 0;
}
