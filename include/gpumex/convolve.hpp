/// @file
/// @brief Convolution of a matrix with a filter. See gpumex_convolve.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <cstddef>

namespace gpumex {

/// As gpumex_convolve_options, without what the arrays say.
struct convolve_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::boundary boundary = gpumex::boundary::clamp;        ///< What lies outside data.
    double constant = 0;                                        ///< The same with boundary::constant.
    gpumex::convolve_shape shape = gpumex::convolve_shape::same; ///< How many results there are.
    gpumex::convolve_kind kind = gpumex::convolve_kind::convolution;
    gpumex::stencil_order order = gpumex::stencil_order::row;   ///< Of data, filter and result.
};

/// @cond
namespace detail {

inline std::size_t convolved(convolve_shape shape, std::size_t count, std::size_t window) {
    if (shape == convolve_shape::same || count == 0) return count;
    if (shape == convolve_shape::full) return count + window - 1;
    return count < window ? 0 : count - window + 1;
}

} // namespace detail
/// @endcond

/// result(y, x) <- the sum of filter(i, j) * data(y - i + m, x - j + n); data has rows*cols elements, filter filter_rows*filter_cols of the
/// type in which they are summed: float, double, of integers std::int32_t and std::int64_t as well. result has elements of any type.
template <class Data, class Filter, class Result>
void convolve(context_ref ctx, const Data &data, std::size_t rows, std::size_t cols, const Filter &filter, std::size_t filter_rows,
              std::size_t filter_cols, Result &&result, const convolve_options &options = {}) {
    detail::require_equal("convolve", "data", detail::count(data), rows * cols);
    detail::require_equal("convolve", "filter", detail::count(filter), filter_rows * filter_cols);
    detail::require_equal("convolve", "result", detail::count(result),
                          detail::convolved(options.shape, rows, filter_rows) * detail::convolved(options.shape, cols, filter_cols));
    gpumex_convolve_options c = GPUMEX_CONVOLVE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::any_dtype<detail::element<const Data>>();
    c.accumulator_dtype = detail::any_dtype<detail::element<const Filter>>();
    c.result_dtype = detail::any_dtype<detail::element<Result>>();
    c.boundary = detail::number(options.boundary);
    c.shape = detail::number(options.shape);
    c.kind = detail::number(options.kind);
    c.order = detail::number(options.order);
    c.constant = options.constant;
    detail::check(gpumex_convolve(ctx.get(), &c, detail::in(data), rows, cols, detail::in(filter), filter_rows, filter_cols,
                                  detail::out(result)));
}

} // namespace gpumex
