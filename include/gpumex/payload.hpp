/// @file
/// @brief What moves with keys, from the arrays that a call names.
#pragma once

#include <gpumex/error.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// Keys and what moved with them.
template <class Keys, class Values> struct sorted_pairs {
    Keys keys;
    Values values;
};

/// @cond
namespace detail {

/// None where no values are received, the values where there are any, else positions.
template <class Values, class Received>
inline constexpr gpumex::payload payload_of = is_none<Received> ? gpumex::payload::none
                                              : is_none<Values> ? gpumex::payload::indices
                                                                : gpumex::payload::values;

/// Sets payload and value_dtype of an option struct, and index_dtype where positions are received.
template <class Values, class Received, class Options> void set_payload(Options &c) {
    using value = element<const Values>;
    using received = element<Received>;
    constexpr gpumex::payload payload = payload_of<Values, Received>;
    static_assert(is_none<Values> || !is_none<Received>, "gpumex: the values of the keys have nowhere to go");
    c.payload = number(payload);
    if constexpr (payload == gpumex::payload::values) {
        static_assert(std::is_same_v<value, received>, "gpumex: values are received in elements of their own type");
        c.value_dtype = value_dtype<value>();
    }
    if constexpr (payload == gpumex::payload::indices) c.index_dtype = index_dtype<received>();
}

/// Lengths of keys, their values and what receives them.
template <class Keys, class Values, class Sorted, class Received>
void require_sort_lengths(const char *name, const Keys &keys, const Values &values, const Sorted &sorted,
                          const Received &sorted_values) {
    require_alike<element<const Keys>, element<const Sorted>>();
    if (!is_none<Values>) require_equal(name, "values", count(values), count(keys));
    if (!is_none<Sorted>) require_room(name, "sorted", count(sorted), count(keys));
    if (!is_none<Received>) require_room(name, "sorted_values", count(sorted_values), count(keys));
}

} // namespace detail
/// @endcond

} // namespace gpumex
