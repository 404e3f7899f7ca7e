/* products.cc - the product of matrices. */

#include <octave/errwarn.h>

#include "expression.h"
#include "operators.h"

namespace gpuarrays {

array matrix_product(const array &a, const array &b)
{
    if (a->dims.ndims() > 2 || b->dims.ndims() > 2 || a->dims(1) != b->dims(0))
        octave::err_nonconformant("operator *", a->dims, b->dims);
    int32_t dtype = a->dtype == GPUMEX_DTYPE_F32 || b->dtype == GPUMEX_DTYPE_F32 ? GPUMEX_DTYPE_F32 : GPUMEX_DTYPE_F64;
    if (is_integer(a->dtype) || is_integer(b->dtype))
        error_with_id("Octave:undefined-function",
                      "binary operator '*' not implemented for 'gpuArray (%s)' by 'gpuArray (%s)' operations",
                      name_of(a->dtype), name_of(b->dtype));
    array x = converted(a, dtype), y = converted(b, dtype);
    array made = new_array(dim_vector(a->dims(0), b->dims(1)), dtype);
    if (count_of(made) == 0)
        return made;
    gpumex_matmul_options options = GPUMEX_MATMUL_OPTIONS_INIT;
    options.dtype = dtype;
    options.order = GPUMEX_MATMUL_ORDER_COLUMN;
    check(gpumex_matmul(context(), &options, a->dims(0), b->dims(1), a->dims(1), elements(x), elements(y),
                        data_of(made->data)),
          "operator *");
    return made;
}

} // namespace gpuarrays
