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

/// The number of elements; one element is broadcast, all others have as many.
template <class Input> void reduced_strides(const Input &input, const std::vector<std::size_t> &shape, std::vector<std::int64_t> &strides) {
    std::size_t elements = 1;
    for (const std::size_t extent : shape) elements *= extent;
    const bool is_one = detail::count(input) == 1;
    if (!is_one) require_equal("map_reduce", "an input", detail::count(input), elements);
    std::int64_t stride = 1;
    for (const std::size_t extent : shape) {
        strides.push_back(is_one ? 0 : stride);
        stride *= static_cast<std::int64_t>(extent);
    }
}

template <class Result, class... Inputs>
void map_reduce_into(context_ref ctx, const std::string &expression, const std::vector<std::size_t> &shape, Result &&result,
                     std::int32_t index_dtype, void *positions, std::size_t places, const map_reduce_options &options,
                     const Inputs &...inputs) {
    static_assert(sizeof...(Inputs) <= 16, "gpumex: an expression has at most 16 inputs");
    std::size_t results = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (options.dimension != 0 && d + 1 != static_cast<std::size_t>(options.dimension)) results *= shape[d];
    }
    require_room("map_reduce", "result", count(result), results);
    if (positions != nullptr) require_room("map_reduce", "positions", places, results);
    std::vector<std::int64_t> strides;
    (reduced_strides(inputs, shape, strides), ...);
    const std::int32_t dtypes[] = {any_dtype<element<const Inputs>>()..., 0};
    const void *const arrays[] = {in(inputs)..., nullptr};
    gpumex_map_reduce_options c = GPUMEX_MAP_REDUCE_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.rules = number(options.rules);
    map_options of_map;
    of_map.rules = options.rules;
    of_map.names = options.names;
    const bool is_natural = options.dtype == dtype::none;
    c.dtype = number(is_natural ? map_dtype<element<const Inputs>...>(expression, of_map) : options.dtype);
    c.rank = static_cast<std::int32_t>(shape.size());
    c.op = number(options.op);
    c.dimension = options.dimension;
    c.accumulator_dtype = key_dtype<element<Result>>();
    c.nan = number(options.nan);
    c.index_dtype = index_dtype;
    c.names = options.names.empty() ? nullptr : options.names.c_str();
    c.dtypes = dtypes;
    c.shape = shape.data();
    c.strides = strides.data();
    c.positions = positions;
    check(gpumex_map_reduce(ctx.get(), &c, expression.c_str(), arrays, sizeof...(Inputs), out(result)));
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
