/* selection.cc - subscripts as gpumex_gather_nd and gpumex_scatter_nd take them: as few dimensions as they need. */

#include "selection.h"

#include "positions.h"

namespace gpuarrays {

selection::selection(const dim_vector &dims)
{
    for (int k = 0; k < dims.ndims(); k++) {
        shape.push_back(static_cast<std::size_t>(dims(k)));
        counts.push_back(shape.back());
        starts.push_back(0);
        steps.push_back(1);
        wraps.push_back(0);
        dtypes.push_back(GPUMEX_DTYPE_I64);
        indices.push_back(nullptr);
    }
}

selection::selection(const dim_vector &dims, const Array<octave::idx_vector> &subscripts) : selection(dims)
{
    for (int k = 0; k < dims.ndims(); k++) {
        const octave::idx_vector &subscript = subscripts(k);
        octave_idx_type extent = dims(k), count = subscript.length(extent);
        if (subscript.is_colon())
            continue;
        if (count > 1 && !subscript.is_range()) {
            kept.push_back(positions_of(subscript, extent));
            set_positions(k, data_of(kept.back()), GPUMEX_DTYPE_I64, 0, count);
            continue;
        }
        octave_idx_type start = count > 0 ? subscript.xelem(0) : 0;
        set_range(k, start, count > 1 ? subscript.xelem(1) - start : 1, count, false);
    }
}

void selection::set_range(int dim, octave_idx_type start, octave_idx_type step, octave_idx_type extent, bool is_wrapped)
{
    counts[dim] = static_cast<std::size_t>(extent);
    starts[dim] = start;
    steps[dim] = step;
    wraps[dim] = is_wrapped;
}

void selection::set_positions(int dim, const void *positions, int32_t dtype, int64_t start, octave_idx_type extent)
{
    counts[dim] = static_cast<std::size_t>(extent);
    starts[dim] = start;
    dtypes[dim] = dtype;
    indices[dim] = positions;
}

std::size_t selection::count() const
{
    std::size_t product = 1;
    for (std::size_t extent : counts)
        product *= extent;
    return product;
}

/* Dimensions of one element go, and whole ones join the one in front of them: there are at most eight. */
void selection::join_dimensions()
{
    std::size_t last = 0;
    for (std::size_t k = 0; k < shape.size(); k++) {
        auto is_whole = [this](std::size_t d) {
            return indices[d] == nullptr && starts[d] == 0 && steps[d] == 1 && counts[d] == shape[d];
        };
        if (k > 0 && is_whole(k) && (shape[k] == 1 || is_whole(last))) {
            shape[last] *= shape[k];
            counts[last] *= shape[k];
            continue;
        }
        if (k > 0 && !(is_whole(last) && shape[last] == 1))
            last++;
        shape[last] = shape[k];
        counts[last] = counts[k];
        starts[last] = starts[k];
        steps[last] = steps[k];
        wraps[last] = wraps[k];
        dtypes[last] = dtypes[k];
        indices[last] = indices[k];
    }
    if (last >= 8)
        fail("unsupported", "gpuArray: subscripts of more than 8 dimensions that are not ':' are not served");
    shape.resize(last + 1);
}

/* Whether it is one run of elements: whole dimensions, then a range of step 1, then single positions. */
bool selection::is_run(std::size_t &offset) const
{
    bool is_over = false;
    std::size_t stride = 1;
    offset = 0;
    for (std::size_t k = 0; k < shape.size(); k++) {
        if (indices[k] != nullptr || wraps[k] != 0 || (counts[k] > 1 && (steps[k] != 1 || is_over)))
            return false;
        is_over = is_over || counts[k] != shape[k];
        offset += static_cast<std::size_t>(starts[k]) * stride;
        stride *= shape[k];
    }
    return true;
}

template <typename O>
static void set_fields(O &options, int32_t dtype, bool checked, const std::vector<std::size_t> &shape,
                       const std::vector<std::size_t> &counts, const std::vector<int64_t> &starts,
                       const std::vector<int64_t> &steps, const std::vector<int32_t> &wraps,
                       const std::vector<const void *> &indices, const std::vector<int32_t> &dtypes)
{
    options.dtype = dtype;
    options.rank = static_cast<int32_t>(shape.size());
    options.check = checked;
    options.shape = shape.data();
    options.counts = counts.data();
    options.starts = starts.data();
    options.steps = steps.data();
    options.wraps = wraps.data();
    options.indices = indices.data();
    options.index_dtypes = dtypes.data();
}

int32_t selection::read(int32_t dtype, const void *source, void *result, bool checked)
{
    const std::size_t elements = count(), width = bytes_of(dtype);
    if (elements == 0)
        return GPUMEX_STATUS_OK;
    join_dimensions();
    std::size_t offset;
    if (is_run(offset))
        return gpumex_copy(context(), result, static_cast<const char *>(source) + offset * width, elements * width);
    gpumex_gather_nd_options options = GPUMEX_GATHER_ND_OPTIONS_INIT;
    set_fields(options, dtype, checked, shape, counts, starts, steps, wraps, indices, dtypes);
    return gpumex_gather_nd(context(), &options, source, result);
}

int32_t selection::write(int32_t dtype, const void *values, bool broadcast, void *target, bool checked)
{
    const std::size_t elements = count(), width = bytes_of(dtype);
    if (elements == 0)
        return GPUMEX_STATUS_OK;
    join_dimensions();
    std::size_t offset;
    if (is_run(offset) && (!broadcast || elements == 1))
        return gpumex_copy(context(), static_cast<char *>(target) + offset * width, values, elements * width);
    gpumex_scatter_nd_options options = GPUMEX_SCATTER_ND_OPTIONS_INIT;
    set_fields(options, dtype, checked, shape, counts, starts, steps, wraps, indices, dtypes);
    options.broadcast = broadcast;
    options.last = 1;
    return gpumex_scatter_nd(context(), &options, values, target);
}

} // namespace gpuarrays
