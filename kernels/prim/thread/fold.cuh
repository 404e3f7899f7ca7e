// fold.cuh — what reductions and scans along a dimension do with an element; src/cpu/fold has the same.
//
//   fold                | Value                        | of
//   --------------------|------------------------------|--------------------------------------------------------------
//   AddFold             | float, double, uint64_t      | sums and means; integers wrap in 64 bits, which the result cuts
//   MultiplyFold        | the same                     | products
//   CountFold           | uint64_t                     | elements that are not 0
//   ExtremumFold        | uint32_t, uint64_t           | the largest rank: ordered integers, flipped for the minimum
//   FloatExtremumFold   | float, double                | the same of floats, by the device's comparison: float_extremum.cuh
//   FirstFold           | rank and position            | the first position of the largest rank
//   CountedSumFold      | sum and number of elements   | means that leave NaN out
//   CappedFold          | uint64_t                     | sums and products of unsigned integers that saturate
//   ClampedFold         | a function                   | those of signed ones, which saturate after each element
//
// Algorithm  A clamped sum is x -> clamp (x + a, low, high), a clamped product x -> clamp (x * a, low, high). Both are closed under
//            composition, and so reduced in parallel as long as the order stays (ORDERED). 128 bits hold every intermediate result:
//            a is cut at ± 2^64 and ± 2^63, from where on the function is constant, or is where x is not 0.
// Edges      NaN: rank 0 where it is left out, below all others, and all bits where it stays. -0 is below 0 for ExtremumFold, equal
//            to it for FirstFold.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

// ---- constants ------------------------------------------------------------------------------------------------------

// The numbers of gpumex_dtype and gpumex_dim_reduction.
enum FoldDtype {
    FOLD_F32 = 1, FOLD_F64 = 2, FOLD_I8 = 5, FOLD_I16 = 6, FOLD_I32 = 7, FOLD_I64 = 8, FOLD_U8 = 9, FOLD_U16 = 10, FOLD_U32 = 11,
    FOLD_U64 = 12, FOLD_BOOL = 13
};
enum Reduction {
    REDUCTION_SUM = 0, REDUCTION_PRODUCT = 1, REDUCTION_MIN = 2, REDUCTION_MAX = 3, REDUCTION_ANY = 4, REDUCTION_ALL = 5,
    REDUCTION_COUNT = 6, REDUCTION_MEAN = 7
};

__host__ __device__ constexpr bool is_fold_signed(int dtype) { return dtype >= FOLD_I8 && dtype <= FOLD_I64; }
__host__ __device__ constexpr bool is_fold_float(int dtype) { return dtype == FOLD_F32 || dtype == FOLD_F64; }

