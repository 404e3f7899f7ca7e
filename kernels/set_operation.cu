// set_operation.cu — intersection, union, difference and symmetric difference of two sorted arrays.
//
//   of a key that a holds m times and b holds n times:
//   INTERSECTION  the first min(m, n) of a          UNION                 all of a, then the last max(n - m, 0) of b
//   DIFFERENCE    the last max(m - n, 0) of a       SYMMETRIC_DIFFERENCE  the last |m - n| of whichever has more
//
// Algorithm  The sequential loop steps over the lesser key, or over two equal ones as a pair, and emits by the kind of the step.
//            A balanced path cuts its way into tiles (set_operation_partition) and a tile into the ways of threads, which walk
//            in shared memory and keep where each result came from. Counts of the tiles are joined by a look-back, and the block
//            writes keys and payload of its results in whole cache lines. Counting alone is the same without the writing.
// Cost       Reads both arrays once, writes the result: bound by memory. Two launches, one for what fits into a tile.
// Limits     Any counts; results below 2^62.
// Edges      Keys compare by rank (order.cuh) and are moved unchanged. Arrays that are not sorted, or not distinct where they
//            were promised to be, give some result without a wrong access.
// Source     S. Baxter, "ModernGPU", Multisets, NVIDIA 2013.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/order.cuh"
#include "prim/sets/path.cuh"
#include "prim/sets/tiles.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int NT = 256;
template <typename Bits>
constexpr int VT = sizeof(Bits) == 4 ? 17 : 11;                    // odd: fewer bank conflicts; 4096 keys of 4 bytes are one tile
constexpr int BLOCKS = 6;                                          // a multiprocessor: 2^26 keys in 305 us, with 2 in 485 (H200)
template <typename Bits>
constexpr unsigned ITEMS = NT * VT<Bits>;                          // of a tile; one more where it ends with a pair

// Which steps emit, bit 1 over a alone, 2 over b alone, 3 over a pair: four bits for each gpumex_set_operator.
constexpr unsigned EMITS = 0x8 << 0 | 0xE << 4 | 0x2 << 8 | 0x6 << 12;

constexpr int PAYLOAD_VALUES = 1, PAYLOAD_INDICES = 2;             // of gpumex_payload

constexpr size_t TILES_FOR_WARPS = 1 << 14;                        // up to here a warp searches each cut: reads more, ends sooner

// What lies in the scratch.
struct Plan {
    uint64_t *cuts;                                                // (tiles + 1)  2·i, or 2·i + 1 behind a cut pair
    uint64_t *states;                                              // (tiles)
    size_t tiles;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Bits>
__device__ __forceinline__ sets::Range range_of(const gpumexk_sets &job, const Plan &plan, size_t tile) {
    if (plan.tiles == 1) return sets::range_between<ITEMS<Bits>>(0, 0, job.a_count, job.b_count);
    const size_t all = job.a_count + job.b_count;
    const size_t d = tile * ITEMS<Bits>, d_end = min(d + ITEMS<Bits>, all);
    const uint64_t cut = plan.cuts[tile], end = plan.cuts[tile + 1];
    return sets::range_between<ITEMS<Bits>>(cut / 2, d - cut / 2 + cut % 2, end / 2, d_end - end / 2 + end % 2);
}

// The steps of one thread over places i of a and j of b in ranks, as long as they begin before `end` = i + j.
template <int VT>
struct Steps {
    unsigned places[VT];                                           // of what a step emits, if it does
    unsigned over_a = 0, over_b = 0;                               // a bit a step; both where it is over a pair
};

template <bool MEETS_ENDS, int VT, typename Bits>
__device__ __forceinline__ void walk(const Bits *ranks, unsigned i, unsigned j, unsigned a_count, unsigned count, unsigned end,
                                     Steps<VT> &steps) {
    Bits in_a = ranks[i], in_b = ranks[j];
    int left = static_cast<int>(end - (i + j));
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        bool is_over_a = in_a <= in_b, is_over_b = in_b <= in_a;
        if (MEETS_ENDS) {
            is_over_a = j >= count || (i < a_count && is_over_a);
            is_over_b = i >= a_count || (j < count && is_over_b);
        }
        steps.places[k] = is_over_a ? i : j;
        if (left <= 0) is_over_a = is_over_b = false;
        if (is_over_a) {
            steps.over_a |= 1u << k;
            in_a = ranks[++i];
            --left;
        }
        if (is_over_b) {
            steps.over_b |= 1u << k;
            in_b = ranks[++j];
            --left;
        }
    }
}

