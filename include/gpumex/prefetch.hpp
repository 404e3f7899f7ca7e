/// @file
/// @brief Migration of managed memory. See gpumex_prefetch.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// Migrates the pages of managed memory to where they are needed next.
template <class R>
void prefetch(context_ref ctx, R &&array, gpumex::prefetch_target target = gpumex::prefetch_target::device) {
    const std::size_t bytes = detail::count(array) * sizeof(detail::element<R>);
    detail::check(gpumex_prefetch(ctx.get(), detail::out(array), bytes, detail::number(target)));
}

} // namespace gpumex
