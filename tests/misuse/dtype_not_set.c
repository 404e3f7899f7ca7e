/* Keys of int32_t without a dtype, and without options: they were sorted as float. */
#include "misuse.h"

int main(void) {
    const int32_t keys[3] = {-1, -2, -3};
    int32_t sorted[3];
    gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
    tell(gpumex_sort(context(), NULL, keys, NULL, 3, sorted, NULL));
    tell(gpumex_sort(context(), &options, keys, NULL, 3, sorted, NULL));
    options.dtype = GPUMEX_DTYPE_I32;
    tell(gpumex_sort(context(), &options, keys, NULL, 3, sorted, NULL));
    printf("%d %d %d\n", (int)sorted[0], (int)sorted[1], (int)sorted[2]);
    return 0;
}
/* Prints:
 * gpumex_sort: options.dtype is GPUMEX_DTYPE_NONE: the dtype is not set
 * gpumex_sort: options.dtype is GPUMEX_DTYPE_NONE: the dtype is not set
 * success
 * -3 -2 -1
 */
