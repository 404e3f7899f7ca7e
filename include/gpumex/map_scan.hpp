/// @file
/// @brief Prefix scans of an expression. See gpumex_map_scan.
#pragma once

#include <gpumex/map_reduce.hpp>

namespace gpumex {

/// As gpumex_map_scan_options, without what the arrays say; the type of the results is that of the array that receives them.
struct map_scan_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::rules rules = gpumex::rules::c;    ///< How operations get their types; matlab: integer sums and products saturate.
    gpumex::dtype dtype = gpumex::dtype::none; ///< Of the expression; none: the one that the rules give it.
    gpumex::dim_reduction op = gpumex::dim_reduction::sum; ///< sum, product, min or max.
    int dimension = 0;                                     ///< The one that is scanned, from 1; 0: all elements in their order.
    gpumex::scan_kind kind = gpumex::scan_kind::exclusive;
    gpumex::nan_flag nan = gpumex::nan_flag::default_;
    bool reverse = false; ///< From the last element of the dimension to the first.
    std::string names;    ///< Of the inputs, between blanks or commas; empty: "a b c ...".
};

/// result[i] <- the elements of the expression before the i-th (exclusive), or up to it (inclusive), combined: of all elements,
/// or of those along options.dimension. The expression has these extents, the first one the fastest, and result as many
/// elements. The inputs are dense, or have one element.
template <class Result, class... Inputs>
void map_scan(context_ref ctx, const std::string &expression, const std::vector<std::size_t> &shape, Result &&result,
              const map_scan_options &options, const Inputs &...inputs) {
    detail::require_room("map_scan", "result", detail::count(result), detail::element_count(shape));
    const detail::shaped_inputs<Inputs...> given("map_scan", shape, inputs...);
    gpumex_map_scan_options c = GPUMEX_MAP_SCAN_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.rules = detail::number(options.rules);
    c.dtype = detail::expression_dtype<Inputs...>(expression, options);
    c.rank = static_cast<std::int32_t>(shape.size());
    c.op = detail::number(options.op);
    c.dimension = options.dimension;
    c.kind = detail::number(options.kind);
    c.accumulator_dtype = detail::key_dtype<detail::element<Result>>();
    c.nan = detail::number(options.nan);
    c.reverse = options.reverse ? 1 : 0;
    c.names = detail::names_of(options.names);
    c.dtypes = given.dtypes;
    c.shape = shape.data();
    c.strides = given.strides.data();
    detail::check(gpumex_map_scan(ctx.get(), &c, expression.c_str(), given.arrays, sizeof...(Inputs), detail::out(result)));
}

} // namespace gpumex
