/* indexing.h - A (i, j, …) of a gpuArray, read, assigned and deleted. */
#pragma once

#include "array.h"

namespace gpuarrays {

/* A (idx). */
array indexed(const array &a, const octave_value_list &idx);

/* A (idx) = rhs. Where the caller is the only one that has A it is written in place, after all checks. */
array assigned(const array &a, bool is_alone, const octave_value_list &idx, const array &rhs);

/* A (idx) = []. */
array deleted(const array &a, const octave_value_list &idx);

/* Subscripts as Octave reads them, each with its position for errors. A gpuArray among them is read. */
Array<octave::idx_vector> subscripts(const octave_value_list &idx);

/* A subscript of all elements as one column, for the two functions below. */
Array<octave::idx_vector> one_subscript(const octave::idx_vector &subscript);

/* The mask, where there is one subscript and that is a logical gpuArray; NULL otherwise. */
array mask_of(const octave_value_list &idx);

/* The same where subscripts are long gpuArrays, which are not read then; NULL where they are not, or one is out of range. */
array indexed_by_arrays(const array &a, const octave_value_list &idx);
array assigned_by_arrays(const array &a, bool is_alone, const octave_value_list &idx, const array &rhs);

/* The size of A (i) with COUNT elements, where the subscript itself has the size ORIGINAL. */
dim_vector size_of_linear(const dim_vector &dims, const dim_vector &original, octave_idx_type count);

/* Elements at SUBSCRIPTS of dimensions DIMS, which hold them, dense; and back. SOURCE of one element is assigned everywhere. */
void read_elements(const array &a, const dim_vector &dims, const Array<octave::idx_vector> &subscripts, const array &result);
void write_elements(const array &a, const dim_vector &dims, const Array<octave::idx_vector> &subscripts, const array &source);

} // namespace gpuarrays
