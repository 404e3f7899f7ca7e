/// @file
/// @brief The partition of segments, for repeated calls. See gpumex_segments_prepare.
#pragma once

#include <gpumex/array.hpp>

namespace gpumex {

/// geometry, elements of uint64_t, <- the partition of the segments of `offsets`, segments + 1 of them, of `count`
/// elements; the elements that it takes, 0 on the CPU backend. gpumex::none asks for the size only.
template <class Offsets, class Geometry>
std::uint64_t segments_prepare(context_ref ctx, const Offsets &offsets, std::size_t count, Geometry &&geometry) {
    detail::require_alike<detail::element<Geometry>, std::uint64_t>();
    gpumex_segments_prepare_options c = GPUMEX_SEGMENTS_PREPARE_OPTIONS_INIT;
    c.index_dtype = detail::index_dtype<detail::element<const Offsets>>();
    const std::size_t segments = detail::count(offsets) > 0 ? detail::count(offsets) - 1 : 0;
    std::uint64_t needed = 0;
    detail::check(gpumex_segments_prepare(ctx.get(), &c, detail::in(offsets), segments, count, detail::out(geometry),
                                          detail::count(geometry), &needed));
    return needed;
}

/// The geometry in device memory, for the options of segmented_reduce and spmv; empty on the CPU backend.
template <class Offsets>
array<std::uint64_t> segments_prepare(context_ref ctx, const Offsets &offsets, std::size_t count) {
    array<std::uint64_t> geometry(
        ctx, static_cast<std::size_t>(gpumex::segments_prepare(ctx, offsets, count, none)));
    if (!geometry.empty()) gpumex::segments_prepare(ctx, offsets, count, geometry);
    return geometry;
}

} // namespace gpumex
