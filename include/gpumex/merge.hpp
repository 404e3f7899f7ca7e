/// @file
/// @brief Stable merge of two sorted arrays. See gpumex_merge.
#pragma once

#include <gpumex/array.hpp>
#include <gpumex/payload.hpp>

namespace gpumex {

/// As gpumex_merge_options.
struct merge_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::sort_order order = gpumex::sort_order::ascending; ///< How the keys are sorted.
    const char *expression = nullptr; ///< Of keys a and b, whether a precedes b, in the place of order.
};

/// @cond
namespace detail {
template <class AKeys, class AValues, class BKeys, class BValues>
void require_merge_lengths(const AKeys &a_keys, const AValues &a_values, const BKeys &b_keys, const BValues &b_values) {
    require_alike<element<const AKeys>, element<const BKeys>>();
    static_assert(std::is_same_v<element<const AValues>, element<const BValues>>,
                  "gpumex: the values of both arrays are of one type, or both are left out");
    if (!is_none<AValues>) require_equal("merge", "a_values", count(a_values), count(a_keys));
    if (!is_none<BValues>) require_equal("merge", "b_values", count(b_values), count(b_keys));
}
} // namespace detail
/// @endcond

/// keys <- those of two sorted arrays in options.order; values <- the value of each, or its position (a's, then b's)
/// where a_values and b_values are gpumex::none, or nothing where all three are. The outputs have room for both.
template <class AKeys, class AValues, class BKeys, class BValues, class Keys, class Values>
void merge(context_ref ctx, const AKeys &a_keys, const AValues &a_values, const BKeys &b_keys, const BValues &b_values,
           Keys &&keys, Values &&values, const merge_options &options = {}) {
    detail::require_alike<detail::element<const AKeys>, detail::element<Keys>>();
    detail::require_merge_lengths(a_keys, a_values, b_keys, b_values);
    const std::size_t both = detail::sum(detail::count(a_keys), detail::count(b_keys));
    detail::require_room("merge", "keys", detail::count(keys), both);
    if (!detail::is_none<Values>) detail::require_room("merge", "values", detail::count(values), both);
    gpumex_merge_options c = GPUMEX_MERGE_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<detail::element<const AKeys>>();
    c.order = detail::number(options.order);
    c.expression = options.expression;
    detail::set_payload<AValues, Values>(c); // payload, value_dtype, index_dtype
    detail::check(gpumex_merge(ctx.get(), &c, detail::in(a_keys), detail::in(a_values), detail::count(a_keys),
                               detail::in(b_keys), detail::in(b_values), detail::count(b_keys), detail::out(keys),
                               detail::out(values)));
}

/// keys <- those of two sorted arrays.
template <class A, class B, class Keys>
void merge_keys(context_ref ctx, const A &a, const B &b, Keys &&keys, const merge_options &options = {}) {
    gpumex::merge(ctx, a, none, b, none, keys, none, options);
}

/// The merged keys: a gpumex::array where a is one, else a std::vector.
template <class A, class B> auto merge(context_ref ctx, const A &a, const B &b, const merge_options &options = {}) {
    auto keys = detail::make_like<detail::element<const A>>(ctx, a, detail::sum(detail::count(a), detail::count(b)));
    gpumex::merge(ctx, a, none, b, none, keys, none, options);
    return keys;
}

} // namespace gpumex
