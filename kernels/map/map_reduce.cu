// map_reduce.cu — reductions of what a program makes of its inputs: the program of map.cu, the folds of reduce_dim.
//
//   result[i, k] = e[i, 0, k] ∘ … ∘ e[i, count - 1, k]              e = f (input[0], …, input[15]), any dtypes and strides
//
// Algorithm  reduce.cuh. Sums, products, extrema and counts have four kernels, as map.cu; positions, means that leave NaN out and
//            signed integers that saturate have one each, of words of 64 bits with all functions, which serves every program.
// Cost       Reads each input once; partial results as dim_reduce.cuh. The steps take what they take in map.cu, and a fold 2 to 4
//            instructions a lane.
// Limits     As map.cu; any extents, a launch for each 2^30 elements.
// Edges      As reduce_fold.cuh. The order of the operations depends on extents, strides and alignment, and on the number of
//            multiprocessors.

#include "kernels.h"
#include "map/encode.cuh"
#include "map/plan.cuh"
#include "map/reduce.cuh"
#include "map/reduce_walk.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

struct Call {
    const gpumexk_map_args &map;
    DimArrays args;                                                // its dtype: of lanes
    int dtype, type;                                               // of the program
    void *scratch;
    size_t *bytes;
    cudaStream_t stream;
};

constexpr int LANE_DTYPES[TYPES] = {FOLD_I32, FOLD_I64, FOLD_U64, FOLD_F32, FOLD_F64};

bool is_served(const gpumexk_map_args &map, const gpumexk_dim_args &dim) {
    if (map.rank < 1 || map.rank > MAP_RANK || map.input_count > MAP_INPUTS || map.step_count > MAP_STEPS) return false;
    if (map.literal_count > MAP_LITERALS || map.slots < 0 || map.slots > MAP_SLOTS || map.real_slot >= 0) return false;
    if (dim.dtype < 1 || dim.dtype > MAP_DTYPES || dim.dtype != map.result->dtype) return false;
    for (size_t i = 0; i <= map.input_count; ++i) {
        const int dtype = (i == 0 ? *map.result : map.inputs[i - 1]).dtype;
        if (dtype < 1 || dtype > (i == 0 ? MAP_DTYPES : MAP_LOADED) || (map.wide == 0 && is_map_wide(map_type_of(dtype - 1)))) return false;
    }
    return true;
}

