/// @file
/// @brief Sparse matrix-vector product. See gpumex_spmv.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_spmv_options, and the sources of the rows.
template <class T, class Index> struct spmv_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::binary_operator add = gpumex::binary_operator::sum;
    gpumex::binary_operator multiply = gpumex::binary_operator::product;
    const T *identity = nullptr;               ///< The result of an empty row, in host memory; NULL: that of add.
    view<const std::uint64_t> geometry = {};   ///< Of gpumex::segments_prepare for these offsets.
    view<const Index> sources = {};            ///< Where each row begins in values; empty: at its offset.
};

/// y[r] <- the sum of values[k]*x[columns[k]] for offsets[r] <= k < offsets[r + 1]: values, or gpumex::none for ones, and
/// columns are of one length, offsets has one element more than there are rows, y room for one each.
template <class Values, class Columns, class Offsets, class X, class Y>
void spmv(context_ref ctx, const Values &values, const Columns &columns, const Offsets &offsets, const X &x, Y &&y,
          const detail::as_is<spmv_options<detail::element<const X>, detail::element<const Offsets>>> &options = {}) {
    using type = detail::element<const X>;
    using index = detail::element<const Offsets>;
    detail::require_alike<type, detail::element<const Values>>();
    detail::require_alike<type, detail::element<Y>>();
    detail::require_alike<index, detail::element<const Columns>>();
    const std::size_t rows = detail::count(offsets) > 0 ? detail::count(offsets) - 1 : 0;
    if (!detail::is_none<Values>) detail::require_equal("spmv", "values", detail::count(values), detail::count(columns));
    detail::require_room("spmv", "y", detail::count(y), rows);
    if (options.sources.data() != nullptr) detail::require_equal("spmv", "sources", options.sources.size(), rows);
    gpumex_spmv_options c = GPUMEX_SPMV_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::wide_dtype<type>();
    c.index_dtype = detail::index_dtype<index>();
    c.add = detail::number(options.add);
    c.multiply = detail::number(options.multiply);
    c.geometry = options.geometry.data();
    c.identity = options.identity;
    detail::check(gpumex_spmv(ctx.get(), &c, detail::in(values), detail::in(columns), detail::count(columns),
                              detail::in(offsets), rows, detail::in(x), detail::count(x), options.sources.data(),
                              detail::out(y)));
}

} // namespace gpumex
