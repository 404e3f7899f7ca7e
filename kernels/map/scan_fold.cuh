// scan_fold.cuh — what scans of an expression do with the lanes of a thread: the folds of reduce_fold.cuh, and the bits of their results.
#pragma once

#include "map/reduce_fold.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// A value as another type of at least its bytes, or back.
template <typename To, typename From>
__device__ __forceinline__ To as_value(const From &from) {
    constexpr size_t BYTES = sizeof(To) < sizeof(From) ? sizeof(To) : sizeof(From);
    To to = {};
    memcpy(&to, &from, BYTES);
    return to;
}

template <typename Word>
struct LaneScan : LaneFold<Word> {
    uint64_t none;                                                 // the result of no elements, of extrema

    template <typename Run>
    __device__ __forceinline__ void with(Run run) const {
        LaneFold<Word>::with([&](const auto &fold, auto in) {
            using Fold = std::decay_t<decltype(fold)>;
            if constexpr (std::is_same_v<Fold, ExtremumFold<typename Fold::In>>) {
                struct Extremum : Fold {
                    uint64_t none;
                };
                Extremum with_none;
                static_cast<Fold &>(with_none) = fold, with_none.none = none;
                run(with_none, in);
            } else if constexpr (!std::is_same_v<Fold, CountFold<typename Fold::In>>) { // of which there are no scans
                run(fold, in);
            }
        });
    }
};

template <bool IS_PRODUCT>
struct ClampedScan : ClampedFold<IS_PRODUCT> {
    using Value = Clamped;
    int type;

    __device__ __forceinline__ void step(Value &value, uint64_t word, size_t) const {
        ClampedFold<IS_PRODUCT>::step(value, lane_integer(type, word), 0);
    }
    template <typename Run>
    __device__ __forceinline__ void with(Run run) const { run(*this, uint64_t()); }
};

// The bits of a result.
template <typename Reader, typename Acc, bool IS_PRODUCT>
__device__ __forceinline__ uint64_t result_word(const DimArrays &args, const ArithmeticFold<Reader, Acc, IS_PRODUCT> &, Acc value) {
    if constexpr (Acc(1) / Acc(2) != Acc(0)) {
        return args.result_bytes == 4 ? word_of_value(static_cast<float>(value)) : word_of_value(static_cast<double>(value));
    } else if (!is_fold_float(args.result_dtype)) {
        return value;
    } else {                                                       // an exact sum of small integers
        return word_of_value(is_fold_signed(args.dtype) ? double(int64_t(value)) : double(value));
    }
}

template <typename Fold>
__device__ __forceinline__ auto result_word(const DimArrays &, const Fold &fold, typename Fold::Value value) -> decltype(fold.none) {
    return value == 0 ? fold.none : uint64_t(fold.order.element(value));
}

template <bool IS_PRODUCT>
__device__ __forceinline__ uint64_t result_word(const DimArrays &, const CappedFold<IS_PRODUCT> &, uint64_t value) {
    return value;
}

template <bool IS_PRODUCT>
__device__ __forceinline__ uint64_t result_word(const DimArrays &, const ClampedScan<IS_PRODUCT> &fold, const Clamped &value) {
    return static_cast<uint64_t>(fold.within(fold.move(Wide(IS_PRODUCT ? 1 : 0), value.a), value.low, value.high));
}

// result[at …] ← the low bits of the words; the address is a multiple of their bytes, or of 16.
template <int LENGTH>
__device__ __forceinline__ void store_vector(const DimArrays &args, size_t at, const uint64_t (&words)[LENGTH]) {
    char *const to = static_cast<char *>(args.result) + at * args.result_bytes;
    if (args.result_bytes == 8) {
#pragma unroll
        for (int i = 0; i < LENGTH; i += 2) reinterpret_cast<ulonglong2 *>(to)[i / 2] = make_ulonglong2(words[i], words[i + 1]);
    } else if (args.result_bytes == 4) {
        if constexpr (LENGTH == 4) {
            *reinterpret_cast<uint4 *>(to) = make_uint4(unsigned(words[0]), unsigned(words[1]), unsigned(words[2]), unsigned(words[3]));
        } else {
            *reinterpret_cast<uint2 *>(to) = make_uint2(unsigned(words[0]), unsigned(words[1]));
        }
    } else {
#pragma unroll
        for (int i = 0; i < LENGTH; ++i) store_integer(args, at + i, words[i]);
    }
}
