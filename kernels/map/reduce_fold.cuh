// reduce_fold.cuh — what reductions of an expression do with the lanes of a thread: the folds of prim/thread/fold.cuh.
//
//   fold               | Value            | of
//   -------------------|------------------|-----------------------------------------------------------------------------
//   LaneFold           | 64 bits          | one of fold.cuh, chosen by a number: a branch that is the same for all threads
//   LaneFirst          | rank, element, … | extrema with their positions
//   LaneCountedSum     | CountedSum       | means that leave NaN out
//   LaneClamped        | Clamped          | sums and products of signed integers that saturate, in order
//
// Algorithm  Integers are folded as they are computed, in 32 bits or 64, whatever the dtype that has their values.
#pragma once

#include "map/words.cuh"
#include "prim/thread/fold.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// SUM, PRODUCT: of the type's lanes in that of the accumulator.
enum LaneFoldKind {
    LANE_SUM_F32, LANE_SUM_F32_F64, LANE_PRODUCT_F32, LANE_PRODUCT_F32_F64, LANE_COUNT_32, LANE_EXTREMUM_32, LANE_SUM_I32, LANE_SUM_I32_F64,
    LANE_PRODUCT_I32, LANE_PRODUCT_I32_F64, LANE_CAPPED_SUM_32, LANE_CAPPED_PRODUCT_32,
    LANE_WIDE,                                                     // those below are of wide programs alone
    LANE_SUM_F64 = LANE_WIDE, LANE_PRODUCT_F64, LANE_COUNT_64, LANE_EXTREMUM_64, LANE_SUM_64, LANE_SUM_I64_F64, LANE_SUM_U64_F64,
    LANE_PRODUCT_64, LANE_PRODUCT_I64_F64, LANE_PRODUCT_U64_F64, LANE_CAPPED_SUM_64, LANE_CAPPED_PRODUCT_64
};

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename V>
__device__ __forceinline__ V value_of(uint64_t word) {
    V value;
    memcpy(&value, &word, sizeof(V));
    return value;
}

template <typename V>
__device__ __forceinline__ uint64_t word_of_value(V value) {
    uint64_t word = 0;
    memcpy(&word, &value, sizeof(V));
    return word;
}

// The lanes of a group that are elements: those up to `last`, of which each has a value of its own; id: of the first lane.
template <typename In, typename Fold, int LENGTH, typename Word>
__device__ __forceinline__ void fold_group(const Fold &fold, const Word *words, int last, unsigned id, typename Fold::Value (&values)[LENGTH]) {
#pragma unroll
    for (int p = 0; p < LENGTH; ++p) {
        if (p <= last) fold.step(values[p], number_of<In>(words[p]), id + p);
    }
}

template <typename Word>
struct LaneFold {
    using Value = uint64_t;
    static constexpr bool ORDERED = false, WIDE = sizeof(Word) == 8;

    int kind;
    bool omits, is_float;
    uint64_t mask, limit;                                          // of counts
    uint64_t flip, nan;                                            // of extrema
    uint64_t high;                                                 // of integers that saturate

    template <typename In, typename Acc, bool IS_PRODUCT, typename Run>
    __device__ __forceinline__ void arithmetic(Run run) const {
        ArithmeticFold<TypedReader<In>, Acc, IS_PRODUCT> fold;
        fold.omits = omits;
        run(fold, In());
    }
    template <typename Bits, typename Run>
    __device__ __forceinline__ void count(Run run) const {
        CountFold<Bits> fold;
        fold.mask = Bits(mask), fold.limit = Bits(limit);
        run(fold, Bits());
    }
    template <typename Bits>
    __device__ __forceinline__ ExtremumFold<Bits> extremum() const {
        ExtremumFold<Bits> fold;
        fold.order = {Bits(flip), Bits(nan), is_float};
        return fold;
    }
    template <typename In, bool IS_PRODUCT, typename Run>
    __device__ __forceinline__ void capped(Run run) const {
        CappedFold<IS_PRODUCT> fold;
        fold.high = high;
        run(fold, In());
    }

