/* help.cc - help texts of the functions. */

#include "help.h"

#include <map>

namespace gpuarrays {

static const char gpuarray_help[] = R"(GPUARRAY  An array on the device, with operators and indexing.
   G = gpuArray (X) copies X, a full array of numbers or logicals, to the memory
   of the device on which gpumex computes. G has the size of X and the class
   gpuArray; underlyingType (G) is the class of its elements. Operators, indices
   and functions work as with X and give gpuArrays; arrays of the host may be
   mixed in. gather (G) copies back.

   gpuArray.NAME (SIZE..., CLASS) makes an array on the device: zeros, ones, eye,
   inf, nan, true, false, rand, randn, randi, linspace, logspace, colon.
   zeros (SIZE..., 'gpuArray') and zeros (SIZE..., 'like', G) do the same.
   gpuArray.rng (SEED) sets where the random numbers begin.

   Element-wise operations are computed when their elements are needed, a chain
   of them in one pass over memory. What is not served is an error that names
   the function. Sparse arrays are not served. Complex arrays stay complex, also
   where imaginary parts are 0; real functions stay real: sqrt of a negative
   number is an error, sqrt (complex (X)) is its root.

   Errors: gpumex:gpuArray:invalidData, complex, sparse, nan, notServed,
   notElementwise, mixedClasses, invalidClass, invalidDevice, and the states of
   the library: noDevice, unsupported, outOfMemory, cuda, busy, internal.

   Example:
      x = gpuArray (rand (1000));
      y = gather (sum (sqrt (x) .* x + 1));

   See also gather, gpuDevice, arrayfun, pagefun, gputimeit, gpumex.info.
)";

static const char device_help[] = R"(GPUDEVICE  The device on which gpuArrays are computed.
   D = gpuDevice returns its properties as a structure: Name, Index (0: the CPU),
   Backend ('cuda' or 'cpu'), ComputeCapability, TotalMemory, AvailableMemory and
   others. Without a GPU it is the CPU.
   gpuDevice (K) chooses the GPU number K, from 1; gpuDevice ('cpu') and
   gpuDevice ('cuda') choose a backend. Arrays that are there stay where they are.

   See also gpuDeviceCount, wait, gpumex.device.
)";

static const char gather_help[] = R"(GATHER  The elements of a gpuArray as an array of the host.
   X = gather (G) computes what is pending, waits and copies. [X, Y] = gather (G, H)
   does it for several arrays. An array of the host is returned as it is.

   See also gpuArray.
)";

std::string help_of(const std::string &name)
{
    static const std::map<std::string, const char *> texts = {
        {"gpuArray", gpuarray_help},
        {"gpuDevice", device_help},
        {"gather", gather_help},
        {"gpuDeviceCount", "GPUDEVICECOUNT  Number of GPUs.\n   See also gpuDevice.\n"},
        {"wait", "WAIT  Wait for the device.\n   wait (gpuDevice) computes what variables have pending, and returns when the device has\n"
                 "   done everything.\n\n   See also gpuDevice, gputimeit.\n"},
        {"isgpuarray", "ISGPUARRAY  Whether a value is a gpuArray.\n"},
        {"existsOnGPU", "EXISTSONGPU  Whether a value is a gpuArray whose elements are there.\n"},
        {"underlyingType", "UNDERLYINGTYPE  Class of the elements of a gpuArray; of another value its class.\n"},
        {"classUnderlying", "CLASSUNDERLYING  Class of the elements of a gpuArray; the older name of underlyingType.\n"},
        {"isUnderlyingType", "ISUNDERLYINGTYPE  Whether the elements of a gpuArray have a class.\n"},
        {"pagemtimes", "PAGEMTIMES  Products of the pages of two arrays.\n   C(:,:,k) = A(:,:,k) * B(:,:,k); one page of either goes with "
                       "every page of the other.\n\n   See also pagefun.\n"},
        {"arrayfun", "ARRAYFUN  Call a function with each element of gpuArrays.\n   The function is called once, with the arrays, which is the "
                     "same where all that it does is\n   element-wise; an index, a condition, a reduction in it is an error.\n\n"
                     "   Example:\n      y = arrayfun (@(a, b) a^2 + b * 3, gpuArray (x), 1);\n"}};
    auto found = texts.find(name);
    if (found != texts.end())
        return found->second;
    return name + " of a gpuArray is computed on its device, by the rules of Octave's function: see `help " + name + "`.\n";
}

} // namespace gpuarrays
