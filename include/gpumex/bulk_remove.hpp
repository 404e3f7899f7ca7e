/// @file
/// @brief Bulk removal. See gpumex_bulk_remove.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_bulk_remove_options.
struct bulk_remove_options {
    gpumex::variant variant = gpumex::variant::auto_;
};

/// result <- the elements of source whose positions are not among `indices`, which ascend strictly; result has room for
/// those that stay.
template <class Source, class Indices, class Result>
void bulk_remove(context_ref ctx, const Source &source, const Indices &indices, Result &&result,
                 const bulk_remove_options &options = {}) {
    using type = detail::element<const Source>;
    detail::require_alike<type, detail::element<Result>>();
    if (detail::count(indices) <= detail::count(source))
        detail::require_room("bulk_remove", "result", detail::count(result),
                             detail::count(source) - detail::count(indices));
    gpumex_bulk_remove_options c = GPUMEX_BULK_REMOVE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::wide_dtype<type>();
    c.index_dtype = detail::index_dtype<detail::element<const Indices>>();
    detail::check(gpumex_bulk_remove(ctx.get(), &c, detail::in(source), detail::count(source), detail::in(indices),
                                     detail::count(indices), detail::out(result)));
}

} // namespace gpumex
