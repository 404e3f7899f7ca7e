/* operators.h - the operators of the interpreter on gpuArrays. */
#pragma once

#include <octave/ov-typeinfo.h>

#include "array.h"

namespace gpuarrays {

/* For each operator, with a gpuArray and any array of numbers on either side. */
void install_operators(octave::type_info &types);

/* A op B for any two values of which one is a gpuArray. */
octave_value binary(octave_value::binary_op op, const octave_value &a, const octave_value &b);

/* The product of two matrices. */
array matrix_product(const array &a, const array &b);

} // namespace gpuarrays
