// set_operation.cu — intersection, union, difference and symmetric difference of two sorted arrays.
//
//   of a key that a holds m times and b holds n times:
//   INTERSECTION  the first min(m, n) of a          UNION                 all of a, then the last max(n - m, 0) of b
//   DIFFERENCE    the last max(m - n, 0) of a       SYMMETRIC_DIFFERENCE  the last |m - n| of whichever has more
//
// Algorithm  The q-th copy of a key in a is paired with the q-th one in b. In steps of a pair, a key of a or a key of b that has
//            no partner, both arrays are gone through side by side, and the operator says which of the three emit: nothing has
//            to be counted. Such a walk may begin wherever no pair is cut (balanced, sets/path.cuh). Both arrays are cut so into
//            tiles (set_operation_partition), and a tile into parts of VT keys, one a thread, which keeps what its steps take in
//            registers. When all threads know how many steps emit, keys of results go to shared memory in order, or, where there
//            is a payload, where they come from; counts of tiles are joined by a look-back, and the block writes results in
//            whole cache lines. Counting alone is the same without the writing.
// Cost       Reads both arrays once, writes the result: bound by some 30 instructions a key, ten of which are the walk, and by
//            the look-back. Two launches, one for what fits into a tile.
// Limits     Any counts; results below 2^62. A block waits for blocks with lower numbers (tiles.cuh).
// Edges      Keys compare by rank (order.cuh) and are moved unchanged. Arrays that are not sorted give some result without a
//            wrong access.
// Source     S. Baxter, "ModernGPU", Multisets, NVIDIA 2013 (balanced path); S. Odeh, O. Green et al., "Merge Path", IPDPSW 2012.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/order.cuh"
#include "prim/packet.cuh"
#include "prim/predicated.cuh"
#include "prim/sets/path.cuh"
#include "prim/sets/sides.cuh"
#include "prim/sets/tiles.cuh"

#include <type_traits>

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PARTITION_NT = 64;                                   // few, so that all multiprocessors have some
constexpr int NT = 256;

// How keys of a size are handled; PLACES: not the keys of results go to shared memory, but where they come from. VT is odd: fewer
// bank conflicts. Of all numbers from 15 to 31 and 4 to 8 these are the fastest for 2^28 keys (H200).
template <typename Bits, bool PLACES>
struct Shape {
    static constexpr int VT = sizeof(Bits) == 4 ? (PLACES ? 23 : 31) : (PLACES ? 19 : 21);
    static constexpr int BLOCKS = sizeof(Bits) == 4 ? 6 : 4;       // a multiprocessor
    static constexpr unsigned ITEMS = NT * VT;                     // of a tile, perhaps one more or less
};
constexpr int AT_ONCE = 4;                                         // results that a thread writes

enum Operator { INTERSECTION = 0, UNION = 1, DIFFERENCE = 2, SYMMETRIC_DIFFERENCE = 3 }; // of gpumex_set_operator
constexpr int PAYLOAD_VALUES = 1, PAYLOAD_INDICES = 2;             // of gpumex_payload

constexpr size_t TILES_FOR_WARPS = 1 << 12;                        // up to here a warp searches each cut: reads more, ends sooner

// What lies in the scratch.
struct Plan {
    sets::Start *starts;                                           // (tiles + 1)
    uint64_t *states;                                              // (tiles)
    size_t tiles;
};

// The steps that emit: all of a kind, or none of it.
struct Rule {
    unsigned pair, lone_a, lone_b;

