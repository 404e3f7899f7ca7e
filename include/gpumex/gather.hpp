/// @file
/// @brief Elements at given positions. See gpumex_gather.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_gather_options.
struct gather_options {
    gpumex::variant variant = gpumex::variant::auto_;
    bool check = false; ///< Whether an index out of range is an error; else it gives zero.
};

/// result[i] <- source[indices[i]]; result has room for as many elements as there are indices.
template <class Source, class Indices, class Result>
void gather(context_ref ctx, const Source &source, const Indices &indices, Result &&result,
            const gather_options &options = {}) {
    using type = detail::element<const Source>;
    detail::require_alike<type, detail::element<Result>>();
    detail::require_room("gather", "result", detail::count(result), detail::count(indices));
    gpumex_gather_options c = GPUMEX_GATHER_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::any_dtype<type>();
    c.index_dtype = detail::index_dtype<detail::element<const Indices>>();
    c.check = options.check ? 1 : 0;
    detail::check(gpumex_gather(ctx.get(), &c, detail::in(source), detail::count(source), detail::in(indices),
                                detail::count(indices), detail::out(result)));
}

} // namespace gpumex