MapWalk walk_of(const gpumexk_map_args &map) {
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

template <typename Word, bool ELEMENTARY, typename Fold>
struct Launch {
    using Value = typename Fold::Value;
    static constexpr int LENGTH = MAP_LENGTH<Word>;

    const Call &call;
    const Fold &fold;
    ReduceWalk walk;
    unsigned slots, threads;
    size_t sms, splits, share;

    size_t groups(const MapWalk &of, int from, int to) const {
        size_t count = 1;
        for (int d = from; d < to; ++d) count *= d == 0 ? ceil_div(of.extents[0], LENGTH) : of.extents[d];
        return count;
    }
    bool is_row() const { return walk.inner == 0 && walk.reduced > 0; }

    DimPlan plan_of(const MapWalk &box) const {
        const int behind = walk.inner + walk.reduced;
        return plan_reduce(groups(box, 0, walk.inner), groups(box, walk.inner, behind), groups(box, behind, box.rank), threads, sms,
                           splits, share);
    }

    cudaError_t run() {
        walk = reduce_walk(walk_of(call.map), 3 * LENGTH + 1, Fold::ORDERED);
        slots = static_cast<unsigned>(call.map.slots) + map_scratch_slots(call.map.steps, call.map.step_count);
        threads = map_threads(DIM_THREADS, map_slot_bytes(slots) + LENGTH * sizeof(Value));
        const cudaError_t error = multiprocessors(&sms);
        if (error != cudaSuccess) return error;
        splits = share = 0;
        const DimPlan plan = plan_of(box_of(walk, 0).walk);        // the largest box
        splits = plan.splits, share = plan.share;
        const size_t all = reduced_boxes(walk) * splits, results = call.args.inner * call.args.outer;
        if (call.bytes != nullptr) {
            *call.bytes = all == 1 ? 0 : all * results * sizeof(Value);
            return cudaSuccess;
        }
        Value *const partials = all == 1 ? nullptr : static_cast<Value *>(call.scratch);
        size_t boxes = 1;
        for (int d = 0; d < walk.walk.rank; ++d) boxes *= walk.boxes[d];
        for (size_t index = 0; index < boxes; ++index) {
            const cudaError_t launched = launch(box_of(walk, index), partials);
            if (launched != cudaSuccess) return launched;
        }
        if (partials == nullptr) return cudaSuccess;
        const unsigned lanes = all > 128 ? DIM_THREADS : static_cast<unsigned>(at_most(power_of_two_from(ceil_div(all, 4)), WARP));
        const size_t joined = ceil_div(results, DIM_THREADS / lanes);
        dim_join<<<static_cast<unsigned>(at_most(joined, GRID_X_MAX)), DIM_THREADS, 0, call.stream>>>(call.args, fold, partials, all, lanes);
        return cudaGetLastError();
    }

    cudaError_t launch(const ReduceBox &box, Value *partials) const {
        ReduceParameters<Fold> p = {};
        constexpr bool WIDE = sizeof(Word) == 8;
        if (!plan_steps<WIDE, ELEMENTARY>(call.map, box.walk, p.map)) return cudaErrorInvalidValue;
        plan_arrays(box.walk, LENGTH, p.map);
        plan_shape(box.walk, LENGTH, p.map);
        for (size_t i = 0; i < call.map.literal_count; ++i) p.map.literals[i] = call.map.literals[i];
        p.map.real_slot = -1;
        p.map.step_count = static_cast<unsigned>(call.map.step_count), p.map.slots = static_cast<unsigned>(call.map.slots);
        const int behind = walk.inner + walk.reduced;
        p.columns = static_cast<unsigned>(groups(box.walk, 0, walk.inner));
        p.depth = static_cast<unsigned>(groups(box.walk, walk.inner, behind));
        p.outer = static_cast<unsigned>(groups(box.walk, behind, box.walk.rank));
        p.fold = fold, p.args = call.args, p.plan = plan_of(box.walk);
        p.is_row = is_row(), p.slots = slots;
        if constexpr (Fold::ORDERED) p.fold.is_row = p.is_row;
        p.base = box.base, p.slot = box.number * splits;
        p.position = box.position;
        for (int d = 0; d < MAP_RANK; ++d) p.positions[d] = walk.positions[d];
        p.partials = partials;
        const size_t bytes = threads * (map_slot_bytes(slots) + LENGTH * sizeof(Value));
        const unsigned blocks = static_cast<unsigned>(at_most(p.plan.blocks, GRID_X_MAX));
        map_reduce<Word, ELEMENTARY, Fold><<<blocks, threads, bytes, call.stream>>>(p);
        return cudaGetLastError();
    }
};

template <typename Word, bool ELEMENTARY, typename Fold>
cudaError_t launch_fold(const Call &call, const Fold &fold) {
    return Launch<Word, ELEMENTARY, Fold>{call, fold, {}, 0, 0, 0, 0, 0}.run();
}

int arithmetic_kind(const Call &call) {
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
int kind_of(const Call &call) {
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

template <typename Word, bool ELEMENTARY>
cudaError_t launch_lanes(const Call &call) {
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
    return launch_fold<Word, ELEMENTARY>(call, fold);
}

cudaError_t launch_first(const Call &call) {
    DimArrays widened = call.args;                                 // to a type of 64 bits, for the order
    widened.dtype = is_map_float(call.type) ? FOLD_F64 : call.type == TYPE_U64 ? FOLD_U64 : FOLD_I64;
    return launch_fold<uint64_t, true>(call, LaneFirst{call.type, rank_order<uint64_t>(widened)});
}

template <bool IS_PRODUCT>
cudaError_t launch_clamped(const Call &call) {
    LaneClamped<IS_PRODUCT> fold = {};
    static_cast<ClampedFold<IS_PRODUCT> &>(fold) = clamped_fold<IS_PRODUCT>(call.args);
    fold.type = call.type;
    return launch_fold<uint64_t, true>(call, fold);
}

}  // namespace

int gpumexk_map_reduce(const gpumexk_map_args *map, const gpumexk_dim_args *dim, void *scratch, size_t *bytes, gpumexk_stream stream) {
    if (!is_served(*map, *dim)) return cudaErrorInvalidValue;
    Call call = {*map, dim_arrays(*dim), dim->dtype, map_type_of(dim->dtype - 1), scratch, bytes, stream};
    call.args.dtype = LANE_DTYPES[call.type];
    if (call.args.positions != nullptr) return launch_first(call);
    if (call.args.op == REDUCTION_MEAN && call.args.omits && is_map_float(call.type)) {
        LaneCountedSum fold = {};
        fold.type = call.type;
        return launch_fold<uint64_t, true>(call, fold);
    }
    if (call.args.saturates && is_fold_signed(dim->dtype)) {
        return call.args.op == REDUCTION_PRODUCT ? launch_clamped<true>(call) : launch_clamped<false>(call);
    }
    if (map->wide != 0) return map->elementary != 0 ? launch_lanes<uint64_t, true>(call) : launch_lanes<uint64_t, false>(call);
    return map->elementary != 0 ? launch_lanes<uint32_t, true>(call) : launch_lanes<uint32_t, false>(call);
}
