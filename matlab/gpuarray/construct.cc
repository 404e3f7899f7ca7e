/* construct.cc - arrays that begin on the device. */

#include "construct.h"

#include <map>

#include <octave/parse.h>

#include "expression.h"
#include "random.h"
#include "value.h"

namespace gpuarrays {

static octave_idx_type read_extent(const std::string &name, double value)
{
    if (value != std::round(value) || !(std::abs(value) <= 9007199254740992.0))
        error("%s: dimensions must be integers", name.c_str());
    return value < 0 ? 0 : static_cast<octave_idx_type>(value);
}

/* The number of leading arguments that are a size. */
static int count_numbers(const octave_value_list &arguments)
{
    int count = 0;
    while (count < arguments.length() && !arguments(count).is_string())
        count++;
    return count;
}

static dim_vector read_size(const std::string &name, const octave_value_list &arguments, int count)
{
    if (count == 0)
        return dim_vector(1, 1);
    dim_vector dims(1, 1);
    if (count == 1) {
        NDArray extents = on_host(arguments(0)).array_value();
        int rank = static_cast<int>(extents.numel());
        if (rank == 1) {
            octave_idx_type n = read_extent(name, extents(0));
            return dim_vector(n, n);
        }
        if (rank == 0)
            return dim_vector(0, 0);
        dims.resize(rank);
        for (int k = 0; k < rank; k++)
            dims(k) = read_extent(name, extents(k));
    } else {
        dims.resize(count);
        for (int k = 0; k < count; k++) {
            if (arguments(k).numel() != 1)
                error("%s: dimensions must be scalar integers", name.c_str());
            dims(k) = read_extent(name, arguments(k).double_value());
        }
    }
    dims.chop_trailing_singletons();
    return dims;
}

form read_form(const std::string &name, const octave_value_list &arguments, int32_t dtype)
{
    form result;
    result.dtype = dtype;
    int count = count_numbers(arguments);
    result.dims = read_size(name, arguments, count);
    for (int k = count; k < arguments.length(); k++) {
        std::string word = arguments(k).xstring_value("%s: a class is a word", name.c_str());
        if (word == "like" && k + 1 < arguments.length()) {
            array example = array_of(arguments(++k), name.c_str());
            result.dtype = example->dtype;
        } else if (const element_class *found = find_class(word)) {
            result.dtype = found->dtype;
        } else if (word != "gpuArray") {
            fail("invalidClass", "gpuArray.%s: '%s' is not a class of numbers", name.c_str(), word.c_str());
        }
    }
    return result;
}

array filled(const dim_vector &dims, int32_t dtype, double value)
{
    array made = new_array(dims, dtype);
    made->nonnegative = value >= 0 && !is_complex(dtype);
    if (count_of(made) == 0)
        return made;
    array number = new_number(as_class(octave_value(value), dtype), dtype);
    element_bytes bytes = bits_of(*number);
    check(gpumex_fill(context(), dtype, data_of(made->data), count_of(made), &bytes), "gpuArray");
    return made;
}

static octave_value constant(const std::string &name, const octave_value_list &arguments, double value, int32_t dtype)
{
    form f = read_form(name, arguments, dtype);
    if (is_integer(f.dtype) && value != std::round(value))
        fail("invalidClass", "gpuArray.%s: %s has no such value", name.c_str(), name_of(f.dtype));
    return value_of(filled(f.dims, f.dtype, value));
}

static octave_value identity(const octave_value_list &arguments)
{
    form f = read_form("eye", arguments);
    if (f.dims.ndims() > 2)
        error("eye: use: eye (M, N)");
    array made = filled(f.dims, f.dtype, 0);
    made->nonnegative = !is_complex(f.dtype);
    octave_idx_type rows = f.dims(0), count = std::min(rows, f.dims(1));
    if (count == 0)
        return value_of(made);
    std::size_t extent = static_cast<std::size_t>(count);
    int64_t stride = static_cast<int64_t>(rows) + 1;
    gpumex_map_options options = GPUMEX_MAP_OPTIONS_INIT;
    options.rules = GPUMEX_RULES_MATLAB;
    options.dtype = f.dtype;
    options.rank = 1;
    options.shape = &extent;
    options.result_strides = &stride;
    check(gpumex_map(context(), &options, "1", nullptr, 0, data_of(made->data)), "eye");
    return value_of(made);
}

/* Of the host's making, so that the numbers are Octave's. */
static octave_value from_host(const std::string &name, const octave_value_list &arguments)
{
    octave_value_list given;
    for (int k = 0; k < arguments.length(); k++)
        given.append(on_host(arguments(k)));
    return value_of(upload(octave::feval(name.c_str(), given, 1)(0).full_value(), name.c_str()));
}

octave_value construct(const std::string &name, const octave_value_list &arguments)
{
    static const std::map<std::string, double> constants = {
        {"zeros", 0},           {"ones", 1},           {"inf", octave::numeric_limits<double>::Inf()},
        {"Inf", octave::numeric_limits<double>::Inf()}, {"nan", octave::numeric_limits<double>::NaN()},
        {"NaN", octave::numeric_limits<double>::NaN()}};
    auto found = constants.find(name);
    if (found != constants.end())
        return constant(name, arguments, found->second, GPUMEX_DTYPE_F64);
    if (name == "true" || name == "false")
        return constant(name, arguments, name == "true", GPUMEX_DTYPE_BOOL);
    if (name == "eye")
        return identity(arguments);
    if (name == "linspace" || name == "logspace" || name == "colon")
        return from_host(name, arguments);
    if (name == "rand" || name == "randn" || name == "randi")
        return random_numbers(name, arguments);
    if (name == "rng")
        return set_seed(arguments);
    fail("notServed", "gpuArray.%s: there is no such function; there are zeros, ones, inf, nan, true, false, eye, "
         "linspace, logspace, colon, rand, randn, randi", name.c_str());
}

} // namespace gpuarrays
