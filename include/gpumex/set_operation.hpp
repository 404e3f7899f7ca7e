/// @file
/// @brief Set operations on two sorted multisets. See gpumex_set_operation.
#pragma once

#include <gpumex/array.hpp>
#include <gpumex/payload.hpp>

namespace gpumex {

/// As gpumex_set_operation_options.
struct set_operation_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::sort_order order = gpumex::sort_order::ascending; ///< How the keys are sorted.
    gpumex::set_operator op = gpumex::set_operator::intersection;
    bool distinct = false; ///< Whether the caller asserts that neither array repeats a key.
};

/// @cond
namespace detail {
template <class AKeys, class AValues, class BKeys, class BValues>
void require_set_operation_lengths(const AKeys &a_keys, const AValues &a_values, const BKeys &b_keys,
                                   const BValues &b_values) {
    require_alike<element<const AKeys>, element<const BKeys>>();
    static_assert(std::is_same_v<element<const AValues>, element<const BValues>>,
                  "gpumex: the values of both arrays are of one type, or both are left out");
    if (!is_none<AValues>) require_equal("set_operation", "a_values", count(a_values), count(a_keys));
    if (!is_none<BValues>) require_equal("set_operation", "b_values", count(b_values), count(b_keys));
}
} // namespace detail
/// @endcond

/// keys, values <- the elements of the result, values or positions as gpumex::merge; *needed (any memory) <- their
/// number.
///
/// keys and values are of one length; keys may be gpumex::none with a payload. More elements than that are
/// status::invalid_argument after the writing; both none, or empty, count only.
template <class AKeys, class AValues, class BKeys, class BValues, class Keys, class Values>
void set_operation(context_ref ctx, const AKeys &a_keys, const AValues &a_values, const BKeys &b_keys,
                   const BValues &b_values, Keys &&keys, Values &&values, std::uint64_t *needed,
                   const set_operation_options &options = {}) {
    detail::require_alike<detail::element<const AKeys>, detail::element<Keys>>();
    detail::require_set_operation_lengths(a_keys, a_values, b_keys, b_values);
    if (!detail::is_none<Keys> && !detail::is_none<Values>)
        detail::require_equal("set_operation", "values", detail::count(values), detail::count(keys));
    gpumex_set_operation_options c = GPUMEX_SET_OPERATION_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<detail::element<const AKeys>>();
    c.order = detail::number(options.order);
    c.op = detail::number(options.op);
    detail::set_payload<AValues, Values>(c); // payload, value_dtype, index_dtype
    c.distinct = options.distinct ? 1 : 0;
    const std::size_t capacity = detail::is_none<Keys> ? detail::count(values) : detail::count(keys);
    detail::check(gpumex_set_operation(ctx.get(), &c, detail::in(a_keys), detail::in(a_values), detail::count(a_keys),
                                       detail::in(b_keys), detail::in(b_values), detail::count(b_keys), detail::out(keys),
                                       detail::out(values), capacity, needed));
}

/// The keys of the result: a gpumex::array where a is one, else a std::vector. Counts them first.
template <class A, class B>
auto set_operation(context_ref ctx, const A &a, const B &b, const set_operation_options &options = {}) {
    std::uint64_t needed = 0;
    gpumex::set_operation(ctx, a, none, b, none, none, none, &needed, options);
    auto keys = detail::make_like<detail::element<const A>>(ctx, a, needed);
    gpumex::set_operation(ctx, a, none, b, none, keys, none, &needed, options);
    return keys;
}

} // namespace gpumex
