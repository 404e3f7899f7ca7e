/* Positions of uint32_t without an index dtype: they were written as uint64_t, past the end of their array. */
#include "misuse.h"

int main(void) {
    const float keys[4] = {3, 1, 4, 2};
    uint32_t order[5] = {7, 7, 7, 7, 7};
    gpumex_sort_options options = GPUMEX_SORT_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_F32;
    options.payload = GPUMEX_PAYLOAD_INDICES;
    tell(gpumex_sort(context(), &options, keys, NULL, 4, NULL, order));
    options.index_dtype = GPUMEX_DTYPE_I32;
    tell(gpumex_sort(context(), &options, keys, NULL, 4, NULL, order));
    printf("%d %d %d %d %d\n", (int)order[0], (int)order[1], (int)order[2], (int)order[3], (int)order[4]);
    options.index_dtype = GPUMEX_DTYPE_U32;
    tell(gpumex_sort(context(), &options, keys, NULL, 4, NULL, order));
    printf("%d %d %d %d %d\n", (int)order[0], (int)order[1], (int)order[2], (int)order[3], (int)order[4]);
    return 0;
}
/* Prints:
 * gpumex_sort: options.index_dtype is GPUMEX_DTYPE_NONE: the dtype is not set
 * gpumex_sort: options.index_dtype is GPUMEX_DTYPE_I32; positions and counts are GPUMEX_DTYPE_U32 or GPUMEX_DTYPE_U64
 * 7 7 7 7 7
 * success
 * 1 3 0 2 7
 */
