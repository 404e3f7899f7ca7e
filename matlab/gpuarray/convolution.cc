/* convolution.cc - conv2: sums of shifted copies, each a pointer into one padded array, as many as gpumex_map takes at a time. */

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "expression.h"
#include "methods.h"
#include "strides.h"

namespace gpuarrays {

namespace {

/* An element of the kernel that is not 0, and where the element that it weighs lies. */
struct tap {
    double weight;
    octave_idx_type offset;
};

/* The part of the convolution that is asked for: its first element in the full one, and its size. */
struct part {
    octave_idx_type first[2], size[2];
};

} // namespace

static const std::size_t most_taps = 65536;
static const std::size_t taps_at_once = 15;

static part part_of(const std::string &shape, const dim_vector &a, const dim_vector &b)
{
    part p;
    for (int k = 0; k < 2; k++) {
        octave_idx_type x = a(k), y = b(k);
        if (shape == "full" || a.any_zero() || b.any_zero()) { /* 0x0 where either is empty */
            p.first[k] = 0;
            p.size[k] = a.any_zero() || b.any_zero() ? 0 : x + y - 1;
        } else if (shape == "same") {
            p.first[k] = y / 2;
            p.size[k] = x;
        } else {
            p.first[k] = std::max<octave_idx_type>(y - 1, 0);
            p.size[k] = std::max<octave_idx_type>(x - std::max<octave_idx_type>(y - 1, 0), 0);
        }
    }
    return p;
}

/* A with zeros around it, so that the kernel reaches nothing else. */
static array padded(const array &a, const dim_vector &kernel)
{
    dim_vector dims(a->dims(0) + 2 * (kernel(0) - 1), a->dims(1) + 2 * (kernel(1) - 1));
    array made = new_array(dims, a->dtype);
    const uint64_t zero = 0;
    check(gpumex_fill(context(), a->dtype, data_of(made->data), count_of(made), &zero), "conv2");
    places target = all_of(dims);
    target.offset = kernel(0) - 1 + dims(0) * (kernel(1) - 1);
    target.shape = {a->dims(0), a->dims(1)};
    copy_strided(a->dtype, elements(a), all_of(a->dims), data_of(made->data), target);
    return made;
}

static std::vector<tap> taps_of(const array &kernel, octave_idx_type rows)
{
    const NDArray weights = download(kernel).array_value();
    const octave_idx_type m = kernel->dims(0), n = kernel->dims(1);
    std::vector<tap> taps;
    for (octave_idx_type j = 0; j < n; j++)
        for (octave_idx_type i = 0; i < m; i++)
            if (!std::isfinite(weights(i + j * m))) /* times the zeros around the other array it would be NaN */
                fail("notServed", "conv2: a kernel with elements that are infinite or NaN is not served for gpuArrays");
            else if (weights(i + j * m) != 0)
                taps.push_back({weights(i + j * m), (m - 1 - i) + (n - 1 - j) * rows});
    if (taps.size() > most_taps)
        fail("notServed", "conv2: a kernel of %zu elements that are not 0; gpuArrays are served up to %zu", taps.size(),
             most_taps);
    return taps;
}

/* RESULT + the sum of some taps; the first time without RESULT. */
static void add_taps(const array &source, octave_idx_type start, const tap *taps, std::size_t count, bool is_first,
                     const array &result, const memory &before)
{
    std::string text = is_first ? "" : "a";
    std::vector<const void *> inputs;
    std::vector<int64_t> strides;
    if (!is_first) {
        inputs.push_back(data_of(before));
        strides.insert(strides.end(), {1, result->dims(0)});
    }
    const char *first = static_cast<const char *>(data_of(source->data)) + start * bytes_of(source->dtype);
    for (std::size_t k = 0; k < count; k++) {
        char term[64];
        std::snprintf(term, sizeof term, "%s%.17g*%c", text.empty() || taps[k].weight < 0 ? "" : "+", taps[k].weight,
                      static_cast<char>('a' + inputs.size()));
        text += term;
        inputs.push_back(first + taps[k].offset * static_cast<octave_idx_type>(bytes_of(source->dtype)));
        strides.insert(strides.end(), {1, source->dims(0)});
    }
    const std::vector<int32_t> dtypes(inputs.size(), source->dtype);
    const std::size_t shape[2] = {static_cast<std::size_t>(result->dims(0)), static_cast<std::size_t>(result->dims(1))};
    gpumex_map_options options = GPUMEX_MAP_OPTIONS_INIT;
    options.rules = GPUMEX_RULES_MATLAB;
    options.dtype = result->dtype;
    options.rank = 2;
    options.dtypes = dtypes.data();
    options.shape = shape;
    options.strides = strides.data();
    check(gpumex_map(context(), &options, text.c_str(), inputs.data(), inputs.size(), data_of(result->data)), "conv2");
}

static array convolved(const array &a, const array &b, const std::string &shape)
{
    const part p = part_of(shape, a->dims, b->dims);
    array result = new_array(dim_vector(p.size[0], p.size[1]), a->dtype);
    if (count_of(result) == 0)
        return result;
    const bool is_b_kernel = count_of(b) <= count_of(a);
    const array &kernel = is_b_kernel ? b : a, &source = is_b_kernel ? a : b;
    std::vector<tap> taps;
    array wide;
    if (count_of(kernel) > 0 && count_of(source) > 0) {
        wide = padded(source, kernel->dims);
        taps = taps_of(kernel, wide->dims(0));
    }
    if (taps.empty()) {
        const uint64_t zero = 0;
        check(gpumex_fill(context(), result->dtype, data_of(result->data), count_of(result), &zero), "conv2");
        return result;
    }
    const octave_idx_type start = p.first[0] + p.first[1] * wide->dims(0);
    memory before;
    for (std::size_t k = 0; k < taps.size(); k += taps_at_once) {
        add_taps(wide, start, taps.data() + k, std::min(taps_at_once, taps.size() - k), k == 0, result, before);
        if (k + taps_at_once < taps.size()) { /* a result overlaps no input */
            before.swap(result->data);
            if (!result->data)
                result->data = allocate(count_of(result) * bytes_of(result->dtype));
        }
    }
    return result;
}

/* The matrices of one class: single where one of them is, else double. */
static std::vector<array> matrices(const octave_value_list &values)
{
    std::vector<array> all;
    int32_t dtype = GPUMEX_DTYPE_F64;
    for (int k = 0; k < values.length(); k++) {
        all.push_back(array_of(values(k), "conv2"));
        if (all[k]->dims.ndims() > 2)
            error("conv2: A and B must be 1-D vectors or 2-D matrices");
        if (all[k]->dtype == GPUMEX_DTYPE_F32)
            dtype = GPUMEX_DTYPE_F32;
    }
    for (array &a : all)
        a = converted(a, dtype);
    return all;
}

/* A vector as a column, or as a row. */
static array along(const array &v, int dim)
{
    if (v->dims(0) != 1 && v->dims(1) != 1)
        error("conv2: both first two arguments must be vectors if 3 arguments");
    octave_idx_type n = v->dims.numel();
    return reshaped(v, dim == 0 ? dim_vector(n, 1) : dim_vector(1, n));
}

} // namespace gpuarrays

using namespace gpuarrays;

GPU_METHOD(conv2, arguments, results)
{
    int count = static_cast<int>(arguments.length());
    std::string shape = "full";
    if (count > 2 && arguments(count - 1).is_string())
        shape = arguments(--count).string_value();
    check_count("conv2", arguments.slice(0, count), 2, 3);
    if (shape != "full" && shape != "same" && shape != "valid")
        error("conv2: SHAPE type not valid");
    const std::vector<array> x = matrices(arguments.slice(0, count));
    if (count == 2)
        return value_of(convolved(x[0], x[1], shape));
    return value_of(convolved(convolved(x[2], along(x[0], 0), shape), along(x[1], 1), shape));
}
