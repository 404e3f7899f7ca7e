/* help.h - help texts of the functions. */
#pragma once

#include <string>

namespace gpuarrays {

/* What `help NAME` shows; of a method that is Octave's function for gpuArrays a line that says so. */
std::string help_of(const std::string &name);

} // namespace gpuarrays
