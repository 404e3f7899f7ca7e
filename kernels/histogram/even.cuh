// even.cuh — bins of equal width in fixed-point arithmetic, without a division and rarely with a comparison.
//
//   bin k is e(k) ≤ x < e(k + 1),  e(k) = lo + k·width, each operation rounded, e(count) = hi
//
// Algorithm  A position (x - lo) / width + δ is computed in fixed point, where δ bounds all errors, the rounding of the edges
//            included. Its fraction is below 2δ for few samples: those are within δ of an edge, and are compared with the edge
//            itself, as double. All others are certainly in the bin of the integer part.
//              integers  position = (x - first)·factor + offset, 64 bits. Where lo and width are integers it is exact (Robison),
//                        and no sample is compared: data that count things lie on the edges.
//              floats    position = fma(x - lo, 1 / width, 2^32 + δ), rounded down: a double there has 20 bits of fraction. Where
//                        width is a power of two and no edge is rounded it needs no δ, and no sample is compared.
// Cost       Integers: 7 instructions, none of them FP64. Floats: a conversion, 2 FP64 and 8 others. A comparison is a call that
//            its warp waits for: floats that lie on edges of another width take 2.5 times as long.
// Limits     width ≥ 4 ulp of lo and of hi: the nearest integer to (x - lo) / width is k or k + 1.
// Edges      Outliers and NaN are compared, x = lo is not. Where δ would be too large, all samples are compared.
// Source     D. Knuth, "The Art of Computer Programming" 2, 4.2.1 (rounding by a large addend); A. Robison, "N-bit unsigned
//            division via N-bit multiply-add", ARITH 2005.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include <cmath>
#include <limits>
#include <type_traits>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned NO_BIN = 0xFFFFFFFF;
constexpr int FRACTION_BITS = 20;                                  // of a float's position; 32 are left for the bin
constexpr double ERROR_MAX = 1.0 / 16;                             // of a position, in bins; δ is little more

// ---- device helpers -------------------------------------------------------------------------------------------------

// The definition itself: the bin of x by a comparison with the edge nearest to it.
struct EvenEdges {
    double lo, hi, width;
    double scale, inverse;                                         // scale·inverse = 1 / width, scale is 1 but for extreme widths
    unsigned last, below, above;                                   // bins: the last one, those of outliers
    bool right_edge;

    __device__ __forceinline__ unsigned bin_of(double x) const {
        if (x < lo) return below;
        if (right_edge && x == hi) return last;
        if (!(x < hi)) return x == x ? above : NO_BIN;
        const unsigned nearest = __double2uint_rn((x - lo) * scale * inverse);
        const double edge = __dadd_rn(lo, __dmul_rn(static_cast<double>(nearest), width));
        return min(nearest - (x < edge), last);                    // e(count) = hi, whatever the rounded sum says
    }
};

// Integers of at most 32 bits, signed ones as unsigned words: all differences are modulo 2^32.
struct EvenIntegers {
    unsigned first, span;                                          // x - first ≤ span, unsigned: neither outlier nor hi itself
    unsigned factor, shift, zone;
    unsigned in_first;                                             // x - first < in_first: bin 0, even at its lower edge
    uint64_t offset;

    __device__ __forceinline__ bool is_sure(unsigned x, unsigned &bin) const {
        const unsigned from_first = x - first;
        unsigned low, high;                                        // of from_first·factor + offset
        asm("{\n\t.reg .u64 position;\n\tmad.wide.u32 position, %2, %3, %4;\n\tmov.b64 {%0, %1}, position;\n\t}"
            : "=r"(low), "=r"(high) : "r"(from_first), "r"(factor), "l"(offset));
        bin = high >> shift;
        return (from_first <= span) & ((__funnelshift_r(low, high, shift) >= zone) | (from_first < in_first));
    }
};

template <typename T>
struct EvenFloats {
    T first, last;                                                 // first ≤ x ≤ last: neither outlier nor hi itself
    double lo, inverse, addend;
    unsigned zone;

