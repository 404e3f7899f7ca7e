/// @file
/// @brief Stream compaction. See gpumex_compact.
#pragma once

#include <gpumex/array.hpp>

namespace gpumex {

/// As gpumex_compact_options.
struct compact_options {
    gpumex::variant variant = gpumex::variant::auto_;
};

/// kept, positions <- the elements with flags[i] != 0 and their positions, *needed (any memory) <- their number.
///
/// flags are bytes, as many as data. kept and positions are of one length; either may be gpumex::none, data too without
/// kept. A number above that length is status::invalid_argument after the writing; both none, or empty, count only.
template <class Data, class Flags, class Kept, class Positions>
void compact(context_ref ctx, const Data &data, const Flags &flags, Kept &&kept, Positions &&positions,
             std::uint64_t *needed, const compact_options &options = {}) {
    using type = detail::element<const Data>;
    detail::require_alike<type, detail::element<Kept>>();
    static_assert(sizeof(detail::element<const Flags>) == 1, "gpumex: flags are bytes");
    static_assert(!detail::is_none<Data> || detail::is_none<Kept>, "gpumex: elements cannot be kept without data");
    if (!detail::is_none<Data>) detail::require_equal("compact", "data", detail::count(data), detail::count(flags));
    if (!detail::is_none<Kept> && !detail::is_none<Positions>)
        detail::require_equal("compact", "positions", detail::count(positions), detail::count(kept));
    gpumex_compact_options c = GPUMEX_COMPACT_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<type>();
    c.index_dtype = detail::index_dtype<detail::element<Positions>>();
    const std::size_t capacity = detail::is_none<Kept> ? detail::count(positions) : detail::count(kept);
    detail::check(gpumex_compact(ctx.get(), &c, detail::in(data), static_cast<const std::uint8_t *>(detail::in(flags)),
                                 detail::count(flags), detail::out(kept), detail::out(positions), capacity, needed));
}

/// The elements with flags[i] != 0, in their order: a gpumex::array where data is one, else a std::vector. Counts first.
template <class Data, class Flags>
auto compact(context_ref ctx, const Data &data, const Flags &flags, const compact_options &options = {}) {
    std::uint64_t needed = 0;
    gpumex::compact(ctx, data, flags, none, none, &needed, options);
    auto kept = detail::make_like<detail::element<const Data>>(ctx, data, needed);
    gpumex::compact(ctx, data, flags, kept, none, &needed, options);
    return kept;
}

/// The positions with flags[i] != 0, of uint64_t or Index: an array where flags is one, else a vector. Counts first.
template <class Index = std::uint64_t, class Flags>
auto compact_positions(context_ref ctx, const Flags &flags, const compact_options &options = {}) {
    std::uint64_t needed = 0;
    gpumex::compact(ctx, none, flags, none, none, &needed, options);
    auto positions = detail::make_like<Index>(ctx, flags, needed);
    gpumex::compact(ctx, none, flags, none, positions, &needed, options);
    return positions;
}

} // namespace gpumex
