/* The constant of another enum: its number is checked, not its name, but the sentence has the names. */
#include "misuse.h"

int main(void) {
    const float data[2] = {1, 2};
    float results[2];
    gpumex_sort_options sort = GPUMEX_SORT_OPTIONS_INIT;
    gpumex_scan_options scan = GPUMEX_SCAN_OPTIONS_INIT;
    sort.dtype = scan.dtype = GPUMEX_DTYPE_F32;
    sort.order = GPUMEX_OPERATOR_MAX;
    scan.kind = GPUMEX_SCAN_KIND_INCLUSIVE;
    scan.variant = GPUMEX_SORT_VARIANT_RADIX;
    tell(gpumex_sort(context(), &sort, data, NULL, 2, results, NULL));
    tell(gpumex_scan(context(), &scan, data, 2, results, NULL));
    return 0;
}
/* Prints:
 * gpumex_sort: options.order is 4; a gpumex_sort_order is GPUMEX_SORT_ORDER_ASCENDING or GPUMEX_SORT_ORDER_DESCENDING, 0 to 1
 * gpumex_scan: options.variant is 2; a gpumex_variant is GPUMEX_VARIANT_AUTO or GPUMEX_VARIANT_SEQUENTIAL, 0 to 1
 */
