/* strides.cc - copies with strides, as gpumex_map of one input. */

#include "strides.h"

namespace gpuarrays {

places all_of(const dim_vector &dims)
{
    places all;
    octave_idx_type stride = 1;
    for (int k = 0; k < dims.ndims(); k++) {
        all.shape.push_back(dims(k));
        all.strides.push_back(stride);
        stride *= dims(k);
    }
    return all;
}

/* Fewer dimensions: those of one element go, and those that go on where the one before ends join it. */
static void simplify(places &a, places &b)
{
    std::vector<octave_idx_type> shape, x, y;
    for (std::size_t k = 0; k < a.shape.size(); k++) {
        if (a.shape[k] == 1)
            continue;
        bool goes_on = !shape.empty() && a.strides[k] == x.back() * shape.back() && b.strides[k] == y.back() * shape.back();
        if (goes_on) {
            shape.back() *= a.shape[k];
            continue;
        }
        shape.push_back(a.shape[k]);
        x.push_back(a.strides[k]);
        y.push_back(b.strides[k]);
    }
    if (shape.empty()) {
        shape.push_back(1);
        x.push_back(1);
        y.push_back(1);
    }
    a.shape = b.shape = shape;
    a.strides = x;
    b.strides = y;
}

/* gpumex_map has eight dimensions: the outermost ones are a loop. */
static void copy_pieces(int32_t dtype, const char *from, places &source, char *to, places &target)
{
    const std::size_t width = bytes_of(dtype);
    if (source.shape.size() > 8) {
        octave_idx_type count = source.shape.back(), x = source.strides.back(), y = target.strides.back();
        for (places *p : {&source, &target}) {
            p->shape.pop_back();
            p->strides.pop_back();
        }
        for (octave_idx_type i = 0; i < count; i++) {
            places inner_source = source, inner_target = target;
            copy_pieces(dtype, from + i * x * static_cast<octave_idx_type>(width), inner_source,
                        to + i * y * static_cast<octave_idx_type>(width), inner_target);
        }
        return;
    }
    std::vector<std::size_t> shape(source.shape.begin(), source.shape.end());
    std::vector<int64_t> strides(source.strides.begin(), source.strides.end());
    std::vector<int64_t> result_strides(target.strides.begin(), target.strides.end());
    gpumex_map_options options = GPUMEX_MAP_OPTIONS_INIT;
    options.dtype = dtype;
    options.rank = static_cast<int32_t>(shape.size());
    options.dtypes = &dtype;
    options.shape = shape.data();
    options.strides = strides.data();
    options.result_strides = result_strides.data();
    const void *input = from;
    check(gpumex_map(context(), &options, "a", &input, 1, to), "gpuArray");
}

void copy_strided(int32_t dtype, const void *from, const places &source, void *to, const places &target)
{
    places x = source, y = target;
    for (octave_idx_type extent : x.shape)
        if (extent == 0)
            return;
    const std::size_t width = bytes_of(dtype);
    const char *first = static_cast<const char *>(from) + static_cast<octave_idx_type>(width) * x.offset;
    char *last = static_cast<char *>(to) + static_cast<octave_idx_type>(width) * y.offset;
    simplify(x, y);
    if (x.shape.size() == 1 && (x.shape[0] == 1 || (x.strides[0] == 1 && y.strides[0] == 1)))
        copy(last, first, static_cast<std::size_t>(x.shape[0]) * width, "gpuArray");
    else
        copy_pieces(dtype, first, x, last, y);
}

} // namespace gpuarrays
