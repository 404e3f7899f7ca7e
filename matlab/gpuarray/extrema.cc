/* extrema.cc - max, min, cummax, cummin: of two arrays, or along a dimension. */

#include "construct.h"
#include "elementwise.h"
#include "expression.h"
#include "indexing.h"
#include "methods.h"
#include "reductions.h"
#include "shapes.h"

namespace gpuarrays {

/* Of two logicals the larger one is "or", the smaller one "and". */
static array larger_or_smaller(const char *name, int32_t op, const array &a, const array &b)
{
    if (is_logical(a->dtype) && is_logical(b->dtype))
        return operate(*find_operation(op == GPUMEX_DIM_REDUCTION_MAX ? octave_value::op_el_or : octave_value::op_el_and), a, b);
    return operate(*find_operation(name), a, b);
}

/* Positions from 0 as doubles from 1. */
static array counted_from_one(const array &positions)
{
    return operate(*find_operation(octave_value::op_add), converted(positions, GPUMEX_DTYPE_F64),
                   new_number(1.0, GPUMEX_DTYPE_F64));
}

static octave_value_list extremum(const char *name, int32_t op, const octave_value_list &all, int results)
{
    octave_value_list arguments = all;
    int32_t nan = GPUMEX_NAN_FLAG_DEFAULT;
    if (all.length() > 2 && all(all.length() - 1).is_string())
        nan = nan_flag_of(all(all.length() - 1).string_value());
    if (nan > 0)
        arguments = all.slice(0, all.length() - 1);
    check_count(name, arguments, 1, 3);
    if (nan > 0 && arguments.length() == 2 && arguments(1).isempty())
        arguments.append(octave_value(default_dimension(array_of(arguments(0), name)->dims) + 1.0));
    if (nan > 0 && arguments.length() == 2)
        fail("notServed", "%s: flags of NaN are not served for two gpuArrays", name);
    array a = real_array_of(arguments(0), name);
    if (arguments.length() == 2) {
        if (results > 1)
            error("%s: 2 output arguments are not supported for two-argument calls", name);
        return value_of(larger_or_smaller(name, op, a, array_of(arguments(1), name)));
    }
    refuse_in_arrayfun(std::string(name) + " of one array");
    if (arguments.length() == 3 && !arguments(1).isempty())
        error("%s: second argument is ignored, it has to be []", name);
    const bool is_all = arguments.length() == 3 && is_word_all(arguments(2));
    if (is_all)
        a = reshaped(a, dim_vector(a->dims.numel(), 1));
    int dim = arguments.length() == 3 && !is_all ? read_dimension(arguments(2), name) : default_dimension(a->dims);
    if (results < 2)
        return value_of(reduced(a, op, dim, a->dtype, name, nullptr, std::max(nan, 0)));
    array positions, result = reduced(a, op, dim, a->dtype, name, &positions, std::max(nan, 0));
    return ovl(value_of(result), value_of(counted_from_one(positions)));
}

/* A (…, from : from + count - 1, …) with the range in dimension DIM. */
static array slice(const array &a, int dim, octave_idx_type from, octave_idx_type count)
{
    octave_value_list idx(std::max<octave_idx_type>(a->dims.ndims(), dim + 1), octave_value(octave_value::magic_colon_t));
    idx(dim) = octave::range<double>(static_cast<double>(from), 1, static_cast<double>(from + count - 1));
    return indexed(a, idx);
}

/* FIRST, FIRST + 1, … along a dimension. */
static array ascending(octave_idx_type first, octave_idx_type count, int dim)
{
    dim_vector dims = dim_vector(1, 1).redim(std::max(2, dim + 1));
    dims(dim) = count;
    array made = new_array(dims, GPUMEX_DTYPE_F64);
    check(gpumex_fill_ascending(context(), GPUMEX_DTYPE_F64, data_of(made->data), count_of(made), static_cast<double>(first), 1),
          "cummax");
    return made;
}

/* Where each running extremum was met first, from 1: the last place up to there at which it changed. NaN is no change. */
static array places_of_running(const array &extrema, int dim)
{
    const dim_vector &dims = extrema->dims;
    octave_idx_type count = dim < dims.ndims() ? dims(dim) : 1;
    if (dims.any_zero() || count == 1)
        return filled(dims, GPUMEX_DTYPE_F64, 1);
    array later = slice(extrema, dim, 2, count - 1);
    array is_new = operate(*find_operation(octave_value::op_ne), later, slice(extrema, dim, 1, count - 1));
    array is_number = operate(*find_operation(octave_value::op_not), operate(*find_operation("isnan"), later));
    is_new = operate(*find_operation(octave_value::op_el_and), is_new, is_number);
    array changed = operate(*find_operation("merge"), is_new, ascending(2, count - 1, dim), new_number(1.0, GPUMEX_DTYPE_F64));
    dim_vector one = dims;
    one(dim) = 1;
    array places = joined({filled(one, GPUMEX_DTYPE_F64, 1), changed}, dim, dims, GPUMEX_DTYPE_F64);
    return scanned(places, GPUMEX_DIM_REDUCTION_MAX, dim, GPUMEX_DTYPE_F64, "cummax");
}

static octave_value_list running_extremum(const char *name, int32_t op, const octave_value_list &arguments, int results)
{
    check_count(name, arguments, 1, 2);
    array a = real_array_of(arguments(0), name);
    int dim = arguments.length() == 2 ? read_dimension(arguments(1), name) : default_dimension(a->dims);
    array extrema = scanned(a, op, dim, a->dtype, name);
    if (results < 2)
        return value_of(extrema);
    return ovl(value_of(extrema), value_of(places_of_running(extrema, dim)));
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(max, arguments, results)
{
    return extremum("max", GPUMEX_DIM_REDUCTION_MAX, arguments, results);
}

GPU_METHOD(min, arguments, results)
{
    return extremum("min", GPUMEX_DIM_REDUCTION_MIN, arguments, results);
}

GPU_METHOD(cummax, arguments, results)
{
    return running_extremum("cummax", GPUMEX_DIM_REDUCTION_MAX, arguments, results);
}

GPU_METHOD(cummin, arguments, results)
{
    return running_extremum("cummin", GPUMEX_DIM_REDUCTION_MIN, arguments, results);
}
