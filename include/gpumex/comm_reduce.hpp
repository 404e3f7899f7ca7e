/// @file
/// @brief Reduction on several ranks. See gpumex_comm_reduce.
#pragma once

#include <gpumex/comm.hpp>
#include <gpumex/reduce.hpp>

namespace gpumex {

/// *result <- the elements of all ranks combined, those of rank 0 first, on every rank; result, and result_copy where it is not
/// NULL, are in memory of any kind.
template <class Data, class Result>
void reduce_into(comm_ref comm, const Data &data, Result *result, const reduce_options &options = {},
                 detail::as_is<Result> *result_copy = nullptr) {
    const gpumex_reduce_options c = detail::in_c<detail::element<const Data>>(options, result_copy);
    detail::check(gpumex_comm_reduce(comm.get(), &c, detail::in(data), detail::count(data), result));
}

/// The elements of all ranks combined: gpumex::reduce(comm, x), or gpumex::reduce<std::int64_t>(comm, x), as on one rank.
template <class Result = void, class Data>
auto reduce(comm_ref comm, const Data &data, const reduce_options &options = {}) {
    detail::reduced<Result, Data> result{};
    gpumex::reduce_into(comm, data, &result, options);
    return result;
}

} // namespace gpumex
