/// @file
/// @brief Inner product on several ranks. See gpumex_comm_dot.
#pragma once

#include <gpumex/comm.hpp>
#include <gpumex/dot.hpp>

namespace gpumex {

/// *result, in memory of any kind, <- the sum of x[i]*y[i] over the parts of all ranks, on every rank.
template <class X, class Y>
void dot_into(comm_ref comm, const X &x, const Y &y, detail::as_is<detail::element<const X>> *result,
              const dot_options &options = {}) {
    using type = detail::element<const X>;
    detail::require_alike<type, detail::element<const Y>>();
    detail::collective(
        detail::in_c<type>(options), [&] { detail::require_equal("dot", "y", detail::count(y), detail::count(x)); },
        [&](const gpumex_dot_options &c) {
            return gpumex_comm_dot(comm.get(), &c, detail::in(x), detail::in(y), detail::count(x), result);
        });
}

/// The sum of x[i]*y[i] over the parts of all ranks.
template <class X, class Y>
detail::element<const X> dot(comm_ref comm, const X &x, const Y &y, const dot_options &options = {}) {
    detail::element<const X> result{};
    gpumex::dot_into(comm, x, y, &result, options);
    return result;
}

} // namespace gpumex
