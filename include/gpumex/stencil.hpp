/// @file
/// @brief Expressions of neighbours in two dimensions. See gpumex_stencil.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <string>

namespace gpumex {

/// As gpumex_stencil_options, without what the arrays say.
struct stencil_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::rules rules = gpumex::rules::c;                     ///< How operations get their types.
    gpumex::boundary boundary = gpumex::boundary::clamp;        ///< What lies outside the inputs.
    double constant = 0;                                        ///< The same with boundary::constant.
    gpumex::stencil_order order = gpumex::stencil_order::row;   ///< Of inputs and result.
    std::string names;                                          ///< Of the inputs, between blanks or commas; empty: "a b c ...".
};

/// @cond
namespace detail {

inline gpumex_stencil_options stencil_fields(const stencil_options &options, const std::int32_t *dtypes, std::int32_t dtype) {
    gpumex_stencil_options c = GPUMEX_STENCIL_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.rules = detail::number(options.rules);
    c.dtype = dtype;
    c.boundary = detail::number(options.boundary);
    c.order = detail::number(options.order);
    c.names = options.names.empty() ? nullptr : options.names.c_str();
    c.dtypes = dtypes;
    c.constant = options.constant;
    return c;
}

} // namespace detail
/// @endcond

/// result(y, x) <- the expression of the elements around (y, x): a(dy, dx) is a[y + dy, x + dx]. All have rows*cols elements.
template <class Result, class... Inputs>
void stencil(context_ref ctx, const std::string &expression, std::size_t rows, std::size_t cols, Result &&result,
             const stencil_options &options, const Inputs &...inputs) {
    static_assert(sizeof...(Inputs) <= 16, "gpumex: an expression has at most 16 inputs");
    (detail::require_equal("stencil", "an input", detail::count(inputs), rows * cols), ...);
    detail::require_equal("stencil", "result", detail::count(result), rows * cols);
    const std::int32_t dtypes[] = {detail::any_dtype<detail::element<const Inputs>>()..., 0};
    const void *const arrays[] = {detail::in(inputs)..., nullptr};
    const gpumex_stencil_options c =
        detail::stencil_fields(options, dtypes, detail::any_dtype<detail::element<Result>>());
    detail::check(gpumex_stencil(ctx.get(), &c, expression.c_str(), arrays, sizeof...(Inputs), rows, cols, detail::out(result)));
}

/// The same by rules of C, with clamped edges; the inputs are a, b, c and so on.
template <class Result, class First, class... Inputs,
          class = std::enable_if_t<!std::is_convertible_v<const First &, stencil_options>>>
void stencil(context_ref ctx, const std::string &expression, std::size_t rows, std::size_t cols, Result &&result,
             const First &first, const Inputs &...inputs) {
    gpumex::stencil(ctx, expression, rows, cols, result, stencil_options{}, first, inputs...);
}

/// The dtype that the rules give the result of an expression of inputs of these types.
template <class... Elements>
gpumex::dtype stencil_dtype(const std::string &expression, const stencil_options &options = {}) {
    const std::int32_t dtypes[] = {detail::any_dtype<Elements>()..., 0};
    const gpumex_stencil_options c = detail::stencil_fields(options, dtypes, 0);
    std::int32_t dtype = 0;
    detail::check(gpumex_stencil_dtype(&c, expression.c_str(), sizeof...(Elements), &dtype));
    return static_cast<gpumex::dtype>(dtype);
}

} // namespace gpumex
