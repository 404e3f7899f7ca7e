/* device.h - what is done with the device beside computing. */
#pragma once

#include <octave/oct.h>

namespace gpuarrays {

/* reset (gpuDevice): waits, and gives memory back that no array has. Unlike MATLAB's it keeps arrays. */
octave_value_list reset_device();

} // namespace gpuarrays
