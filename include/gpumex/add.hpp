/// @file
/// @brief Vector sum. See gpumex_add.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_add_options.
struct add_options {
    gpumex::add_variant variant = gpumex::add_variant::auto_;
};

/// y[i] <- x[i] + y[i]: float or double, of one length.
template <class X, class Y> void add(context_ref ctx, const X &x, Y &&y, const add_options &options = {}) {
    using type = detail::element<const X>;
    detail::require_alike<type, detail::element<Y>>();
    detail::require_equal("add", "y", detail::count(y), detail::count(x));
    gpumex_add_options c = GPUMEX_ADD_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::float_dtype<type>();
    detail::check(gpumex_add(ctx.get(), &c, detail::in(x), detail::out(y), detail::count(x)));
}

} // namespace gpumex
