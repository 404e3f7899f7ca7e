/// @file
/// @brief What N-D indexing takes of a dimension. See gpumex_gather_nd.
#pragma once

#include <gpumex/range.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpumex {

/// What is taken of a dimension: a range, an index vector or a mask, which has to outlive it.
class selection {
public:
    /// All of a dimension.
    selection(std::size_t extent) noexcept : selection(extent, extent) {}

    /// start, start + step, ...: `count` positions within a dimension.
    static selection range(std::size_t extent, std::int64_t start, std::size_t count, std::int64_t step = 1) noexcept {
        selection taken(extent, count);
        taken.start = start, taken.step = step;
        return taken;
    }

    /// The same modulo the extent.
    static selection wrapped(std::size_t extent, std::int64_t start, std::size_t count, std::int64_t step = 1) noexcept {
        selection taken = range(extent, start, count, step);
        taken.wraps = 1;
        return taken;
    }

    /// start + indices[i], for indices of 32 or 64 bits, signed or not, or doubles.
    template <class Indices> static selection at(std::size_t extent, const Indices &indices, std::int64_t start = 0) {
        selection taken(extent, detail::count(indices));
        taken.start = start;
        taken.indices = detail::in(indices);
        taken.index_dtype = detail::any_dtype<detail::element<const Indices>>();
        return taken;
    }

    /// The set elements of a mask of bytes, one for each element of the dimension; `count` of them.
    template <class Mask> static selection mask(const Mask &mask, std::size_t count) {
        static_assert(sizeof(detail::element<const Mask>) == 1, "gpumex: a mask has bytes");
        selection taken(detail::count(mask), count);
        taken.indices = detail::in(mask);
        taken.index_dtype = GPUMEX_DTYPE_BOOL;
        return taken;
    }

    std::size_t extent, count;
    std::int64_t start = 0, step = 1;
    std::int32_t wraps = 0, index_dtype = 0;
    const void *indices = nullptr;

private:
    selection(std::size_t extent, std::size_t count) noexcept : extent(extent), count(count) {}
};

/// @cond
namespace detail {

/// The fields of an option struct of C.
struct selected {
    explicit selected(const std::vector<selection> &dimensions) {
        for (const selection &one : dimensions) {
            shape.push_back(one.extent), counts.push_back(one.count);
            starts.push_back(one.start), steps.push_back(one.step), wraps.push_back(one.wraps);
            indices.push_back(one.indices), index_dtypes.push_back(one.index_dtype);
            elements *= one.extent, taken *= one.count;
        }
    }

    std::vector<std::size_t> shape, counts;
    std::vector<std::int64_t> starts, steps;
    std::vector<std::int32_t> wraps, index_dtypes;
    std::vector<const void *> indices;
    std::size_t elements = 1, taken = 1;
};

} // namespace detail
/// @endcond

} // namespace gpumex
