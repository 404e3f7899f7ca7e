/// @file
/// @brief Sort-merge join. See gpumex_join.
#pragma once

#include <gpumex/array.hpp>

namespace gpumex {

/// As gpumex_join_options.
struct join_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::sort_order order = gpumex::sort_order::ascending; ///< How the keys are sorted.
    gpumex::join_kind kind = gpumex::join_kind::inner; ///< Which keys without a partner it keeps.
};

/// Positions in a and in b, a pair for each row; all bits of one are set where a key has no partner.
template <class Indices> struct join_result {
    Indices a;
    Indices b;
};

/// a_indices, b_indices <- the pairs of positions with equal keys, *needed (any memory) <- their number.
///
/// a and b are sorted. Both outputs are of one length and type, or gpumex::none, which counts only; more pairs than that
/// are status::invalid_argument after the writing.
template <class A, class B, class AIndices, class BIndices>
void join(context_ref ctx, const A &a, const B &b, AIndices &&a_indices, BIndices &&b_indices, std::uint64_t *needed,
          const join_options &options = {}) {
    using type = detail::element<const A>;
    using index = detail::element<AIndices>;
    detail::require_alike<type, detail::element<const B>>();
    static_assert(std::is_same_v<index, detail::element<BIndices>>, "gpumex: both arrays of positions are of one type");
    detail::require_equal("join", "b_indices", detail::count(b_indices), detail::count(a_indices));
    gpumex_join_options c = GPUMEX_JOIN_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<type>();
    c.order = detail::number(options.order);
    c.kind = detail::number(options.kind);
    c.index_dtype = detail::is_none<AIndices> ? GPUMEX_DTYPE_U64 : detail::index_dtype<index>(); // for a count too
    detail::check(gpumex_join(ctx.get(), &c, detail::in(a), detail::count(a), detail::in(b), detail::count(b),
                              detail::out(a_indices), detail::out(b_indices), detail::count(a_indices), needed));
}

/// The pairs: gpumex::arrays where a is one, else std::vectors, of uint64_t or Index. Counts them first.
///
///     const auto rows = gpumex::join(ctx, customers, orders);        // rows.a[i] and rows.b[i] belong together
template <class Index = std::uint64_t, class A, class B>
join_result<detail::like<A, Index>> join(context_ref ctx, const A &a, const B &b, const join_options &options = {}) {
    std::uint64_t needed = 0;
    gpumex::join(ctx, a, b, none, none, &needed, options);
    join_result<detail::like<A, Index>> found{detail::make_like<Index>(ctx, a, needed),
                                              detail::make_like<Index>(ctx, a, needed)};
    gpumex::join(ctx, a, b, found.a, found.b, &needed, options);
    return found;
}

} // namespace gpumex
