/// @file
/// @brief A vector plus a multiple of another one. See gpumex_axpy.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_axpy_options. alpha and beta are in memory of the host or the device; NULL: 1.
template <class T> struct axpy_options {
    gpumex::variant variant = gpumex::variant::auto_;
    const T *alpha = nullptr;
    const T *beta = nullptr;
};

/// y[i] <- alpha*x[i] + beta*y[i]: float or double, of one length. With beta = 0 y is not read.
template <class X, class Y>
void axpy(context_ref ctx, const X &x, Y &&y,
          const detail::as_is<axpy_options<detail::element<const X>>> &options = {}) {
    using type = detail::element<const X>;
    detail::require_alike<type, detail::element<Y>>();
    detail::require_equal("axpy", "y", detail::count(y), detail::count(x));
    gpumex_axpy_options c = GPUMEX_AXPY_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::float_dtype<type>();
    c.alpha = options.alpha;
    c.beta = options.beta;
    detail::check(gpumex_axpy(ctx.get(), &c, detail::in(x), detail::out(y), detail::count(x)));
}

/// The same with numbers of the host.
template <class X, class Y>
void axpy(context_ref ctx, detail::as_is<detail::element<const X>> alpha, const X &x,
          detail::as_is<detail::element<const X>> beta, Y &&y) {
    axpy_options<detail::element<const X>> options;
    options.alpha = &alpha;
    options.beta = &beta;
    gpumex::axpy(ctx, x, y, options);
}

} // namespace gpumex
