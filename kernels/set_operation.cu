// set_operation.cu — intersection, union, difference and symmetric difference of two sorted arrays.
//
//   of a key that a holds m times and b holds n times:
//   INTERSECTION  the first min(m, n) of a          UNION                 all of a, then the last max(n - m, 0) of b
//   DIFFERENCE    the last max(m - n, 0) of a       SYMMETRIC_DIFFERENCE  the last |m - n| of whichever has more
//
// Algorithm  The two arrays are merged, of equal keys those of the first side first, in tiles (set_operation_partition) and in
//            each by threads, VT keys one after the other. A thread counts how many copies of the key that goes by the first
//            side has given more than the second one: while there are any, a key of the second side is matched. So the first
//            side is b where matched keys of a are asked for, or unmatched ones, and a for a union. Only the symmetric
//            difference asks which keys of the first side are matched as well: with a key of the second side that is matched
//            the one as many steps before as the first side has copies, and of the run at the end of a thread's part as many
//            as the second side has copies to come. Counts of the tiles are joined by a look-back, and the block writes keys
//            and payload of its results in whole cache lines. Counting alone is the same without the writing.
// Cost       Reads both arrays once, writes the result: bound by some 65 instructions a key, 20 of which merge, and by the
//            look-back, without which it would take three quarters of the time. Two launches, one for what fits into a tile.
// Limits     Any counts; results below 2^62. A block waits for blocks with lower numbers (tiles.cuh).
// Edges      Keys compare by rank (order.cuh) and are moved unchanged. Arrays that are not sorted give some result without a
//            wrong access.
// Source     S. Odeh, O. Green et al., "Merge Path", IPDPSW 2012. S. Baxter, "ModernGPU", Multisets, NVIDIA 2013, cuts pairs of
//            equal keys together instead (balanced path), which takes three more searches a thread.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/order.cuh"
#include "prim/sets/path.cuh"
#include "prim/sets/sides.cuh"
#include "prim/sets/tiles.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PARTITION_NT = 64;                                   // few, so that all multiprocessors have some
constexpr int NT = 256;
template <typename Bits>
constexpr int VT = sizeof(Bits) == 4 ? 17 : 11;                   // odd: fewer bank conflicts; 4096 keys of 4 bytes are one tile
constexpr int BLOCKS = 8;                                          // a multiprocessor: 2^28 keys 5 % faster than with 6 (H200)
template <typename Bits>
constexpr unsigned ITEMS = NT * VT<Bits>;                          // of a tile

enum Operator { INTERSECTION = 0, UNION = 1, DIFFERENCE = 2, SYMMETRIC_DIFFERENCE = 3 }; // of gpumex_set_operator
constexpr int PAYLOAD_VALUES = 1, PAYLOAD_INDICES = 2;             // of gpumex_payload

constexpr size_t TILES_FOR_WARPS = 1 << 12;                        // up to here a warp searches each cut: reads more, ends sooner
constexpr uint64_t MANY = 1 << 30;                                 // copies: more than a tile has keys

