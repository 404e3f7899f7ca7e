/// @file
/// @brief Vectorized sorted search. See gpumex_sorted_search.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_sorted_search_options.
struct sorted_search_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::sort_order order = gpumex::sort_order::ascending; ///< How the keys are sorted.
    const char *expression = nullptr; ///< Of keys a and b, whether a precedes b, in the place of order.
    gpumex::bound bound = gpumex::bound::lower; ///< Of the elements of a in b; b gets the other one.
};

/// Bounds of the elements of two sorted arrays in the other, flags (bytes) of those that the other has, and
/// matches[0], matches[1] <- the numbers of these flags. Outputs of a are as long as a, those of b as b; any may be
/// gpumex::none, matches NULL.
template <class A, class B, class AIndices, class BIndices, class AFlags, class BFlags>
void sorted_search(context_ref ctx, const A &a, const B &b, AIndices &&a_indices, BIndices &&b_indices, AFlags &&a_flags,
                   BFlags &&b_flags, std::uint64_t *matches, const sorted_search_options &options = {}) {
    using type = detail::element<const A>;
    using index = std::conditional_t<detail::is_none<AIndices>, detail::element<BIndices>, detail::element<AIndices>>;
    detail::require_alike<type, detail::element<const B>>();
    detail::require_alike<index, detail::element<BIndices>>();
    static_assert((detail::is_none<AFlags> || detail::are_alike<detail::element<AFlags>, std::uint8_t>) &&
                      (detail::is_none<BFlags> || detail::are_alike<detail::element<BFlags>, std::uint8_t>),
                  "gpumex: flags are bytes");
    const auto room = [](const char *name, bool is_left_out, std::size_t has, std::size_t wanted) {
        if (!is_left_out) detail::require_room("sorted_search", name, has, wanted);
    };
    room("a_indices", detail::is_none<AIndices>, detail::count(a_indices), detail::count(a));
    room("b_indices", detail::is_none<BIndices>, detail::count(b_indices), detail::count(b));
    room("a_flags", detail::is_none<AFlags>, detail::count(a_flags), detail::count(a));
    room("b_flags", detail::is_none<BFlags>, detail::count(b_flags), detail::count(b));
    gpumex_sorted_search_options c = GPUMEX_SORTED_SEARCH_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<type>();
    c.order = detail::number(options.order);
    c.expression = options.expression;
    c.bound = detail::number(options.bound);
    c.index_dtype = detail::index_dtype<index>();
    detail::check(gpumex_sorted_search(ctx.get(), &c, detail::in(a), detail::count(a), detail::in(b), detail::count(b),
                                       detail::out(a_indices), detail::out(b_indices), detail::out(a_flags),
                                       detail::out(b_flags), matches));
}

/// indices[i] <- the bound of keys[i] in `among`: both are sorted.
template <class Keys, class Among, class Indices>
void sorted_search(context_ref ctx, const Keys &keys, const Among &among, Indices &&indices,
                   const sorted_search_options &options = {}) {
    gpumex::sorted_search(ctx, keys, among, indices, none, none, none, nullptr, options);
}

} // namespace gpumex
