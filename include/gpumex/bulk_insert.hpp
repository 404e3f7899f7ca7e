/// @file
/// @brief Bulk insertion. See gpumex_bulk_insert.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_bulk_insert_options.
struct bulk_insert_options {
    gpumex::variant variant = gpumex::variant::auto_;
};

/// result <- b with a[i] inserted before b[indices[i]]: a and indices of one length, indices ascending; result has room
/// for a and b.
template <class A, class Indices, class B, class Result>
void bulk_insert(context_ref ctx, const A &a, const Indices &indices, const B &b, Result &&result,
                 const bulk_insert_options &options = {}) {
    using type = detail::element<const A>;
    detail::require_alike<type, detail::element<const B>>();
    detail::require_alike<type, detail::element<Result>>();
    detail::require_equal("bulk_insert", "indices", detail::count(indices), detail::count(a));
    detail::require_room("bulk_insert", "result", detail::count(result), detail::sum(detail::count(a), detail::count(b)));
    gpumex_bulk_insert_options c = GPUMEX_BULK_INSERT_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::wide_dtype<type>();
    c.index_dtype = detail::index_dtype<detail::element<const Indices>>();
    detail::check(gpumex_bulk_insert(ctx.get(), &c, detail::in(a), detail::in(indices), detail::count(a), detail::in(b),
                                     detail::count(b), detail::out(result)));
}

} // namespace gpumex
