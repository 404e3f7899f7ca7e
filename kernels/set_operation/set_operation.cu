// set_operation.cu — intersection, union, difference and symmetric difference of two sorted arrays (multisets).
//
//   of a key that a holds m times and b holds n times:
//   INTERSECTION  the first min(m, n) of a          UNION                 all of a, then the last max(n - m, 0) of b
//   DIFFERENCE    the last max(m - n, 0) of a       SYMMETRIC_DIFFERENCE  the last |m - n| of whichever has more
//
// Algorithm  The q-th copy of a key in a is paired with the q-th one in b. A merge whose steps are a pair, an unpaired key of a
//            or an unpaired key of b decides locally which steps emit: nothing has to be counted. It may start wherever no pair
//            is cut, on the balanced path (balanced_path.cuh), which cuts both arrays into tiles (set_operation_partition), and
//            a tile into parts of VT keys, one a thread. A thread keeps what its steps take in registers. A scan of the emitted
//            counts gives the places of the keys, or, with a payload, of their sources, in shared memory; when the tile's
//            output offset is known (tile_prefix.cuh), the block stores them, coalesced. Counting alone is the same without the
//            stores. Without a payload, persistent blocks (set_operation_keys) buffer the results of a tile while they process
//            the next one, by the end of which the offset is known; that tile's keys are copied while the buffered ones are
//            stored. With a payload the buffer would need so much shared memory that too few blocks fit; there a block has one
//            tile (set_operation_places).
// Cost       Reads both arrays once, writes the result: bound by shared memory, whose loads and stores set_operation_keys keeps
//            busy for 80 % of its time, and by some 35 instructions a key. The partition takes 6 %. Two launches, one for what
//            fits into a tile.
// Limits     Any counts; results below 2^62. Blocks of set_operation_keys take their work from a counter: the block that adds
//            up is the first, then come the tiles in order. So only running blocks have a tile. One waits for nothing but the
//            tiles before its buffered one; of all tiles that are not counted yet the first one's block waits for none of them
//            and makes progress. Blocks of set_operation_places wait for those with lower numbers (tile_prefix.cuh).
// Edges      Keys compare by rank (order.cuh) and are copied unchanged. Arrays that are not sorted give some result without a
//            wrong access.
// Source     S. Baxter, "ModernGPU", Multisets, NVIDIA 2013 (balanced path); S. Odeh, O. Green et al., "Merge Path", IPDPSW 2012.

#include "kernels.h"
#include "prim/block/scan.cuh"
#include "prim/block/sorted_pair.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/tile_prefix.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/thread/order.cuh"
#include "prim/thread/packet.cuh"
#include "prim/thread/predicated.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/balanced_path.cuh"
#include "prim/warp/merge_path.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PARTITION_NT = 64;                                   // small, so that all multiprocessors have blocks

// How keys of a size are handled; PLACES: not the keys of results go to shared memory, but where they come from. VT is odd: fewer
// bank conflicts. Of 96 to 448 threads, VT from 13 to 31 and as many blocks as fit these are the fastest for 2^28
// keys (H200) where 4096 of 4 bytes are one tile.
template <typename Bits, bool PLACES>
struct Shape {
    static constexpr bool IS_WIDE = sizeof(Bits) == 8;
    static constexpr int NT = PLACES || IS_WIDE ? 256 : 192;
    static constexpr int VT = PLACES ? (IS_WIDE ? 19 : 23) : IS_WIDE ? 21 : 31;
    static constexpr int BLOCKS = PLACES ? (IS_WIDE ? 4 : 6) : IS_WIDE ? 2 : 4; // a multiprocessor
    static constexpr unsigned ITEMS = NT * VT;                     // of a tile, perhaps one more or less
};
constexpr int AT_ONCE = 4;                                         // results that a thread writes

enum Operator { INTERSECTION = 0, UNION = 1, DIFFERENCE = 2, SYMMETRIC_DIFFERENCE = 3 }; // of gpumex_set_operator
constexpr int PAYLOAD_VALUES = 1, PAYLOAD_INDICES = 2;             // of gpumex_payload

constexpr int WITHOUT_ASKING = 48 << 10;                           // bytes of shared memory that every block may have
constexpr size_t TILES_FOR_WARPS = 1 << 12;                        // up to here a warp searches each cut: reads more, ends sooner

// What lies in the scratch.
struct Plan {
    sets::Start *starts;                                           // (tiles + 1)
    uint64_t *states;                                              // (tiles)
    unsigned *turns;                                               // (1)  how many a block has asked for
    size_t tiles;
};