// An array (inner, count, outer), the first index fastest, what is computed of it, and where that goes.
struct DimArrays {
    const void *data;
    size_t inner, count, outer;
    int dtype, op, result_dtype, result_bytes, position_bytes;
    bool omits, saturates, inclusive, reversed;                    // omits: NaN is left out; the last two of scans
    void *result, *positions;                                      // positions: NULL where there are none
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// result[at] ← an integer of the width of the result.
__device__ __forceinline__ void store_integer(const DimArrays &args, size_t at, uint64_t value) {
    switch (args.result_bytes) {
        case 1: static_cast<uint8_t *>(args.result)[at] = static_cast<uint8_t>(value); break;
        case 2: static_cast<uint16_t *>(args.result)[at] = static_cast<uint16_t>(value); break;
        case 4: static_cast<uint32_t *>(args.result)[at] = static_cast<uint32_t>(value); break;
        default: static_cast<uint64_t *>(args.result)[at] = value; break;
    }
}

__device__ __forceinline__ void store_float(const DimArrays &args, size_t at, double value) {
    if (args.result_bytes == 4) {
        static_cast<float *>(args.result)[at] = static_cast<float>(value);
    } else {
        static_cast<double *>(args.result)[at] = value;
    }
}

// A typed element, or one of any dtype as a number: a branch that is the same for all.
template <typename In_>
struct TypedReader {
    using In = In_;
    static constexpr bool TYPED = true;
    __device__ __forceinline__ In read(const DimArrays &args, size_t at) const { return static_cast<const In *>(args.data)[at]; }
};

template <typename Number>
struct AnyReader {
    using In = Number;
    static constexpr bool TYPED = false;
    __device__ __forceinline__ Number read(const DimArrays &args, size_t at) const {
        switch (args.dtype) {
            case FOLD_F32: return static_cast<Number>(static_cast<const float *>(args.data)[at]);
            case FOLD_F64: return static_cast<Number>(static_cast<const double *>(args.data)[at]);
            case FOLD_I8: return static_cast<Number>(static_cast<const int8_t *>(args.data)[at]);
            case FOLD_I16: return static_cast<Number>(static_cast<const int16_t *>(args.data)[at]);
            case FOLD_I32: return static_cast<Number>(static_cast<const int32_t *>(args.data)[at]);
            case FOLD_I64: return static_cast<Number>(static_cast<const int64_t *>(args.data)[at]);
            case FOLD_U16: return static_cast<Number>(static_cast<const uint16_t *>(args.data)[at]);
            case FOLD_U32: return static_cast<Number>(static_cast<const uint32_t *>(args.data)[at]);
            case FOLD_U64: return static_cast<Number>(static_cast<const uint64_t *>(args.data)[at]);
            default: return static_cast<Number>(static_cast<const uint8_t *>(args.data)[at]);
        }
    }
};

template <typename T>
__device__ __forceinline__ bool is_nan_value(T value) { return value != value; }

template <typename Acc>
__device__ __forceinline__ void store_accumulated(const DimArrays &args, size_t at, Acc value) {
    if constexpr (Acc(1) / Acc(2) != Acc(0)) {
        store_float(args, at, args.op == REDUCTION_MEAN ? double(value) / double(args.count) : double(value));
    } else if (!is_fold_float(args.result_dtype)) {
        store_integer(args, at, value);
    } else {                                                       // an exact sum of small integers
        const double sum = is_fold_signed(args.dtype) ? double(int64_t(value)) : double(value);
        store_float(args, at, args.op == REDUCTION_MEAN ? sum / double(args.count) : sum);
    }
}

// Each has: In; Value; read; identity; step, with the element at a position of the dimension; merge of neighbouring parts; store.
template <typename Reader, typename Acc, bool IS_PRODUCT>
struct ArithmeticFold : Reader {
    using In = typename Reader::In;
    using Value = Acc;
    static constexpr bool ORDERED = false;
    bool omits;

    __device__ __forceinline__ Value identity() const { return Value(IS_PRODUCT ? 1 : 0); }
    __device__ __forceinline__ Value apply(Value left, Value right) const { return IS_PRODUCT ? left * right : left + right; }
    __device__ __forceinline__ void step(Value &value, In element, size_t) const {
        value = apply(value, omits && is_nan_value(element) ? identity() : Value(element));
    }
    __device__ __forceinline__ Value merge(Value left, Value right) const { return apply(left, right); }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, Value value) const {
        store_accumulated(args, at, value);
    }
};

template <typename In, typename Acc>
using AddFold = ArithmeticFold<TypedReader<In>, Acc, false>;
template <typename In, typename Acc>
using MultiplyFold = ArithmeticFold<TypedReader<In>, Acc, true>;
template <typename Acc>
using MultiplyAnyFold = ArithmeticFold<AnyReader<Acc>, Acc, true>;

template <typename Bits>
struct CountFold : TypedReader<Bits> {
    using In = Bits;
    using Value = uint64_t;
    static constexpr bool ORDERED = false;
    Bits mask, limit;                                              // what is 0 without mask, or above limit, does not count

    __device__ __forceinline__ Value identity() const { return 0; }
    __device__ __forceinline__ void step(Value &value, Bits element, size_t) const {
        const Bits bits = element & mask;
        value += bits != 0 && bits <= limit;
    }
    __device__ __forceinline__ Value merge(Value left, Value right) const { return left + right; }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, Value value) const {
        if (args.op == REDUCTION_ANY) value = value > 0;
        if (args.op == REDUCTION_ALL) value = value == args.count;
        if (is_fold_float(args.result_dtype)) {
            store_float(args, at, double(value));
        } else {
            store_integer(args, at, value);
        }
    }
};

template <size_t BYTES>
struct WordOf {
    using Type = uint32_t;
};
template <>
struct WordOf<8> {
    using Type = uint64_t;
};

// The order of elements as unsigned integers.
template <typename Bits>
struct RankOrder {
    using Rank = typename WordOf<sizeof(Bits)>::Type;
    static constexpr Bits SIGN = Bits(Bits(1) << (8 * sizeof(Bits) - 1)), ALL = Bits(~Bits(0));
    static constexpr Rank INFINITE = sizeof(Bits) == 8 ? Rank(0x7FF0000000000000ull) : Rank(0x7F800000u);
    static constexpr Rank QUIET_NAN = INFINITE | (INFINITE & (~INFINITE + 1)) >> 1; // the highest bit of the fraction

