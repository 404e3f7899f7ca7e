/* reductions.h - elements along a dimension in one, and prefixes. */
#pragma once

#include "array.h"

namespace gpuarrays {

bool all_true(const array &a);
std::size_t count_nonzeros(const array &a);

/* How the elements lie along a dimension, from 0: INNER neighbours apart, COUNT of them, in OUTER blocks. */
struct along {
    std::size_t inner = 1, count = 1, outer = 1;
};
along extents_along(const dim_vector &dims, int dim);

/* The first dimension that has not one element, from 0. */
int default_dimension(const dim_vector &dims);

/* The word "all", which MATLAB takes in the place of a dimension. */
bool is_word_all(const octave_value &value);

/* The dimension that an argument of FUNCTION names, from 0. */
int read_dimension(const octave_value &value, const char *function);

/* OP, a gpumex_dim_reduction, along a dimension, in the class DTYPE; `positions` receives those of extrema, from 0, of class uint64, or is
 * NULL. The size is Octave's: that of a 0x0 array is 1x1. */
array reduced(const array &a, int32_t op, int dim, int32_t dtype, const char *function, array *positions = nullptr,
              int32_t nan = GPUMEX_NAN_FLAG_DEFAULT);

/* The gpumex_nan_flag of MATLAB's word "omitnan" or "includenan"; below 0: another word. */
int32_t nan_flag_of(const std::string &word);

/* The prefixes of OP along a dimension, in the class DTYPE. */
array scanned(const array &a, int32_t op, int dim, int32_t dtype, const char *function);

} // namespace gpuarrays
