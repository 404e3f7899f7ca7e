#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    const float data[] = {3, -7, 0, 5, 0, 6};
    float farthest, latest[6];
    int32_t status = gpumex_reduce(
        ctx, GPUMEX_OPTIONS(reduce, .dtype = GPUMEX_DTYPE_F32,
                            .expression = "abs (a) >= abs (b) ? a : b"),
        data, 6, &farthest);
    if (status != 0) return puts(gpumex_last_error()), 1;
    status = gpumex_scan(
        ctx, GPUMEX_OPTIONS(scan, .dtype = GPUMEX_DTYPE_F32,
                            .kind = GPUMEX_SCAN_KIND_INCLUSIVE,
                            .expression = "b == 0 ? a : b"),
        data, 6, latest, NULL);
    if (status != 0) return puts(gpumex_last_error()), 1;
    printf("farthest %g, latest", farthest);
    for (int i = 0; i < 6; i++) printf(" %g", latest[i]);
    puts("");
    return 0;
}
