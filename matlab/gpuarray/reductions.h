/* reductions.h - all elements of an array, or those along a dimension, in one. */
#pragma once

#include "array.h"

namespace gpuarrays {

bool all_true(const array &a);
std::size_t count_nonzeros(const array &a);

/* Along a dimension, from 0: sum, prod, any, all, max, min … by the number of the operation in gpumex_reduce_dim. */
struct along {
    std::size_t inner, count, outer;
    dim_vector result;
};

/* How the elements lie along a dimension. */
along extents_along(const array &a, int dim);

/* The first dimension of more than one element, from 0. */
int default_dimension(const dim_vector &dims);

} // namespace gpuarrays
