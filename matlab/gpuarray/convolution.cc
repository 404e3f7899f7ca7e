/* convolution.cc - conv2 by gpumex_convolve, medfilt2 by gpumex_median_filter. */

#include <algorithm>
#include <cmath>

#include "expression.h"
#include "methods.h"

namespace gpuarrays {

/* Outside the other array are zeros, which times infinite weights are NaN, where Octave computes nothing. */
static void refuse_infinite(const array &kernel)
{
    const NDArray weights = download(kernel).array_value();
    for (octave_idx_type k = 0; k < weights.numel(); k++)
        if (!std::isfinite(weights(k)))
            fail("notServed", "conv2: a kernel with elements that are infinite or NaN is not served for gpuArrays");
}

static octave_idx_type extent_of(int32_t shape, octave_idx_type a, octave_idx_type b)
{
    if (shape == GPUMEX_CONVOLVE_SHAPE_FULL)
        return a + b - 1;
    return shape == GPUMEX_CONVOLVE_SHAPE_SAME ? a : std::max<octave_idx_type>(a - b + 1, 0);
}

static array convolved(const array &a, const array &b, int32_t shape)
{
    if (a->dims.any_zero() || b->dims.any_zero())
        return new_array(dim_vector(0, 0), a->dtype);
    const bool is_swapped = shape == GPUMEX_CONVOLVE_SHAPE_FULL && count_of(b) > count_of(a);
    const array &kernel = is_swapped ? a : b, &source = is_swapped ? b : a;
    array result = new_array(dim_vector(extent_of(shape, a->dims(0), b->dims(0)), extent_of(shape, a->dims(1), b->dims(1))), a->dtype);
    if (count_of(result) == 0)
        return result;
    if (shape != GPUMEX_CONVOLVE_SHAPE_VALID)
        refuse_infinite(kernel);
    gpumex_convolve_options options = GPUMEX_CONVOLVE_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.boundary = GPUMEX_BOUNDARY_DEAD;
    options.shape = shape;
    options.order = GPUMEX_STENCIL_ORDER_COLUMN;
    check(gpumex_convolve(context(), &options, elements(source), source->dims(0), source->dims(1), elements(kernel),
                          kernel->dims(0), kernel->dims(1), data_of(result->data)),
          "conv2");
    return result;
}

/* Of complex matrices: of their parts, which convolutions are linear in. */
static array convolved_parts(const array &a, const array &b, int32_t shape)
{
    if (!is_complex(a->dtype) && !is_complex(b->dtype))
        return convolved(a, b, shape);
    const bool is_first = is_complex(a->dtype);
    const operation &real = *find_operation("real"), &imag = *find_operation("imag");
    const array &z = is_first ? a : b, &other = is_first ? b : a;
    array parts[2];
    for (int k = 0; k < 2; k++) {
        const array part = operate(k == 0 ? real : imag, z);
        parts[k] = is_first ? convolved_parts(part, other, shape) : convolved_parts(other, part, shape);
    }
    if (!is_complex(parts[0]->dtype))
        return operate(*find_operation("complex"), parts[0], parts[1]);
    const array turned = operate(*find_operation("complex"), operate(*find_operation(octave_value::op_uminus), operate(imag, parts[1])),
                                 operate(real, parts[1])); /* i times the second */
    return operate(*find_operation(octave_value::op_add), parts[0], turned);
}

/* The matrices of one precision: single where one of them is, else double. */
static std::vector<array> matrices(const octave_value_list &values)
{
    std::vector<array> all;
    int32_t dtype = GPUMEX_DTYPE_F64;
    for (int k = 0; k < values.length(); k++) {
        all.push_back(array_of(values(k), "conv2"));
        if (all[k]->dims.ndims() > 2)
            error("conv2: A and B must be 1-D vectors or 2-D matrices");
        if (is_single(all[k]->dtype))
            dtype = GPUMEX_DTYPE_F32;
    }
    for (array &a : all)
        a = converted(a, is_complex(a->dtype) ? complex_of(dtype) : dtype);
    return all;
}

/* A vector as a column, or as a row. */
static array along(const array &v, int dim)
{
    if (v->dims(0) != 1 && v->dims(1) != 1)
        error("conv2: both first two arguments must be vectors if 3 arguments");
    octave_idx_type n = v->dims.numel();
    return reshaped(v, dim == 0 ? dim_vector(n, 1) : dim_vector(1, n));
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(conv2, arguments, results)
{
    int count = static_cast<int>(arguments.length());
    std::string word = "full";
    if (count > 2 && arguments(count - 1).is_string())
        word = arguments(--count).string_value();
    check_count("conv2", arguments.slice(0, count), 2, 3);
    if (word != "full" && word != "same" && word != "valid")
        error("conv2: SHAPE type not valid");
    const int32_t shape = word == "full"   ? GPUMEX_CONVOLVE_SHAPE_FULL
                          : word == "same" ? GPUMEX_CONVOLVE_SHAPE_SAME
                                           : GPUMEX_CONVOLVE_SHAPE_VALID;
    const std::vector<array> x = matrices(arguments.slice(0, count));
    if (count == 2)
        return value_of(convolved_parts(x[0], x[1], shape));
    return value_of(convolved_parts(convolved_parts(x[2], along(x[0], 0), shape), along(x[1], 1), shape));
}

/* [m n], the numbers of rows and columns of a window. */
static void read_window(const octave_value &value, std::size_t *window)
{
    const NDArray sizes = on_host(value).array_value();
    if (sizes.numel() != 2)
        error("medfilt2: the window is [M N], its numbers of rows and columns");
    for (int k = 0; k < 2; k++) {
        if (!(sizes(k) >= 1) || sizes(k) != std::floor(sizes(k)))
            error("medfilt2: the window is [M N], its numbers of rows and columns");
        if (sizes(k) > 31)
            fail("notServed", "medfilt2: a window of more than 31 rows or columns is not served for gpuArrays");
        window[k] = static_cast<std::size_t>(sizes(k));
    }
}

GPU_METHOD(medfilt2, arguments, results)
{
    int count = static_cast<int>(arguments.length());
    std::string padding = "zeros";
    if (count > 1 && arguments(count - 1).is_string())
        padding = arguments(--count).string_value();
    check_count("medfilt2", arguments.slice(0, count), 1, 2);
    const array a = real_array_of(arguments(0), "medfilt2");
    if (a->dims.ndims() > 2)
        error("medfilt2: A must be a matrix");
    std::size_t window[2] = {3, 3};
    if (count > 1)
        read_window(arguments(1), window);
    gpumex_median_filter_options options = GPUMEX_MEDIAN_FILTER_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.boundary = padding == "symmetric" ? GPUMEX_BOUNDARY_MIRROR : GPUMEX_BOUNDARY_DEAD;
    options.order = GPUMEX_STENCIL_ORDER_COLUMN;
    if (padding == "indexed" && a->dtype == GPUMEX_DTYPE_F64) {
        options.boundary = GPUMEX_BOUNDARY_CONSTANT;
        options.constant = 1;
    } else if (padding != "symmetric" && padding != "zeros" && padding != "indexed") {
        error("medfilt2: PADOPT is \"zeros\", \"symmetric\" or \"indexed\"");
    }
    array result = new_array(a->dims, a->dtype);
    check(gpumex_median_filter(context(), &options, elements(a), a->dims(0), a->dims(1), window[0], window[1], data_of(result->data)),
          "medfilt2");
    return value_of(result);
}