// What lies in the scratch, and whose keys are on which side.
struct Plan {
    uint64_t *cuts;                                                // (tiles + 1)  of the first side
    uint64_t *copies;                                              // (tiles + 1)  of the key before, what the first side has more
    uint64_t *behind;                                              // (tiles + 1)  what the second side gives of it behind the cut
    uint64_t *states;                                              // (tiles)
    size_t tiles;
    const void *first_values, *second_values;
    size_t first_index, second_index;                              // of the sides' elements, where indices are the payload
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The steps of one thread, over a key each.
template <int VT>
struct Steps {
    unsigned places[VT];
    unsigned over_first, matched;                                  // a bit a step
};

// Where a thread stands: at the next places. `last` is the last key of the first side, which gave `copies` of it more than the
// second one, perhaps less than 0.
template <typename Bits>
struct Stand {
    sets::Cut<unsigned> at;
    Bits last;
    int copies;
};

// BOTH: keys of the first side are asked for as well. The q-th copy of the second side then matches the q-th of the first side,
// which went by `run` steps before, as many as the first side has of it.
template <bool BOTH, bool MEETS_ENDS, int VT, typename Bits>
__device__ __forceinline__ void walk(const Bits *ranks, unsigned first_end, unsigned end, Stand<Bits> &stand, Steps<VT> &steps) {
    unsigned i = stand.at.a, j = stand.at.b, over_first = 0, matched = 0;
    unsigned run = WARP - 1;                                       // it went by before this thread's part
    Bits in_first = ranks[i], in_second = ranks[j], last = stand.last;
    int copies = stand.copies;
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        bool is_first = in_first <= in_second;
        if (MEETS_ENDS) is_first = j >= end || (i < first_end && is_first);
        if ((is_first ? in_first : in_second) != last) copies = 0;
        if (is_first) over_first |= 1u << k;
        if (BOTH) {
            if (!is_first && copies > 0) matched |= 1u << k | (1u << k) >> run;
        } else if (copies > 0) {
            matched |= 1u << k;                                    // where it is over the second side
        }
        copies += is_first ? 1 : -1;
        if (BOTH && is_first) run = min(unsigned(copies), WARP - 1u);
        last = is_first ? in_first : last;

        const unsigned place = is_first ? i : j;
        const Bits next = ranks[place + 1];
        steps.places[k] = place;
        in_first = is_first ? next : in_first;
        in_second = is_first ? in_second : next;
        i += is_first ? 1 : 0;
        j += is_first ? 0 : 1;
    }
    steps.over_first = over_first, steps.matched = matched;
    stand = {{i, j}, last, copies};
}

// The steps over the last key of the first side that keys of the second one match which are still to come; surplus: what the
// first side gave more of the tile's last one of its keys than is behind the tile, without what stand.copies counts.
template <int VT, typename Bits>
__device__ __forceinline__ unsigned matched_later(const Bits *ranks, unsigned first_end, unsigned end, const Stand<Bits> &stand,
                                                  int surplus, unsigned over_first) {
    if (over_first == 0 || stand.copies <= 0) return 0;
    const unsigned later = sets::gallop(stand.at.b, end, [&](unsigned p) { return ranks[p] == stand.last; });
    const bool goes_on = later == end && stand.last == ranks[first_end - 1];
    const int unmatched = max(stand.copies + (goes_on ? surplus : 0) - static_cast<int>(later - stand.at.b), 0);
    const int step = WARP - 1 - __clz(over_first), low = max(step + 1 - stand.copies, 0), high = step - unmatched;
    return high < low ? 0 : (2u << high) - (1u << low);
}

// The steps that emit.
__device__ __forceinline__ unsigned emitted_by(int op, unsigned over_first, unsigned matched) {
    switch (op) {
        case INTERSECTION: return ~over_first & matched;
        case UNION: return over_first | ~matched;
        case DIFFERENCE: return ~over_first & ~matched;
        default: return ~matched;
    }
}

// target[i] ← what lies at place picked[i] of the tile, for i < count.
template <typename T>
__device__ __forceinline__ void move_values(const T *first, const T *second, const sets::Tile &tile, const uint16_t *picked,
                                            unsigned count, T *target) {
    const unsigned first_end = tile.first_end();
    const T *const from_first = first + tile.first - 1, *const from_second = second + tile.second - first_end;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += NT) {
        const unsigned place = picked[i];
        target[i] = (place < first_end ? from_first : from_second)[place];
    }
}

template <typename T>
__device__ __forceinline__ void move_indices(const Plan &plan, const sets::Tile &tile, const uint16_t *picked, unsigned count,
                                             T *target) {
    const unsigned first_end = tile.first_end();
    const size_t from_first = plan.first_index + tile.first - 1, from_second = plan.second_index + tile.second - first_end;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += NT) {
        const unsigned place = picked[i];
        target[i] = static_cast<T>(place + (place < first_end ? from_first : from_second));
    }
}

// The keys of integers come back from their ranks, those of floats from where they were.
template <typename Bits>
__device__ __forceinline__ void move_keys(const sets::Sides<Bits> &sides, const sets::Tile &tile, const Bits *ranks,
                                          const uint16_t *picked, unsigned count, Bits *target) {
    if (sides.order.is_float) {
        move_values(sides.first, sides.second, tile, picked, count, target);
        return;
    }
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += NT) target[i] = ranks[picked[i]] ^ sides.order.flip;
}

