/// @file
/// @brief Inner product. See gpumex_dot.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_dot_options.
struct dot_options {
    gpumex::dot_variant variant = gpumex::dot_variant::auto_;
    bool conjugate = false; ///< Of complex vectors the sum of conj (x[i])*y[i].
};

/// @cond
namespace detail {

template <class T> gpumex_dot_options in_c(const dot_options &options) {
    gpumex_dot_options c = GPUMEX_DOT_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.dtype = factor_dtype<T>();
    c.conjugate = options.conjugate ? 1 : 0;
    return c;
}

} // namespace detail
/// @endcond

/// *result, in memory of any kind, <- the sum of x[i]*y[i]: float, double or std::complex of them, of one
/// length.
template <class X, class Y>
void dot_into(context_ref ctx, const X &x, const Y &y, detail::as_is<detail::element<const X>> *result,
              const dot_options &options = {}) {
    using type = detail::element<const X>;
    detail::require_alike<type, detail::element<const Y>>();
    detail::require_equal("dot", "y", detail::count(y), detail::count(x));
    const gpumex_dot_options c = detail::in_c<type>(options);
    detail::check(gpumex_dot(ctx.get(), &c, detail::in(x), detail::in(y), detail::count(x), result));
}

/// The sum of x[i]*y[i].
template <class X, class Y>
detail::element<const X> dot(context_ref ctx, const X &x, const Y &y, const dot_options &options = {}) {
    detail::element<const X> result{};
    gpumex::dot_into(ctx, x, y, &result, options);
    return result;
}

} // namespace gpumex