    // run (fold, In ()): the fold of the kind, and the number that a lane is to it.
    template <typename Run>
    __device__ __forceinline__ void with(Run run) const {
        switch (kind) {
            case LANE_SUM_F32: return arithmetic<float, float, false>(run);
            case LANE_SUM_F32_F64: return arithmetic<float, double, false>(run);
            case LANE_PRODUCT_F32: return arithmetic<float, float, true>(run);
            case LANE_PRODUCT_F32_F64: return arithmetic<float, double, true>(run);
            case LANE_COUNT_32: return count<uint32_t>(run);
            case LANE_EXTREMUM_32: return run(extremum<uint32_t>(), uint32_t());
            case LANE_SUM_I32: return arithmetic<int32_t, uint64_t, false>(run);
            case LANE_SUM_I32_F64: return arithmetic<int32_t, double, false>(run);
            case LANE_PRODUCT_I32: return arithmetic<int32_t, uint64_t, true>(run);
            case LANE_PRODUCT_I32_F64: return arithmetic<int32_t, double, true>(run);
            case LANE_CAPPED_SUM_32: return capped<int32_t, false>(run);
            case LANE_CAPPED_PRODUCT_32: return capped<int32_t, true>(run);
        }
        if constexpr (WIDE) {
            switch (kind) {
                case LANE_SUM_F64: return arithmetic<double, double, false>(run);
                case LANE_PRODUCT_F64: return arithmetic<double, double, true>(run);
                case LANE_COUNT_64: return count<uint64_t>(run);
                case LANE_EXTREMUM_64: return run(extremum<uint64_t>(), uint64_t());
                case LANE_SUM_64: return arithmetic<uint64_t, uint64_t, false>(run);
                case LANE_SUM_I64_F64: return arithmetic<int64_t, double, false>(run);
                case LANE_SUM_U64_F64: return arithmetic<uint64_t, double, false>(run);
                case LANE_PRODUCT_64: return arithmetic<uint64_t, uint64_t, true>(run);
                case LANE_PRODUCT_I64_F64: return arithmetic<int64_t, double, true>(run);
                case LANE_PRODUCT_U64_F64: return arithmetic<uint64_t, double, true>(run);
                case LANE_CAPPED_SUM_64: return capped<uint64_t, false>(run);
                case LANE_CAPPED_PRODUCT_64: return capped<uint64_t, true>(run);
            }
        }
    }

    __device__ __forceinline__ Value identity() const {
        Value value = 0;
        with([&](const auto &fold, auto) { value = word_of_value(fold.identity()); });
        return value;
    }
    __device__ __forceinline__ Value merge(Value left, Value right) const {
        Value both = 0;
        with([&](const auto &fold, auto) {
            using V = typename std::decay_t<decltype(fold)>::Value;
            both = word_of_value(fold.merge(value_of<V>(left), value_of<V>(right)));
        });
        return both;
    }
    // values ← joined with the lanes of the groups, of which each has elements up to its `last` and the id of its first lane.
    template <int LENGTH, int GROUPS>
    __device__ __forceinline__ void take(const Word *words, const int (&last)[GROUPS], const unsigned (&)[GROUPS], Value (&values)[LENGTH]) const {
        with([&](const auto &fold, auto in) {
            using V = typename std::decay_t<decltype(fold)>::Value;
            V typed[LENGTH];
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) typed[p] = value_of<V>(values[p]);
#pragma unroll
            for (int g = 0; g < GROUPS; ++g) fold_group<decltype(in)>(fold, words + g * LENGTH, last[g], 0, typed);
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) values[p] = word_of_value(typed[p]);
        });
    }
    template <typename Position>
    __device__ __forceinline__ void place(Value &, Position) const {}

    __device__ __forceinline__ void store(const DimArrays &args, size_t at, Value value) const {
        with([&](const auto &fold, auto) {
            using Fold = std::decay_t<decltype(fold)>;
            using V = typename Fold::Value;
            if constexpr (std::is_same_v<Fold, ExtremumFold<typename Fold::In>>) {
                store_integer(args, at, fold.order.element(value_of<V>(value))); // whose dtype may be narrower than lanes
            } else {
                fold.store(args, at, value_of<V>(value));
            }
        });
    }
};

// A lane of a type as a number of 64 bits.
template <typename Word>
__device__ __forceinline__ int64_t lane_integer(int type, Word word) {
    return type == TYPE_I32 ? int64_t(number_of<int32_t>(word)) : int64_t(word);
}
template <typename Word>
__device__ __forceinline__ double lane_double(int type, Word word) {
    return type == TYPE_F32 ? double(number_of<float>(word)) : number_of<double>(word);
}

