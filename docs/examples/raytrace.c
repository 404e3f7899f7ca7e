#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_default();
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* r, g, b, radius, x, y, z */
    const float spheres[] = {1, 0.5f, 0, 90, 0, 0, 0};
    static uint8_t image[200 * 200 * 4];
    int32_t status = gpumex_raytrace(ctx, NULL, spheres, 1, 200, 200, image);
    if (status != 0) return puts(gpumex_last_error()), 1;
    const uint8_t *centre = image + (100 * 200 + 100) * 4, *corner = image;
    printf("centre %d %d %d\n", centre[0], centre[1], centre[2]);
    printf("corner %d %d %d\n", corner[0], corner[1], corner[2]);
    return 0;
}
