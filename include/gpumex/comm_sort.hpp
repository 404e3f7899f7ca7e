/// @file
/// @brief Stable sort on several ranks. See gpumex_comm_sort.
#pragma once

#include <gpumex/comm.hpp>
#include <gpumex/sort.hpp>

namespace gpumex {

/// @cond
namespace detail {

/// `prepare` makes the outputs where the caller has none.
template <class Keys, class Values, class Sorted, class SortedValues, class Prepare>
void call_sort(comm_ref comm, const Keys &keys, const Values &values, Sorted &sorted, SortedValues &sorted_values,
               const sort_options &options, Prepare prepare) {
    collective(
        in_c<Keys, Values, SortedValues>(options),
        [&] {
            prepare();
            require_sort_lengths("sort", keys, values, sorted, sorted_values);
        },
        [&](const gpumex_sort_options &c) {
            return gpumex_comm_sort(comm.get(), &c, in(keys), in(values), count(keys), out(sorted), out(sorted_values));
        });
}

} // namespace detail
/// @endcond

/// sorted <- as many of the sorted keys of all ranks as this one has given, those of rank 0 first; sorted_values <- the value of
/// each, or its position in the keys of all ranks, as on one rank.
template <class Keys, class Values, class Sorted, class SortedValues>
void sort(comm_ref comm, const Keys &keys, const Values &values, Sorted &&sorted, SortedValues &&sorted_values,
          const sort_options &options = {}) {
    detail::call_sort(comm, keys, values, sorted, sorted_values, options, [] {});
}

/// sorted <- the keys in options.order.
template <class Keys, class Sorted>
void sort_keys(comm_ref comm, const Keys &keys, Sorted &&sorted, const sort_options &options = {}) {
    gpumex::sort(comm, keys, none, sorted, none, options);
}

/// This rank's part of the sorted keys: a gpumex::array where keys is one, else a std::vector.
template <class Keys> auto sort(comm_ref comm, const Keys &keys, const sort_options &options = {}) {
    using key = detail::element<const Keys>;
    detail::like<Keys, key> sorted;
    detail::call_sort(comm, keys, none, sorted, none, options, [&] { sorted = detail::make_alike<key>(keys); });
    return sorted;
}

/// This rank's part of the sorted keys and their values.
template <class Keys, class Values, class = std::enable_if_t<detail::is_range<const Values>>>
auto sort(comm_ref comm, const Keys &keys, const Values &values, const sort_options &options = {}) {
    using key = detail::element<const Keys>;
    using value = detail::element<const Values>;
    sorted_pairs<detail::like<Keys, key>, detail::like<Values, value>> found;
    detail::call_sort(comm, keys, values, found.keys, found.values, options, [&] {
        found.keys = detail::make_alike<key>(keys);
        found.values = detail::make_alike<value>(values);
    });
    return found;
}

/// The positions of this rank's part of the sorted keys in the keys of all ranks, of uint64_t or Index.
template <class Index = std::uint64_t, class Keys>
auto sort_indices(comm_ref comm, const Keys &keys, const sort_options &options = {}) {
    detail::like<Keys, Index> positions;
    detail::call_sort(comm, keys, none, none, positions, options,
                      [&] { positions = detail::make_alike<Index>(keys); });
    return positions;
}

} // namespace gpumex
