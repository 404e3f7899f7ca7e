// tile.cuh — a block merges two runs that together fill a tile of shared memory.
//
// Algorithm  The runs are loaded behind each other, a_count elements of a and the rest of b. Each thread cuts the path of the
//            merge at its place (merge_path.cuh) and merges VT elements one after the other, into registers. They go back to
//            shared memory in thread order and to global memory in strided order, with where they came from for what moves with
//            them.
// Cost       Of an element: two loads and stores of shared memory, log2(tile)·2/VT loads for the cut, one for the merge, where
//            threads are at odds over the banks. One load and one store of global memory, whole lines.
//            Keys are held as codes, unsigned integers that nothing but floats needs to look at again: of an integer that which
//            compares as the key does, of a float one that becomes that in four operations, since zeros of both signs are equal
//            and so are all NaNs, but each has to be told from the others at the end.
// Limits     Tiles of up to 65536 elements: 16 bits say where an element came from. VT is odd: no bank conflicts in thread order.
// Edges      The first a_fixed elements of a come before everything, those of b from b_free on behind everything, whatever their
//            keys: elements of other segments (sort.cuh). A tile of one run alone is copied.
// Source     S. Baxter, "ModernGPU", Merge, NVIDIA 2013.
#pragma once

#include <stddef.h>

#include "prim/grid.cuh"
#include "prim/merge_path.cuh"
#include "prim/move.cuh"
#include "prim/order.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// A tile has 4096 elements and some more, so that 4096 are sorted at once: 17 KiB of 4 bytes, 36 KiB of 8.
template <typename Key>
struct MergeShape {
    static constexpr int THREADS = sizeof(Key) == 4 ? 256 : 512;
    static constexpr int EACH = sizeof(Key) == 4 ? 17 : 9;
    static constexpr int WARPS = THREADS / WARP;
    // Of a multiprocessor at least: as few registers as do without spills, 64 a thread with values, 48 or 40 of keys alone.
    static constexpr int BLOCKS = 1024 / THREADS;
    template <bool VALUES>
    static constexpr int blocks() { return VALUES ? BLOCKS : BLOCKS + 1; }
    static constexpr unsigned TILE = THREADS * EACH;
};

// ---- device helpers: codes ------------------------------------------------------------------------------------------

// Keys as codes; rank (code) is smaller where the key comes first, and the same for equal keys. Of floats code 0 is -infinity,
// and behind +infinity come the NaNs, of both signs; descending all bits are flipped.
template <typename Key, bool FLOAT>
struct CodeOrder {
    static constexpr Key SIGN = KeyOrder<Key>::SIGN, INFINITE = KeyOrder<Key>::INFINITE;
    static constexpr Key FIRST = ~(SIGN | INFINITE);               // -infinity as an ordered integer, from which codes count
    static constexpr Key NAN_CODE = (SIGN | INFINITE) + 1 - FIRST, MINUS_ZERO = ~SIGN - FIRST;

    Key flip;                                                      // of integers also that of the sign
    Key low, high;                                                 // ranks of floats: what lies outside is NaN
    Key from, to;                                                  // and -0 ranks as 0

    static CodeOrder of(int dtype, bool descending) {
        const Key all = descending ? ~Key(0) : Key(0);
        if (!FLOAT) return {KeyOrder<Key>::of(dtype, descending).flip, 0, 0, 0, 0};
        return {all, descending ? Key(~NAN_CODE) : Key(0), descending ? ~Key(0) : NAN_CODE, Key(MINUS_ZERO ^ all),
                Key((MINUS_ZERO + 1) ^ all)};
    }

    __device__ __forceinline__ Key encode(Key key) const {
        if (!FLOAT) return key ^ flip;
        return ((key & SIGN ? ~key : key | SIGN) - FIRST) ^ flip;
    }
    __device__ __forceinline__ Key decode(Key code) const {
        if (!FLOAT) return code ^ flip;
        const Key ordered = (code ^ flip) + FIRST;
        return ordered & SIGN ? ordered ^ SIGN : ~ordered;
    }
    __device__ __forceinline__ Key rank(Key code) const {
        if (!FLOAT) return code;
        return code == from ? to : min(max(code, low), high);
    }
};

// ---- device helpers: a tile -----------------------------------------------------------------------------------------

// Two runs of `count` elements together, b behind a.
struct TileRuns {
    unsigned count, a_count;
    unsigned a_fixed, b_free;                                      // b_free counts from the first element of b
};

template <typename Key, bool VALUES>
struct MergeMemory {
    static constexpr unsigned TILE = MergeShape<Key>::TILE;
    Key codes[TILE + 1];                                           // one more: a merge looks at the element behind the last
    uint16_t sources[VALUES ? TILE : 1];
};

// merged ← the VT elements of the merge from `diagonal` on; sources ← where in `codes` they were.
template <int VT, typename Key, bool FLOAT>
__device__ __forceinline__ void merge_in_thread(const Key *codes, const TileRuns &runs, unsigned diagonal,
                                                const CodeOrder<Key, FLOAT> &order, Key (&merged)[VT], unsigned (&sources)[VT]) {
    // The cut, between what is fixed.
    const unsigned a_end = runs.a_count, b_end = a_end + runs.b_free;
    const unsigned low = min(max(runs.a_fixed, diagonal > runs.b_free ? diagonal - runs.b_free : 0), a_end);
    unsigned a = min(diagonal, a_end);
    if (low < a) {
        const Key *const b_codes = codes + a_end + diagonal - 1;
        a = first_false(low, a, [&](unsigned i) { return order.rank(codes[i]) <= order.rank(b_codes[-int(i)]); });
    }
    unsigned b = a_end + diagonal - a;

    // The merge.
    Key a_code = codes[a], b_code = codes[b];
#pragma unroll
    for (int i = 0; i < VT; ++i) {
        const bool is_a = a < a_end && (a < runs.a_fixed || b >= b_end || order.rank(a_code) <= order.rank(b_code));
        merged[i] = is_a ? a_code : b_code;
        sources[i] = is_a ? a : b;
        const unsigned next = sources[i] + 1;
        if (i + 1 < VT) {
            const Key code = codes[next];
            a = is_a ? next : a, a_code = is_a ? code : a_code;
            b = is_a ? b : next, b_code = is_a ? b_code : code;
        }
    }
}

