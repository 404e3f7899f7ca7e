/* extrema.cc - max, min, cummax, cummin: of two arrays, or along a dimension. */

#include "elementwise.h"
#include "expression.h"
#include "methods.h"
#include "reductions.h"

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

static octave_value_list extremum(const char *name, int32_t op, const octave_value_list &arguments, int results)
{
    check_count(name, arguments, 1, 3);
    array a = array_of(arguments(0), name);
    if (arguments.length() == 2) {
        if (results > 1)
            error("%s: 2 output arguments are not supported for two-argument calls", name);
        return value_of(larger_or_smaller(name, op, a, array_of(arguments(1), name)));
    }
    refuse_in_arrayfun(std::string(name) + " of one array");
    if (arguments.length() == 3 && !arguments(1).isempty())
        error("%s: second argument is ignored, it has to be []", name);
    int dim = arguments.length() == 3 ? read_dimension(arguments(2), name) : default_dimension(a->dims);
    if (results < 2)
        return value_of(reduced(a, op, dim, a->dtype, name));
    array positions, result = reduced(a, op, dim, a->dtype, name, &positions);
    return ovl(value_of(result), value_of(counted_from_one(positions)));
}

static octave_value_list running_extremum(const char *name, int32_t op, const octave_value_list &arguments, int results)
{
    check_count(name, arguments, 1, 2);
    if (results > 1)
        fail("notServed", "%s: positions are not served for gpuArrays", name);
    array a = array_of(arguments(0), name);
    int dim = arguments.length() == 2 ? read_dimension(arguments(1), name) : default_dimension(a->dims);
    return value_of(scanned(a, op, dim, a->dtype, name));
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
