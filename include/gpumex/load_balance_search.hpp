/// @file
/// @brief Load-balancing search. See gpumex_load_balance_search.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_load_balance_search_options.
struct load_balance_search_options {
    gpumex::variant variant = gpumex::variant::auto_;
};

/// indices[k] <- the object of item k: scan is the exclusive prefix sum of the objects' item counts, indices has an
/// element for each item.
template <class Scan, class Indices>
void load_balance_search(context_ref ctx, const Scan &scan, Indices &&indices,
                         const load_balance_search_options &options = {}) {
    using type = detail::element<const Scan>;
    detail::require_alike<type, detail::element<Indices>>();
    gpumex_load_balance_search_options c = GPUMEX_LOAD_BALANCE_SEARCH_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.index_dtype = detail::index_dtype<type>();
    detail::check(gpumex_load_balance_search(ctx.get(), &c, detail::count(indices), detail::in(scan), detail::count(scan),
                                             detail::out(indices)));
}

} // namespace gpumex
