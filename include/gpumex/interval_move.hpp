/// @file
/// @brief Copies of intervals. See gpumex_interval_move.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_interval_move_options.
struct interval_move_options {
    gpumex::variant variant = gpumex::variant::auto_;
};

/// output[scatter[j] + r] <- input[gather[j] + r] for each element r of each interval j; the intervals have `count`
/// elements together, and scan is the exclusive prefix sum of their lengths. gather and scatter are as long as scan, or
/// gpumex::none: interval j at scan[j].
template <class Gather, class Scatter, class Scan, class Input, class Output>
void interval_move(context_ref ctx, std::size_t count, const Gather &gather, const Scatter &scatter, const Scan &scan,
                   const Input &input, Output &&output, const interval_move_options &options = {}) {
    using type = detail::element<const Input>;
    using index = detail::element<const Scan>;
    detail::require_alike<type, detail::element<Output>>();
    detail::require_alike<index, detail::element<const Gather>>();
    detail::require_alike<index, detail::element<const Scatter>>();
    if (!detail::is_none<Gather>)
        detail::require_equal("interval_move", "gather", detail::count(gather), detail::count(scan));
    if (!detail::is_none<Scatter>)
        detail::require_equal("interval_move", "scatter", detail::count(scatter), detail::count(scan));
    gpumex_interval_move_options c = GPUMEX_INTERVAL_MOVE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::wide_dtype<type>();
    c.index_dtype = detail::index_dtype<index>();
    detail::check(gpumex_interval_move(ctx.get(), &c, count, detail::in(gather), detail::in(scatter), detail::in(scan),
                                       detail::count(scan), detail::in(input), detail::count(input), detail::out(output),
                                       detail::count(output)));
}

} // namespace gpumex
