/// @file
/// @brief Uniform random numbers from a seed, the same on every backend. See gpumex_random.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// Integers in [lo, hi], floats in [lo, hi).
template <class R> void random(context_ref ctx, R &&array, std::uint64_t seed, double lo = 0, double hi = 1) {
    using type = detail::element<R>;
    detail::check(gpumex_random(ctx.get(), detail::key_dtype<type>(), detail::out(array), detail::count(array), seed, lo,
                                hi));
}

/// The same numbers, ascending.
template <class R> void random_sorted(context_ref ctx, R &&array, std::uint64_t seed, double lo = 0, double hi = 1) {
    using type = detail::element<R>;
    detail::check(gpumex_random_sorted(ctx.get(), detail::key_dtype<type>(), detail::out(array), detail::count(array),
                                       seed, lo, hi));
}

} // namespace gpumex
