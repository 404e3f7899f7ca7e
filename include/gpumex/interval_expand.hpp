/// @file
/// @brief Interval expansion. See gpumex_interval_expand.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_interval_expand_options.
struct interval_expand_options {
    gpumex::variant variant = gpumex::variant::auto_;
};

/// output[k] <- values[j] for each element k of interval j: scan, the exclusive prefix sum of the lengths, and values
/// are of one length; output has as many elements as all intervals together.
template <class Scan, class Values, class Output>
void interval_expand(context_ref ctx, const Scan &scan, const Values &values, Output &&output,
                     const interval_expand_options &options = {}) {
    using type = detail::element<const Values>;
    detail::require_alike<type, detail::element<Output>>();
    detail::require_equal("interval_expand", "values", detail::count(values), detail::count(scan));
    gpumex_interval_expand_options c = GPUMEX_INTERVAL_EXPAND_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::wide_dtype<type>();
    c.index_dtype = detail::index_dtype<detail::element<const Scan>>();
    detail::check(gpumex_interval_expand(ctx.get(), &c, detail::count(output), detail::in(scan), detail::in(values),
                                         detail::count(scan), detail::out(output)));
}

} // namespace gpumex
