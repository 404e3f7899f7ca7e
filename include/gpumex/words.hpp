/// @file
/// @brief Word frequencies. See gpumex_words.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

#include <utility>
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

/// @cond
namespace detail {

/// How many words lists of one length hold.
template <class Text, class Positions, class Lengths, class Counts>
std::size_t require_lists(const Positions &positions, const Lengths &lengths, const Counts &counts) {
    static_assert(sizeof(element<const Text>) == 1, "gpumex: a text is of bytes");
    require_alike<element<const Positions>, std::uint64_t>();
    require_alike<element<const Lengths>, std::uint64_t>();
    require_alike<element<const Counts>, std::uint64_t>();
    const std::size_t k = count(positions);
    require_equal("words", "lengths", count(lengths), k);
    require_equal("words", "counts", count(counts), k);
    return k;
}

inline gpumex_words_options in_c(const words_options &options) {
    gpumex_words_options c = GPUMEX_WORDS_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.encoding = number(options.encoding);
    c.fold = options.fold ? 1 : 0;
    return c;
}

} // namespace detail
/// @endcond

/// positions, lengths, counts, elements of uint64_t, <- the most frequent words of a text of bytes, as many as these
/// arrays, of one length, hold.
template <class Text, class Positions, class Lengths, class Counts>
words_summary words(context_ref ctx, const Text &text, Positions &&positions, Lengths &&lengths, Counts &&counts,
                    const words_options &options = {}) {
    const std::size_t k = detail::require_lists<Text>(positions, lengths, counts);
    const gpumex_words_options c = detail::in_c(options);
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

/// @cond
namespace detail {

inline words_result room_for_words(std::size_t k) {
    return {std::vector<std::uint64_t>(k), std::vector<std::uint64_t>(k), std::vector<std::uint64_t>(k), {}};
}

/// Leaves the words that were found.
inline words_result listed(words_result &&found) {
    const auto k = static_cast<std::size_t>(found.summary.listed);
    found.positions.resize(k);
    found.lengths.resize(k);
    found.counts.resize(k);
    return std::move(found);
}

} // namespace detail
/// @endcond

/// The k most frequent words, fewer where the text has not as many.
template <class Text>
words_result words(context_ref ctx, const Text &text, std::size_t k, const words_options &options = {}) {
    words_result found = detail::room_for_words(k);
    found.summary = gpumex::words(ctx, text, found.positions, found.lengths, found.counts, options);
    return detail::listed(std::move(found));
}

} // namespace gpumex
