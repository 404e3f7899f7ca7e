/* A program of a later header: a field at the end of an option struct took the place of its padding, so that the struct had the
 * size of the older one and the field was ignored; and what older programs have in the padding would become its value. */
#include "misuse.h"

int main(void) {
    const float data[2] = {1, 2};
    uint64_t needed = 0;
    const uint8_t flags[2] = {1, 1};
    struct {
        gpumex_compact_options known;
        int32_t later;
    } options;
    memset(&options, 0, sizeof options);
    options.known.size = sizeof options;
    options.known.dtype = GPUMEX_DTYPE_F32;
    printf("%d more bytes\n", (int)(sizeof options - sizeof options.known));
    options.later = 1;
    tell(gpumex_compact(context(), &options.known, data, flags, 2, NULL, NULL, 0, &needed));
    options.later = 0;
    tell(gpumex_compact(context(), &options.known, data, flags, 2, NULL, NULL, 0, &needed));
    options.known.reserved = 1;
    tell(gpumex_compact(context(), &options.known, data, flags, 2, NULL, NULL, 0, &needed));
    return 0;
}
/* Prints:
 * 8 more bytes
 * gpumex_compact: options.size is 32, this library knows 24 bytes, and a field beyond them is not 0
 * success
 * gpumex_compact: options.reserved is 1; it has to be 0
 */
