/* elements.cc - elements at subscripts: with strides where the subscripts are ranges, by their positions otherwise. */

#include "indexing.h"
#include "positions.h"
#include "strides.h"

namespace gpuarrays {

using octave::idx_vector;

/* A subscript as a range that ascends, or not. */
static bool is_ascending(const idx_vector &subscript, octave_idx_type extent, octave_idx_type &start, octave_idx_type &step)
{
    octave_idx_type count = subscript.length(extent);
    start = count > 0 ? subscript.xelem(0) : 0;
    step = count > 1 ? subscript.xelem(1) - start : 1;
    if (subscript.is_colon() || subscript.is_scalar() || count == 1)
        return true;
    return subscript.is_range() && step > 0;
}

/* The places of the subscripts in an array of these dimensions, where all of them are ascending ranges. */
static bool find_places(const dim_vector &dims, const Array<idx_vector> &subscripts, places &found)
{
    const places all = all_of(dims);
    found = all;
    for (int k = 0; k < dims.ndims(); k++) {
        octave_idx_type start, step;
        if (!is_ascending(subscripts(k), dims(k), start, step))
            return false;
        found.shape[k] = subscripts(k).length(dims(k));
        found.strides[k] = all.strides[k] * step;
        found.offset += all.strides[k] * start;
    }
    return true;
}

static places dense(const std::vector<octave_idx_type> &shape)
{
    places all;
    all.shape = shape;
    octave_idx_type stride = 1;
    for (octave_idx_type extent : shape) {
        all.strides.push_back(stride);
        stride *= extent;
    }
    return all;
}

/* The position in memory of each element of the subscripts: the sum of position times stride over the dimensions. */
static memory linear_positions(const dim_vector &dims, const Array<idx_vector> &subscripts, std::size_t count)
{
    static const char *const texts[] = {"a*b", "a*b+c*d", "a*b+c*d+e*f", "a*b+c*d+e*f+g*h", "a*b+c*d+e*f+g*h+i*j",
                                        "a*b+c*d+e*f+g*h+i*j+k*l", "a*b+c*d+e*f+g*h+i*j+k*l+m*n",
                                        "a*b+c*d+e*f+g*h+i*j+k*l+m*n+o*p"};
    int rank = dims.ndims();
    if (rank == 2 && dims(1) == 1 && subscripts(1).length(1) == 1)
        return positions_of(subscripts(0), dims(0));
    if (rank > 8)
        fail("unsupported", "gpuArray: index vectors in more than 8 dimensions are not served");
    std::vector<memory> vectors;
    std::vector<uint64_t> scales(rank, 1);
    std::vector<const void *> inputs;
    std::vector<std::size_t> shape;
    std::vector<int64_t> strides(2 * rank * rank, 0);
    const std::vector<int32_t> dtypes(2 * rank, GPUMEX_DTYPE_U64);
    for (int k = 0; k < rank; k++) {
        vectors.push_back(positions_of(subscripts(k), dims(k)));
        if (k > 0)
            scales[k] = scales[k - 1] * static_cast<uint64_t>(dims(k - 1));
        shape.push_back(static_cast<std::size_t>(subscripts(k).length(dims(k))));
        strides[2 * k * rank + k] = 1;
        inputs.push_back(data_of(vectors[k]));
        inputs.push_back(&scales[k]);
    }
    gpumex_map_options options = GPUMEX_MAP_OPTIONS_INIT;
    options.dtype = GPUMEX_DTYPE_U64;
    options.rank = rank;
    options.dtypes = dtypes.data();
    options.shape = shape.data();
    options.strides = strides.data();
    memory positions = allocate(count * sizeof(uint64_t));
    check(gpumex_map(context(), &options, texts[rank - 1], inputs.data(), inputs.size(), data_of(positions)), "gpuArray");
    return positions;
}

void read_elements(const array &a, const dim_vector &dims, const Array<idx_vector> &subscripts, const array &result)
{
    const std::size_t count = count_of(result);
    if (count == 0)
        return;
    places source;
    if (find_places(dims, subscripts, source)) {
        copy_strided(a->dtype, elements(a), source, data_of(result->data), dense(source.shape));
        return;
    }
    memory positions = linear_positions(dims, subscripts, count);
    gpumex_gather_options options = GPUMEX_GATHER_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    check(gpumex_gather(context(), &options, elements(a), count_of(a), data_of(positions), count, data_of(result->data)),
          "gpuArray");
}

/* The elements to assign, one for each place. */
static memory spread(const array &source, std::size_t count)
{
    elements(source);
    if (count_of(source) == count)
        return source->data;
    memory all = allocate(count * bytes_of(source->dtype));
    places one, every;
    one.shape = every.shape = {static_cast<octave_idx_type>(count)};
    one.strides = {0};
    every.strides = {1};
    copy_strided(source->dtype, data_of(source->data), one, data_of(all), every);
    return all;
}

void write_elements(const array &a, const dim_vector &dims, const Array<idx_vector> &subscripts, const array &source)
{
    std::size_t count = 1;
    for (int k = 0; k < dims.ndims(); k++)
        count *= static_cast<std::size_t>(subscripts(k).length(dims(k)));
    if (count == 0)
        return;
    places target;
    if (find_places(dims, subscripts, target)) {
        places from = dense(target.shape);
        if (count_of(source) == 1)
            std::fill(from.strides.begin(), from.strides.end(), 0);
        copy_strided(a->dtype, elements(source), from, data_of(a->data), target);
        return;
    }
    memory positions = linear_positions(dims, subscripts, count);
    memory values = spread(source, count);
    gpumex_scatter_options options = GPUMEX_SCATTER_OPTIONS_INIT;
    options.dtype = a->dtype;
    options.index_dtype = GPUMEX_DTYPE_U64;
    check(gpumex_scatter(context(), &options, data_of(values), data_of(positions), count, data_of(a->data), count_of(a)),
          "gpuArray");
}

} // namespace gpuarrays
