/* extrema.cc - max and min: of two arrays, or along a dimension. */

#include "expression.h"
#include "methods.h"
#include "reductions.h"

namespace gpuarrays {

static array without_logical(const array &a)
{
    return is_logical(a->dtype) ? converted(a, GPUMEX_DTYPE_F64) : a;
}

static octave_value_list extremum(const char *name, const octave_value_list &arguments, int results)
{
    check_count(name, arguments, 1, 3);
    if (arguments.length() == 2) {
        if (results > 1)
            error("%s: 2 output arguments are not supported for two-argument calls", name);
        return value_of(operate(*find_operation(name), without_logical(array_of(arguments(0), name)),
                                without_logical(array_of(arguments(1), name))));
    }
    fail("notServed", "%s: along a dimension", name);
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(max, arguments, results)
{
    return extremum("max", arguments, results);
}

GPU_METHOD(min, arguments, results)
{
    return extremum("min", arguments, results);
}
