/// @file
/// @brief Stable sort. See gpumex_sort.
#pragma once

#include <gpumex/array.hpp>
#include <gpumex/payload.hpp>

namespace gpumex {

/// As gpumex_sort_options.
struct sort_options {
    gpumex::sort_variant variant = gpumex::sort_variant::auto_;
    gpumex::sort_order order = gpumex::sort_order::ascending;
    const char *expression = nullptr; ///< Of keys a and b, whether a precedes b, in the place of order.
};

/// @cond
namespace detail {

template <class Keys, class Values, class SortedValues> gpumex_sort_options in_c(const sort_options &options) {
    gpumex_sort_options c = GPUMEX_SORT_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.dtype = key_dtype<element<const Keys>>();
    c.order = number(options.order);
    c.expression = options.expression;
    set_payload<Values, SortedValues>(c); // payload, value_dtype, index_dtype
    return c;
}

} // namespace detail
/// @endcond

/// sorted <- the keys in options.order; sorted_values <- the value of each, or its position in keys where `values` is
/// gpumex::none, or nothing where both are. Values are of any plain type of 4 or 8 bytes, positions uint32_t or uint64_t.
/// keys and values are of one length, for which the outputs have room.
/// gpumex::none for `sorted` leaves the keys out where there are positions.
template <class Keys, class Values, class Sorted, class SortedValues>
void sort(context_ref ctx, const Keys &keys, const Values &values, Sorted &&sorted, SortedValues &&sorted_values,
          const sort_options &options = {}) {
    detail::require_sort_lengths("sort", keys, values, sorted, sorted_values);
    const gpumex_sort_options c = detail::in_c<Keys, Values, SortedValues>(options);
    detail::check(gpumex_sort(ctx.get(), &c, detail::in(keys), detail::in(values), detail::count(keys),
                              detail::out(sorted), detail::out(sorted_values)));
}

/// sorted <- the keys in options.order.
template <class Keys, class Sorted>
void sort_keys(context_ref ctx, const Keys &keys, Sorted &&sorted, const sort_options &options = {}) {
    gpumex::sort(ctx, keys, none, sorted, none, options);
}

/// The sorted keys: a gpumex::array where keys is one, else a std::vector.
template <class Keys> auto sort(context_ref ctx, const Keys &keys, const sort_options &options = {}) {
    auto sorted = detail::make_like<detail::element<const Keys>>(ctx, keys, detail::count(keys));
    gpumex::sort(ctx, keys, none, sorted, none, options);
    return sorted;
}

/// The sorted keys and their values.
template <class Keys, class Values, class = std::enable_if_t<detail::is_range<const Values>>>
auto sort(context_ref ctx, const Keys &keys, const Values &values, const sort_options &options = {}) {
    using key = detail::element<const Keys>;
    using value = detail::element<const Values>;
    sorted_pairs<detail::like<Keys, key>, detail::like<Values, value>> found{
        detail::make_like<key>(ctx, keys, detail::count(keys)),
        detail::make_like<value>(ctx, values, detail::count(keys))};
    gpumex::sort(ctx, keys, values, found.keys, found.values, options);
    return found;
}

/// The positions of the keys in sorted order, of uint64_t or Index; the keys are left where they are.
template <class Index = std::uint64_t, class Keys>
auto sort_indices(context_ref ctx, const Keys &keys, const sort_options &options = {}) {
    auto positions = detail::make_like<Index>(ctx, keys, detail::count(keys));
    gpumex::sort(ctx, keys, none, none, positions, options);
    return positions;
}

} // namespace gpumex
