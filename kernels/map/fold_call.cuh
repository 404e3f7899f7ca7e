// fold_call.cuh — what the launchers of map_reduce.cu and map_scan.cu share: a call, and the fold of the lanes that it needs.
#pragma once

#include "map/encode.cuh"
#include "map/plan.cuh"
#include "map/reduce_fold.cuh"

// ---- host helpers ---------------------------------------------------------------------------------------------------

struct FoldCall {
    const gpumexk_map_args &map;
    DimArrays args;                                                // its dtype: of lanes
    int dtype, type;                                               // of the program
    void *scratch;
    size_t *bytes;
    cudaStream_t stream;
};

constexpr int LANE_DTYPES[TYPES] = {FOLD_I32, FOLD_I64, FOLD_U64, FOLD_F32, FOLD_F64};

inline bool is_served(const gpumexk_map_args &map, const gpumexk_dim_args &dim) {
    if (map.rank < 1 || map.rank > MAP_RANK || map.input_count > MAP_INPUTS || map.step_count > MAP_STEPS) return false;
    if (map.literal_count > MAP_LITERALS || map.slots < 0 || map.slots > MAP_SLOTS || map.real_slot >= 0) return false;
    if (dim.dtype < 1 || dim.dtype > MAP_DTYPES || dim.dtype != map.result->dtype) return false;
    for (size_t i = 0; i <= map.input_count; ++i) {
        const int dtype = (i == 0 ? *map.result : map.inputs[i - 1]).dtype;
        if (dtype < 1 || dtype > (i == 0 ? MAP_DTYPES : MAP_LOADED) || (map.wide == 0 && is_map_wide(map_type_of(dtype - 1)))) return false;
    }
    return true;
}

inline MapWalk walk_of(const gpumexk_map_args &map) {
    MapWalk walk = {};
    walk.rank = map.rank, walk.arrays = 1 + static_cast<int>(map.input_count);
    for (int i = 0; i < walk.arrays; ++i) {
        const gpumexk_map_array &array = i == 0 ? *map.result : map.inputs[i - 1];
        walk.data[i] = static_cast<const char *>(array.data), walk.dtypes[i] = array.dtype - 1;
        for (int d = 0; d < walk.rank; ++d) walk.strides[d][i] = static_cast<size_t>(array.strides[d]);
    }
    for (int d = 0; d < walk.rank; ++d) walk.extents[d] = map.extents[d];
    return walk;
}

inline FoldCall fold_call(const gpumexk_map_args &map, const gpumexk_dim_args &dim, void *scratch, size_t *bytes, cudaStream_t stream) {
    FoldCall call = {map, dim_arrays(dim), dim.dtype, map_type_of(dim.dtype - 1), scratch, bytes, stream};
    call.args.dtype = LANE_DTYPES[call.type];
    return call;
}

inline int arithmetic_kind(const FoldCall &call) {
    const bool is_product = call.args.op == REDUCTION_PRODUCT, is_mean = call.args.op == REDUCTION_MEAN;
    const bool in_double = call.args.result_dtype == FOLD_F64 || is_mean, is_short = map_dtype_bytes(call.dtype - 1) < 4;
    switch (call.type) {
        case TYPE_F32: return is_product ? (in_double ? LANE_PRODUCT_F32_F64 : LANE_PRODUCT_F32) : in_double ? LANE_SUM_F32_F64 : LANE_SUM_F32;
        case TYPE_F64: return is_product ? LANE_PRODUCT_F64 : LANE_SUM_F64;
        case TYPE_I32:
            if (is_product) return in_double ? LANE_PRODUCT_I32_F64 : LANE_PRODUCT_I32;
            return in_double && !is_short ? LANE_SUM_I32_F64 : LANE_SUM_I32; // short ones are summed exactly
        case TYPE_I64: return is_product ? (in_double ? LANE_PRODUCT_I64_F64 : LANE_PRODUCT_64) : in_double ? LANE_SUM_I64_F64 : LANE_SUM_64;
        default: return is_product ? (in_double ? LANE_PRODUCT_U64_F64 : LANE_PRODUCT_64) : in_double ? LANE_SUM_U64_F64 : LANE_SUM_64;
    }
}

// The kind of LaneFold.
inline int kind_of(const FoldCall &call) {
    const bool is_wide = is_map_wide(call.type);
    switch (call.args.op) {
        case REDUCTION_MIN: case REDUCTION_MAX: return is_wide ? LANE_EXTREMUM_64 : LANE_EXTREMUM_32;
        case REDUCTION_ANY: case REDUCTION_ALL: case REDUCTION_COUNT: return is_wide ? LANE_COUNT_64 : LANE_COUNT_32;
        default: break;
    }
    if (!call.args.saturates) return arithmetic_kind(call);
    const bool is_product = call.args.op == REDUCTION_PRODUCT;
    if (is_wide) return is_product ? LANE_CAPPED_PRODUCT_64 : LANE_CAPPED_SUM_64;
    return is_product ? LANE_CAPPED_PRODUCT_32 : LANE_CAPPED_SUM_32;
}

template <typename Word>
LaneFold<Word> lane_fold(const FoldCall &call) {
    LaneFold<Word> fold = {};
    fold.kind = kind_of(call);
    fold.omits = call.args.omits, fold.is_float = is_map_float(call.type);
    const bool is_wide = is_map_wide(call.type), leaves_out = call.args.omits && call.args.op != REDUCTION_ALL;
    if (!fold.is_float) {
        fold.mask = fold.limit = ~uint64_t(0);
    } else {
        fold.mask = is_wide ? ~RankOrder<uint64_t>::SIGN : uint64_t(uint32_t(~RankOrder<uint32_t>::SIGN));
        fold.limit = !leaves_out ? fold.mask : is_wide ? RankOrder<uint64_t>::INFINITE : uint64_t(RankOrder<uint32_t>::INFINITE);
    }
    const RankOrder<uint64_t> wide = rank_order<uint64_t>(call.args);
    const RankOrder<uint32_t> narrow = rank_order<uint32_t>(call.args);
    fold.flip = is_wide ? wide.flip : narrow.flip, fold.nan = is_wide ? wide.nan : narrow.nan;
    fold.high = largest_integer(call.args.result_dtype);
    return fold;
}
