/// @file
/// @brief Histograms: counts, or sums of weights. See gpumex_histogram and gpumex_check_edges.
#pragma once

#include <gpumex/context.hpp>
#include <gpumex/range.hpp>

namespace gpumex {

/// As gpumex_histogram_options.
struct histogram_options {
    gpumex::histogram_variant variant = gpumex::histogram_variant::auto_;
    std::int32_t channels = 1;      ///< Interleaved channels of the data, 1 to 4.
    bool accumulate = false;        ///< Whether counts are added to.
    double lo = 0;                  ///< Lower end of the first of the bins of equal width.
    double hi = 0;                  ///< Upper end of the last bin; lo = hi = 0: each integer is its own bin, from 0.
    view<const double> edges = {};  ///< bins + 1 ascending edges in place of lo and hi.
    gpumex::histogram_outliers outliers = gpumex::histogram_outliers::ignore;
    bool right_edge = false;        ///< Whether a sample equal to hi, or to the last edge, is in the last bin.
};

/// @cond
namespace detail {

template <class T> constexpr std::int32_t sample_dtype() {
    if constexpr (std::is_same_v<T, char>) {
        return GPUMEX_DTYPE_U8; // text
    } else {
        constexpr gpumex::dtype of = dtype_of<T>();
        static_assert(of == gpumex::dtype::u8 || of == gpumex::dtype::u16 || of == gpumex::dtype::u32 ||
                          of == gpumex::dtype::i32 || of == gpumex::dtype::f32 || of == gpumex::dtype::f64,
                      "gpumex: samples are char, uint8_t, uint16_t, uint32_t, int32_t, float or double");
        return number(of);
    }
}

/// Channels of the data, at least 1.
constexpr std::size_t channels_of(const histogram_options &options) {
    return options.channels < 1 ? 1 : static_cast<std::size_t>(options.channels);
}

template <class Data, class Weights, class Counts>
void require_bins(const histogram_options &options, const Data &data, const Weights &weights, const Counts &counts) {
    const std::size_t channels = channels_of(options);
    if (count(counts) % channels != 0) refuse("histogram", "counts has no whole number of bins for each channel");
    if (options.edges.data() != nullptr)
        require_equal("histogram", "edges", options.edges.size(), count(counts) / channels + 1);
    if (!is_none<Weights>) require_equal("histogram", "weights", count(weights), count(data) / channels);
}

template <class Data, class Weights>
gpumex_histogram_options in_c(const histogram_options &options, const Weights &weights) {
    gpumex_histogram_options c = GPUMEX_HISTOGRAM_OPTIONS_INIT;
    c.variant = number(options.variant);
    c.dtype = sample_dtype<element<const Data>>();
    c.channels = options.channels;
    c.accumulate = options.accumulate ? 1 : 0;
    c.lo = options.lo;
    c.hi = options.hi;
    c.edges = options.edges.data();
    c.weights = in(weights);
    if constexpr (!is_none<Weights>) {
        if (c.weights == nullptr) c.weights = &options.lo; // there are weights, and none of them
        c.weights_dtype = float_dtype<element<const Weights>>();
    }
    c.outliers = number(options.outliers);
    c.right_edge = options.right_edge ? 1 : 0;
    return c;
}

template <class Data, class Weights, class Counts>
void call_histogram(context_ref ctx, const Data &data, const Weights &weights, Counts &counts,
                    const histogram_options &options) {
    require_bins(options, data, weights, counts);
    const gpumex_histogram_options c = in_c<Data>(options, weights);
    check(gpumex_histogram(ctx.get(), &c, in(data), count(data), out(counts), count(counts) / channels_of(options)));
}

} // namespace detail
/// @endcond

/// counts <- how many samples fall into each bin. counts are uint64_t, channels rows of as many bins; data are char,
/// uint8_t, uint16_t, uint32_t, int32_t, float or double.
template <class Data, class Counts>
void histogram(context_ref ctx, const Data &data, Counts &&counts, const histogram_options &options = {}) {
    detail::require_alike<detail::element<Counts>, std::uint64_t>();
    detail::call_histogram(ctx, data, none, counts, options);
}

/// sums (double) <- the sum of the weights of the samples of each bin; a weight, float or double, for each pixel.
template <class Data, class Weights, class Sums>
void weighted_histogram(context_ref ctx, const Data &data, const Weights &weights, Sums &&sums,
                        const histogram_options &options = {}) {
    detail::require_alike<detail::element<Sums>, double>();
    detail::call_histogram(ctx, data, weights, sums, options);
}

/// The position of the first edge that is NaN or below the one before it, the number of edges where there is none.
inline std::uint64_t check_edges(context_ref ctx, view<const double> edges) {
    std::uint64_t first_bad = 0;
    detail::check(gpumex_check_edges(ctx.get(), edges.data(), edges.size(), &first_bad));
    return first_bad;
}

/// Throws status::invalid_argument, which names the edge, where edges do not ascend.
inline void require_edges(context_ref ctx, view<const double> edges) {
    detail::check(gpumex_check_edges(ctx.get(), edges.data(), edges.size(), nullptr));
}

} // namespace gpumex
