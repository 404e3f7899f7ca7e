// pass.cuh — one pass of a radix sort: a stable sort by one digit, in one read and one write of keys and values.
//
// Algorithm  A block takes a tile, and each of its warps VT·32 keys, which it ranks by digit (rank.cuh). The block sums the
//            counters over its warps, publishes its count of each digit, and looks back at the counts of the tiles before,
//            several at a time, until one is inclusive (decoupled look-back).
//            The keys are scattered to shared memory in sorted order, and from there to the result, in runs of one digit; then
//            the values, through the same memory. Until then keys are counted in the bin that a byte of them gives (plan.cuh).
// Cost       Reads and writes keys and values once, and about 3 KiB of counts a tile.
// Limits     Tiles of at most 2^16 keys. 64 KiB of shared memory or less, which is what compute capability 7.5 has.
// Edges      Tiles are taken from a counter, so that those before a tile have started and it may wait for them. The last tile is
//            padded with keys of the highest digit, which come last and are not written.
// Source     A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022; D. Merrill,
//            M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
#pragma once

#include "sort/plan.cuh"
#include "sort/rank.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/tile_state.cuh"
#include "prim/thread/order.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// The type of no value.
struct NullType {};

template <typename Value>
constexpr int VALUE_BYTES = sizeof(Value);
template <>
constexpr int VALUE_BYTES<NullType> = 0;

constexpr int LOOK_BACK = 4;                                       // tiles that are read together

