/* device_indexing.cc - subscripts that are gpuArrays: their elements stay on the device, and the library looks whether they are in range. */

#include "expression.h"
#include "indexing.h"
#include "reductions.h"
#include "selection.h"
#include "value.h"

namespace gpuarrays {

using octave::idx_vector;

static const std::size_t shortest = 1024; /* below, reading the subscripts costs no more than the answer of the check */

namespace {

/* The subscripts of a call. */
struct device_subscripts {
    dim_vector dims, lengths;
    std::vector<array> arrays; /* those on the device */
    bool is_served = false;
};

} // namespace

static bool has_arrays(const octave_value_list &idx)
{
    for (int k = 0; k < idx.length(); k++)
        if (is_gpu(idx(k)) && !idx(k).iscomplex() && static_cast<std::size_t>(idx(k).numel()) >= shortest)
            return true;
    return false;
}

/* A class of positions that the library takes. */
static array as_positions(const array &a)
{
    bool is_taken = is_logical(a->dtype) || a->dtype == GPUMEX_DTYPE_F64 || bytes_of(a->dtype) >= 4;
    return is_taken && a->dtype != GPUMEX_DTYPE_F32 ? a : converted(a, GPUMEX_DTYPE_F64);
}

/* Fills in a dimension; false where Octave's own way has to serve it, or to refuse it. */
static bool add_subscript(device_subscripts &s, selection &chosen, int k, const octave_value &subscript)
{
    octave_idx_type extent = s.dims(k);
    if (is_gpu(subscript) && !subscript.iscomplex() && subscript.numel() > 1) {
        array a = as_positions(array_of(subscript, "index"));
        bool is_mask = is_logical(a->dtype);
        if (is_mask && a->dims.numel() != extent)
            return false;
        octave_idx_type length = is_mask ? static_cast<octave_idx_type>(count_nonzeros(a)) : a->dims.numel();
        chosen.set_positions(k, elements(a), a->dtype, is_mask ? 0 : -1, length);
        s.arrays.push_back(a);
        s.lengths(k) = length;
        return length > 0;
    }
    idx_vector known = subscript.index_vector();
    octave_idx_type length = known.length(extent);
    if (known.extent(extent) != extent || length == 0)
        return false;
    s.lengths(k) = length;
    if (known.is_colon())
        return true;
    if (length == 1 || known.is_range()) {
        octave_idx_type start = known.xelem(0);
        chosen.set_range(k, start, length > 1 ? known.xelem(1) - start : 1, length, false);
        return true;
    }
    return false;
}

static device_subscripts read_subscripts(const array &a, const octave_value_list &idx, selection &chosen)
{
    device_subscripts s;
    int rank = static_cast<int>(idx.length());
    s.dims = s.lengths = rank == 1 ? dim_vector(a->dims.numel(), 1) : a->dims.redim(rank);
    chosen = selection(s.dims);
    for (int k = 0; k < rank; k++)
        if (!add_subscript(s, chosen, k, idx(k)))
            return s;
    s.is_served = true;
    return s;
}

array indexed_by_arrays(const array &a, const octave_value_list &idx)
{
    if (!has_arrays(idx) || a->dims.any_zero())
        return array();
    selection chosen{dim_vector()};
    device_subscripts s = read_subscripts(a, idx, chosen);
    if (!s.is_served)
        return array();
    dim_vector size = s.lengths;
    if (idx.length() == 1 && !is_logical(s.arrays[0]->dtype))
        size = size_of_linear(a->dims, s.arrays[0]->dims, s.lengths(0));
    else if (idx.length() == 1)
        return array();
    array made = new_array(size, a->dtype);
    made->nonnegative = a->nonnegative;
    int32_t status = chosen.read(a->dtype, elements(a), data_of(made->data), true);
    if (status == GPUMEX_STATUS_INVALID_ARGUMENT)
        return array(); /* out of range, or no whole number: Octave's error */
    check(status, "index");
    return made;
}

array assigned_by_arrays(const array &a, bool is_alone, const octave_value_list &idx, const array &rhs)
{
    if (!has_arrays(idx) || a->dims.any_zero())
        return array();
    selection chosen{dim_vector()};
    device_subscripts s = read_subscripts(a, idx, chosen);
    bool broadcast = count_of(rhs) == 1;
    dim_vector given = rhs->dims, lengths = s.lengths;
    given.chop_all_singletons();
    lengths.chop_all_singletons();
    if (!s.is_served || !(broadcast || given == lengths || (idx.length() == 1 && rhs->dims.numel() == s.lengths(0))))
        return array();
    array target = own(a, is_alone);
    int32_t status = chosen.write(a->dtype, elements(rhs), broadcast, data_of(target->data), true);
    if (status == GPUMEX_STATUS_INVALID_ARGUMENT)
        return array(); /* behind the end: A grows, or Octave's error */
    check(status, "indexed assignment");
    target->nonnegative = is_logical(a->dtype) || is_unsigned(a->dtype) || (a->nonnegative && rhs->nonnegative);
    return target;
}

} // namespace gpuarrays
