/* reductions.h - all elements of an array, or those along a dimension, in one. */
#pragma once

#include "array.h"

namespace gpuarrays {

bool all_true(const array &a);
std::size_t count_nonzeros(const array &a);

} // namespace gpuarrays
