/* functions.cc - element-wise functions of two and three arguments; those of one reach the value through gpu_value::map. */

#include "expression.h"
#include "methods.h"

namespace gpuarrays {

static octave_value of_two(const char *name, const octave_value_list &arguments)
{
    check_count(name, arguments, 2, 2);
    return value_of(operate(*find_operation(name), array_of(arguments(0), name), array_of(arguments(1), name)));
}

/* A function that computes in single where one of the two is single, else in double. */
static octave_value of_two_floats(const char *name, const octave_value_list &arguments)
{
    check_count(name, arguments, 2, 2);
    array a = real_array_of(arguments(0), name), b = real_array_of(arguments(1), name);
    bool is_single = a->dtype == GPUMEX_DTYPE_F32 || b->dtype == GPUMEX_DTYPE_F32;
    int32_t dtype = is_single ? GPUMEX_DTYPE_F32 : GPUMEX_DTYPE_F64;
    return value_of(operate(*find_operation(name), converted(a, dtype), converted(b, dtype)));
}

/* The class of bitand (a, b): an integer class wins; of floats single; logical of logicals alone. */
static int32_t class_of_bits(const char *name, int32_t a, int32_t b)
{
    if (is_logical(a) && is_logical(b))
        return a;
    int32_t dtype = arithmetic_class(a, b);
    if (dtype == GPUMEX_DTYPE_NONE)
        error("%s: must have matching operand types", name);
    return dtype;
}

/* Of the bits of whole numbers: those of floats are rounded to uint64 first, as Octave does. OF_LOGICALS is the same of logicals. */
static octave_value of_bits(const char *name, octave_value::binary_op of_logicals, const octave_value_list &arguments)
{
    check_count(name, arguments, 2, 2);
    array a = real_array_of(arguments(0), name), b = real_array_of(arguments(1), name);
    if (a->dims != b->dims && !is_scalar(a) && !is_scalar(b))
        error("%s: size of X and Y must match, or one operand must be a scalar", name);
    int32_t dtype = class_of_bits(name, a->dtype, b->dtype);
    if (is_logical(dtype))
        return value_of(operate(*find_operation(of_logicals), a, b));
    int32_t whole = is_float(dtype) ? static_cast<int32_t>(GPUMEX_DTYPE_U64) : dtype;
    return value_of(converted(operate(*find_operation(name), converted(a, whole), converted(b, whole)), dtype));
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(mod, arguments, results)
{
    return of_two("mod", arguments);
}

GPU_METHOD(rem, arguments, results)
{
    return of_two("rem", arguments);
}

GPU_METHOD(atan2, arguments, results)
{
    return of_two_floats("atan2", arguments);
}

GPU_METHOD(hypot, arguments, results)
{
    return of_two_floats("hypot", arguments);
}

GPU_METHOD(bitand, arguments, results)
{
    return of_bits("bitand", octave_value::op_el_and, arguments);
}

GPU_METHOD(bitor, arguments, results)
{
    return of_bits("bitor", octave_value::op_el_or, arguments);
}

GPU_METHOD(bitxor, arguments, results)
{
    return of_bits("bitxor", octave_value::op_ne, arguments);
}

GPU_METHOD(bitshift, arguments, results)
{
    return of_two("bitshift", arguments);
}

GPU_METHOD(xor, arguments, results)
{
    check_count("xor", arguments, 2, 2);
    const operation &is_not = *find_operation(octave_value::op_not), &differ = *find_operation(octave_value::op_ne);
    array a = array_of(arguments(0), "xor"), b = array_of(arguments(1), "xor");
    return value_of(operate(differ, operate(is_not, a), operate(is_not, b)));
}

GPU_METHOD(merge, arguments, results)
{
    check_count("merge", arguments, 3, 3);
    array mask = array_of(arguments(0), "merge");
    if (!is_logical(mask->dtype))
        error("merge: first argument MASK must be logical");
    array a = array_of(arguments(1), "merge"), b = array_of(arguments(2), "merge");
    return value_of(operate(*find_operation("merge"), mask, a, b));
}

/* Whether all elements are equal; NaN is equal to NaN where that is asked for. */
static bool are_equal(const char *name, const octave_value_list &arguments, bool nan_is_equal)
{
    check_count(name, arguments, 2, 64);
    array first = array_of(arguments(0), name);
    const operation &equal = *find_operation(octave_value::op_eq), &is_nan = *find_operation("isnan");
    for (int k = 1; k < arguments.length(); k++) {
        if (dtype_of(arguments(k)) == GPUMEX_DTYPE_NONE && !is_gpu(arguments(k)))
            return false;
        array other = array_of(arguments(k), name);
        if (other->dims != first->dims)
            return false;
        if (first->dims.any_zero())
            continue;
        array same = operate(equal, first, other);
        if (nan_is_equal)
            same = operate(*find_operation(octave_value::op_el_or), same,
                           operate(*find_operation(octave_value::op_el_and), operate(is_nan, first), operate(is_nan, other)));
        if (!value_of(same).is_true())
            return false;
    }
    return true;
}

GPU_METHOD(isequal, arguments, results)
{
    return ovl(are_equal("isequal", arguments, false));
}

GPU_METHOD(isequaln, arguments, results)
{
    return ovl(are_equal("isequaln", arguments, true));
}
