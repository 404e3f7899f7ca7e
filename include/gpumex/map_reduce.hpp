/// @file
/// @brief Reductions of an expression. See gpumex_map_reduce.
#pragma once

#include <gpumex/map.hpp>

#include <vector>

namespace gpumex {

/// As gpumex_map_reduce_options, without what the arrays say; the type of the results is that of the array that receives them.
struct map_reduce_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::rules rules = gpumex::rules::c;    ///< How operations get their types; matlab: integer sums and products saturate.
    gpumex::dtype dtype = gpumex::dtype::none; ///< Of the expression; none: the one that the rules give it.
    gpumex::dim_reduction op = gpumex::dim_reduction::sum;
    int dimension = 0;                         ///< The one that is reduced, from 1; 0: all.
    gpumex::nan_flag nan = gpumex::nan_flag::default_;
    std::string names;                         ///< Of the inputs, between blanks or commas; empty: "a b c ...".
};

/// @cond
namespace detail {

/// The number of elements of an expression with these extents, or too_many.
inline std::size_t element_count(const std::vector<std::size_t> &shape) {
    std::size_t elements = 1;
    for (const std::size_t extent : shape) elements = product(elements, extent);
    return elements;
}

/// One element is broadcast, all others have as many as the expression.
template <class Input>
void add_strides(const char *operation, const Input &input, const std::vector<std::size_t> &shape, std::vector<std::int64_t> &strides) {
    const bool is_one = detail::count(input) == 1;
    if (!is_one) require_equal(operation, "an input", detail::count(input), element_count(shape));
    std::int64_t stride = 1;
    for (const std::size_t extent : shape) {
        strides.push_back(is_one ? 0 : stride);
        stride *= static_cast<std::int64_t>(extent);
    }
}

/// The inputs of an expression of a shape, as the functions of C take them.
template <class... Inputs> struct shaped_inputs {
    static_assert(sizeof...(Inputs) <= 16, "gpumex: an expression has at most 16 inputs");
    std::vector<std::int64_t> strides;
    std::int32_t dtypes[sizeof...(Inputs) + 1] = {any_dtype<element<const Inputs>>()..., 0};
    const void *arrays[sizeof...(Inputs) + 1];

    shaped_inputs([[maybe_unused]] const char *operation, [[maybe_unused]] const std::vector<std::size_t> &shape, const Inputs &...inputs)
        : arrays{in(inputs)..., nullptr} {
        (add_strides(operation, inputs, shape, strides), ...);
    }
};

/// The dtype of the options, or the natural one of the expression.
template <class... Inputs, class Options> std::int32_t expression_dtype(const std::string &expression, const Options &options) {
    map_options of_map;
    of_map.rules = options.rules;
    of_map.names = options.names;
    const bool is_natural = options.dtype == dtype::none;
    return number(is_natural ? map_dtype<element<const Inputs>...>(expression, of_map) : options.dtype);
}

inline const char *names_of(const std::string &names) { return names.empty() ? nullptr : names.c_str(); }

template <class Result, class... Inputs>
void map_reduce_into(context_ref ctx, const std::string &expression, const std::vector<std::size_t> &shape, Result &&result,
                     std::int32_t index_dtype, void *positions, std::size_t places, const map_reduce_options &options,
                     const Inputs &...inputs) {
    std::size_t results = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (options.dimension != 0 && d + 1 != static_cast<std::size_t>(options.dimension)) results = product(results, shape[d]);
    }
    require_room("map_reduce", "result", count(result), results);
    if (positions != nullptr) require_room("map_reduce", "positions", places, results);
    const shaped_inputs<Inputs...> given("map_reduce", shape, inputs...);
    gpumex_map_reduce_options c = GPUMEX_MAP_REDUCE_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.rules = number(options.rules);
    c.dtype = expression_dtype<Inputs...>(expression, options);
    c.rank = static_cast<std::int32_t>(shape.size());
    c.op = number(options.op);
    c.dimension = options.dimension;
    c.accumulator_dtype = key_dtype<element<Result>>();
    c.nan = number(options.nan);
    c.index_dtype = index_dtype;
    c.names = names_of(options.names);
    c.dtypes = given.dtypes;
    c.shape = shape.data();
    c.strides = given.strides.data();
    c.positions = positions;
    check(gpumex_map_reduce(ctx.get(), &c, expression.c_str(), given.arrays, sizeof...(Inputs), out(result)));
}

} // namespace detail
/// @endcond

/// result <- the elements of the expression, which has these extents, the first one the fastest, reduced: all of them, or along
/// options.dimension. The inputs are dense, or have one element. any and all give bool.
template <class Result, class... Inputs>
void map_reduce(context_ref ctx, const std::string &expression, const std::vector<std::size_t> &shape, Result &&result,
                const map_reduce_options &options, const Inputs &...inputs) {
    detail::map_reduce_into(ctx, expression, shape, result, detail::number(dtype::none), nullptr, 0, options, inputs...);
}

/// The same of min or max; positions <- where the first extremum is.
template <class Result, class Positions, class... Inputs>
void map_reduce_positions(context_ref ctx, const std::string &expression, const std::vector<std::size_t> &shape, Result &&result,
                          Positions &&positions, const map_reduce_options &options, const Inputs &...inputs) {
    detail::map_reduce_into(ctx, expression, shape, result, detail::key_dtype<detail::element<Positions>>(), detail::out(positions),
                            detail::count(positions), options, inputs...);
}

} // namespace gpumex
