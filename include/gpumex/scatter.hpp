/// @file
/// @brief Writes elements to given positions. See gpumex_scatter.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_scatter_options.
struct scatter_options {
    gpumex::variant variant = gpumex::variant::auto_;
    bool check = false; ///< Whether an index out of range is an error; else its element is left out.
};

/// target[indices[i]] <- source[i]; source and indices are of one length.
template <class Source, class Indices, class Target>
void scatter(context_ref ctx, const Source &source, const Indices &indices, Target &&target,
             const scatter_options &options = {}) {
    using type = detail::element<const Source>;
    detail::require_alike<type, detail::element<Target>>();
    detail::require_equal("scatter", "indices", detail::count(indices), detail::count(source));
    gpumex_scatter_options c = GPUMEX_SCATTER_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::any_dtype<type>();
    c.index_dtype = detail::index_dtype<detail::element<const Indices>>();
    c.check = options.check ? 1 : 0;
    detail::check(gpumex_scatter(ctx.get(), &c, detail::in(source), detail::in(indices), detail::count(indices),
                                 detail::out(target), detail::count(target)));
}

} // namespace gpumex
