/// @file
/// @brief N-D indexed assignment. See gpumex_scatter_nd.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>
#include <gpumex/selection.hpp>

namespace gpumex {

/// As gpumex_scatter_nd_options, without what the arrays say.
struct scatter_nd_options {
    gpumex::variant variant = gpumex::variant::auto_;
    bool check = false; ///< Whether an index out of range is an error; else its elements are left out.
    bool last = false;  ///< Of elements that go to one place the last one wins; else whichever.
};

/// What is selected of each dimension of target, the first one fastest, <- values, or their one element everywhere.
template <class Values, class Target>
void scatter_nd(context_ref ctx, const Values &values, const std::vector<selection> &dimensions, Target &&target,
                const scatter_nd_options &options = {}) {
    using type = detail::element<const Values>;
    detail::require_alike<type, detail::element<Target>>();
    const detail::selected selected(dimensions);
    const bool is_single = detail::count(values) == 1;
    if (!is_single) detail::require_room("scatter_nd", "values", detail::count(values), selected.taken);
    detail::require_room("scatter_nd", "target", detail::count(target), selected.elements);
    gpumex_scatter_nd_options c = GPUMEX_SCATTER_ND_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::any_dtype<type>();
    c.rank = static_cast<std::int32_t>(dimensions.size());
    c.check = options.check ? 1 : 0;
    c.broadcast = is_single ? 1 : 0;
    c.last = options.last ? 1 : 0;
    c.shape = selected.shape.data();
    c.counts = selected.counts.data();
    c.starts = selected.starts.data();
    c.steps = selected.steps.data();
    c.wraps = selected.wraps.data();
    c.indices = selected.indices.data();
    c.index_dtypes = selected.index_dtypes.data();
    detail::check(gpumex_scatter_nd(ctx.get(), &c, detail::in(values), detail::out(target)));
}

} // namespace gpumex