    Bits flip, nan;                                                // nan: its rank
    bool is_float;

    __device__ __forceinline__ Rank rank(Bits element) const {
        if (sizeof(Bits) < 4 || !is_float) return Bits(element ^ flip);
        using Signed = std::conditional_t<sizeof(Bits) == 8, int64_t, int32_t>;
        const Bits signs = Bits(Signed(element) >> (8 * sizeof(Bits) - 1)); // all bits, where it is negative
        return Bits(element & Bits(~SIGN)) > INFINITE ? nan : Bits(element ^ (signs | SIGN) ^ flip);
    }
    __device__ __forceinline__ Rank element(Rank rank) const {
        const Bits ordered = Bits(Bits(rank) ^ flip);
        if (sizeof(Bits) < 4 || !is_float) return ordered;
        if (rank == 0 || Bits(rank) == ALL) return QUIET_NAN;
        return ordered & SIGN ? Bits(ordered ^ SIGN) : Bits(~ordered);
    }
};

template <typename Bits>
struct ExtremumFold : TypedReader<Bits> {
    using In = Bits;
    using Value = typename RankOrder<Bits>::Rank;
    static constexpr bool ORDERED = false;
    RankOrder<Bits> order;

    __device__ __forceinline__ Value identity() const { return 0; }
    __device__ __forceinline__ void step(Value &value, Bits element, size_t) const { value = max(value, order.rank(element)); }
    __device__ __forceinline__ Value merge(Value left, Value right) const { return max(left, right); }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, Value value) const {
        static_cast<Bits *>(args.result)[at] = Bits(order.element(value));
    }
};

template <typename Rank>
struct Ranked {
    Rank rank;
    uint64_t position;
};

template <typename Bits>
struct FirstFold : TypedReader<Bits> {
    using In = Bits;
    using Value = Ranked<typename RankOrder<Bits>::Rank>;
    static constexpr bool ORDERED = false;
    RankOrder<Bits> order;

    __device__ __forceinline__ Value identity() const { return {0, 0}; }
    __device__ __forceinline__ void step(Value &value, Bits element, size_t position) const {
        if (order.is_float && element == order.SIGN) element = 0;
        const auto rank = order.rank(element);
        if (rank > value.rank) value = {rank, position};
    }
    __device__ __forceinline__ Value merge(const Value &left, const Value &right) const {
        return right.rank > left.rank || (right.rank == left.rank && right.position < left.position) ? right : left;
    }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, const Value &value) const {
        const size_t k = at / args.inner, i = at - k * args.inner;
        const size_t from = i + args.inner * (value.position + args.count * k);
        static_cast<Bits *>(args.result)[at] = static_cast<const Bits *>(args.data)[from];
        if (args.position_bytes == 4) {
            static_cast<uint32_t *>(args.positions)[at] = static_cast<uint32_t>(value.position);
        } else {
            static_cast<uint64_t *>(args.positions)[at] = value.position;
        }
    }
};

struct CountedSum {
    double sum;
    uint64_t count;
};

struct CountedSumFold : AnyReader<double> {
    using In = double;
    using Value = CountedSum;
    static constexpr bool ORDERED = false;

    __device__ __forceinline__ Value identity() const { return {0.0, 0}; }
    __device__ __forceinline__ void step(Value &value, double element, size_t) const {
        if (!is_nan_value(element)) value.sum += element, ++value.count;
    }
    __device__ __forceinline__ Value merge(const Value &left, const Value &right) const {
        return {left.sum + right.sum, left.count + right.count};
    }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, const Value &value) const {
        store_float(args, at, value.sum / double(value.count));
    }
};

// Of unsigned integers: min (exact, the largest integer of the result).
template <bool IS_PRODUCT>
struct CappedFold : AnyReader<uint64_t> {
    using In = uint64_t;
    using Value = uint64_t;
    static constexpr bool ORDERED = false;
    uint64_t high;

    __device__ __forceinline__ Value identity() const { return IS_PRODUCT ? 1 : 0; }
    __device__ __forceinline__ Value merge(Value left, Value right) const {
        if (IS_PRODUCT) return __umul64hi(left, right) != 0 ? high : min(left * right, high);
        const Value sum = left + right;
        return sum < left ? high : min(sum, high);
    }
    __device__ __forceinline__ void step(Value &value, uint64_t element, size_t) const { value = merge(value, element); }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, Value value) const { store_integer(args, at, value); }
};