// The block, chosen on an H200: two of them, with 48 KiB of keys, then values, each, fill a multiprocessor.
template <typename Bits, typename Value>
struct PassShape {
    static constexpr int LARGER = VALUE_BYTES<Value> > int(sizeof(Bits)) ? VALUE_BYTES<Value> : int(sizeof(Bits));
    static constexpr int NT = 512, VT = 96 / LARGER, TILE = NT * VT;
    static constexpr int BLOCKS = 2;                               // of a multiprocessor, at least
    static constexpr bool LOOPS = sizeof(Bits) == 8;               // keys of 4 bytes leave no registers for that
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The arrays of a sort. Of the pairs the first is the result, the second the spare array.
template <typename Bits, typename Value>
struct SortArrays {
    const Bits *keys;
    Bits *keys_out[2];
    const Value *values;                                           // NULL: the positions of the keys
    Value *values_out[2];
    bool keys_wanted;                                              // after the last pass
    bool widen;                                                    // whether the last pass writes values of 4 bytes as 8
};

// What a launch works on: portion `portion` of the pass by `digit`, `count` keys from `begin` on.
struct SortPortion {
    size_t begin;
    unsigned count;
    int digit;
    unsigned portion, portions;
    unsigned *next_tile;                                           // of this portion, 0 before
    uint32_t *states[2];                                           // (state_tiles, DIGITS) of portions in turns
    unsigned state_tiles;                                          // of the largest portion
    const unsigned long long *starts;                              // (DIGITS)
    unsigned long long *next_starts;                               // of the portion behind, NULL where there is none
};

template <typename Bits, typename Value>
struct PassShared {
    using Shape = PassShape<Bits, Value>;
    static constexpr int WARPS = Shape::NT / WARP;
    uint64_t keys_to[DIGITS], values_to[DIGITS];                   // addresses where a bin's first go, less their places here
    union {
        Bits keys[Shape::TILE];
        Value values[Shape::TILE];
    };
    uint16_t seen[WARPS][DIGITS];                                  // by a warp; then keys of the digit before the warp's first
    unsigned sums[DIGITS / WARP];
    unsigned tile;
};

// Exclusive prefix of the tiles' counts of one digit; waits for the tiles before.
__device__ __forceinline__ unsigned look_back(const uint32_t *states, unsigned tile, unsigned digit) {
    unsigned sum = 0;
    for (int at = static_cast<int>(tile) - 1; at >= 0; at -= LOOK_BACK) {
        uint32_t words[LOOK_BACK];
#pragma unroll
        for (int i = 0; i < LOOK_BACK; ++i) words[i] = load_relaxed(&states[size_t(max(at - i, 0)) * DIGITS + digit]);
#pragma unroll
        for (int i = 0; i < LOOK_BACK; ++i) {
            if (at - i < 0) return sum;
            while (words[i] == 0) words[i] = load_relaxed(&states[size_t(at - i) * DIGITS + digit]);
            sum += words[i] & DigitState::VALUE;
            if (words[i] & DigitState::INCLUSIVE) return sum;
        }
    }
    return sum;
}

// to[i] ← from[32 i], the lane's part of what the warp reads; 0 from `present` on.
template <int VT, typename T>
__device__ __forceinline__ void load_lane(const T *from, bool whole, unsigned present, T (&to)[VT]) {
    if (whole) {
#pragma unroll
        for (int i = 0; i < VT; ++i) to[i] = from[WARP * i];
    } else {
#pragma unroll
        for (int i = 0; i < VT; ++i) to[i] = i < present ? from[WARP * i] : T(0);
    }
}

// A thread a digit, from its warps' counts of the bin: the tile's count of the digit, and where in the tile its keys begin.
// The count is published; seen ← where those of each warp begin.
struct DigitPlace {
    unsigned count, begin;
};

template <typename Shared>
__device__ __forceinline__ DigitPlace place_digit(Shared &shared, unsigned bin, uint32_t *states, uint32_t flag) {
    const unsigned tid = threadIdx.x, warp = tid / WARP;
    DigitPlace digit = {};
    unsigned up_to = 0;
    if (tid < DIGITS) {
#pragma unroll
        for (int w = 0; w < Shared::WARPS; ++w) digit.count += shared.seen[w][bin];
        store_relaxed(&states[tid], digit.count | flag);
        up_to = warp_inclusive_sum(digit.count);
        if (tid % WARP == WARP - 1) shared.sums[warp] = up_to;
    }
    __syncthreads();
    if (tid < DIGITS) {
        digit.begin = up_to - digit.count;
#pragma unroll
        for (int w = 0; w < DIGITS / WARP; ++w) {
            if (w < warp) digit.begin += shared.sums[w];
        }
        unsigned begin = digit.begin;
#pragma unroll
        for (int w = 0; w < Shared::WARPS; ++w) {
            const unsigned of_warp = shared.seen[w][bin];
            shared.seen[w][bin] = begin;
            begin += of_warp;
        }
    }
    __syncthreads();
    return digit;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A block a tile, or, where it LOOPS, until there are no more tiles.
template <typename Bits, typename Value, bool IS_FLOAT>
__global__ void __launch_bounds__(PassShape<Bits, Value>::NT, PassShape<Bits, Value>::BLOCKS)
sort_pass(const __grid_constant__ SortArrays<Bits, Value> arrays, const __grid_constant__ SortPortion portion,
          const KeyOrder<Bits> order, const SortPlan *plan) {
    using Shape = PassShape<Bits, Value>;
    using Shared = PassShared<Bits, Value>;
    constexpr int NT = Shape::NT, VT = Shape::VT, TILE = Shape::TILE;
    constexpr bool HAS_VALUES = VALUE_BYTES<Value> != 0;
    extern __shared__ __align__(16) unsigned char bytes[];
    Shared &shared = *reinterpret_cast<Shared *>(bytes);
    const unsigned tiles = (portion.count + TILE - 1) / TILE;

    pdl_wait();
    pdl_trigger();
    if (threadIdx.x == 0) shared.tile = atomicAdd(portion.next_tile, 1u);
    do {
        unsigned tid = threadIdx.x;
        if constexpr (Shape::LOOPS) asm volatile("" : "+r"(tid));  // the compiler would keep what depends on it from tile to tile
        const unsigned warp = tid / WARP, lane = tid % WARP;
        BinOf<Bits, IS_FLOAT> bin_of(order, portion.digit);
        const int passes = plan->passes;
        int turn = plan->turn[portion.digit];
        if (passes == 0 && portion.digit == 0) turn = 0;           // all keys equal: one pass copies them
        if (turn < 0) return;
        const bool is_last = turn == max(passes, 1) - 1;
        const int to = (max(passes, 1) - 1 - turn) & 1;
        const bool writes_keys = !is_last || arrays.keys_wanted, widens = is_last && arrays.widen;
        const unsigned value_bytes = widens ? 8 : VALUE_BYTES<Value>;
        const unsigned launch = turn * portion.portions + portion.portion;
#pragma unroll
        for (int i = lane; i < DIGITS / 2; i += WARP) reinterpret_cast<uint32_t *>(shared.seen[warp])[i] = 0;
        __syncthreads();

        const unsigned tile = shared.tile;
        if (tile >= tiles) return;
        const unsigned begin = tile * TILE, here = min(portion.count - begin, unsigned(TILE));
        const bool whole = here == TILE;
        const unsigned first = warp * (WARP * VT) + lane;          // the lane's keys: first + 32 i
        const unsigned present = first < here ? (here - first + WARP - 1) / WARP : 0;
        const size_t from = portion.begin + begin + first;
        Bits keys[VT];
        load_lane((turn == 0 ? arrays.keys : arrays.keys_out[1 - to]) + from, whole, present, keys);
        const unsigned long long start_of_portion = tid < DIGITS ? portion.starts[tid] : 0;

        // Clears the states of the next launch.
        for (unsigned i = tile; i < portion.state_tiles; i += tiles) {
            if (tid < DIGITS) portion.states[1 - (launch & 1)][size_t(i) * DIGITS + tid] = 0;
        }

        unsigned places[(VT + 1) / 2] = {};
        if (whole) rank_in_warp<true>(keys, places, present, bin_of, shared.seen[warp]);
        else rank_in_warp<false>(keys, places, present, bin_of, shared.seen[warp]);
        __syncthreads();
        uint32_t *const states = portion.states[launch & 1];
        const unsigned bin = tid ^ bin_of.flip;                    // of digit tid
        const uint32_t status = tile == 0 ? DigitState::INCLUSIVE : DigitState::PARTIAL;
        const DigitPlace digit = place_digit(shared, bin, &states[size_t(tile) * DIGITS], status);

        // The keys in the order of the result, in shared memory; `places` become theirs in the tile.
        bin_of.forget();
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            unsigned own_bin = bin_of(keys[i]);
            if (!whole && i >= present) own_bin = bin_of.flip ^ (DIGITS - 1);
            const unsigned at = shared.seen[warp][own_bin] + half_of(places, i);
            shared.keys[at] = keys[i];
            if constexpr (HAS_VALUES) set_half(places, i, at);
        }
        if (tid < DIGITS) {
            const unsigned before = tile == 0 ? 0 : look_back(states, tile, tid);
            if (tile != 0) store_relaxed(&states[size_t(tile) * DIGITS + tid], (before + digit.count) | DigitState::INCLUSIVE);
            const unsigned long long start = start_of_portion + before;
            shared.keys_to[bin] = reinterpret_cast<uint64_t>(arrays.keys_out[to] + start) - digit.begin * sizeof(Bits);
            if constexpr (HAS_VALUES) {
                shared.values_to[bin] = reinterpret_cast<uint64_t>(arrays.values_out[to]) + (start - digit.begin) * value_bytes;
            }
            if (portion.next_starts != nullptr && begin + TILE >= portion.count) portion.next_starts[tid] = start + digit.count;
        }
        __syncthreads();

        if (Shape::LOOPS && tid == 0 && gridDim.x < tiles) shared.tile = atomicAdd(portion.next_tile, 1u);
        unsigned bins[HAS_VALUES ? (VT + 3) / 4 : 1] = {};         // of what this thread writes, a byte each
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            if (whole || NT * i + tid < here) {
                const Bits key = shared.keys[NT * i + tid];
                const unsigned own_bin = bin_of(key);
                Bits *const target = reinterpret_cast<Bits *>(shared.keys_to[own_bin] + tid * sizeof(Bits));
                if (writes_keys) target[NT * i] = key;
                if constexpr (HAS_VALUES) bins[i / 4] |= own_bin << (i % 4 * 8);
            }
        }

        // The values the same way, through the same memory.
        if constexpr (HAS_VALUES) {
            Value values[VT];
            const Value *const source = turn == 0 ? arrays.values : arrays.values_out[1 - to];
            if (source == nullptr) {
#pragma unroll
                for (int i = 0; i < VT; ++i) values[i] = static_cast<Value>(from + WARP * i);
            } else {
                load_lane(source + from, whole, present, values);
            }
            __syncthreads();                                       // the keys have been read
#pragma unroll
            for (int i = 0; i < VT; ++i) shared.values[half_of(places, i)] = values[i];
            __syncthreads();
#pragma unroll
            for (int i = 0; i < VT; ++i) {
                if (whole || NT * i + tid < here) {
                    const Value value = shared.values[NT * i + tid];
                    const uint64_t target = shared.values_to[bins[i / 4] >> (i % 4 * 8) & (DIGITS - 1)] + tid * value_bytes;
                    if (widens) reinterpret_cast<uint64_t *>(target)[NT * i] = value;
                    else reinterpret_cast<Value *>(target)[NT * i] = value;
                }
            }
        }
    } while (Shape::LOOPS && gridDim.x < tiles);
}
