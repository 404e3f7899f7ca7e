// map_scan.cu — prefixes of what a program makes of its inputs: the program of map.cu, the scans of scan_dim.
//
//   result[i, j, k] = e[i, 0, k] ∘ … ∘ e[i, j - 1, k]  or  … ∘ e[i, j, k]       e = f (input[0], …, input[15]), any dtypes and strides
//
// Algorithm  scan.cuh. Sums, products and extrema have four kernels, as map.cu; signed integers that saturate have one for sums and one
//            for products, of words of 64 bits with all functions, which serves every program.
// Cost       Reads each input and writes the result once; reads and computes twice where depth is divided.
// Limits     As map.cu; any extents, one or two launches for each 2^30 elements.
// Edges      As reduce_fold.cuh. The order of the operations depends on extents, strides and alignment, and on the number of
//            multiprocessors.
// Source     G. Blelloch, "Prefix Sums and Their Applications", CMU-CS-90-190, 1990.

#include "kernels.h"
#include "map/fold_call.cuh"
#include "map/reduce_walk.cuh"
#include "map/scan.cuh"

namespace {

constexpr size_t SCAN_SHARE = 16;                                  // groups of a thread of a split at least
constexpr size_t SCAN_THREADS = 512;                               // of a multiprocessor, with fewer the dimension is divided

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY, typename Fold>
struct Launch {
    using Value = typename Fold::Value;
    static constexpr int LENGTH = MAP_LENGTH<Word>;

    const FoldCall &call;
    const Fold &fold;
    ReduceWalk walk;
    unsigned threads;
    size_t slots, sms;
    ScanShape plan;

    size_t groups(const MapWalk &of, int from, int to) const {
        size_t count = 1;
        for (int d = from; d < to; ++d) count *= d == 0 ? ceil_div(of.extents[0], LENGTH) : of.extents[d];
        return count;
    }
    size_t columns(const MapWalk &of) const { return groups(of, 0, walk.inner); }
    size_t depth(const MapWalk &of) const { return groups(of, walk.inner, walk.inner + walk.reduced); }
    size_t outer(const MapWalk &of) const { return groups(of, walk.inner + walk.reduced, of.rank); }
    bool is_row() const { return walk.inner == 0 && walk.reduced > 0; }

    // The inputs' walk with the prefixes behind them, which are dense in the order of the extents.
    MapWalk walk_with_prefixes() const {
        MapWalk of = walk_of(call.map);
        const int prefixes = of.arrays++;
        of.data[prefixes] = static_cast<const char *>(call.args.result), of.dtypes[prefixes] = call.args.result_dtype - 1;
        size_t stride = 1;
        for (int d = 0; d < of.rank; ++d) {
            of.strides[d][prefixes] = stride;
            stride *= of.extents[d];
        }
        return of;
    }

    void plan_box(const MapWalk &box) {
        const size_t deep = depth(box), results = columns(box) * outer(box), wanted = sms * SCAN_THREADS;
        plan.lanes = 1;
        while (is_row() && plan.lanes < WARP && plan.lanes * MAP_GROUPS < deep) plan.lanes *= 2;
        const size_t given = results * plan.lanes, least = SCAN_SHARE * plan.lanes, tile = MAP_GROUPS * plan.lanes;
        const size_t splits = given >= wanted ? 1 : at_most(ceil_div(wanted, given), deep / least);
        plan.share = ceil_div(ceil_div(deep, splits < 1 ? 1 : splits), tile) * tile;
        plan.splits = ceil_div(deep, plan.share);
    }

    cudaError_t run() {
        walk = reduce_walk(walk_with_prefixes(), 3 * LENGTH + 1, true);
        slots = static_cast<size_t>(call.map.slots) + map_scratch_slots(call.map.steps, call.map.step_count);
        threads = map_threads(DIM_THREADS, map_slot_bytes(static_cast<unsigned>(slots)));
        const cudaError_t error = multiprocessors(&sms);
        if (error != cudaSuccess) return error;
        plan_box(box_of(walk, 0).walk);                            // the largest box
        const size_t parts = reduced_boxes(walk) * plan.splits, totals = call.args.inner * call.args.outer;
        if (call.bytes != nullptr) {
            *call.bytes = parts == 1 ? 0 : parts * totals * sizeof(Value);
            return cudaSuccess;
        }
        if (parts == 1) return launch_all(nullptr, parts, true);
        Value *const partials = static_cast<Value *>(call.scratch);
        const cudaError_t launched = launch_all(partials, parts, false);
        if (launched != cudaSuccess) return launched;
        launch_partial_prefixes(fold, partials, parts, totals, call.stream);
        return launch_all(partials, parts, true);
    }

