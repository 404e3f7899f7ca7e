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
#include "map/fold_call.cuh"
#include "map/reduce.cuh"
#include "map/reduce_walk.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY, typename Fold>
struct Launch {
    using Value = typename Fold::Value;
    static constexpr int LENGTH = MAP_LENGTH<Word>;

    const FoldCall &call;
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
cudaError_t launch_fold(const FoldCall &call, const Fold &fold) {
    return Launch<Word, ELEMENTARY, Fold>{call, fold, {}, 0, 0, 0, 0, 0}.run();
}

template <typename Word, bool ELEMENTARY>
cudaError_t launch_lanes(const FoldCall &call) {
    return launch_fold<Word, ELEMENTARY>(call, lane_fold<Word>(call));
}

cudaError_t launch_first(const FoldCall &call) {
    DimArrays widened = call.args;                                 // to a type of 64 bits, for the order
    widened.dtype = is_map_float(call.type) ? FOLD_F64 : call.type == TYPE_U64 ? FOLD_U64 : FOLD_I64;
    return launch_fold<uint64_t, true>(call, LaneFirst{call.type, rank_order<uint64_t>(widened)});
}

template <bool IS_PRODUCT>
cudaError_t launch_clamped(const FoldCall &call) {
    LaneClamped<IS_PRODUCT> fold = {};
    static_cast<ClampedFold<IS_PRODUCT> &>(fold) = clamped_fold<IS_PRODUCT>(call.args);
    fold.type = call.type;
    return launch_fold<uint64_t, true>(call, fold);
}

}  // namespace

int gpumexk_map_reduce(const gpumexk_map_args *map, const gpumexk_dim_args *dim, void *scratch, size_t *bytes, gpumexk_stream stream) {
    if (!is_served(*map, *dim)) return cudaErrorInvalidValue;
    const FoldCall call = fold_call(*map, *dim, scratch, bytes, stream);
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
