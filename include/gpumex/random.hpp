/// @file
/// @brief Uniform and normal random numbers from a seed, the same on every backend. See gpumex_random, gpumex_random_normal.
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

/// Normal numbers of float or double.
template <class R>
void random_normal(context_ref ctx, R &&array, std::uint64_t seed, double mean = 0, double deviation = 1) {
    using type = detail::element<R>;
    detail::check(gpumex_random_normal(ctx.get(), detail::key_dtype<type>(), detail::out(array), detail::count(array), seed,
                                       mean, deviation));
}

/// The same numbers as of random, ascending.
template <class R> void random_sorted(context_ref ctx, R &&array, std::uint64_t seed, double lo = 0, double hi = 1) {
    using type = detail::element<R>;
    detail::check(gpumex_random_sorted(ctx.get(), detail::key_dtype<type>(), detail::out(array), detail::count(array),
                                       seed, lo, hi));
}

} // namespace gpumex
