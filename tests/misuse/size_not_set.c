/* An option struct without its size. */
#include "misuse.h"

int main(void) {
    const float data[2] = {1, 2};
    float sum = 0;
    gpumex_reduce_options options;
    memset(&options, 0, sizeof options);
    options.dtype = GPUMEX_DTYPE_F32;
    tell(gpumex_reduce(context(), &options, data, 2, &sum));
    return 0;
}
/* Prints:
 * gpumex_reduce: options.size is 0; set it to sizeof of the struct
 */
