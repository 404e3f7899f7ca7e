/// @file
/// @brief Word frequencies. See gpumex_words.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <vector>

namespace gpumex {

/// Totals of a text, as gpumex_words_summary.
using words_summary = gpumex_words_summary;

/// As gpumex_words_options.
struct words_options {
    gpumex::variant variant = gpumex::variant::auto_;
    gpumex::words_encoding encoding = gpumex::words_encoding::utf8;
    bool fold = false; ///< Whether words that differ in case only are the same.
};

/// positions, lengths, counts, elements of uint64_t, <- the most frequent words of a text of bytes, as many as these
/// arrays, of one length, hold.
template <class Text, class Positions, class Lengths, class Counts>
words_summary words(context_ref ctx, const Text &text, Positions &&positions, Lengths &&lengths, Counts &&counts,
                    const words_options &options = {}) {
    static_assert(sizeof(detail::element<const Text>) == 1, "gpumex: a text is of bytes");
    detail::require_alike<detail::element<Positions>, std::uint64_t>();
    detail::require_alike<detail::element<Lengths>, std::uint64_t>();
    detail::require_alike<detail::element<Counts>, std::uint64_t>();
    const std::size_t k = detail::count(positions);
    detail::require_equal("words", "lengths", detail::count(lengths), k);
    detail::require_equal("words", "counts", detail::count(counts), k);
    gpumex_words_options c = GPUMEX_WORDS_OPTIONS_INIT;
    c.variant = detail::number(options.variant);
    c.encoding = detail::number(options.encoding);
    c.fold = options.fold ? 1 : 0;
    words_summary summary = GPUMEX_WORDS_SUMMARY_INIT;
    detail::check(gpumex_words(ctx.get(), &c, detail::in(text), detail::count(text), k, detail::out(positions),
                               detail::out(lengths), detail::out(counts), &summary));
    return summary;
}

/// The most frequent words of a text: where each first begins, its bytes there, and how often it occurs.
struct words_result {
    std::vector<std::uint64_t> positions;
    std::vector<std::uint64_t> lengths;
    std::vector<std::uint64_t> counts;
    words_summary summary;
};

/// The k most frequent words, fewer where the text has not as many.
template <class Text>
words_result words(context_ref ctx, const Text &text, std::size_t k, const words_options &options = {}) {
    words_result found{std::vector<std::uint64_t>(k), std::vector<std::uint64_t>(k), std::vector<std::uint64_t>(k), {}};
    found.summary = gpumex::words(ctx, text, found.positions, found.lengths, found.counts, options);
    const auto listed = static_cast<std::size_t>(found.summary.listed);
    found.positions.resize(listed);
    found.lengths.resize(listed);
    found.counts.resize(listed);
    return found;
}

} // namespace gpumex
