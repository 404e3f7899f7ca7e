/// @file
/// @brief Dimensions in another order. See gpumex_permute.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <cstdint>
#include <vector>

namespace gpumex {

/// As gpumex_permute_options.
struct permute_options {
    gpumex::variant variant = gpumex::variant::auto_;
};

/// Dimension k of result <- dimension order[k] of source, which has this shape, the first one fastest.
template <class Source, class Result>
void permute(context_ref ctx, const Source &source, const std::vector<std::size_t> &shape,
             const std::vector<std::int32_t> &order, Result &&result, const permute_options &options = {}) {
    using type = detail::element<const Source>;
    detail::require_alike<type, detail::element<Result>>();
    std::size_t count = 1;
    for (std::size_t extent : shape) count *= extent;
    detail::require_equal("permute", "order", order.size(), shape.size());
    detail::require_room("permute", "source", detail::count(source), count);
    detail::require_room("permute", "result", detail::count(result), count);
    gpumex_permute_options c = GPUMEX_PERMUTE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::any_dtype<type>();
    c.rank = static_cast<std::int32_t>(shape.size());
    detail::check(gpumex_permute(ctx.get(), &c, detail::in(source), shape.data(), order.data(), detail::out(result)));
}

} // namespace gpumex
