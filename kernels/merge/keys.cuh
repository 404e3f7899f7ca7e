// keys.cuh — a thread's part of a merge of keys alone, from shared memory.
//
// Algorithm  The thread finds its merge-path cut (merge_path.cuh), and merges VT keys sequentially into registers. Equal
//            integers are identical, so that the merge is a minimum and a maximum: the smaller of the two heads is the next
//            key, the larger stays in a register, and its run is not read until it is the smaller. One number says where to
//            read, since the positions in both runs add up to the number of the step: eight instructions a key. Floats that are
//            equal may differ in their bits (zeros, NaNs), and take twice as many to stay stable.
// Cost       Of a key: 2·log2(tile)/VT loads of shared memory for the cut, one for the merge, with bank conflicts.
// Limits     VT a multiple of a packet's keys, by an odd number: a thread's packets are stored without conflicts.
// Edges      Behind each run follow VT keys that do not come before what is left of the other one: those of its array, or the
//            last in the order. VT keys in front of the first run may be anything.
// Source     S. Baxter, "ModernGPU", Merge, NVIDIA 2013; the larger key in a register is ours.
#pragma once

#include <stddef.h>

#include "prim/block/merge.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/search.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

template <typename Key>
struct KeysShape {
    static constexpr int THREADS = 256, BLOCKS = 3;                // of a multiprocessor
    static constexpr int EACH = 112 / sizeof(Key);                 // keys of a thread: 7 packets
    static constexpr unsigned PACK = PACKET_LENGTH<Key>, WARPS = THREADS / WARP, TILE = THREADS * EACH;
    static constexpr unsigned STAGE = TILE + 3 * EACH + 4 * PACK;  // with what lies in front, behind, and in the packets
    static constexpr int BYTES = 2 * STAGE * sizeof(Key);          // of shared memory: 57 KiB
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Where in a stage the runs begin, and how many keys they have.
struct StagedRuns {
    unsigned a, b, a_count, b_count;
};

// How many keys of a are among the first `diagonal` of the merge.
template <typename Key, typename Rank>
__device__ __forceinline__ unsigned cut_stage(const Key *stage, const StagedRuns &runs, unsigned diagonal, Rank rank) {
    const Key *const a = stage + runs.a, *const b = stage + runs.b + diagonal - 1;
    const unsigned low = diagonal > runs.b_count ? diagonal - runs.b_count : 0, high = min(diagonal, runs.a_count);
    return first_false(low, high, [&](unsigned i) { return rank(a[i]) <= rank(b[-int(i)]); });
}

// merged ← the VT keys of the merge from `diagonal` on: integers.
template <int VT, typename Key>
__device__ __forceinline__ void merge_keys(const Key *stage, const StagedRuns &runs, unsigned diagonal,
                                           const CodeOrder<Key, false> &order, Key (&merged)[VT]) {
    const unsigned a = cut_stage(stage, runs, diagonal, [&](Key key) { return order.encode(key); });
    const int head = int(runs.b + diagonal - a), sum = int(runs.a + runs.b + diagonal), bytes = int(sizeof(Key));
    Key waits = order.encode(stage[runs.a + a]), next = order.encode(stage[head]);
    int from = head * bytes;                                       // the place of `next`, less the number of the step
#pragma unroll
    for (int i = 0; i < VT; ++i) {
        const bool stays = next <= waits;                          // in the run that gave it
        merged[i] = order.decode(min(next, waits));
        waits = max(next, waits);
        if (!stays) from = (sum - i) * bytes - from;
        if (i + 1 < VT) {
            const char *const step = reinterpret_cast<const char *>(stage + i + 1);
            next = order.encode(*reinterpret_cast<const Key *>(step + from));
        }
    }
}

// The same of floats.
template <int VT, typename Key>
__device__ __forceinline__ void merge_keys(const Key *stage, const StagedRuns &runs, unsigned diagonal,
                                           const CodeOrder<Key, true> &order, Key (&merged)[VT]) {
    const auto rank = [&](Key key) { return order.rank(order.encode(key)); };
    const unsigned cut = cut_stage(stage, runs, diagonal, rank), a_end = runs.a + runs.a_count;
    unsigned a = runs.a + cut, b = runs.b + diagonal - cut;
    Key a_key = stage[a], b_key = stage[b], a_rank = rank(a_key), b_rank = rank(b_key);
#pragma unroll
    for (int i = 0; i < VT; ++i) {
        const bool is_a = a < a_end && a_rank <= b_rank;
        merged[i] = is_a ? a_key : b_key;
        if (i + 1 < VT) {
            const unsigned next = (is_a ? a : b) + 1;
            const Key key = stage[next], key_rank = rank(key);
            a = is_a ? next : a, a_key = is_a ? key : a_key, a_rank = is_a ? key_rank : a_rank;
            b = is_a ? b : next, b_key = is_a ? b_key : key, b_rank = is_a ? b_rank : key_rank;
        }
    }
}
