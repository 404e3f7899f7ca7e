/* positions.h - index vectors on the device. */
#pragma once

#include <octave/oct.h>

#include "library.h"

namespace gpuarrays {

/* The positions, from 0, of a subscript in a dimension of EXTENT elements, as 64-bit integers in device memory. The last few are kept:
 * programs index with the same vectors again and again. */
memory positions_of(const octave::idx_vector &subscript, octave_idx_type extent);

} // namespace gpuarrays
