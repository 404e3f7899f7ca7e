/// @file
/// @brief Prefix scan along a dimension. See gpumex_scan_dim.
#pragma once

#include <gpumex/reduce_dim.hpp>

namespace gpumex {

/// As gpumex_scan_dim_options; the type of the results is that of the array that receives them.
struct scan_dim_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::dim_reduction op = gpumex::dim_reduction::sum; ///< sum, product, min or max.
    gpumex::scan_kind kind = gpumex::scan_kind::exclusive;
    gpumex::rules rules = gpumex::rules::c; ///< matlab: integer sums and products saturate.
    gpumex::nan_flag nan = gpumex::nan_flag::default_;
    bool reverse = false; ///< From the last element of the dimension to the first.
};

/// result[i + inner*(j + count*k)] <- the elements of data before the j-th (exclusive), or up to it (inclusive), with
/// the same i and k, combined. result may be data.
template <class Data, class Result>
void scan_dim(context_ref ctx, const Data &data, const dim_shape &shape, Result &&result,
              const scan_dim_options &options = {}) {
    const std::size_t elements = shape.inner * shape.count * shape.outer;
    detail::require_dim("scan_dim", detail::count(data), elements, detail::count(result), elements);
    gpumex_scan_dim_options c = GPUMEX_SCAN_DIM_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<detail::element<const Data>>();
    c.op = detail::number(options.op);
    c.kind = detail::number(options.kind);
    c.accumulator_dtype = detail::key_dtype<detail::element<Result>>();
    c.rules = detail::number(options.rules);
    c.nan = detail::number(options.nan);
    c.reverse = options.reverse ? 1 : 0;
    detail::check(gpumex_scan_dim(ctx.get(), &c, detail::in(data), shape.inner, shape.count, shape.outer,
                                  detail::out(result)));
}

} // namespace gpumex
