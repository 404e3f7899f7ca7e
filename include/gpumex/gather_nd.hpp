/// @file
/// @brief N-D indexing. See gpumex_gather_nd.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>
#include <gpumex/selection.hpp>

namespace gpumex {

/// As gpumex_gather_nd_options, without what the selections say.
struct gather_nd_options {
    gpumex::variant variant = gpumex::variant::auto_;
    bool check = false; ///< Whether an index out of range is an error; else it gives zero.
};

/// result <- what is selected of each dimension of source, the first one fastest; result has room for it.
template <class Source, class Result>
void gather_nd(context_ref ctx, const Source &source, const std::vector<selection> &dimensions, Result &&result,
               const gather_nd_options &options = {}) {
    using type = detail::element<const Source>;
    detail::require_alike<type, detail::element<Result>>();
    const detail::selected selected(dimensions);
    detail::require_room("gather_nd", "source", detail::count(source), selected.elements);
    detail::require_room("gather_nd", "result", detail::count(result), selected.taken);
    gpumex_gather_nd_options c = GPUMEX_GATHER_ND_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::any_dtype<type>();
    c.rank = static_cast<std::int32_t>(dimensions.size());
    c.check = options.check ? 1 : 0;
    c.shape = selected.shape.data();
    c.counts = selected.counts.data();
    c.starts = selected.starts.data();
    c.steps = selected.steps.data();
    c.wraps = selected.wraps.data();
    c.indices = selected.indices.data();
    c.index_dtypes = selected.index_dtypes.data();
    detail::check(gpumex_gather_nd(ctx.get(), &c, detail::in(source), detail::out(result)));
}

} // namespace gpumex