// What a block of set_operation_keys does next.
struct Turn {
    unsigned number;                                               // of a tile, ADD_UP, or nothing from plan.tiles on
    unsigned done;                                                 // keys of the tile that the one before has: 0 or 1
    sets::Tile tile;
};
constexpr unsigned ADD_UP = ~0u;                                   // the first turn of all

// Its shared memory.
template <typename Bits>
struct Memory {
    using S = Shape<Bits, false>;
    alignas(PACKET_BYTES) Bits ranks[sets::PLACES<S::ITEMS, Bits> + S::VT]; // of a tile; some are read but not used
    Bits buffered[S::ITEMS];                                       // results of the tile before,
    size_t buffered_begin;                                         // their output offset
    unsigned buffered_tile;                                        // and the tile's number
    unsigned slots[S::NT / WARP];
    sets::Start starts[2];                                         // of the next tile and the one behind
    Turn turns[2];                                                 // this one and the next one
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

// A thread's part of a tile: `count` keys from addresses i and j on, or one more that is paired.
struct Part {
    unsigned i, j;
    int count;
};

// From the multiples of VT of all keys on; the tile before has `done` of this one's.
template <typename S, typename Bits>
__device__ __forceinline__ Part own_part(const sets::Tile &tile, unsigned done, const Bits *ranks) {
    const unsigned begin = threadIdx.x * S::VT, ranks_at = shared_address(ranks);
    const unsigned own = min(max(begin, done) - done, tile.count()), next = min(begin + S::VT - done, tile.count());
    const auto at = balanced_cut<S::ITEMS>(tile, ranks, own);
    return {static_cast<unsigned>(ranks_at + at.a * sizeof(Bits)), static_cast<unsigned>(ranks_at + at.b * sizeof(Bits)),
            static_cast<int>(next + tile.first_at + tile.second_at - at.a - at.b)};
}

template <bool MEETS_ENDS, bool ADDRESSES, typename Taken, int VT, typename Bits>
__device__ __forceinline__ void walk(const sets::Tile &tile, const Bits *ranks, const Part &part, Steps<Taken, VT> &steps) {
    constexpr int SIZE = sizeof(Bits);
    unsigned i = part.i, j = part.j, from_a = 0, from_b = 0;
    Bits in_a = 0, in_b = 0;
    load_shared_if(true, i, in_a);
    load_shared_if(true, j, in_b);
    const int end = static_cast<int>(i + j) + part.count * SIZE;
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

// The steps that emit, a bit each.
template <bool ADDRESSES, typename Taken, int VT, typename Bits>
__device__ __forceinline__ unsigned walk(const sets::Tile &tile, const Bits *ranks, const Part &part, const Rule &rule,
                                         Steps<Taken, VT> &steps) {
    if (tile.is_inside) walk<false, ADDRESSES>(tile, ranks, part, steps);
    else walk<true, ADDRESSES>(tile, ranks, part, steps);
    return rule.emitted(steps.from_a, steps.from_b);
}

// Stores result (what a step took) for all that emit, from results[to] on.
template <typename Taken, int VT, typename T, typename Result>
__device__ __forceinline__ void pick(const Steps<Taken, VT> &steps, unsigned emitted, T *results, unsigned to, Result result) {
    unsigned address = shared_address(results + to);
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        const bool is_emitted = emitted >> k & 1;
        store_shared_if(is_emitted, address, static_cast<T>(result(steps.taken[k])));
        add_if(is_emitted, address, sizeof(T));
    }
}

// One thread finds the next turn, in three steps that wait for memory while it does something else in between.
__device__ __forceinline__ unsigned ask(const Plan &plan) { return atomicAdd(plan.turns, 1u) - 1; } // the first number is ADD_UP

template <typename Bits>
__device__ __forceinline__ void send_for(Turn &turn, unsigned number, const Plan &plan, Memory<Bits> &memory) {
    turn.number = number;
    if (number < plan.tiles) {
        async_copy<sizeof(sets::Start)>(&memory.starts[0], plan.starts + number);
        async_copy<sizeof(sets::Start)>(&memory.starts[1], plan.starts + number + 1);
    }
    async_commit();
}

template <typename Bits>
__device__ __forceinline__ void complete(Turn &turn, const sets::Sides<Bits> &sides, const Memory<Bits> &memory) {
    constexpr unsigned ITEMS = Shape<Bits, false>::ITEMS;
    async_wait_for<0>();
    turn.tile = sets::tile_between<ITEMS>(sides, memory.starts[0], memory.starts[1]);
    turn.done = static_cast<unsigned>(turn.tile.first) + static_cast<unsigned>(turn.tile.second) - turn.number * ITEMS;
}

// target[i] ← made (i) for i < count.
template <int NT, typename T, typename Make>
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
template <int NT, typename T>
__device__ __forceinline__ void write_values(const T *a, const T *b, const sets::Tile &tile, const uint16_t *places,
                                             unsigned count, T *target) {
    const T *const from_a = a + tile.first - tile.first_at, *const from_b = b + tile.second - tile.second_at;
    const unsigned a_end = tile.first_end(), b_end = tile.second_end();
    write<NT>(target, count, [&](unsigned i) {
        const unsigned place = places[i];
        const bool is_a = place < tile.second_at;
        return (is_a ? from_a : from_b)[min(place, is_a ? a_end : b_end)]; // beyond only where arrays are not sorted
    });
}

template <int NT, typename T>
__device__ __forceinline__ void write_payload(const gpumexk_set_operation_args &args, const sets::Tile &tile,
                                              const uint16_t *places, unsigned count, size_t begin) {
    T *const target = static_cast<T *>(args.values) + begin;
    if (args.payload == PAYLOAD_VALUES) {
        write_values<NT>(static_cast<const T *>(args.a_values), static_cast<const T *>(args.b_values), tile, places, count, target);
    } else if (args.payload == PAYLOAD_INDICES) {
        const T from_a = static_cast<T>(tile.first - tile.first_at);
        const T from_b = static_cast<T>(args.a_count + tile.second - tile.second_at);
        write<NT>(target, count, [&](unsigned i) {
            const unsigned place = places[i];
            return static_cast<T>(place + (place < tile.second_at ? from_a : from_b));
        });
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, unsigned ITEMS, Searcher WHO>
__global__ void __launch_bounds__(PARTITION_NT) set_operation_partition(sets::Sides<Bits> sides, Plan plan) {
    const size_t tile = WHO == Searcher::WARP ? grid_x() / WARP : grid_x();
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
    else *plan.turns = 0;
}

// Results without a payload, of keys that are functions of their ranks. Persistent blocks.
template <typename Bits>
__global__ void __launch_bounds__(Shape<Bits, false>::NT, Shape<Bits, false>::BLOCKS)
    set_operation_keys(gpumexk_set_operation_args args, sets::Sides<Bits> sides, Plan plan, Rule rule) {
    using S = Shape<Bits, false>;
    extern __shared__ __align__(PACKET_BYTES) char shared[];
    Memory<Bits> &memory = *reinterpret_cast<Memory<Bits> *>(shared);
    const unsigned tid = threadIdx.x;
    const bool is_alone = plan.tiles == 1;

    // The first turn.
    if (tid == 0) {
        if (is_alone) {
            memory.turns[0].number = 0, memory.turns[1].number = 1;
            memory.starts[0] = {0, 0}, memory.starts[1] = {sides.first_count, sides.second_count};
        } else {
            send_for(memory.turns[0], ask(plan), plan, memory);
        }
        complete(memory.turns[0], sides, memory);
    }
    __syncthreads();                                               // the turn is there
    if (memory.turns[0].number == ADD_UP) {
        const uint64_t all = tid < WARP ? sets::add_up<2, uint32_t>(plan.states, plan.tiles) : 0;
        if (tid == 0) *args.needed = all;
        return;
    }
    if (memory.turns[0].number >= plan.tiles) return;
    sets::send_for_tile<S::NT, S::VT>(sides, memory.turns[0].tile, memory.ranks);
    sets::receive_tile<S::NT>(sides, memory.turns[0].tile, memory.ranks);
    __syncthreads();                                               // ranks are there

    unsigned buffered = 0;                                         // buffered results
    const auto find_buffered_begin = [&](uint64_t state) {
        memory.buffered_begin = sets::before(plan.states, memory.buffered_tile, buffered, state);
    };
    const auto write_buffered = [&] {
        if (buffered == 0 || args.keys == nullptr) return;
        const size_t begin = memory.buffered_begin;
        if (begin >= args.capacity) return;
        const unsigned written = static_cast<unsigned>(min(size_t(buffered), args.capacity - begin));
        write<S::NT>(static_cast<Bits *>(args.keys) + begin, written,
                     [&](unsigned i) { return memory.buffered[i] ^ sides.order.flip; });
    };
    for (unsigned now = 0;; now ^= 1) {
        const Turn &turn = memory.turns[now];
        Turn &next = memory.turns[now ^ 1];
        const bool finds_next = tid == WARP && !is_alone;
        const unsigned next_number = finds_next ? ask(plan) : 0;
        const Part part = own_part<S>(turn.tile, turn.done, memory.ranks);
        if (finds_next) send_for(next, next_number, plan, memory);
        const uint64_t state = tid == 0 && buffered > 0 ? sets::state_of(plan.states, memory.buffered_tile) : 0;
        Steps<Bits, S::VT> steps;
        const unsigned emitted = walk<false>(turn.tile, memory.ranks, part, rule, steps);
        if (tid == 0 && buffered > 0) find_buffered_begin(state);
        if (finds_next) complete(next, sides, memory);

        // Barrier: ranks are free, the offset of the buffered results and the next turn are known.
        unsigned results;
        const unsigned to = block_exclusive_sum<S::NT>(static_cast<unsigned>(__popc(emitted)), memory.slots, &results);
        if (tid == 0) sets::publish(plan.states, turn.number, results);
        if (tid == 0 && is_alone) *args.needed = results;
        const bool is_last = next.number >= plan.tiles;
        if (!is_last) sets::send_for_tile<S::NT, S::VT>(sides, next.tile, memory.ranks);
        write_buffered();
        __syncthreads();                                           // the buffer is free
        if (args.capacity > 0) {
            pick(steps, emitted, memory.buffered, to, [](Bits rank) { return rank; });
            buffered = results;
            if (tid == 0) memory.buffered_tile = turn.number;
        }
        if (is_last) break;
        sets::receive_tile<S::NT>(sides, next.tile, memory.ranks);
        __syncthreads();                                           // ranks and buffered results are ready
    }
    if (tid == 0 && buffered > 0) find_buffered_begin(0);
    __syncthreads();                                               // the buffered results and their offset are ready
    write_buffered();
}

// With a payload, or of floats, whose bits ranks do not determine. A block a tile; the first one computes the prefixes.
template <typename Bits>
__global__ void __launch_bounds__(Shape<Bits, true>::NT, Shape<Bits, true>::BLOCKS)
    set_operation_places(gpumexk_set_operation_args args, sets::Sides<Bits> sides, Plan plan, Rule rule) {
    using S = Shape<Bits, true>;
    __shared__ alignas(PACKET_BYTES) Bits ranks[sets::PLACES<S::ITEMS, Bits> + S::VT]; // some are read but not used
    __shared__ uint16_t places[S::ITEMS];                          // of the results
    __shared__ unsigned slots[S::NT / WARP];
    __shared__ size_t begin;                                       // of the tile's results among all
    const unsigned tid = threadIdx.x;
    const bool is_alone = plan.tiles == 1;
    if (!is_alone && blockIdx.x == 0) {
        const uint64_t all = tid < WARP ? sets::add_up<2, uint32_t>(plan.states, plan.tiles) : 0;
        if (tid == 0) *args.needed = all;
        return;
    }
    const size_t number = blockIdx.x - (is_alone ? 0 : 1);
    const sets::Tile tile = sets::tile_at<S::ITEMS>(sides, plan.starts, number, plan.tiles);
    sets::load_tile<S::NT, S::VT>(sides, tile, ranks);
    __syncthreads();                                               // ranks are there

    const unsigned done = static_cast<unsigned>(tile.first + tile.second - number * S::ITEMS);
    Steps<unsigned, S::VT> steps;
    const unsigned emitted = walk<true>(tile, ranks, own_part<S>(tile, done, ranks), rule, steps);
    unsigned results;
    const unsigned to = block_exclusive_sum<S::NT>(static_cast<unsigned>(__popc(emitted)), slots, &results);
    if (tid == 0) sets::publish(plan.states, number, results);
    if (tid == 0 && is_alone) *args.needed = results;
    if (args.capacity == 0) return;
    const unsigned ranks_at = shared_address(ranks);
    pick(steps, emitted, places, to, [&](unsigned address) { return (address - ranks_at) / sizeof(Bits); });
    if (tid == 0) begin = sets::before(plan.states, number, results);
    __syncthreads();                                               // places and begin are there

    if (begin >= args.capacity) return;
    const unsigned written = static_cast<unsigned>(min(size_t(results), args.capacity - begin));
    Bits *const keys = static_cast<Bits *>(args.keys) + begin;
    if (args.keys != nullptr && sides.order.is_float) {
        write_values<S::NT>(sides.first, sides.second, tile, places, written, keys);
    } else if (args.keys != nullptr) {
        write<S::NT>(keys, written, [&](unsigned i) { return ranks[places[i]] ^ sides.order.flip; });
    }
    if (args.value_bytes == 4) write_payload<S::NT, uint32_t>(args, tile, places, written, begin);
    else write_payload<S::NT, uint64_t>(args, tile, places, written, begin);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// Whether a block of the current device may have so much shared memory.
bool has_room(int bytes) {
    int device = 0, most = 0;
    return bytes <= WITHOUT_ASKING ||
           (cudaGetDevice(&device) == cudaSuccess &&
            cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device) == cudaSuccess && bytes <= most);
}

// Whether set_operation_places serves the arguments.
bool has_places(const gpumexk_set_operation_args &args) {
    const int bytes = is_wide_dtype(args.dtype) ? sizeof(Memory<uint64_t>) : sizeof(Memory<uint32_t>);
    return args.payload != 0 || is_float_dtype(args.dtype) || !has_room(bytes);
}

template <typename Bits, bool PLACES>
size_t tiles_of(const gpumexk_set_operation_args &args) {
    const size_t count = args.a_count + args.b_count;
    return count == 0 ? 1 : ceil_div(count, Shape<Bits, PLACES>::ITEMS);
}

template <typename Bits, bool PLACES>
cudaError_t run(const gpumexk_set_operation_args &args, void *scratch, const gpumexk_tuning &tuning, cudaStream_t stream) {
    if (tuning.threads != 0 || !is_one_of<0, 1, 2>(tuning.values)) return cudaErrorInvalidValue;
    constexpr unsigned ITEMS = Shape<Bits, PLACES>::ITEMS;
    const size_t tiles = tiles_of<Bits, PLACES>(args);
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;          // 2^43 elements
    sets::Start *const starts = static_cast<sets::Start *>(scratch);
    uint64_t *const states = reinterpret_cast<uint64_t *>(starts + tiles + 1);
    const Plan plan = {starts, states, reinterpret_cast<unsigned *>(states + tiles), tiles};
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(args.dtype, args.descending != 0);
    const sets::Sides<Bits> sides = {static_cast<const Bits *>(args.a_keys), static_cast<const Bits *>(args.b_keys), args.a_count,
                                     args.b_count, order};
    if (tiles > 1 && tiles <= TILES_FOR_WARPS) {
        set_operation_partition<Bits, ITEMS, Searcher::WARP>
            <<<cover((tiles + 1) * WARP, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    } else if (tiles > 1) {
        set_operation_partition<Bits, ITEMS, Searcher::THREAD>
            <<<cover(tiles + 1, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    }
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    using S = Shape<Bits, PLACES>;
    const size_t turns = tiles == 1 ? 1 : tiles + 1;               // one of them adds up
    if constexpr (PLACES) {
        return launch<set_operation_places<Bits>>(static_cast<unsigned>(turns), S::NT, tuning.cache, stream, args, sides, plan,
                                                  Rule::of(args.op));
    } else {
        constexpr int BYTES = sizeof(Memory<Bits>);
        size_t sms = 0;
        error = multiprocessors(&sms);
        if (error == cudaSuccess) error = set_smem_carveout<set_operation_keys<Bits>>(tuning.cache);
        if (error == cudaSuccess && BYTES > WITHOUT_ASKING) {
            error = cudaFuncSetAttribute(set_operation_keys<Bits>, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES);
        }
        if (error != cudaSuccess) return error;
        const size_t resident = tuning.values == 0 ? S::BLOCKS : tuning.values;
        const unsigned blocks = static_cast<unsigned>(at_most(turns, resident * sms));
        set_operation_keys<Bits><<<blocks, S::NT, BYTES, stream>>>(args, sides, plan, Rule::of(args.op));
        return cudaGetLastError();
    }
}

// visit (Bits (), Constant<whether it needs places> ()) for the arguments.
template <typename Visit>
auto dispatch_kind(const gpumexk_set_operation_args &args, Visit visit) {
    const bool places = has_places(args);
    if (is_wide_dtype(args.dtype)) return places ? visit(uint64_t(), Constant<1>()) : visit(uint64_t(), Constant<0>());
    return places ? visit(uint32_t(), Constant<1>()) : visit(uint32_t(), Constant<0>());
}

}  // namespace

int gpumexk_set_operation_scratch(const gpumexk_set_operation_args *args, size_t *bytes) {
    const size_t tiles =
        dispatch_kind(*args, [&](auto bits, auto places) { return tiles_of<decltype(bits), decltype(places)::value != 0>(*args); });
    *bytes = (tiles + 1) * (sizeof(sets::Start) + sizeof(uint64_t));
    return cudaSuccess;
}

int gpumexk_set_operation(const gpumexk_set_operation_args *args, void *scratch, const gpumexk_tuning *tuning,
                          gpumexk_stream stream) {
    return dispatch_kind(*args, [&](auto bits, auto places) {
        return run<decltype(bits), decltype(places)::value != 0>(*args, scratch, *tuning, stream);
    });
}
