/* shapes.h - the same elements in another order or size. */
#pragma once

#include "array.h"

namespace gpuarrays {

array permuted(const array &a, const Array<int> &order, bool inverse);
array transposed(const array &a);

/* Cut or filled up with zeros at the end of each dimension. */
array resized(const array &a, const dim_vector &dims);

/* Sets all elements to zero. */
void clear(const array &a);

/* The arrays one behind the other along a dimension (from 0), of one class; the sizes fit. */
array joined(const std::vector<array> &parts, int dim, const dim_vector &dims, int32_t dtype);

} // namespace gpuarrays