// emits (a), (b), (pair): the steps that emit.
__device__ __forceinline__ unsigned emitted_by(int op, unsigned over_a, unsigned over_b) {
    const unsigned emits = EMITS >> 4 * op;
    return ((emits & 2) != 0 ? over_a & ~over_b : 0) | ((emits & 4) != 0 ? over_b & ~over_a : 0) |
           ((emits & 8) != 0 ? over_a & over_b : 0);
}

// target[i] ← what lies at place picked[i] of the tile, for i < count.
template <typename T>
__device__ __forceinline__ void move_values(const T *a, const T *b, const sets::Range &range, const uint16_t *picked,
                                            unsigned count, T *target) {
    const T *const from_a = a + range.a, *const from_b = b + range.b - range.a_count;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += NT) {
        const unsigned place = picked[i];
        target[i] = place < range.a_count ? from_a[place] : from_b[place];
    }
}

template <typename T>
__device__ __forceinline__ void move_indices(size_t a_all, const sets::Range &range, const uint16_t *picked, unsigned count,
                                             T *target) {
    const size_t from_a = range.a, from_b = a_all + range.b - range.a_count;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += NT) {
        const unsigned place = picked[i];
        target[i] = static_cast<T>(place + (place < range.a_count ? from_a : from_b));
    }
}

// The keys of integers come back from their ranks, those of floats from where they were.
template <typename Bits>
__device__ __forceinline__ void move_keys(const gpumexk_sets &job, const KeyOrder<Bits> &order, const sets::Range &range,
                                          const Bits *ranks, const uint16_t *picked, unsigned count, Bits *target) {
    if (order.is_float) {
        move_values(static_cast<const Bits *>(job.a_keys), static_cast<const Bits *>(job.b_keys), range, picked, count, target);
        return;
    }
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += NT) target[i] = ranks[picked[i]] ^ order.flip;
}

