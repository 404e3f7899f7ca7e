/// @file
/// @brief Prefix scan on several ranks. See gpumex_comm_scan.
#pragma once

#include <gpumex/comm.hpp>
#include <gpumex/scan.hpp>

namespace gpumex {

/// result[i] <- the elements before data[i] (exclusive), or up to it (inclusive), combined, those of the ranks before this one
/// among them; *total, in memory of any kind, <- all elements of all ranks, NULL leaves it out. result may be data.
template <class Data, class Result>
void scan(comm_ref comm, const Data &data, Result &&result, detail::as_is<detail::element<Result>> *total,
          const scan_options &options = {}) {
    detail::collective(
        detail::in_c<detail::element<const Data>, detail::element<Result>>(options),
        [&] { detail::require_room("scan", "result", detail::count(result), detail::count(data)); },
        [&](const gpumex_scan_options &c) {
            return gpumex_comm_scan(comm.get(), &c, detail::in(data), detail::count(data), detail::out(result), total);
        });
}

/// The same without the total.
template <class Data, class Result>
void scan(comm_ref comm, const Data &data, Result &&result, const scan_options &options = {}) {
    gpumex::scan(comm, data, result, nullptr, options);
}

} // namespace gpumex