    static Rule of(int op) {
        const auto all_if = [](bool holds) { return holds ? ~0u : 0u; };
        return {all_if(op == INTERSECTION || op == UNION), all_if(op != INTERSECTION),
                all_if(op == UNION || op == SYMMETRIC_DIFFERENCE)};
    }
    __device__ __forceinline__ unsigned emitted(unsigned from_a, unsigned from_b) const {
        return (from_a & from_b & pair) | (from_a & ~from_b & lone_a) | (~from_a & from_b & lone_b);
    }
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The places where a thread begins after `items` keys of the tile.
template <unsigned ITEMS, typename Bits>
__device__ __forceinline__ sets::Cut<unsigned> balanced_cut(const sets::Tile &tile, const Bits *ranks, unsigned items) {
    const auto cut = sets::cut_in_tile<ITEMS>(tile, ranks, items);
    if (cut.b == tile.second_end()) return cut;
    const Bits x = ranks[cut.b];
    return sets::balanced(cut, tile.second_end(), [&](unsigned end) { return sets::run_begin(ranks, tile.first_at, end, x); },
                          [&](unsigned end) { return sets::run_begin(ranks, tile.second_at, end, x); },
                          [&](unsigned begin, unsigned end) { return sets::run_end(ranks, begin, end, x); });
}

// The steps of one thread: over a key, or a pair of equal ones.
template <typename Taken, int VT>
struct Steps {
    Taken taken[VT];                                               // rank of a key, or its address
    unsigned from_a, from_b;                                       // a bit a step: whether it took one of a, of b
};

// Takes `count` keys from addresses i and j on, or one more that is paired.
template <bool MEETS_ENDS, bool ADDRESSES, typename Taken, int VT, typename Bits>
__device__ __forceinline__ void walk(const sets::Tile &tile, const Bits *ranks, unsigned i, unsigned j, int count,
                                     Steps<Taken, VT> &steps) {
    constexpr int SIZE = sizeof(Bits);
    unsigned from_a = 0, from_b = 0;
    Bits in_a = 0, in_b = 0;
    load_shared_if(true, i, in_a);
    load_shared_if(true, j, in_b);
    const int end = static_cast<int>(i + j) + count * SIZE;
    const unsigned a_end = shared_address(ranks + tile.first_end()), b_end = shared_address(ranks + tile.second_end());
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        bool takes_a = in_a <= in_b, takes_b = in_b <= in_a;
        if (MEETS_ENDS) {
            const bool has_a = i < a_end, has_b = j < b_end;
            takes_a = has_a && (takes_a || !has_b);
            takes_b = has_b && (takes_b || !has_a);
        }
        if constexpr (ADDRESSES) steps.taken[k] = takes_a ? i : j;
        else steps.taken[k] = MEETS_ENDS ? (takes_a ? in_a : in_b) : min(in_a, in_b);
        if (MEETS_ENDS || 2 * k >= VT - 1) {                       // before, it has not taken enough
            const bool goes_on = static_cast<int>(i + j) < end;
            takes_a = takes_a && goes_on, takes_b = takes_b && goes_on;
        }
        load_shared_if<SIZE>(takes_a, i, in_a);
        load_shared_if<SIZE>(takes_b, j, in_b);
        if (takes_a) from_a |= 1u << k;
        if (takes_a) i += SIZE;
        if (takes_b) from_b |= 1u << k;
        if (takes_b) j += SIZE;
    }
    steps.from_a = from_a, steps.from_b = from_b;
}

// target[i] ← made (i) for i < count.
template <typename T, typename Make>
__device__ __forceinline__ void write(T *target, unsigned count, Make made) {
    unsigned i = threadIdx.x;
    target += i;
#pragma unroll 1
    for (int left = static_cast<int>(count - i); left > 0; left -= NT * AT_ONCE) {
        T values[AT_ONCE];
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            if (NT * k < left) values[k] = made(i + NT * k);
        }
#pragma unroll
        for (int k = 0; k < AT_ONCE; ++k) {
            if (NT * k < left) target[NT * k] = values[k];
        }
        target += NT * AT_ONCE, i += NT * AT_ONCE;
    }
}

// target[i] ← what lies at place places[i] of the tile, for i < count.
template <typename T>
__device__ __forceinline__ void write_values(const T *a, const T *b, const sets::Tile &tile, const uint16_t *places,
                                             unsigned count, T *target) {
    const T *const from_a = a + tile.first - tile.first_at, *const from_b = b + tile.second - tile.second_at;
    const unsigned a_end = tile.first_end(), b_end = tile.second_end();
    write(target, count, [&](unsigned i) {
        const unsigned place = places[i];
        const bool is_a = place < tile.second_at;
        return (is_a ? from_a : from_b)[min(place, is_a ? a_end : b_end)]; // beyond only where arrays are not sorted
    });
}

