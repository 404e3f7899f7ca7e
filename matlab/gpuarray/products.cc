/* products.cc - the product of matrices. */

#include <octave/errwarn.h>

#include "expression.h"
#include "methods.h"
#include "operators.h"
#include "shapes.h"

namespace gpuarrays {

/* The class of a product; integers have none, as in Octave. */
static int32_t class_of_product(const array &a, const array &b)
{
    if (is_integer(a->dtype) || is_integer(b->dtype))
        error_with_id("Octave:undefined-function",
                      "binary operator '*' not implemented for 'gpuArray (%s)' by 'gpuArray (%s)' operations",
                      description_of(a->dtype).c_str(), description_of(b->dtype).c_str());
    return is_logical(a->dtype) && is_logical(b->dtype) ? GPUMEX_DTYPE_F64 : arithmetic_class(a->dtype, b->dtype);
}

/* The products of the pages of A and B; one page of either goes with each of the other. */
static array page_products(const array &a, const array &b)
{
    dim_vector dims = a->dims.redim(std::max(a->dims.ndims(), b->dims.ndims())), others = b->dims.redim(dims.ndims());
    octave_idx_type pages[2] = {1, 1};
    for (int k = 2; k < dims.ndims(); k++) {
        pages[0] *= dims(k);
        pages[1] *= others(k);
    }
    bool is_same = pages[0] != 1 && pages[1] != 1;
    for (int k = 2; k < dims.ndims(); k++) {
        if (is_same && dims(k) != others(k))
            fail("notServed", "pagemtimes: pages of %s and %s are not served; the pages are as many, or one",
                 a->dims.str().c_str(), b->dims.str().c_str());
        dims(k) = pages[0] == 1 ? others(k) : dims(k);
    }
    if (a->dims(1) != b->dims(0))
        octave::err_nonconformant("pagemtimes", a->dims, b->dims);
    dims(1) = b->dims(1);
    int32_t dtype = class_of_product(a, b);
    array made = new_array(dims, dtype), x = converted(a, dtype), y = converted(b, dtype);
    if (count_of(made) == 0)
        return made;
    if (a->dims(1) == 0) {
        clear(made);
        return made;
    }
    gpumex_matmul_options options = GPUMEX_MATMUL_OPTIONS_INIT;
    options.dtype = dtype;
    options.order = GPUMEX_MATMUL_ORDER_COLUMN;
    options.batch = static_cast<std::size_t>(std::max(pages[0], pages[1]));
    options.same_a = pages[0] == 1;
    options.same_b = pages[1] == 1;
    check(gpumex_matmul(context(), &options, dims(0), dims(1), a->dims(1), elements(x), elements(y), data_of(made->data)),
          "pagemtimes");
    return made;
}

array matrix_product(const array &a, const array &b)
{
    if (a->dims.ndims() > 2 || b->dims.ndims() > 2 || a->dims(1) != b->dims(0))
        octave::err_nonconformant("operator *", a->dims, b->dims);
    int32_t dtype = class_of_product(a, b);
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

using namespace gpuarrays;

GPU_FUNCTION(pagemtimes, arguments, results)
{
    check_count("pagemtimes", arguments, 2, 2);
    array a = array_of(arguments(0), "pagemtimes"), b = array_of(arguments(1), "pagemtimes");
    bool is_on_host = !is_gpu(arguments(0)) && !is_gpu(arguments(1));
    array made = page_products(a, b);
    return is_on_host ? download(made) : value_of(made);
}
