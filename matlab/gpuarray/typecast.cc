/* typecast.cc - the bytes of an array as elements of another class. */

#include "methods.h"

using namespace gpuarrays;

GPU_METHOD(typecast, arguments, results)
{
    check_count("typecast", arguments, 2, 2);
    array a = real_array_of(arguments(0), "typecast");
    std::string name = arguments(1).xstring_value("typecast: TYPE must be a string");
    const element_class *type = find_class(name);
    if (type == nullptr || is_logical(type->dtype))
        fail("notServed", "typecast: not served for gpuArrays and the class '%s'", name.c_str());
    if (a->dims.ndims() > 2 || (a->dims(0) != 1 && a->dims(1) != 1 && !a->dims.zero_by_zero()))
        error("typecast: X must be a vector");
    const std::size_t bytes = count_of(a) * bytes_of(a->dtype);
    if (bytes % type->bytes != 0)
        error("typecast: incorrect number of input values to make output value");
    const octave_idx_type count = static_cast<octave_idx_type>(bytes / type->bytes);
    array made = std::make_shared<node>(a->dims(0) == 1 ? dim_vector(1, count) : dim_vector(count, 1), type->dtype);
    elements(a);
    made->data = a->data;
    made->nonnegative = is_unsigned(type->dtype);
    return value_of(made);
}
