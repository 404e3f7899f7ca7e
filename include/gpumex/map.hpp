/// @file
/// @brief Element-wise expressions. See gpumex_map.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <string>

namespace gpumex {

/// As gpumex_map_options, without what the arrays say.
struct map_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::rules rules = gpumex::rules::c; ///< How operations get their types.
    std::string names;                      ///< Of the inputs, between blanks or commas; empty: "a b c ...".
};

/// @cond
namespace detail {

/// One element is broadcast, all others have the length of result.
template <class Input> std::int64_t map_stride(const Input &input, std::size_t count) {
    if (detail::count(input) != 1) require_equal("map", "an input", detail::count(input), count);
    return detail::count(input) == 1 ? 0 : 1;
}

} // namespace detail
/// @endcond

/// result[i] <- the expression of the elements i of the inputs, which have the length of result or one element.
template <class Result, class... Inputs>
void map(context_ref ctx, const std::string &expression, Result &&result, const map_options &options,
         const Inputs &...inputs) {
    static_assert(sizeof...(Inputs) <= 16, "gpumex: an expression has at most 16 inputs");
    const std::size_t count = detail::count(result);
    const std::int32_t dtypes[] = {detail::any_dtype<detail::element<const Inputs>>()..., 0};
    const std::int64_t strides[] = {detail::map_stride(inputs, count)..., 0};
    const void *const arrays[] = {detail::in(inputs)..., nullptr};
    gpumex_map_options c = GPUMEX_MAP_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.rules = detail::number(options.rules);
    c.dtype = detail::any_dtype<detail::element<Result>>();
    c.names = options.names.empty() ? nullptr : options.names.c_str();
    c.dtypes = dtypes;
    c.rank = 1;
    c.shape = &count;
    c.strides = strides;
    c.result_strides = nullptr;
    detail::check(gpumex_map(ctx.get(), &c, expression.c_str(), arrays, sizeof...(Inputs), detail::out(result)));
}

/// The same by rules of C; the inputs are a, b, c and so on.
template <class Result, class First, class... Inputs,
          class = std::enable_if_t<!std::is_convertible_v<const First &, map_options>>>
void map(context_ref ctx, const std::string &expression, Result &&result, const First &first, const Inputs &...inputs) {
    gpumex::map(ctx, expression, result, map_options{}, first, inputs...);
}

/// The dtype that the rules give the result of an expression of inputs of these types.
template <class... Elements> gpumex::dtype map_dtype(const std::string &expression, const map_options &options = {}) {
    const std::int32_t dtypes[] = {detail::any_dtype<Elements>()..., 0};
    gpumex_map_options c = GPUMEX_MAP_OPTIONS_INIT;
    c.rules = detail::number(options.rules);
    c.names = options.names.empty() ? nullptr : options.names.c_str();
    c.dtypes = dtypes;
    std::int32_t dtype = 0;
    detail::check(gpumex_map_dtype(&c, expression.c_str(), sizeof...(Elements), &dtype));
    return static_cast<gpumex::dtype>(dtype);
}

} // namespace gpumex