__device__ __forceinline__ void move_payload(const gpumexk_sets &job, const sets::Range &range, const uint16_t *picked,
                                             unsigned count, size_t first) {
    if (job.payload == PAYLOAD_VALUES && job.width == 4) {
        move_values(static_cast<const uint32_t *>(job.a_values), static_cast<const uint32_t *>(job.b_values), range, picked,
                    count, static_cast<uint32_t *>(job.values) + first);
    } else if (job.payload == PAYLOAD_VALUES) {
        move_values(static_cast<const uint64_t *>(job.a_values), static_cast<const uint64_t *>(job.b_values), range, picked,
                    count, static_cast<uint64_t *>(job.values) + first);
    } else if (job.payload == PAYLOAD_INDICES && job.width == 4) {
        move_indices(job.a_count, range, picked, count, static_cast<uint32_t *>(job.values) + first);
    } else if (job.payload == PAYLOAD_INDICES) {
        move_indices(job.a_count, range, picked, count, static_cast<uint64_t *>(job.values) + first);
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, bool DISTINCT, sets::Searcher WHO>
__global__ void __launch_bounds__(NT) set_operation_partition(gpumexk_sets job, KeyOrder<Bits> order, Plan plan) {
    const size_t tile = WHO == sets::Searcher::WARP ? grid_x() / WARP : grid_x();
    if (tile > plan.tiles) return;
    const Bits *const a = static_cast<const Bits *>(job.a_keys), *const b = static_cast<const Bits *>(job.b_keys);
    const size_t d = min(tile * ITEMS<Bits>, job.a_count + job.b_count);
    const auto cut = sets::balanced_path<DISTINCT, WHO>(
        d, job.a_count, job.b_count, [&](size_t i) { return order.rank(a[i]); }, [&](size_t j) { return order.rank(b[j]); });
    plan.cuts[tile] = 2 * cut.a + (cut.a + cut.b - d);
    if (tile < plan.tiles) plan.states[tile] = 0;
}

template <typename Bits, bool DISTINCT>
__global__ void __launch_bounds__(NT, BLOCKS) set_operation_tiles(gpumexk_sets job, KeyOrder<Bits> order, Plan plan) {
    __shared__ Bits ranks[ITEMS<Bits> + 2];                        // a's part, b's part, and one that is read but not used
    __shared__ uint16_t picked[ITEMS<Bits>];                       // places in ranks of the results
    __shared__ unsigned slots[NT / WARP];
    __shared__ size_t begin;                                       // of the tile's results among all
    const unsigned tid = threadIdx.x;
    const size_t tile = blockIdx.x;
    const sets::Range range = range_of<Bits>(job, plan, tile);
    const unsigned a_count = range.a_count, count = a_count + range.b_count;
    sets::load_range<NT, VT<Bits>>(static_cast<const Bits *>(job.a_keys), static_cast<const Bits *>(job.b_keys), range, order,
                                   ranks);
    __syncthreads();                                               // ranks are there

    // Walk this thread's part of the way.
    const auto cut = sets::balanced_path<DISTINCT>(
        min(tid * VT<Bits>, count), a_count, range.b_count, [&](unsigned i) { return ranks[i]; },
        [&](unsigned j) { return ranks[a_count + j]; });
    const unsigned i = cut.a, j = a_count + cut.b, end = min((tid + 1) * VT<Bits>, count) + a_count;
    Steps<VT<Bits>> steps;
    if (i + VT<Bits> <= a_count && j + VT<Bits> <= count) walk<false>(ranks, i, j, a_count, count, end, steps);
    else walk<true>(ranks, i, j, a_count, count, end, steps);
    const unsigned emitted = emitted_by(job.op, steps.over_a, steps.over_b);

    // Where its results go in the tile, and the tile's among all.
    unsigned results;
    unsigned to = sets::sum_before<NT>(static_cast<unsigned>(__popc(emitted)), slots, &results);
    if (tid == 0 && plan.tiles > 1) sets::publish(plan.states, tile, results);
    if (job.capacity > 0) {
#pragma unroll
        for (int k = 0; k < VT<Bits>; ++k) {
            if (emitted >> k & 1) picked[to++] = static_cast<uint16_t>(steps.places[k]);
        }
    }
    if (tid < WARP) {
        const uint64_t before = plan.tiles > 1 ? sets::look_back(plan.states, tile, results) : 0;
        if (tid == 0) {
            begin = before;
            if (tile + 1 == plan.tiles) *job.needed = before + results;
        }
    }
    __syncthreads();                                               // picked and begin are there

    if (begin >= job.capacity) return;
    const unsigned written = static_cast<unsigned>(min(size_t(results), job.capacity - begin));
    if (job.keys != nullptr) move_keys(job, order, range, ranks, picked, written, static_cast<Bits *>(job.keys) + begin);
    move_payload(job, range, picked, written, begin);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Bits>
size_t tiles_of(size_t count) { return count <= ITEMS<Bits> ? 1 : ceil_div(count, ITEMS<Bits>); }

template <typename Bits, bool DISTINCT>
cudaError_t run(const gpumexk_sets &job, void *scratch, cudaStream_t stream) {
    const size_t tiles = tiles_of<Bits>(job.a_count + job.b_count);
    uint64_t *const words = static_cast<uint64_t *>(scratch);
    const Plan plan = {words, words + tiles + 1, tiles};
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(job.dtype, job.descending != 0);
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;          // 2^42 elements
    if (tiles > 1) {
        if (tiles <= TILES_FOR_WARPS) {
            set_operation_partition<Bits, DISTINCT, sets::Searcher::WARP>
                <<<cover((tiles + 1) * WARP, 1, NT), NT, 0, stream>>>(job, order, plan);
        } else {
            set_operation_partition<Bits, DISTINCT, sets::Searcher::THREAD>
                <<<cover(tiles + 1, 1, NT), NT, 0, stream>>>(job, order, plan);
        }
        const cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess) return error;
    }
    set_operation_tiles<Bits, DISTINCT><<<static_cast<unsigned>(tiles), NT, 0, stream>>>(job, order, plan);
    return cudaGetLastError();
}

template <typename Bits>
cudaError_t run(const gpumexk_sets &job, void *scratch, cudaStream_t stream) {
    return job.distinct != 0 ? run<Bits, true>(job, scratch, stream) : run<Bits, false>(job, scratch, stream);
}

bool is_wide(int dtype) { return dtype == DTYPE_F64 || dtype == DTYPE_I64 || dtype == DTYPE_U64; }

}  // namespace

int gpumexk_set_operation_scratch(const gpumexk_sets *job, size_t *bytes) {
    const size_t count = job->a_count + job->b_count;
    const size_t tiles = is_wide(job->dtype) ? tiles_of<uint64_t>(count) : tiles_of<uint32_t>(count);
    *bytes = (2 * tiles + 1) * sizeof(uint64_t);
    return cudaSuccess;
}

int gpumexk_set_operation(const gpumexk_sets *job, void *scratch, gpumexk_stream stream) {
    return is_wide(job->dtype) ? run<uint64_t>(*job, scratch, stream) : run<uint32_t>(*job, scratch, stream);
}
