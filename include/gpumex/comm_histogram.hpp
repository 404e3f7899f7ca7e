/// @file
/// @brief Histograms on several ranks: counts, or sums of weights. See gpumex_comm_histogram.
#pragma once

#include <gpumex/comm.hpp>
#include <gpumex/histogram.hpp>

namespace gpumex {

/// @cond
namespace detail {

template <class Data, class Weights, class Counts>
void call_histogram(comm_ref comm, const Data &data, const Weights &weights, Counts &counts,
                    const histogram_options &options) {
    collective(
        in_c<Data>(options, weights), [&] { require_bins(options, data, weights, counts); },
        [&](const gpumex_histogram_options &c) {
            return gpumex_comm_histogram(comm.get(), &c, in(data), count(data), out(counts),
                                         count(counts) / channels_of(options));
        });
}

} // namespace detail
/// @endcond

/// counts <- how many samples of all ranks fall into each bin, on every rank; data is the part of this rank.
template <class Data, class Counts>
void histogram(comm_ref comm, const Data &data, Counts &&counts, const histogram_options &options = {}) {
    detail::require_alike<detail::element<Counts>, std::uint64_t>();
    detail::call_histogram(comm, data, none, counts, options);
}

/// sums (double) <- the sum of the weights of the samples of each bin on all ranks, on every rank.
template <class Data, class Weights, class Sums>
void weighted_histogram(comm_ref comm, const Data &data, const Weights &weights, Sums &&sums,
                        const histogram_options &options = {}) {
    detail::require_alike<detail::element<Sums>, double>();
    detail::call_histogram(comm, data, weights, sums, options);
}

} // namespace gpumex