// Thread order to shared memory, what was there having been read.
template <typename Key, bool VALUES, int VT, typename Memory>
__device__ __forceinline__ void put_in_thread_order(Memory &memory, const Key (&codes)[VT], const unsigned (&sources)[VT]) {
    constexpr int NT = MergeShape<Key>::THREADS;
    if constexpr (VALUES) {
#pragma unroll
        for (int i = 0; i < VT; ++i) memory.sources[VT * threadIdx.x + i] = static_cast<uint16_t>(sources[i]);
    }
    thread_to_shared<NT>(NT * VT, codes, memory.codes);
}

// sorted[i] ← element i of the merge of two runs, of which read (step, index) gives the keys, index = step + threadIdx.x. True
// when memory.sources says where they came from, false when they stay as they are. The block may use `memory` again when all have
// met.
template <bool VALUES, typename Key, bool FLOAT, typename Read>
__device__ __forceinline__ bool merge_tile(MergeMemory<Key, VALUES> &memory, const TileRuns &runs,
                                           const CodeOrder<Key, FLOAT> &order, Read read, Key *sorted) {
    constexpr int NT = MergeShape<Key>::THREADS, VT = MergeShape<Key>::EACH;
    Key keys[VT];
#pragma unroll
    for (int i = 0; i < VT; ++i) {
        const unsigned index = NT * i + threadIdx.x;
        keys[i] = index < runs.count ? read(i * NT, index) : Key(0);
    }
    if (runs.a_count == 0 || runs.a_count == runs.count) {
        register_to_global<NT>(runs.count, keys, sorted);
        return false;
    }
#pragma unroll
    for (int i = 0; i < VT; ++i) memory.codes[NT * i + threadIdx.x] = order.encode(keys[i]);
    __syncthreads();

    unsigned sources[VT];
    merge_in_thread(memory.codes, runs, min(VT * threadIdx.x, runs.count), order, keys, sources);
    __syncthreads();                                               // everybody has read
    put_in_thread_order<Key, VALUES>(memory, keys, sources);
    in_strided_order<NT, VT>(runs.count, [&](int, unsigned index) { sorted[index] = order.decode(memory.codes[index]); });
    return true;
}

// target[i] ← value (source of i) for the `count` elements of a tile; sources[i], or i itself without them.
template <typename Key, typename Value, typename ValueOf>
__device__ __forceinline__ void move_values(unsigned count, const uint16_t *sources, Value *target, ValueOf value_of) {
    constexpr int NT = MergeShape<Key>::THREADS, VT = MergeShape<Key>::EACH;
    constexpr int BATCH = 36 / sizeof(Value);                      // loads in flight: what registers hold
#pragma unroll
    for (int first = 0; first < VT; first += BATCH) {
        Value values[BATCH];
#pragma unroll
        for (int i = 0; i < BATCH && first + i < VT; ++i) {
            const unsigned index = NT * (first + i) + threadIdx.x;
            values[i] = index < count ? value_of(sources == nullptr ? index : sources[index]) : Value(0);
        }
#pragma unroll
        for (int i = 0; i < BATCH && first + i < VT; ++i) {
            const unsigned index = NT * (first + i) + threadIdx.x;
            if (index < count) target[index] = values[i];
        }
    }
}

// move (Value ()) with the unsigned integer of `bytes`, which is 4 or 8.
template <typename Move>
__device__ __forceinline__ void by_width(int bytes, Move move) {
    if (bytes == 4) move(uint32_t());
    else move(uint64_t());
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename K, bool F, bool V>
struct MergeKind {
    using Key = K;
    static constexpr bool FLOAT = F, VALUES = V;
};

// run (MergeKind ()) with the kind of key of a dtype, and whether something goes with it.
template <typename Run>
cudaError_t for_kind(int dtype, int value_bytes, Run run) {
    const bool is_wide = dtype == DTYPE_F64 || dtype == DTYPE_I64 || dtype == DTYPE_U64;
    const bool is_float = dtype == DTYPE_F32 || dtype == DTYPE_F64;
    const auto with_values = [&](auto key, auto floats) {
        using Key = decltype(key);
        constexpr bool FLOAT = decltype(floats)::value != 0;
        return value_bytes == 0 ? run(MergeKind<Key, FLOAT, false>()) : run(MergeKind<Key, FLOAT, true>());
    };
    if (is_wide) return is_float ? with_values(uint64_t(), Constant<1>()) : with_values(uint64_t(), Constant<0>());
    return is_float ? with_values(uint32_t(), Constant<1>()) : with_values(uint32_t(), Constant<0>());
}

// How many tiles a block takes one after the other: as many as it has warps to cut for, but enough blocks for all multiprocessors.
template <typename Key>
cudaError_t tiles_of_block(size_t tiles, unsigned *each) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    const size_t share = sms == 0 ? 1 : tiles / (16 * sms);
    *each = static_cast<unsigned>(share < 1 ? 1 : at_most(share, MergeShape<Key>::WARPS - 1));
    return error;
}
