/* methods.h - functions of the interpreter: GPU_METHOD (name) is called where an argument is a gpuArray, GPU_FUNCTION (name) always.
 *
 * build_gpumex finds the names in the sources: for a method it makes @gpuArray/NAME.oct, for a function NAME.oct, each the same file
 * as gpuArray.oct, in which the interpreter looks for GNAME. */
#pragma once

#include <octave/oct.h>
#include <octave/ov-dld-fcn.h>

#include "value.h"

namespace gpuarrays {

using implementation = octave_value_list (*)(const octave_value_list &, int);

octave_function *make_method(implementation body, const octave::dynamic_library &library, const char *name);
octave_function *make_function(implementation body, const octave::dynamic_library &library, const char *name);

/* Raises the error of a wrong number of arguments. */
void check_count(const char *name, const octave_value_list &arguments, int least, int most);

} // namespace gpuarrays

#define GPU_DEFINE(name, make, arguments, results)                                                                          \
    static octave_value_list gpu_##name([[maybe_unused]] const octave_value_list &arguments, [[maybe_unused]] int results); \
    extern "C" OCTAVE_EXPORT octave_function *G##name(const octave::dynamic_library &library, bool)                         \
    {                                                                                                                       \
        check_version(OCTAVE_API_VERSION, #name);                                                                           \
        return gpuarrays::make(gpu_##name, library, #name);                                                                 \
    }                                                                                                                       \
    static octave_value_list gpu_##name([[maybe_unused]] const octave_value_list &arguments, [[maybe_unused]] int results)

#define GPU_METHOD(name, arguments, results) GPU_DEFINE(name, make_method, arguments, results)
#define GPU_FUNCTION(name, arguments, results) GPU_DEFINE(name, make_function, arguments, results)