using Wide = __int128;

struct Clamped {
    Wide a, low, high;
};

template <bool IS_PRODUCT>
struct ClampedFold : AnyReader<int64_t> {
    using In = int64_t;
    using Value = Clamped;
    static constexpr bool ORDERED = true;
    int64_t low, high;                                             // of the result's dtype

    static __device__ __forceinline__ Wide within(Wide x, Wide low, Wide high) { return x < low ? low : x > high ? high : x; }
    __device__ __forceinline__ Wide move(Wide x, Wide a) const { return IS_PRODUCT ? x * a : x + a; }
    __device__ __forceinline__ Value identity() const { return {Wide(IS_PRODUCT ? 1 : 0), Wide(low), Wide(high)}; }
    __device__ __forceinline__ Value merge(const Value &left, const Value &right) const {
        const Wide at_low = within(move(left.low, right.a), right.low, right.high);
        const Wide at_high = within(move(left.high, right.a), right.low, right.high);
        const Wide most = IS_PRODUCT ? Wide(high) + 1 : Wide(1) << 65;
        const Wide a = within(move(left.a, right.a), -most, most);
        Value both = {a, at_low < at_high ? at_low : at_high, at_low < at_high ? at_high : at_low};
        if (!IS_PRODUCT && (a == most || a == -most)) {            // constant: a starts at one end and leaves at the other
            both.low = both.high = a > 0 ? both.high : both.low;
            both.a = 0;
        }
        return both;
    }
    __device__ __forceinline__ void step(Value &value, int64_t element, size_t) const {
        value = merge(value, Value{Wide(element), Wide(low), Wide(high)});
    }
    __device__ __forceinline__ void store(const DimArrays &args, size_t at, const Value &value) const {
        const Wide result = within(move(Wide(IS_PRODUCT ? 1 : 0), value.a), value.low, value.high);
        store_integer(args, at, static_cast<uint64_t>(result));
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// From the struct of a launcher, which has the same fields.
template <typename Args>
DimArrays dim_arrays(const Args &args) {
    return {args.data, args.inner, args.count, args.outer, args.dtype, args.op, args.result_dtype, args.result_bytes, args.position_bytes,
            args.omits != 0, args.saturates != 0, args.inclusive != 0, args.reversed != 0, args.result, args.positions};
}

template <typename Bits>
RankOrder<Bits> rank_order(const DimArrays &args) {
    const Bits all = args.dtype == FOLD_BOOL ? Bits(1) : Bits(~Bits(0)), none = 0; // the minimum of no bool is 1
    const Bits flip = Bits((is_fold_signed(args.dtype) ? RankOrder<Bits>::SIGN : none) ^ (args.op == REDUCTION_MIN ? all : none));
    return {flip, args.omits ? none : Bits(~none), is_fold_float(args.dtype)};
}

// The largest and the smallest integer of a dtype, of unsigned ones as bits.
inline uint64_t largest_integer(int dtype) {
    switch (dtype) {
        case FOLD_I8: return INT8_MAX;
        case FOLD_I16: return INT16_MAX;
        case FOLD_I32: return INT32_MAX;
        case FOLD_I64: return INT64_MAX;
        case FOLD_U16: return UINT16_MAX;
        case FOLD_U32: return UINT32_MAX;
        case FOLD_U64: return UINT64_MAX;
        default: return UINT8_MAX;
    }
}

template <bool IS_PRODUCT>
CappedFold<IS_PRODUCT> capped_fold(const DimArrays &args) {
    CappedFold<IS_PRODUCT> fold;
    fold.high = largest_integer(args.result_dtype);
    return fold;
}

template <bool IS_PRODUCT>
ClampedFold<IS_PRODUCT> clamped_fold(const DimArrays &args) {
    ClampedFold<IS_PRODUCT> fold;
    fold.high = static_cast<int64_t>(largest_integer(args.result_dtype));
    fold.low = -fold.high - 1;
    return fold;
}

template <typename Fold>
Fold arithmetic_fold(const DimArrays &args) {
    Fold fold;
    fold.omits = args.omits;
    return fold;
}

template <typename Bits>
ExtremumFold<Bits> extremum_fold(const DimArrays &args) {
    ExtremumFold<Bits> fold;
    fold.order = rank_order<Bits>(args);
    return fold;
}
