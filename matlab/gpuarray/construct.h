/* construct.h - arrays that begin on the device: gpuArray.zeros (2, 3) and its relatives. */
#pragma once

#include "array.h"

namespace gpuarrays {

/* The value of gpuArray.NAME (arguments…). */
octave_value construct(const std::string &name, const octave_value_list &arguments);

/* What zeros (2, 3, 'single') and the like say: a size, and a class. */
struct form {
    dim_vector dims = dim_vector(1, 1);
    int32_t dtype = GPUMEX_DTYPE_F64;
};

/* Reads the arguments of NAME; a word is a class ('gpuArray' says nothing), and 'like' an example. */
form read_form(const std::string &name, const octave_value_list &arguments, int32_t dtype = GPUMEX_DTYPE_F64);

array filled(const dim_vector &dims, int32_t dtype, double value);

} // namespace gpuarrays