template <typename T>
__device__ __forceinline__ void write_payload(const gpumexk_sets &job, const sets::Tile &tile, const uint16_t *places,
                                              unsigned count, size_t begin) {
    T *const target = static_cast<T *>(job.values) + begin;
    if (job.payload == PAYLOAD_VALUES) {
        write_values(static_cast<const T *>(job.a_values), static_cast<const T *>(job.b_values), tile, places, count, target);
    } else if (job.payload == PAYLOAD_INDICES) {
        const T from_a = static_cast<T>(tile.first - tile.first_at);
        const T from_b = static_cast<T>(job.a_count + tile.second - tile.second_at);
        write(target, count, [&](unsigned i) {
            const unsigned place = places[i];
            return static_cast<T>(place + (place < tile.second_at ? from_a : from_b));
        });
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, unsigned ITEMS, sets::Searcher WHO>
__global__ void __launch_bounds__(PARTITION_NT) set_operation_partition(sets::Sides<Bits> sides, Plan plan) {
    const size_t tile = WHO == sets::Searcher::WARP ? grid_x() / WARP : grid_x();
    if (tile > plan.tiles) return;
    auto cut = sets::cut_at<WHO, ITEMS>(sides, min(tile * ITEMS, sides.count()));
    if (cut.b < sides.second_count) {
        const Bits x = sides.rank_of_second(cut.b);
        const auto is_a = [&](size_t i) { return sides.rank_of_first(i) == x; };
        const auto is_b = [&](size_t j) { return sides.rank_of_second(j) == x; };
        cut = sets::balanced(cut, sides.second_count, [&](size_t end) { return sets::gallop_back(size_t(0), end, is_a); },
                             [&](size_t end) { return sets::gallop_back(size_t(0), end, is_b); },
                             [&](size_t begin, size_t end) { return sets::gallop(begin, end, is_b); });
    }
    plan.starts[tile] = sets::Start::at<ITEMS>(sides, cut);
    if (tile < plan.tiles) plan.states[tile] = 0;
}

// PLACES: there is a payload, or keys are floats, whose bits their ranks do not tell.
template <typename Bits, bool PLACES>
__global__ void __launch_bounds__(NT, Shape<Bits, PLACES>::BLOCKS)
    set_operation_tiles(gpumexk_sets job, sets::Sides<Bits> sides, Plan plan, Rule rule) {
    using S = Shape<Bits, PLACES>;
    using Picked = std::conditional_t<PLACES, uint16_t, Bits>;     // a result: its place in ranks, or its rank
    __shared__ alignas(PACKET_BYTES) Bits ranks[sets::PLACES<S::ITEMS, Bits> + S::VT]; // some are read but not used
    __shared__ Picked places[PLACES ? S::ITEMS : 1];
    __shared__ unsigned slots[NT / WARP];
    __shared__ size_t begin;                                       // of the tile's results among all
    Picked *const picked = PLACES ? places : reinterpret_cast<Picked *>(ranks); // ranks are free when results are picked
    const unsigned tid = threadIdx.x;
    const size_t number = blockIdx.x;
    const sets::Tile tile = sets::tile_at<S::ITEMS>(sides, plan.starts, number, plan.tiles);
    sets::load_tile<NT, S::VT>(sides, tile, ranks);
    __syncthreads();                                               // ranks are there

    // A part of the tile for each thread: from the multiples of VT of all the keys on.
    const unsigned done = static_cast<unsigned>(tile.first + tile.second - number * S::ITEMS); // by the tile before: 0 or 1
    const unsigned own = min(max(tid * S::VT, done) - done, tile.count()), next = min((tid + 1) * S::VT - done, tile.count());
    const auto at = balanced_cut<S::ITEMS>(tile, ranks, own);
    const int count = static_cast<int>(next + tile.first_at + tile.second_at - at.a - at.b);
    const unsigned ranks_at = shared_address(ranks), i = ranks_at + at.a * sizeof(Bits), j = ranks_at + at.b * sizeof(Bits);
    Steps<std::conditional_t<PLACES, unsigned, Bits>, S::VT> steps;
    if (tile.is_inside) walk<false, PLACES>(tile, ranks, i, j, count, steps);
    else walk<true, PLACES>(tile, ranks, i, j, count, steps);
    const unsigned emitted = rule.emitted(steps.from_a, steps.from_b);

    // Where its results go in the tile, and the tile's among all.
    unsigned results;
    unsigned to = sets::sum_before<NT>(static_cast<unsigned>(__popc(emitted)), slots, &results); // its barrier frees ranks
    if (tid == 0) sets::publish(plan.states, number, results);
    if (job.capacity > 0) {
        to = shared_address(picked) + to * sizeof(Picked);
#pragma unroll
        for (int k = 0; k < S::VT; ++k) {
            const bool is_emitted = emitted >> k & 1;
            const auto taken = PLACES ? (steps.taken[k] - ranks_at) / sizeof(Bits) : steps.taken[k];
            store_shared_if(is_emitted, to, static_cast<Picked>(taken));
            add_if(is_emitted, to, sizeof(Picked));
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
    Bits *const keys = static_cast<Bits *>(job.keys) + begin;
    if (job.keys == nullptr) {
    } else if (!PLACES) {
        write(keys, written, [&](unsigned i) { return ranks[i] ^ sides.order.flip; });
    } else if (!sides.order.is_float) {
        write(keys, written, [&](unsigned i) { return ranks[places[i]] ^ sides.order.flip; });
    } else {
        write_values(sides.first, sides.second, tile, reinterpret_cast<const uint16_t *>(places), written, keys);
    }
    if (!PLACES) return;
    if (job.width == 4) write_payload<uint32_t>(job, tile, reinterpret_cast<const uint16_t *>(places), written, begin);
    else write_payload<uint64_t>(job, tile, reinterpret_cast<const uint16_t *>(places), written, begin);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

bool has_places(const gpumexk_sets &job) { return job.payload != 0 || job.dtype == DTYPE_F32 || job.dtype == DTYPE_F64; }

template <typename Bits, bool PLACES>
size_t tiles_of(const gpumexk_sets &job) {
    const size_t count = job.a_count + job.b_count;
    return count == 0 ? 1 : ceil_div(count, Shape<Bits, PLACES>::ITEMS);
}

template <typename Bits, bool PLACES>
cudaError_t run(const gpumexk_sets &job, void *scratch, cudaStream_t stream) {
    constexpr unsigned ITEMS = Shape<Bits, PLACES>::ITEMS;
    const size_t tiles = tiles_of<Bits, PLACES>(job);
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;          // 2^43 elements
    sets::Start *const starts = static_cast<sets::Start *>(scratch);
    const Plan plan = {starts, reinterpret_cast<uint64_t *>(starts + tiles + 1), tiles};
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(job.dtype, job.descending != 0);
    const sets::Sides<Bits> sides = {static_cast<const Bits *>(job.a_keys), static_cast<const Bits *>(job.b_keys), job.a_count,
                                     job.b_count, order};
    if (tiles > 1 && tiles <= TILES_FOR_WARPS) {
        set_operation_partition<Bits, ITEMS, sets::Searcher::WARP>
            <<<cover((tiles + 1) * WARP, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    } else if (tiles > 1) {
        set_operation_partition<Bits, ITEMS, sets::Searcher::THREAD>
            <<<cover(tiles + 1, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    }
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    set_operation_tiles<Bits, PLACES><<<static_cast<unsigned>(tiles), NT, 0, stream>>>(job, sides, plan, Rule::of(job.op));
    return cudaGetLastError();
}

// visit (Bits (), Constant<whether it needs places> ()) for a job.
template <typename Visit>
auto by_kind(const gpumexk_sets &job, Visit visit) {
    const bool is_wide = job.dtype == DTYPE_F64 || job.dtype == DTYPE_I64 || job.dtype == DTYPE_U64, places = has_places(job);
    if (is_wide) return places ? visit(uint64_t(), Constant<1>()) : visit(uint64_t(), Constant<0>());
    return places ? visit(uint32_t(), Constant<1>()) : visit(uint32_t(), Constant<0>());
}

}  // namespace

int gpumexk_set_operation_scratch(const gpumexk_sets *job, size_t *bytes) {
    const size_t tiles =
        by_kind(*job, [&](auto bits, auto places) { return tiles_of<decltype(bits), decltype(places)::value != 0>(*job); });
    *bytes = (tiles + 1) * sizeof(sets::Start) + tiles * sizeof(uint64_t);
    return cudaSuccess;
}

int gpumexk_set_operation(const gpumexk_sets *job, void *scratch, gpumexk_stream stream) {
    return by_kind(*job, [&](auto bits, auto places) {
        return run<decltype(bits), decltype(places)::value != 0>(*job, scratch, stream);
    });
}
