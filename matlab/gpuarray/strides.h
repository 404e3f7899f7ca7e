/* strides.h - copies with strides: what permutes, slices, joins and repeats. */
#pragma once

#include "array.h"

namespace gpuarrays {

/* Places in memory, one for each element of a shape: an offset and a stride in each dimension, in elements. */
struct places {
    std::vector<octave_idx_type> shape, strides;
    octave_idx_type offset = 0;
};

/* to[...] <- from[...], for two places of the same shape; stride 0 in FROM repeats. Both arrays are of the dtype. */
void copy_strided(int32_t dtype, const void *from, const places &source, void *to, const places &target);

/* The places of an array of this size, all of it. */
places all_of(const dim_vector &dims);

} // namespace gpuarrays
