/// @file
/// @brief Medians of windows of a matrix. See gpumex_median_filter.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <cstddef>

namespace gpumex {

/// As gpumex_median_filter_options, without what the arrays say.
struct median_filter_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::boundary boundary = gpumex::boundary::clamp;      ///< What lies outside data.
    double constant = 0;                                      ///< The same with boundary::constant.
    gpumex::stencil_order order = gpumex::stencil_order::row; ///< Of data and result.
};

/// result(y, x) <- the median of the window of window_rows*window_cols elements around data(y, x); data and result have rows*cols elements.
template <class Data, class Result>
void median_filter(context_ref ctx, const Data &data, std::size_t rows, std::size_t cols, std::size_t window_rows,
                   std::size_t window_cols, Result &&result, const median_filter_options &options = {}) {
    using type = detail::element<const Data>;
    detail::require_alike<type, detail::element<Result>>();
    detail::require_equal("median_filter", "data", detail::count(data), rows * cols);
    detail::require_equal("median_filter", "result", detail::count(result), rows * cols);
    gpumex_median_filter_options c = GPUMEX_MEDIAN_FILTER_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::any_dtype<type>();
    c.boundary = detail::number(options.boundary);
    c.order = detail::number(options.order);
    c.constant = options.constant;
    detail::check(gpumex_median_filter(ctx.get(), &c, detail::in(data), rows, cols, window_rows, window_cols, detail::out(result)));
}

} // namespace gpumex