    cudaError_t launch_all(Value *partials, size_t parts, bool is_stored) const {
        size_t boxes = 1;
        for (int d = 0; d < walk.walk.rank; ++d) boxes *= walk.boxes[d];
        for (size_t index = 0; index < boxes; ++index) {
            const cudaError_t launched = launch(box_of(walk, index), partials, parts, is_stored);
            if (launched != cudaSuccess) return launched;
        }
        return cudaSuccess;
    }

    cudaError_t launch(ReduceBox box, Value *partials, size_t parts, bool is_stored) const {
        const int prefixes = --box.walk.arrays;                    // the program does not read them
        ScanParameters<Fold> p = {};
        constexpr bool WIDE = sizeof(Word) == 8;
        if (!plan_steps<WIDE, ELEMENTARY>(call.map, box.walk, p.map)) return cudaErrorInvalidValue;
        plan_arrays(box.walk, LENGTH, p.map);
        plan_shape(box.walk, LENGTH, p.map);
        for (size_t i = 0; i < call.map.literal_count; ++i) p.map.literals[i] = call.map.literals[i];
        p.map.real_slot = -1;
        p.map.step_count = static_cast<unsigned>(call.map.step_count), p.map.slots = static_cast<unsigned>(call.map.slots);
        p.fold = fold, p.args = call.args, p.plan = plan;
        p.args.result = const_cast<char *>(box.walk.data[prefixes]);
        p.columns = static_cast<unsigned>(columns(box.walk)), p.depth = static_cast<unsigned>(depth(box.walk));
        p.outer = static_cast<unsigned>(outer(box.walk));
        p.plan.items = columns(box.walk) * outer(box.walk) * plan.splits;
        p.is_row = is_row(), p.is_stored = is_stored, p.is_vector = is_dense(box.walk, prefixes, LENGTH);
        for (int d = 0; d < box.walk.rank; ++d) p.strides[d] = static_cast<unsigned>(box.walk.strides[d][prefixes]);
        p.base = box.base, p.part = box.number * plan.splits, p.parts = parts, p.partials = partials;
        const size_t bytes = threads * map_slot_bytes(static_cast<unsigned>(slots));
        const unsigned blocks = static_cast<unsigned>(at_most(ceil_div(p.plan.items, threads / plan.lanes), GRID_X_MAX));
        map_scan<Word, ELEMENTARY, Fold><<<blocks, threads, bytes, call.stream>>>(p);
        return cudaGetLastError();
    }
};

template <typename Word, bool ELEMENTARY, typename Fold>
cudaError_t launch_fold(const FoldCall &call, const Fold &fold) {
    return Launch<Word, ELEMENTARY, Fold>{call, fold, {}, 0, 0, 0, {}}.run();
}

// What the extremum of no elements is.
uint64_t none_of(const FoldCall &call) {
    const bool is_minimum = call.args.op == REDUCTION_MIN;
    if (is_map_float(call.type)) return call.type == TYPE_F32 ? RankOrder<uint32_t>::QUIET_NAN : RankOrder<uint64_t>::QUIET_NAN;
    const uint64_t largest = call.dtype == FOLD_BOOL ? 1 : largest_integer(call.dtype);
    if (is_minimum) return largest;
    return is_fold_signed(call.dtype) ? ~largest : 0;
}

template <typename Word, bool ELEMENTARY>
cudaError_t launch_lanes(const FoldCall &call) {
    LaneScan<Word> fold = {};
    static_cast<LaneFold<Word> &>(fold) = lane_fold<Word>(call);
    fold.none = none_of(call);
    return launch_fold<Word, ELEMENTARY>(call, fold);
}

template <bool IS_PRODUCT>
cudaError_t launch_clamped(const FoldCall &call) {
    ClampedScan<IS_PRODUCT> fold = {};
    static_cast<ClampedFold<IS_PRODUCT> &>(fold) = clamped_fold<IS_PRODUCT>(call.args);
    fold.type = call.type;
    return launch_fold<uint64_t, true>(call, fold);
}

}  // namespace

int gpumexk_map_scan(const gpumexk_map_args *map, const gpumexk_dim_args *dim, void *scratch, size_t *bytes, gpumexk_stream stream) {
    const bool has_prefixes = dim->op == REDUCTION_SUM || dim->op == REDUCTION_PRODUCT || dim->op == REDUCTION_MIN || dim->op == REDUCTION_MAX;
    if (!has_prefixes || !is_served(*map, *dim)) return cudaErrorInvalidValue;
    const FoldCall call = fold_call(*map, *dim, scratch, bytes, stream);
    if (call.args.saturates && is_fold_signed(dim->dtype)) {
        return call.args.op == REDUCTION_PRODUCT ? launch_clamped<true>(call) : launch_clamped<false>(call);
    }
    if (map->wide != 0) return map->elementary != 0 ? launch_lanes<uint64_t, true>(call) : launch_lanes<uint64_t, false>(call);
    return map->elementary != 0 ? launch_lanes<uint32_t, true>(call) : launch_lanes<uint32_t, false>(call);
}