    __device__ __forceinline__ bool is_sure(T x, unsigned &bin) const {
        const double position = __fma_rd(__dsub_rd(static_cast<double>(x), lo), inverse, addend);
        const unsigned low = __double2loint(position);
        bin = __funnelshift_r(low, __double2hiint(position), FRACTION_BITS); // the exponent is shifted out
        const bool is_off_edges = (low & ((1u << FRACTION_BITS) - 1)) >= zone;
        return (x >= first) & (x <= last) & (is_off_edges | (bin == 0)); // x ≥ lo: nobody is below bin 0
    }
};

// T: uint16_t, uint32_t (int32_t with is_signed), float, double.
template <typename T>
struct Even {
    std::conditional_t<std::is_integral_v<T>, EvenIntegers, EvenFloats<T>> guess;
    EvenEdges edges;
    bool is_signed;

    __device__ __forceinline__ double number(T x) const {
        if constexpr (!std::is_integral_v<T>) return static_cast<double>(x);
        return is_signed ? static_cast<double>(static_cast<int>(x)) : static_cast<double>(x);
    }
    // The bins of N samples, all compared with edges.
    template <int N>
    struct Several {
        T samples[N];
        unsigned bins[N];
    };
    template <int N>
    __device__ __noinline__ Several<N> compared(Several<N> several) const {
#pragma unroll
        for (int j = 0; j < N; ++j) several.bins[j] = edges.bin_of(number(several.samples[j]));
        return several;
    }
    template <int N>
    __device__ __forceinline__ void bins_of(const T (&samples)[N], unsigned (&bins)[N]) const {
        bool are_sure = true;
        Several<N> several;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            several.samples[j] = samples[j];
            are_sure &= guess.is_sure(samples[j], several.bins[j]);
        }
        if (!are_sure) several = compared<N>(several);
#pragma unroll
        for (int j = 0; j < N; ++j) bins[j] = several.bins[j];
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline bool is_integer(double x) { return x == floor(x) && fabs(x) < 0x1p52; }

// By how many bins a position in double, and an edge, may be off.
inline double rounding_of(const EvenEdges &edges) {
    return (edges.last + 1.0) * 0x1p-50 + 0x1p-51 * (fabs(edges.lo) + fabs(edges.hi)) / edges.width;
}

// Division by an integer that has bits above `shift`, exact for all 32-bit numerators.
inline void set_exact(uint64_t divisor, EvenIntegers &guess) {
    const int shift = 63 - __builtin_clzll(divisor);
    const uint64_t power = uint64_t(1) << shift;
    const bool is_power = power == divisor;
    // 2^(32 + shift) / divisor, rounded down, and the remainder; a power of two takes 2^32 - 1 for 2^32.
    const unsigned __int128 numerator = static_cast<unsigned __int128>(power) << 32;
    const uint64_t down = is_power ? 0xFFFFFFFF : static_cast<uint64_t>(numerator / divisor);
    const bool rounds_down = is_power || static_cast<uint64_t>(numerator % divisor) <= power;
    guess.factor = static_cast<unsigned>(rounds_down ? down : down + 1);
    guess.offset = rounds_down ? down : 0;
    guess.shift = shift;
    guess.zone = 0;
}

// All samples are compared with an edge.
inline EvenIntegers unsure_integers() { return {0, 0xFFFFFFFF, 0, 0, 1, 0, 0}; }

template <typename T>
EvenFloats<T> unsure_floats() { return {1, 0, 0, 0, 0, 0}; }

// For integers from `least` to `most`.
inline EvenIntegers guess_integers(const EvenEdges &edges, double least, double most) {
    const double first = fmax(ceil(edges.lo), least), last = fmin(ceil(edges.hi) - 1, most);
    if (!(first <= last) || edges.width < 1) return unsure_integers();
    EvenIntegers guess = {};
    guess.first = static_cast<unsigned>(static_cast<int64_t>(first));
    guess.span = static_cast<unsigned>(last - first);
    const bool is_whole = is_integer(edges.width) && edges.width < 0x1p32;
    if (first == edges.lo && is_whole && fma(edges.last + 1.0, edges.width, edges.lo) == edges.hi) {
        set_exact(static_cast<uint64_t>(edges.width), guess);
        return guess;
    }

    const double reach = (last - edges.lo) / edges.width + 2 * ERROR_MAX;  // positions are below it
    int shift = edges.width < 0x1p32 ? ilogb(edges.width) : 31;
    while (shift > 0 && reach >= ldexp(1, 32 - shift)) --shift;
    const double scale = ldexp(1, 32 + shift);
    const double error = (last - first + 1) / scale + 0x1p-30 + rounding_of(edges);
    if (reach >= ldexp(1, 32 - shift) || error > ERROR_MAX) return unsure_integers();
    const unsigned delta = static_cast<unsigned>(error * 0x1p32) + 1;
    guess.factor = static_cast<unsigned>(fmin(rint(scale / edges.width), 0xFFFFFFFFp0));
    guess.offset = static_cast<uint64_t>((first - edges.lo) / edges.width * scale) + (static_cast<uint64_t>(delta) << shift);
    guess.shift = shift;
    guess.zone = 2 * delta;
    guess.in_first = static_cast<unsigned>(fmax(0, fmin(edges.lo + edges.width / 2 - first, 0x1p31)));
    return guess;
}

// Whether width is a power of two and no edge is rounded: then rounding down leaves a position in its bin.
inline bool are_exact(const EvenEdges &edges) {
    int exponent = 0;
    const double largest = fmax(fabs(edges.lo), fabs(edges.hi)), unit = std::nextafter(largest, HUGE_VAL) - largest;
    return frexp(edges.width, &exponent) == 0.5 && fmod(edges.lo, unit) == 0 && edges.width >= unit &&
           fma(edges.last + 1.0, edges.width, edges.lo) == edges.hi;
}

// The least T that is not below x, and the greatest below it.
template <typename T>
T from_above(double x) {
    const T near = static_cast<T>(x);
    return near < x ? std::nextafter(near, std::numeric_limits<T>::infinity()) : near;
}

template <typename T>
T from_below(double x) {
    const T near = static_cast<T>(x);
    return near < x ? near : std::nextafter(near, -std::numeric_limits<T>::infinity());
}

template <typename T>
EvenFloats<T> guess_floats(const EvenEdges &edges) {
    const double error = rounding_of(edges);
    if (error > ERROR_MAX || edges.scale != 1) return unsure_floats<T>();
    // One unit for what is rounded down, one for what the errors are of another.
    const unsigned delta = are_exact(edges) ? 0 : static_cast<unsigned>(ldexp(error, FRACTION_BITS)) + 2;
    return {from_above<T>(edges.lo), from_below<T>(edges.hi), edges.lo, edges.inverse,
            ldexp(1, 52 - FRACTION_BITS) + ldexp(delta, -FRACTION_BITS), 2 * delta};
}

inline EvenEdges even_edges(double lo, double hi, double width, size_t count, bool right_edge, bool clamps) {
    const unsigned last = static_cast<unsigned>(count - 1);
    const double scale = width < 0x1p-1000 ? 0x1p600 : width > 0x1p1000 ? 0x1p-600 : 1;
    return {lo, hi, width, scale, 1 / (width * scale), last, clamps ? 0 : NO_BIN, clamps ? last : NO_BIN, right_edge};
}

template <typename T>
Even<T> even_bins(const EvenEdges &edges, bool is_signed) {
    if constexpr (std::is_integral_v<T>) {
        const double range = ldexp(1, 8 * sizeof(T)), least = is_signed ? -range / 2 : 0;
        return {guess_integers(edges, least, least + range - 1), edges, is_signed};
    } else {
        return {guess_floats<T>(edges), edges, false};
    }
}
