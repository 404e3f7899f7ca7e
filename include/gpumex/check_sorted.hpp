/// @file
/// @brief Whether keys are sorted. See gpumex_check_sorted.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_check_sorted_options.
struct check_sorted_options {
    gpumex::sort_order order = gpumex::sort_order::ascending; ///< How the keys are sorted.
    bool strict = false; ///< Whether equal neighbours are out of order too.
};

/// @cond
namespace detail {
template <class Keys>
void call_check_sorted(context_ref ctx, const Keys &keys, const check_sorted_options &options, std::uint64_t *first_bad) {
    gpumex_check_sorted_options c = GPUMEX_CHECK_SORTED_OPTIONS_INIT;
    c.dtype = key_dtype<element<const Keys>>();
    c.order = number(options.order);
    c.strict = options.strict ? 1 : 0;
    check(gpumex_check_sorted(ctx.get(), &c, in(keys), count(keys), first_bad));
}
} // namespace detail
/// @endcond

/// The position of the first key that is out of order, the number of keys where there is none.
template <class Keys>
std::uint64_t check_sorted(context_ref ctx, const Keys &keys, const check_sorted_options &options = {}) {
    std::uint64_t first_bad = 0;
    detail::call_check_sorted(ctx, keys, options, &first_bad);
    return first_bad;
}

/// Throws status::invalid_argument, with the position and the keys, where keys are not sorted.
template <class Keys> void require_sorted(context_ref ctx, const Keys &keys, const check_sorted_options &options = {}) {
    detail::call_check_sorted(ctx, keys, options, nullptr);
}

} // namespace gpumex
