/// @file
/// @brief Arrays of one value, and arithmetic sequences. See gpumex_fill and gpumex_fill_ascending.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// Sets all elements to `value`.
template <class R> void fill(context_ref ctx, R &&array, detail::as_is<detail::element<R>> value) {
    using type = detail::element<R>;
    detail::check(
        gpumex_fill(ctx.get(), detail::any_dtype<type>(), detail::out(array), detail::count(array), &value));
}

/// array[i] <- first + i*step; first and step are finite.
template <class R> void fill_ascending(context_ref ctx, R &&array, double first = 0, double step = 1) {
    using type = detail::element<R>;
    detail::check(gpumex_fill_ascending(ctx.get(), detail::key_dtype<type>(), detail::out(array), detail::count(array),
                                        first, step));
}

} // namespace gpumex