// Calls fold.step_lane for the lanes of the groups. is_row: they follow one another, and go to the first value.
template <typename Fold, typename Word, int LENGTH, int GROUPS>
__device__ __forceinline__ void take_lanes(const Fold &fold, bool is_row, const Word *words, const int (&last)[GROUPS],
                                           const unsigned (&ids)[GROUPS], typename Fold::Value (&values)[LENGTH]) {
#pragma unroll
    for (int g = 0; g < GROUPS; ++g) {
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            if (p > last[g]) continue;
            if (is_row) fold.step_lane(values[0], words[g * LENGTH + p], ids[g] + p);
            else fold.step_lane(values[p], words[g * LENGTH + p], ids[g] + p);
        }
    }
}

struct LaneFound {
    uint64_t rank, element, position;
};

// Elements are ranked as 64-bit integers or doubles that have their values; `position` is the lane's id until it is placed.
struct LaneFirst {
    using Value = LaneFound;
    static constexpr bool ORDERED = false;

    int type;
    RankOrder<uint64_t> order;

    __device__ __forceinline__ Value identity() const { return {0, order.element(0), 0}; }
    __device__ __forceinline__ Value merge(const Value &left, const Value &right) const {
        return right.rank > left.rank || (right.rank == left.rank && right.position < left.position) ? right : left;
    }
    template <typename Word>
    __device__ __forceinline__ void step_lane(Value &value, Word word, unsigned id) const {
        uint64_t key = order.is_float ? word_of_value(lane_double(type, word)) : uint64_t(lane_integer(type, word));
        if (order.is_float && key == order.SIGN) key = 0;
        const uint64_t rank = order.rank(key);
        if (rank > value.rank) value = {rank, uint64_t(word), id};
    }
    template <int LENGTH, int GROUPS, typename Word>
    __device__ __forceinline__ void take(const Word *words, const int (&last)[GROUPS], const unsigned (&ids)[GROUPS], Value (&values)[LENGTH]) const {
        take_lanes(*this, false, words, last, ids, values);
    }
    // The id becomes a position; without an element it is 0.
    template <typename Position>
    __device__ __forceinline__ void place(Value &value, Position position) const {
        value.position = value.rank == 0 ? 0 : position(static_cast<unsigned>(value.position));
    }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, const Value &value) const {
        if (order.is_float && value.rank == 0) {
            store_float(args, at, value_of<double>(order.QUIET_NAN));
        } else {
            store_integer(args, at, value.element);
        }
        if (args.position_bytes == 4) {
            static_cast<uint32_t *>(args.positions)[at] = static_cast<uint32_t>(value.position);
        } else {
            static_cast<uint64_t *>(args.positions)[at] = value.position;
        }
    }
};

struct LaneCountedSum : CountedSumFold {
    int type;

    template <typename Word>
    __device__ __forceinline__ void step_lane(Value &value, Word word, unsigned) const { step(value, lane_double(type, word), 0); }
    template <int LENGTH, int GROUPS, typename Word>
    __device__ __forceinline__ void take(const Word *words, const int (&last)[GROUPS], const unsigned (&ids)[GROUPS], Value (&values)[LENGTH]) const {
        take_lanes(*this, false, words, last, ids, values);
    }
    template <typename Position>
    __device__ __forceinline__ void place(Value &, Position) const {}
};

template <bool IS_PRODUCT>
struct LaneClamped : ClampedFold<IS_PRODUCT> {
    using Value = Clamped;
    int type;
    bool is_row;                                                   // of a launch

    template <typename Word>
    __device__ __forceinline__ void step_lane(Value &value, Word word, unsigned) const { this->step(value, lane_integer(type, word), 0); }
    template <int LENGTH, int GROUPS, typename Word>
    __device__ __forceinline__ void take(const Word *words, const int (&last)[GROUPS], const unsigned (&ids)[GROUPS], Value (&values)[LENGTH]) const {
        take_lanes(*this, is_row, words, last, ids, values);
    }
    template <typename Position>
    __device__ __forceinline__ void place(Value &, Position) const {}
};
