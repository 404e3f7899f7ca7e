/* indexing.cc - A (i, j, …): subscripts as Octave reads them, the size of the result, masks on the device. */

#include "indexing.h"

#include <octave/lo-array-errwarn.h>

#include "expression.h"
#include "selection.h"
#include "value.h"

namespace gpuarrays {

using octave::idx_vector;

Array<idx_vector> subscripts(const octave_value_list &idx)
{
    int count = static_cast<int>(idx.length());
    Array<idx_vector> all(dim_vector(count, 1));
    int k = 0;
    try {
        for (k = 0; k < count; k++)
            all.xelem(k) = idx(k).index_vector();
    } catch (octave::index_exception &e) {
        e.set_pos_if_unset(count, k + 1);
        throw;
    }
    return all;
}

array mask_of(const octave_value_list &idx)
{
    if (idx.length() != 1 || !is_gpu(idx(0)))
        return array();
    array mask = array_of(idx(0), "index");
    return is_logical(mask->dtype) && count_of(mask) != 1 ? mask : array();
}

static bool is_vector(const dim_vector &dims)
{
    int longer = 0;
    for (int k = 0; k < dims.ndims(); k++)
        longer += dims(k) != 1;
    return longer == 1;
}

dim_vector size_of_linear(const dim_vector &dims, const dim_vector &original, octave_idx_type count)
{
    if (dims.numel() == 1 || count == 1 || !is_vector(dims) || !is_vector(original))
        return original;
    dim_vector size = dims; /* two vectors: that of A has the say */
    for (int k = 0; k < size.ndims(); k++)
        if (size(k) != 1)
            size(k) = count;
    return size;
}

static dim_vector size_of_masked(const array &a, const array &mask, octave_idx_type count)
{
    bool is_row = mask->dims.ndims() == 2 && mask->dims(0) == 1 && mask->dims(1) != 1;
    return size_of_linear(a->dims, is_row ? dim_vector(1, count) : dim_vector(count, 1), count);
}

/* Of complex elements, which gpumex_compact does not take. */
static array masked_by_positions(const array &a, const array &mask)
{
    const std::size_t reach = std::min(count_of(mask), count_of(a));
    memory positions = allocate(reach * sizeof(uint64_t));
    gpumex_compact_options options = GPUMEX_COMPACT_OPTIONS_INIT;
    options.index_dtype = GPUMEX_DTYPE_U64;
    uint64_t needed = 0;
    if (reach > 0)
        check(gpumex_compact(context(), &options, nullptr, static_cast<const uint8_t *>(elements(mask)), reach, nullptr,
                             data_of(positions), reach, &needed),
              "index");
    const octave_idx_type count = static_cast<octave_idx_type>(needed);
    array made = new_array(size_of_masked(a, mask, count), a->dtype);
    selection chosen(dim_vector(a->dims.numel(), 1));
    chosen.set_positions(0, data_of(positions), GPUMEX_DTYPE_U64, 0, count);
    check(chosen.read(a->dtype, elements(a), data_of(made->data)), "index");
    return made;
}

/* The elements that a mask marks; how many there are has to be known. */
static array masked(const array &a, const array &mask)
{
    if (is_complex(a->dtype))
        return masked_by_positions(a, mask);
    const void *flags = elements(mask);
    gpumex_compact_options options = GPUMEX_COMPACT_OPTIONS_INIT;
    options.dtype = a->dtype;
    const std::size_t reach = std::min(count_of(mask), count_of(a));
    memory kept = allocate(reach * bytes_of(a->dtype));
    uint64_t needed = 0;
    check(gpumex_compact(context(), &options, elements(a), static_cast<const uint8_t *>(flags), reach, data_of(kept),
                         nullptr, reach, &needed),
          "index");
    array made = new_array(size_of_masked(a, mask, static_cast<octave_idx_type>(needed)), a->dtype);
    made->nonnegative = a->nonnegative;
    copy(data_of(made->data), data_of(kept), count_of(made) * bytes_of(a->dtype), "index");
    return made;
}

Array<idx_vector> one_subscript(const idx_vector &subscript)
{
    Array<idx_vector> all(dim_vector(2, 1), idx_vector(octave_idx_type(0)));
    all.xelem(0) = subscript;
    return all;
}

static array linear(const array &a, const idx_vector &subscript)
{
    octave_idx_type count = a->dims.numel();
    if (subscript.is_colon())
        return reshaped(a, dim_vector(count, 1));
    if (subscript.extent(count) != count)
        octave::err_index_out_of_range(1, 1, subscript.extent(count), count, a->dims);
    dim_vector size = size_of_linear(a->dims, subscript.orig_dimensions(), subscript.length(count));
    array made = new_array(size, a->dtype);
    made->nonnegative = a->nonnegative;
    read_elements(a, dim_vector(count, 1), one_subscript(subscript), made);
    return made;
}

array indexed(const array &a, const octave_value_list &idx)
{
    if (idx.length() == 0)
        return a;
    if (array mask = mask_of(idx))
        if (count_of(mask) <= count_of(a))
            return masked(a, mask);
    if (array made = indexed_by_arrays(a, idx))
        return made;
    const Array<idx_vector> all = subscripts(idx);
    if (all.numel() == 1)
        return linear(a, all(0));

    int rank = static_cast<int>(all.numel());
    dim_vector dims = a->dims.redim(rank), size = dims;
    bool is_everything = true;
    for (int k = 0; k < rank; k++) {
        if (all(k).extent(dims(k)) != dims(k))
            octave::err_index_out_of_range(rank, k + 1, all(k).extent(dims(k)), dims(k), a->dims);
        size(k) = all(k).length(dims(k));
        is_everything = is_everything && all(k).is_colon_equiv(dims(k));
    }
    if (is_everything)
        return reshaped(a, dims);
    array made = new_array(size, a->dtype);
    made->nonnegative = a->nonnegative;
    read_elements(a, dims, all, made);
    return made;
}

array deleted(const array &a, const octave_value_list &idx)
{
    const Array<idx_vector> all = subscripts(idx);
    int rank = static_cast<int>(all.numel()), dim = -1, others = 0;
    if (rank == 1) {
        octave_idx_type count = a->dims.numel();
        if (all(0).is_colon())
            return new_array(dim_vector(0, 0), a->dtype);
        if (all(0).length(count) == 0)
            return a;
        if (all(0).extent(count) != count)
            octave::err_del_index_out_of_range(true, all(0).extent(count), count);
        octave_idx_type first, behind;
        array left = indexed(a, octave_value_list(octave_value(all(0).complement(count))));
        if (!all(0).is_cont_range(count, first, behind))
            return left;
        bool is_column = a->dims.ndims() == 2 && a->dims(1) == 1 && a->dims(0) != 1;
        octave_idx_type rest = left->dims.numel();
        return reshaped(left, is_column ? dim_vector(rest, 1) : dim_vector(1, rest));
    }
    for (int k = 0; k < rank; k++)
        if (!all(k).is_colon()) {
            dim = dim < 0 ? k : dim;
            others++;
        }
    if (dim < 0) {
        dim_vector size = a->dims;
        size(0) = 0;
        return new_array(size, a->dtype);
    }
    if (others > 1) { /* an empty one in front of the second that is not everything deletes nothing */
        int partial = 0;
        for (int k = 0; k < rank && partial < 2; k++) {
            octave_idx_type extent = k < a->dims.ndims() ? a->dims(k) : 1;
            if (all(k).length(extent) == 0)
                return a;
            partial += !all(k).is_colon_equiv(extent);
        }
        error("a null assignment can only have one non-colon index");
    }
    if (dim >= a->dims.ndims())
        error("gpuArray: invalid dimension in a null assignment");
    octave_idx_type extent = a->dims(dim);
    if (all(dim).length(extent) == 0)
        return a;
    if (all(dim).extent(extent) != extent)
        octave::err_del_index_out_of_range(false, all(dim).extent(extent), extent);
    octave_value_list kept(a->dims.ndims(), octave_value(octave_value::magic_colon_t));
    kept(dim) = octave_value(all(dim).complement(extent));
    return indexed(a, kept);
}

} // namespace gpuarrays
