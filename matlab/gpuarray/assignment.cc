/* assignment.cc - A (i, j, …) = B: growth, the class of the result, elements written in place where nobody else has them. */

#include <octave/Array-util.h>
#include <octave/lo-array-errwarn.h>

#include "expression.h"
#include "indexing.h"
#include "shapes.h"

namespace gpuarrays {

using octave::idx_vector;

/* A keeps its class; but a logical one that is assigned singles becomes double, as in Octave, and what is assigned complex numbers
   becomes complex. */
static int32_t class_of_assigned(int32_t a, int32_t b)
{
    if (is_complex(b) && is_integer(a))
        fail("complex", "indexed assignment: complex numbers into a gpuArray of the class %s", name_of(a));
    if (is_complex(b) && !is_complex(a))
        return complex_of(a);
    return is_logical(a) && b == GPUMEX_DTYPE_F32 ? static_cast<int32_t>(GPUMEX_DTYPE_F64) : a;
}

/* The size of A with COUNT elements after A (i) = b with an i behind its end. */
static dim_vector grown(const dim_vector &dims, octave_idx_type count)
{
    if (dims.ndims() == 2 && (dims(0) == 0 || dims(0) == 1))
        return dim_vector(1, count);
    if (dims.ndims() == 2 && dims(1) == 1)
        return dim_vector(count, 1);
    octave::err_invalid_resize();
    return dims;
}

static array write(const array &a, bool is_alone, const dim_vector &dims, const Array<idx_vector> &all, const array &rhs)
{
    bool nonnegative = a->nonnegative && rhs->nonnegative;
    array target = own(a, is_alone);
    write_elements(target, dims, all, rhs);
    target->nonnegative = nonnegative || is_logical(target->dtype) || is_unsigned(target->dtype);
    return target;
}

/* The right-hand side in place of all of A. */
static array replaced(const array &a, const array &rhs)
{
    if (count_of(rhs) == count_of(a))
        return reshaped(rhs, a->dims);
    array made = new_array(a->dims, rhs->dtype);
    write_elements(made, dim_vector(made->dims.numel(), 1), one_subscript(idx_vector::colon), rhs);
    made->nonnegative = rhs->nonnegative;
    return made;
}

static array assign_linear(array a, bool is_alone, const idx_vector &subscript, const array &rhs)
{
    octave_idx_type count = a->dims.numel(), given = rhs->dims.numel();
    if (given != 1 && subscript.length(count) != given)
        octave::err_nonconformant("=", dim_vector(subscript.length(count), 1), rhs->dims);
    octave_idx_type extent = subscript.extent(count);
    if (extent != count) {
        a = resized(a, grown(a->dims, extent));
        is_alone = true;
    }
    if (subscript.is_colon_equiv(extent))
        return replaced(a, rhs);
    return write(a, is_alone, dim_vector(extent, 1), one_subscript(subscript), rhs);
}

/* Whether the subscripts have as many elements as the right-hand side, dimensions of one element apart. */
static bool matches(const Array<idx_vector> &all, const dim_vector &extents, const dim_vector &rhs)
{
    dim_vector given = rhs;
    given.chop_all_singletons();
    int rank = static_cast<int>(all.numel()), j = 0;
    bool is_same = true;
    for (int k = 0; k < rank; k++) {
        octave_idx_type length = all(k).length(extents(k));
        if (length != 1)
            is_same = is_same && j < given.ndims() && length == given(j++);
    }
    if (rank == 2) { /* a column where a row is asked for is refused, but for the last dimension */
        octave_idx_type rows = all(0).length(extents(0)), columns = all(1).length(extents(1));
        return given.ndims() == 2
               && ((rows == given(0) && columns == given(1)) || (rows == 1 && columns == given(0) && given(1) == 1));
    }
    return is_same && (j >= given.ndims() || given(j) == 1);
}

static array assign_nd(array a, bool is_alone, const Array<idx_vector> &all, const array &rhs)
{
    int rank = static_cast<int>(all.numel());
    dim_vector dims = a->dims.redim(rank), extents = dims, lengths = dims;
    if (a->dims.all_zero()) /* colons ask the right-hand side */
        extents = rank == 2 ? zero_dims_inquire(all(0), all(1), rhs->dims) : zero_dims_inquire(all, rhs->dims);
    else
        for (int k = 0; k < rank; k++)
            extents(k) = all(k).extent(dims(k));
    bool is_everything = true, is_empty = false;
    for (int k = 0; k < rank; k++) {
        lengths(k) = all(k).length(extents(k));
        is_everything = is_everything && all(k).is_colon_equiv(extents(k));
        is_empty = is_empty || lengths(k) == 0;
    }
    if (rhs->dims.numel() != 1 && !matches(all, extents, rhs->dims)) {
        if (!is_empty || !rhs->dims.any_zero())
            octave::err_nonconformant("=", lengths, rhs->dims);
        return a;
    }
    if (extents != dims) {
        if (a->dims.ndims() > rank)
            octave::err_invalid_resize();
        a = resized(a, extents);
        is_alone = true;
    }
    if (is_everything)
        return replaced(a, rhs);
    return write(a, is_alone, extents, all, rhs);
}

array assigned(const array &before, bool is_alone, const octave_value_list &idx, const array &rhs)
{
    if (idx.length() == 0)
        error("missing index in indexed assignment");
    int32_t dtype = class_of_assigned(before->dtype, rhs->dtype);
    array a = converted(before, dtype), given = converted(rhs, dtype);
    is_alone = is_alone || a != before;
    array mask = mask_of(idx);
    if (mask && mask->dims == a->dims && count_of(given) == 1)
        return operate(*find_operation("merge"), mask, given, a);
    if (array made = assigned_by_arrays(a, is_alone, idx, given))
        return made;
    const Array<idx_vector> all = subscripts(idx);
    if (all.numel() == 1)
        return assign_linear(a, is_alone, all(0), given);
    return assign_nd(a, is_alone, all, given);
}

} // namespace gpuarrays
