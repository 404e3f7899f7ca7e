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

   Example:
      device = gpuDevice;
      printf ("%s: %.1f GB\n", device.Name, device.TotalMemory / 1e9);

   See also gpuDeviceCount, wait, gpumex.device.
)";

static const char gather_help[] = R"(GATHER  The elements of a gpuArray as an array of the host.
   X = gather (G) computes what is pending, waits and copies. [X, Y] = gather (G, H)
   does it for several arrays. An array of the host is returned as it is.

   Example:
      G = gpuArray ([1 2; 3 4]);
      x = gather (G .^ 2);                         % [1 4; 9 16]

   See also gpuArray.
)";

static const char device_count_help[] = R"(GPUDEVICECOUNT  Number of GPUs.
   N = gpuDeviceCount is the number of CUDA devices that can be chosen; 0 where
   gpuArrays are computed on the CPU.

   Example:
      for k = 1:gpuDeviceCount, disp (gpuDevice (k).Name); end

   See also gpuDevice.
)";

static const char wait_help[] = R"(WAIT  Wait for the device.
   wait (gpuDevice) computes what variables have pending, and returns when the
   device has done everything: what is timed by tic and toc needs it.

   Example:
      A = gpuArray.rand (500);
      tic; B = A * A; wait (gpuDevice); seconds = toc;

   See also gpuDevice, gputimeit.
)";

static const char is_gpuarray_help[] = R"(ISGPUARRAY  Whether a value is a gpuArray.

   Example:
      isgpuarray (gpuArray (1:3))                  % true
      isgpuarray (1:3)                             % false

   See also gpuArray, existsOnGPU.
)";

static const char exists_help[] = R"(EXISTSONGPU  Whether a value is a gpuArray whose elements are there.
   It is false once the device of the array was reset.

   Example:
      existsOnGPU (gpuArray (1:3))                 % true

   See also isgpuarray, gpuDevice.
)";

static const char underlying_type_help[] = R"(UNDERLYINGTYPE  Class of the elements of a gpuArray; of another value its class.

   Example:
      underlyingType (gpuArray (single (1:3)))     % 'single'

   See also isUnderlyingType, gpuArray.
)";

static const char class_underlying_help[] = R"(CLASSUNDERLYING  Class of the elements of a gpuArray.
   The older name of underlyingType.

   Example:
      classUnderlying (gpuArray (true))            % 'logical'

   See also underlyingType.
)";

static const char is_underlying_type_help[] = R"(ISUNDERLYINGTYPE  Whether the elements of a gpuArray have a class.

   Example:
      isUnderlyingType (gpuArray (1:3), 'double')  % true

   See also underlyingType.
)";

static const char pagemtimes_help[] = R"(PAGEMTIMES  Products of the pages of two arrays.
   C = pagemtimes (A, B) has the pages C(:,:,k) = A(:,:,k) * B(:,:,k); one page of
   either goes with every page of the other.

   Example:
      A = gpuArray.rand (4, 5, 100);
      C = pagemtimes (A, gpuArray.rand (5, 3));    % 4 x 3 x 100

   See also pagefun.
)";

static const char arrayfun_help[] = R"(ARRAYFUN  Call a function with each element of gpuArrays.
   The function is called once, with the arrays, which is the same where all that
   it does is element-wise; an index, a condition, a reduction in it is an error.

   Example:
      y = arrayfun (@(a, b) a^2 + b * 3, gpuArray (1:4), 1);

   See also gpuArray, pagefun.
)";

std::string help_of(const std::string &name)
{
    static const std::map<std::string, const char *> texts = {{"gpuArray", gpuarray_help},
                                                              {"gpuDevice", device_help},
                                                              {"gather", gather_help},
                                                              {"gpuDeviceCount", device_count_help},
                                                              {"wait", wait_help},
                                                              {"isgpuarray", is_gpuarray_help},
                                                              {"existsOnGPU", exists_help},
                                                              {"underlyingType", underlying_type_help},
                                                              {"classUnderlying", class_underlying_help},
                                                              {"isUnderlyingType", is_underlying_type_help},
                                                              {"pagemtimes", pagemtimes_help},
                                                              {"arrayfun", arrayfun_help}};
    auto found = texts.find(name);
    if (found != texts.end())
        return found->second;
    return name + " of a gpuArray is computed on its device, by the rules of Octave's function: see `help " + name + "`.\n";
}

} // namespace gpuarrays
