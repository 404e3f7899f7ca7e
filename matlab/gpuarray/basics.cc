/* basics.cc - gpuArray, gather, and what a value is. */

#include "construct.h"
#include "expression.h"
#include "methods.h"

using namespace gpuarrays;

GPU_FUNCTION(gpuArray, arguments, results)
{
    check_count("gpuArray", arguments, 0, 1);
    if (arguments.length() == 0)
        return octave_value(gpu_value::factory());
    return value_of(array_of(arguments(0), "gpuArray"));
}

GPU_FUNCTION(gather, arguments, results)
{
    octave_value_list gathered;
    if (arguments.length() == 0)
        error("Invalid call to gather");
    for (int k = 0; k < arguments.length(); k++)
        gathered.append(on_host(arguments(k)));
    return gathered;
}

GPU_FUNCTION(isgpuarray, arguments, results)
{
    check_count("isgpuarray", arguments, 1, 1);
    return ovl(is_gpu(arguments(0)));
}

GPU_FUNCTION(existsOnGPU, arguments, results)
{
    check_count("existsOnGPU", arguments, 1, 1);
    return ovl(is_gpu(arguments(0)));
}

GPU_FUNCTION(underlyingType, arguments, results)
{
    check_count("underlyingType", arguments, 1, 1);
    const octave_value &x = arguments(0);
    return ovl(is_gpu(x) ? std::string(name_of(array_of(x, "")->dtype)) : x.class_name());
}

GPU_FUNCTION(classUnderlying, arguments, results)
{
    return gpu_underlyingType(arguments, results);
}

GPU_FUNCTION(isUnderlyingType, arguments, results)
{
    check_count("isUnderlyingType", arguments, 2, 2);
    return ovl(gpu_underlyingType(arguments.slice(0, 1), 1)(0).string_value() == arguments(1).xstring_value(
                   "isUnderlyingType: the second argument is the name of a class"));
}

GPU_METHOD(logical, arguments, results)
{
    check_count("logical", arguments, 1, 1);
    return value_of(converted(array_of(arguments(0), "logical"), GPUMEX_DTYPE_BOOL));
}
