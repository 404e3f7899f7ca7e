/// @file
/// @brief Word frequencies on several ranks. See gpumex_comm_words.
#pragma once

#include <gpumex/comm.hpp>
#include <gpumex/words.hpp>

namespace gpumex {

/// positions, lengths, counts, elements of uint64_t, <- the most frequent words of a text distributed over all ranks,
/// on every rank: as many as these arrays hold, which are of one length on all ranks. Positions are bytes of the whole text.
template <class Text, class Positions, class Lengths, class Counts>
words_summary words(comm_ref comm, const Text &text, Positions &&positions, Lengths &&lengths, Counts &&counts,
                    const words_options &options = {}) {
    words_summary summary = GPUMEX_WORDS_SUMMARY_INIT;
    detail::collective(
        detail::in_c(options), [&] { detail::require_lists<Text>(positions, lengths, counts); },
        [&](const gpumex_words_options &c) {
            return gpumex_comm_words(comm.get(), &c, detail::in(text), detail::count(text), detail::count(positions),
                                     detail::out(positions), detail::out(lengths), detail::out(counts), &summary);
        });
    return summary;
}

/// The k most frequent words of a text distributed over all ranks, fewer where it has not as many.
template <class Text>
words_result words(comm_ref comm, const Text &text, std::size_t k, const words_options &options = {}) {
    words_result found;
    found.summary = GPUMEX_WORDS_SUMMARY_INIT;
    detail::collective(
        detail::in_c(options),
        [&] {
            found = detail::room_for_words(k);
            found.summary = GPUMEX_WORDS_SUMMARY_INIT;
            detail::require_lists<Text>(found.positions, found.lengths, found.counts);
        },
        [&](const gpumex_words_options &c) {
            return gpumex_comm_words(comm.get(), &c, detail::in(text), detail::count(text), k, found.positions.data(),
                                     found.lengths.data(), found.counts.data(), &found.summary);
        });
    return detail::listed(std::move(found));
}

} // namespace gpumex
