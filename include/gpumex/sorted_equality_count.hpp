/// @file
/// @brief Multiplicity of keys in another array. See gpumex_sorted_equality_count.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_sorted_equality_count_options.
struct sorted_equality_count_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::sort_order order = gpumex::sort_order::ascending; ///< How the keys are sorted.
};

/// counts[i] <- how many elements of b equal a[i], lower[i] <- how many precede it: a and b are sorted, counts and lower,
/// or gpumex::none, have room for the elements of a.
template <class A, class B, class Counts, class Lower = const none_t &>
void sorted_equality_count(context_ref ctx, const A &a, const B &b, Counts &&counts, Lower &&lower = none,
                           const sorted_equality_count_options &options = {}) {
    using type = detail::element<const A>;
    detail::require_alike<type, detail::element<const B>>();
    detail::require_alike<detail::element<Counts>, detail::element<Lower>>();
    detail::require_room("sorted_equality_count", "counts", detail::count(counts), detail::count(a));
    if (!detail::is_none<Lower>)
        detail::require_room("sorted_equality_count", "lower", detail::count(lower), detail::count(a));
    gpumex_sorted_equality_count_options c = GPUMEX_SORTED_EQUALITY_COUNT_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<type>();
    c.order = detail::number(options.order);
    c.index_dtype = detail::index_dtype<detail::element<Counts>>();
    detail::check(gpumex_sorted_equality_count(ctx.get(), &c, detail::in(a), detail::count(a), detail::in(b),
                                               detail::count(b), detail::out(counts), detail::out(lower)));
}

} // namespace gpumex
