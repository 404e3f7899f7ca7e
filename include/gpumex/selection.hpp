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
    selection(std::size_t all) noexcept : selection(all, all) {}

    /// from, from + by, ...: so many positions within a dimension of that extent.
    static selection range(std::size_t of, std::int64_t from, std::size_t positions, std::int64_t by = 1) noexcept {
        selection taken(of, positions);
        taken.start = from, taken.step = by;
        return taken;
    }

    /// The same modulo the extent.
    static selection wrapped(std::size_t of, std::int64_t from, std::size_t positions, std::int64_t by = 1) noexcept {
        selection taken = range(of, from, positions, by);
        taken.wraps = 1;
        return taken;
    }

    /// from + vector[i], for vectors of 32 or 64 bits, signed or not, or doubles.
    template <class Indices> static selection at(std::size_t of, const Indices &vector, std::int64_t from = 0) {
        selection taken(of, detail::count(vector));
        taken.start = from;
        taken.indices = detail::in(vector);
        taken.index_dtype = detail::any_dtype<detail::element<const Indices>>();
        return taken;
    }

    /// The set elements of a mask of bytes, one for each element of the dimension; so many are set.
    template <class Mask> static selection mask(const Mask &flags, std::size_t set) {
        static_assert(sizeof(detail::element<const Mask>) == 1, "gpumex: a mask has bytes");
        selection taken(detail::count(flags), set);
        taken.indices = detail::in(flags);
        taken.index_dtype = GPUMEX_DTYPE_BOOL;
        return taken;
    }

    std::size_t extent, count;
    std::int64_t start = 0, step = 1;
    std::int32_t wraps = 0, index_dtype = 0;
    const void *indices = nullptr;

private:
    selection(std::size_t of, std::size_t taken) noexcept : extent(of), count(taken) {}
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
