/// @file
/// @brief A vector times a number. See gpumex_scale.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_scale_options.
struct scale_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::scale_factor factor = gpumex::scale_factor::alpha; ///< alpha, 1/alpha or 1/sqrt(alpha).
};

/// x[i] <- alpha*x[i], with a number in memory of the host or the device.
template <class X>
void scale_by(context_ref ctx, const detail::as_is<detail::element<X>> *alpha, X &&x, const scale_options &options = {}) {
    gpumex_scale_options c = GPUMEX_SCALE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::float_dtype<detail::element<X>>();
    c.factor = detail::number(options.factor);
    detail::check(gpumex_scale(ctx.get(), &c, alpha, detail::out(x), detail::count(x)));
}

/// x[i] <- alpha*x[i]: float or double.
template <class X>
void scale(context_ref ctx, detail::as_is<detail::element<X>> alpha, X &&x, const scale_options &options = {}) {
    gpumex::scale_by(ctx, &alpha, x, options);
}

} // namespace gpumex
