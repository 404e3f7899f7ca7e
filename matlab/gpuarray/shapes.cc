/* shapes.cc - permute, transpose, resize, join: copies with strides. */

#include "shapes.h"

#include <algorithm>

#include "strides.h"

namespace gpuarrays {

/* Without the dimensions of one element, as gpumex_permute takes at most eight. */
static array transposed_memory(const array &a, const dim_vector &dims, const std::vector<octave_idx_type> &shape,
                               const std::vector<int> &from)
{
    std::vector<std::size_t> extents;
    std::vector<int> place(shape.size(), -1);
    std::vector<int32_t> order;
    for (std::size_t k = 0; k < shape.size(); k++)
        if (shape[k] != 1) {
            place[k] = static_cast<int>(extents.size());
            extents.push_back(static_cast<std::size_t>(shape[k]));
        }
    for (int k : from)
        if (place[k] >= 0)
            order.push_back(place[k]);
    if (extents.size() > 8)
        fail("unsupported", "permute: gpuArrays of more than 8 dimensions are not served");
    array made = new_array(dims, a->dtype);
    made->nonnegative = a->nonnegative;
    gpumex_permute_options options = GPUMEX_PERMUTE_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.rank = static_cast<int32_t>(extents.size());
    check(gpumex_permute(context(), &options, elements(a), extents.data(), order.data(), data_of(made->data)), "permute");
    return made;
}

array permuted(const array &a, const Array<int> &order, bool inverse)
{
    int rank = static_cast<int>(order.numel());
    if (rank < a->dims.ndims())
        error("permute: PERM is too short: it has %d elements for %d dimensions", rank, static_cast<int>(a->dims.ndims()));
    std::vector<int> from(rank, -1);
    for (int k = 0; k < rank; k++) {
        int dim = order.xelem(k);
        if (dim < 0 || dim >= rank || std::find(from.begin(), from.end(), dim) != from.end())
            error("permute: permutation vector %s", dim < 0 || dim >= rank ? "contains an invalid element" : "cannot contain identical elements");
        from[k] = dim;
    }
    if (inverse) {
        std::vector<int> forward = from;
        for (int k = 0; k < rank; k++)
            from[forward[k]] = k;
    }
    const places all = all_of(a->dims.redim(rank));
    dim_vector dims = a->dims.redim(rank);
    int last = -1;
    bool is_reshape = true; /* the dimensions of more than one element stay in order */
    for (int k = 0; k < rank; k++) {
        dims(k) = all.shape[from[k]];
        if (dims(k) != 1) {
            is_reshape = is_reshape && from[k] > last;
            last = from[k];
        }
    }
    if (is_reshape || dims.any_zero())
        return reshaped(a, dims);
    return transposed_memory(a, dims, all.shape, from);
}

array transposed(const array &a)
{
    if (a->dims.ndims() > 2)
        error("transpose not defined for N-D objects");
    Array<int> order(dim_vector(1, 2));
    order.xelem(0) = 1;
    order.xelem(1) = 0;
    return permuted(a, order, false);
}

void clear(const array &a)
{
    static const uint64_t zero[2] = {0, 0};
    if (count_of(a) > 0)
        check(gpumex_fill(context(), a->dtype, data_of(a->data), count_of(a), zero), "gpuArray");
}

array resized(const array &a, const dim_vector &dims)
{
    if (dims == a->dims)
        return a;
    int rank = std::max(dims.ndims(), a->dims.ndims());
    dim_vector old_dims = a->dims.redim(rank), new_dims = dims.redim(rank);
    places source = all_of(old_dims), target = all_of(new_dims);
    bool is_cut = true;
    for (int k = 0; k < rank; k++) {
        is_cut = is_cut && new_dims(k) <= old_dims(k);
        source.shape[k] = target.shape[k] = std::min(old_dims(k), new_dims(k));
    }
    array made = new_array(dims, a->dtype);
    made->nonnegative = a->nonnegative;
    if (!is_cut)
        clear(made);
    copy_strided(a->dtype, elements(a), source, data_of(made->data), target);
    return made;
}

array joined(const std::vector<array> &parts, int dim, const dim_vector &dims, int32_t dtype)
{
    array made = new_array(dims, dtype);
    places target = all_of(dims);
    if (static_cast<std::size_t>(dim) >= target.shape.size()) { /* of one element along DIM */
        target.shape.resize(dim + 1, 1);
        target.strides.resize(dim + 1, dims.numel());
    }
    int rank = static_cast<int>(target.shape.size());
    for (const array &part : parts) {
        if (part->dims.any_zero())
            continue;
        places source = all_of(part->dims.redim(rank));
        places here = target;
        here.shape = source.shape;
        copy_strided(dtype, elements(part), source, data_of(made->data), here);
        target.offset += source.shape[dim] * target.strides[dim];
    }
    return made;
}

} // namespace gpuarrays
