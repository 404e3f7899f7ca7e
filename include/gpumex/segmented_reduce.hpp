/// @file
/// @brief Segmented reduction. See gpumex_segmented_reduce.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>
#include <gpumex/reduce.hpp>

namespace gpumex {

/// As gpumex_segmented_reduce_options, and the sources of the segments.
template <class T, class Index> struct segmented_reduce_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::binary_operator op = gpumex::binary_operator::sum;
    const T *identity = nullptr;               ///< The result of an empty segment, in host memory; NULL: the operator's.
    view<const std::uint64_t> geometry = {};   ///< Of gpumex::segments_prepare for these offsets.
    view<const Index> sources = {};            ///< Where each segment begins in data; empty: at its offset.
    const char *expression = nullptr;          ///< An associative expression of a and b, in the place of op.
};

/// result[s] <- data[offsets[s]] to data[offsets[s + 1] - 1] combined: offsets has one element more than there are
/// segments, result room for one each.
template <class Data, class Offsets, class Result>
void segmented_reduce(context_ref ctx, const Data &data, const Offsets &offsets, Result &&result,
                      const detail::as_is<segmented_reduce_options<detail::element<const Data>,
                                                                   detail::element<const Offsets>>> &options = {}) {
    using type = detail::element<const Data>;
    detail::require_alike<type, detail::element<Result>>();
    const std::size_t segments = detail::count(offsets) > 0 ? detail::count(offsets) - 1 : 0;
    detail::require_room("segmented_reduce", "result", detail::count(result), segments);
    if (options.sources.data() != nullptr)
        detail::require_equal("segmented_reduce", "sources", options.sources.size(), segments);
    gpumex_segmented_reduce_options c = GPUMEX_SEGMENTED_REDUCE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::wide_dtype<type>();
    c.op = detail::operator_unless(options.expression, options.op);
    c.expression = options.expression;
    c.index_dtype = detail::index_dtype<detail::element<const Offsets>>();
    c.geometry = options.geometry.data();
    c.identity = options.identity;
    detail::check(gpumex_segmented_reduce(ctx.get(), &c, detail::in(data), detail::count(data), detail::in(offsets),
                                          segments, options.sources.data(), detail::out(result)));
}

} // namespace gpumex
