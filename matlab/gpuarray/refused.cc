/* refused.cc - functions of Octave that end the process, return nothing, or return an array of the host, where they meet a type that they
 * do not know. */

#include "methods.h"

namespace gpuarrays {

[[noreturn]] static void refuse(const char *name)
{
    fail("notServed", "%s: not served for gpuArrays; gather gives an array of the host", name);
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(base64_encode, arguments, results)
{
    refuse("base64_encode");
}

GPU_METHOD(bitpack, arguments, results)
{
    refuse("bitpack");
}

GPU_METHOD(bitunpack, arguments, results)
{
    refuse("bitunpack");
}

GPU_METHOD(num2cell, arguments, results)
{
    refuse("num2cell");
}

GPU_METHOD(cellslices, arguments, results)
{
    refuse("cellslices");
}