template <typename T>
__device__ __forceinline__ void move_payload(const gpumexk_sets &job, const Plan &plan, const sets::Tile &tile,
                                             const uint16_t *picked, unsigned count, size_t begin) {
    T *const target = static_cast<T *>(job.values) + begin;
    if (job.payload == PAYLOAD_VALUES) {
        move_values(static_cast<const T *>(plan.first_values), static_cast<const T *>(plan.second_values), tile, picked, count,
                    target);
    } else if (job.payload == PAYLOAD_INDICES) {
        move_indices(plan, tile, picked, count, target);
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, sets::Searcher WHO>
__global__ void __launch_bounds__(PARTITION_NT) set_operation_partition(sets::Sides<Bits> sides, Plan plan) {
    const size_t tile = WHO == sets::Searcher::WARP ? grid_x() / WARP : grid_x();
    if (tile > plan.tiles) return;
    const auto cut = sets::cut_at<WHO, ITEMS<Bits>>(sides, min(tile * ITEMS<Bits>, sides.count()));
    size_t copies = 0, behind = 0;
    if (cut.a > 0) {
        const Bits x = sides.rank_of_first(cut.a - 1);
        const auto is_x = [&](size_t j) { return sides.rank_of_second(j) == x; };
        const size_t given = cut.b - sets::gallop_back(size_t(0), cut.b, is_x);
        copies = sets::copies_before(sides, cut.a);
        copies -= min(copies, given);
        behind = sets::gallop(cut.b, sides.second_count, is_x) - cut.b;
    }
    plan.behind[tile] = behind;
    plan.cuts[tile] = cut.a;
    plan.copies[tile] = copies;
    if (tile < plan.tiles) plan.states[tile] = 0;
}

template <typename Bits, bool BOTH>
__global__ void __launch_bounds__(NT, BLOCKS) set_operation_tiles(gpumexk_sets job, sets::Sides<Bits> sides, Plan plan) {
    __shared__ Bits ranks[ITEMS<Bits> + VT<Bits> + 2];             // a tile, and some that are read but not used
    __shared__ uint16_t picked[ITEMS<Bits>];                       // places in ranks of the results
    __shared__ unsigned slots[NT / WARP];
    __shared__ size_t begin;                                       // of the tile's results among all
    const unsigned tid = threadIdx.x;
    const size_t number = blockIdx.x;
    const sets::Tile tile = sets::tile_at<ITEMS<Bits>>(sides, plan.cuts, number, plan.tiles);
    const unsigned first_end = tile.first_end(), end = tile.end();
    sets::load_tile<NT, VT<Bits>>(sides, tile, ranks);
    __syncthreads();                                               // ranks are there

    // What the first side gave of the key before this thread's part, more than the second one.
    const uint64_t copies_before = number == 0 ? 0 : plan.copies[number];
    const int some_before = static_cast<int>(min(copies_before, MANY));
    const unsigned items = min(tid * VT<Bits>, tile.count());
    const sets::Cut<unsigned> at = sets::cut_in_tile(tile, ranks, items);
    const Bits last = ranks[at.a - 1];
    const unsigned run = sets::run_begin(tile, ranks, at.a);
    const unsigned given = at.b - sets::gallop_back(first_end, at.b, [&](unsigned p) { return ranks[p] == last; });
    const int copies = static_cast<int>(at.a - run - given) + (run == 0 ? some_before - 1 : 0);

    // Walk this part.
    Stand<Bits> stand = {at, last, copies};
    Steps<VT<Bits>> steps;
    if (at.a + VT<Bits> <= first_end && at.b + VT<Bits> <= end) walk<BOTH, false>(ranks, first_end, end, stand, steps);
    else walk<BOTH, true>(ranks, first_end, end, stand, steps);
    const unsigned done = min(tile.count() - items, unsigned(VT<Bits>));
    if (BOTH && done == VT<Bits>) {                                // else nothing comes
        const uint64_t behind = number + 1 == plan.tiles ? 0 : plan.behind[number + 1];
        int surplus = -static_cast<int>(min(behind, MANY));
        if (tile.first > 0 && ranks[0] == ranks[first_end - 1]) {  // the run begins before the tile
            surplus = copies_before > behind ? static_cast<int>(min(copies_before - behind, MANY))
                                             : -static_cast<int>(min(behind - copies_before, MANY));
            surplus -= some_before;
        }
        steps.matched |= matched_later<VT<Bits>>(ranks, first_end, end, stand, surplus, steps.over_first);
    }
    const unsigned emitted = emitted_by(job.op, steps.over_first, steps.matched) & ((1u << done) - 1);

    // Where its results go in the tile, and the tile's among all.
    unsigned results;
    unsigned to = sets::sum_before<NT>(static_cast<unsigned>(__popc(emitted)), slots, &results);
    if (tid == 0) sets::publish(plan.states, number, results);
    if (job.capacity > 0) {
#pragma unroll
        for (int k = 0; k < VT<Bits>; ++k) {
            if (emitted >> k & 1) picked[to++] = static_cast<uint16_t>(steps.places[k]);
        }
    }
    if (tid < WARP) {
        const uint64_t before = sets::look_back(plan.states, number, results);
        if (tid == 0) {
            begin = before;
            if (number + 1 == plan.tiles) *job.needed = before + results;
        }
    }
    __syncthreads();                                               // picked and begin are there

    if (begin >= job.capacity) return;
    const unsigned written = static_cast<unsigned>(min(size_t(results), job.capacity - begin));
    if (job.keys != nullptr) move_keys(sides, tile, ranks, picked, written, static_cast<Bits *>(job.keys) + begin);
    if (job.width == 4) move_payload<uint32_t>(job, plan, tile, picked, written, begin);
    else move_payload<uint64_t>(job, plan, tile, picked, written, begin);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Bits>
size_t tiles_of(size_t count) { return count == 0 ? 1 : ceil_div(count, ITEMS<Bits>); }

template <typename Bits>
cudaError_t run(const gpumexk_sets &job, void *scratch, cudaStream_t stream) {
    const size_t tiles = tiles_of<Bits>(job.a_count + job.b_count);
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;          // 2^42 elements
    uint64_t *const words = static_cast<uint64_t *>(scratch);
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(job.dtype, job.descending != 0);
    sets::Sides<Bits> sides = {static_cast<const Bits *>(job.a_keys), static_cast<const Bits *>(job.b_keys), job.a_count,
                               job.b_count, order};
    Plan plan = {};
    plan.tiles = tiles;
    plan.cuts = words;
    plan.copies = plan.cuts + tiles + 1;
    plan.behind = plan.copies + tiles + 1;
    plan.states = plan.behind + tiles + 1;
    plan.first_values = job.a_values, plan.second_values = job.b_values;
    plan.first_index = 0, plan.second_index = job.a_count;
    if (job.op == INTERSECTION || job.op == DIFFERENCE) {
        sides = {sides.second, sides.first, job.b_count, job.a_count, order};
        plan.first_values = job.b_values, plan.second_values = job.a_values;
        plan.first_index = job.a_count, plan.second_index = 0;
    }

    if (tiles > 1 && tiles <= TILES_FOR_WARPS) {
        set_operation_partition<Bits, sets::Searcher::WARP>
            <<<cover((tiles + 1) * WARP, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    } else if (tiles > 1) {
        set_operation_partition<Bits, sets::Searcher::THREAD>
            <<<cover(tiles + 1, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    const auto kernel = job.op == SYMMETRIC_DIFFERENCE ? set_operation_tiles<Bits, true> : set_operation_tiles<Bits, false>;
    kernel<<<static_cast<unsigned>(tiles), NT, 0, stream>>>(job, sides, plan);
    return cudaGetLastError();
}

bool is_wide(int dtype) { return dtype == DTYPE_F64 || dtype == DTYPE_I64 || dtype == DTYPE_U64; }

}  // namespace

int gpumexk_set_operation_scratch(const gpumexk_sets *job, size_t *bytes) {
    const size_t count = job->a_count + job->b_count;
    const size_t tiles = is_wide(job->dtype) ? tiles_of<uint64_t>(count) : tiles_of<uint32_t>(count);
    *bytes = (4 * tiles + 3) * sizeof(uint64_t);
    return cudaSuccess;
}

int gpumexk_set_operation(const gpumexk_sets *job, void *scratch, gpumexk_stream stream) {
    return is_wide(job->dtype) ? run<uint64_t>(*job, scratch, stream) : run<uint32_t>(*job, scratch, stream);
}
