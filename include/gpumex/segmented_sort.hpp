/// @file
/// @brief Stable sort of each segment. See gpumex_segmented_sort.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/payload.hpp>

namespace gpumex {

/// As gpumex_segmented_sort_options.
struct segmented_sort_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::sort_order order = gpumex::sort_order::ascending;
    gpumex::segments segments_by = gpumex::segments::offsets; ///< How segment boundaries are given.
};

/// sorted, sorted_values <- the keys of each segment in options.order and their values or positions, as gpumex::sort.
/// segments are positions, of uint32_t or uint64_t, as sorted_values where that receives positions, or, with
/// segments::flags, words of uint32_t with a bit for each key. gpumex::none: one segment.
template <class Keys, class Values, class Segments, class Sorted, class SortedValues>
void segmented_sort(context_ref ctx, const Keys &keys, const Values &values, const Segments &segments, Sorted &&sorted,
                    SortedValues &&sorted_values, const segmented_sort_options &options = {}) {
    constexpr std::int32_t segment_dtype = detail::index_dtype<detail::element<const Segments>>();
    detail::require_sort_lengths("segmented_sort", keys, values, sorted, sorted_values);
    gpumex_segmented_sort_options c = GPUMEX_SEGMENTED_SORT_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.dtype = detail::key_dtype<detail::element<const Keys>>();
    c.order = detail::number(options.order);
    detail::set_payload<Values, SortedValues>(c); // payload, value_dtype, index_dtype
    c.segments_by = detail::number(options.segments_by);
    if (options.segments_by == gpumex::segments::flags) {
        if (segment_dtype == GPUMEX_DTYPE_U64) detail::refuse("segmented_sort", "flags are words of uint32_t");
    } else if (segment_dtype != GPUMEX_DTYPE_NONE) {
        if (c.index_dtype != GPUMEX_DTYPE_NONE && c.index_dtype != segment_dtype)
            detail::refuse("segmented_sort", "segments and positions are of different types");
        c.index_dtype = segment_dtype;
    } else if (c.index_dtype == GPUMEX_DTYPE_NONE) {
        c.index_dtype = GPUMEX_DTYPE_U64;
    }
    detail::check(gpumex_segmented_sort(ctx.get(), &c, detail::in(keys), detail::in(values), detail::count(keys),
                                        detail::in(segments), detail::count(segments), detail::out(sorted),
                                        detail::out(sorted_values)));
}

/// sorted <- the keys of each segment in options.order.
template <class Keys, class Segments, class Sorted>
void segmented_sort_keys(context_ref ctx, const Keys &keys, const Segments &segments, Sorted &&sorted,
                         const segmented_sort_options &options = {}) {
    gpumex::segmented_sort(ctx, keys, none, segments, sorted, none, options);
}

} // namespace gpumex
