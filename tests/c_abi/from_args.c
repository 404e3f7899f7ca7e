/* from_args.c [ARGUMENT]... - a context as the command line asks for it: the device is printed, then this line of ours, in order. */
#include "check.h"

int main(int argc, char **argv) {
    gpumex_context *ctx = gpumex_context_create_from_args(argc, argv, 1);
    EXPECT(ctx != NULL && life_works(ctx));
    puts(gpumex_context_device_text(ctx));
    OK(gpumex_context_destroy(ctx));
    puts("done");
    return 0;
}
