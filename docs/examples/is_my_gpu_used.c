#include <gpumex.h>
#include <stdio.h>

int main(void) {
    gpumex_context *ctx = gpumex_context_create(GPUMEX_BACKEND_AUTO, -1);
    if (ctx == NULL) return puts(gpumex_last_error()), 1;
    /* backend, device, memory, a reason for the CPU */
    printf("%s\n", gpumex_context_device_text(ctx));
    printf("%s\n", gpumex_build_info());
    gpumex_context_destroy(ctx);
    return 0;
}
