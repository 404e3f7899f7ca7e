/// @file
/// @brief Copies between any two kinds of memory. See gpumex_copy.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// to <- from, elements of one plain type; `to` may be longer.
template <class From, class To> void copy(context_ref ctx, const From &from, To &&to) {
    using type = detail::element<const From>;
    static_assert(std::is_same_v<type, detail::element<To>> && std::is_trivially_copyable_v<type>,
                  "gpumex: copy takes two arrays of one trivially copyable type");
    detail::require_room("copy", "to", detail::count(to), detail::count(from));
    detail::check(gpumex_copy(ctx.get(), detail::out(to), detail::in(from), detail::count(from) * sizeof(type)));
}

} // namespace gpumex
