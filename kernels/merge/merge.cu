// merge.cu — stable merge of two sorted arrays.
//
//   keys = the keys of a and b in order, of equal ones those of a first        a_keys (a_count), b_keys (b_count)
//   values[i] = the value of keys[i], or its position in a, b
//
// Algorithm  Merge path, cut every tile (merge_path.cuh). A block takes a range of tiles: first its warps search the cuts at
//            the ends of all of them, a warp a cut (tile_range.cuh), then it merges them one after the other in shared memory.
//            Keys alone: the next tile is copied while one is merged (staged.cuh); packets are stored.
//            With values: they are gathered after the keys are merged. Neighbours came from one of two ranges, so that whole
//            lines are read.
// Cost       Reads and writes each element once: 8 bytes of 4 byte keys. One launch.
// Limits     Any counts.
// Edges      An empty array is fine; both empty: nothing is launched. Arrays that do not ascend give some of their keys.
// Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012; S. Baxter,
//            "ModernGPU", Merge, NVIDIA 2013. The cuts by warps, in the kernel that merges, are ours.

#include <type_traits>

#include "kernels.h"
#include "merge/keys.cuh"
#include "prim/block/merge.cuh"
#include "prim/block/staged.cuh"
#include "prim/block/tile_range.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/merge_dispatch.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/merge_path.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned TILES_MAX = 4;                                  // of keys alone, of a block: more make a longer tail

template <typename Key, bool FLOAT>
struct Merging {
    const Key *a_keys, *b_keys;
    const void *a_values, *b_values;
    size_t a_count, b_count;
    Key *keys;
    void *values;
    CodeOrder<Key, FLOAT> order;
    int value_bytes;
    bool positions;                                                // values are where the keys stood
    unsigned tiles, each;                                          // of all, of a block
};

// A tile that is being copied to shared memory.
template <typename Key>
struct KeyTile {
    StagedPair<Key> staged;
    unsigned a_count, b_count;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// How many keys of a are among the first `diagonal` of the merge; all lanes of a warp call.
template <unsigned GRID, typename Key, bool FLOAT>
__device__ __forceinline__ size_t cut_path(const Merging<Key, FLOAT> &m, size_t diagonal) {
    const size_t low = diagonal > m.b_count ? diagonal - m.b_count : 0, high = min(diagonal, m.a_count);
    const auto rank = [&](Key key) { return m.order.rank(m.order.encode(key)); };
    return merge_path<Searcher::WARP, GRID>(low, high, [&](size_t i) {
        return rank(m.a_keys[i]) <= rank(m.b_keys[diagonal - 1 - i]);
    });
}

// to[i] ← a thread's VT keys after those of the threads before, i < count, by way of `stage`, which is the warp's own.
template <int VT, typename Key>
__device__ __forceinline__ void store_keys(const Key (&keys)[VT], Key *stage, Key *to, unsigned count, bool is_aligned) {
    using Pack = Packet<Key>;
    constexpr int PACK = PACKET_LENGTH<Key>, PACKS = VT / PACK;
    const unsigned lane = threadIdx.x % WARP;
    Pack *const packs = reinterpret_cast<Pack *>(stage);
#pragma unroll
    for (int i = 0; i < PACKS; ++i) {
        Pack pack;
#pragma unroll
        for (int j = 0; j < PACK; ++j) pack.values[j] = keys[i * PACK + j];
        packs[lane * PACKS + i] = pack;
    }
    __syncwarp();
    if (count >= WARP * VT && is_aligned) {
#pragma unroll
        for (int i = 0; i < PACKS; ++i) reinterpret_cast<Pack *>(to)[i * WARP + lane] = packs[i * WARP + lane];
    } else {
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            if (i * WARP + lane < count) to[i * WARP + lane] = stage[i * WARP + lane];
        }
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(KeysShape<Key>::THREADS, KeysShape<Key>::BLOCKS) merge_keys_alone(
    const __grid_constant__ Merging<Key, FLOAT> m) {
    using Shape = KeysShape<Key>;
    constexpr int NT = Shape::THREADS, VT = Shape::EACH;
    constexpr unsigned TILE = Shape::TILE;
    extern __shared__ uint4 packets[];
    const auto stage_of = [](unsigned t) { return reinterpret_cast<Key *>(packets) + t % 2 * Shape::STAGE; };
    __shared__ KeyTile<Key> tiles[TILES_MAX];
    __shared__ size_t cuts[TILES_MAX + 1];                         // (here + 1) elements of a in front of each tile
    const unsigned first = blockIdx.x * m.each, here = min(m.each, m.tiles - first), tid = threadIdx.x;
    const size_t total = m.a_count + m.b_count;
    const bool is_aligned = reinterpret_cast<uintptr_t>(m.keys) % PACKET_BYTES == 0;

    search_cuts<NT>(cuts, here + 1, [&](unsigned c) { return cut_path<TILE>(m, min(size_t(first + c) * TILE, total)); });
    __syncthreads();
    if (tid < here) {
        const size_t begin = size_t(first + tid) * TILE, a_begin = cuts[tid], a_end = max(cuts[tid + 1], a_begin);
        const unsigned count = static_cast<unsigned>(min(total - begin, size_t(TILE)));
        KeyTile<Key> &tile = tiles[tid];
        tile.a_count = static_cast<unsigned>(min(a_end - a_begin, size_t(count))), tile.b_count = count - tile.a_count;
        tile.staged.place(m.a_keys, m.a_count, a_begin, tile.a_count + VT, m.b_keys, m.b_count, begin - a_begin,
                          tile.b_count + VT);
    }
    __syncthreads();                                               // all tiles are there

    const Key last = m.order.decode(~Key(0));                      // in the order
    const auto start = [&](unsigned t) {
        tiles[t].staged.template start<NT>(m.a_keys, m.a_count, m.b_keys, m.b_count, last, stage_of(t) + VT);
        async_commit();
    };
    start(0);
    for (unsigned t = 0; t < here; ++t) {
        async_wait_for<0>();
        __syncthreads();                                           // the tile is ready, the other stage free
        if (t + 1 < here) start(t + 1);

        const KeyTile<Key> &tile = tiles[t];
        const StagedRuns runs = {VT + tile.staged.a, VT + tile.staged.b, tile.a_count, tile.b_count};
        const unsigned count = tile.a_count + tile.b_count, warps = tid / WARP * (WARP * VT);
        Key merged[VT];
        merge_keys(stage_of(t), runs, min(VT * tid, count), m.order, merged);
        __syncthreads();                                           // all have read
        store_keys(merged, stage_of(t) + warps, m.keys + size_t(first + t) * TILE + warps, count > warps ? count - warps : 0,
                   is_aligned);
    }
}

template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS, MergeShape<Key>::template blocks<true>()) merge_with_values(
    const __grid_constant__ Merging<Key, FLOAT> m) {
    using Shape = MergeShape<Key>;
    __shared__ MergeMemory<Key, true> memory;
    __shared__ size_t cuts[Shape::WARPS];                          // (here + 1) elements of a in front of each tile
    const unsigned first = blockIdx.x * m.each, here = min(m.each, m.tiles - first);
    const size_t total = m.a_count + m.b_count;

    search_cuts<Shape::THREADS>(cuts, here + 1, [&](unsigned c) {
        return cut_path<Shape::TILE>(m, min(size_t(first + c) * Shape::TILE, total));
    });
    __syncthreads();

    for (unsigned tile = 0; tile < here; ++tile) {
        const size_t begin = size_t(first + tile) * Shape::TILE, a_begin = cuts[tile], b_begin = begin - a_begin;
        TileRuns runs;
        runs.count = static_cast<unsigned>(min(total - begin, size_t(Shape::TILE)));
        runs.a_count = cuts[tile + 1] > a_begin ? static_cast<unsigned>(min(cuts[tile + 1] - a_begin, size_t(runs.count))) : 0;
        runs.a_fixed = 0, runs.b_free = runs.count - runs.a_count;

        const Key *const a = m.a_keys + a_begin, *const b = m.b_keys + b_begin - runs.a_count;
        const Key *const of_a = a + threadIdx.x, *const of_b = b + threadIdx.x;
        const auto read = [&](int step, unsigned index) { return (index < runs.a_count ? of_a : of_b)[step]; };
        const bool is_mixed = merge_tile<true>(memory, runs, m.order, read, m.keys + begin);
        dispatch_value_width(m.value_bytes, [&](auto width) {
            using Value = decltype(width);
            const uint16_t *const sources = is_mixed ? memory.sources : nullptr;
            Value *const target = static_cast<Value *>(m.values) + begin;
            const size_t b_shift = b_begin - runs.a_count;
            if (m.positions) {
                move_values<Key>(runs.count, sources, target, [&](unsigned source) {
                    return static_cast<Value>(source + (source < runs.a_count ? a_begin : m.a_count + b_shift));
                });
            } else {
                const Value *const a_values = static_cast<const Value *>(m.a_values) + a_begin;
                const Value *const b_values = static_cast<const Value *>(m.b_values) + b_shift;
                move_values<Key>(runs.count, sources, target, [&](unsigned source) {
                    return (source < runs.a_count ? a_values : b_values)[source];
                });
            }
        });
        __syncthreads();                                           // the tile is free again
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Key, bool FLOAT, bool VALUES>
cudaError_t launch_merge(const gpumexk_merge_args &args, const gpumexk_tuning &tuning, gpumexk_stream stream) {
    if (tuning.threads != 0 || !is_one_of<1, 2, TILES_MAX>(tuning.values)) return cudaErrorInvalidValue;
    Merging<Key, FLOAT> m = {};
    m.a_keys = static_cast<const Key *>(args.a_keys), m.b_keys = static_cast<const Key *>(args.b_keys);
    m.a_values = args.a_values, m.b_values = args.b_values;
    m.a_count = args.a_count, m.b_count = args.b_count;
    m.keys = static_cast<Key *>(args.keys), m.values = args.values;
    m.order = CodeOrder<Key, FLOAT>::of(args.dtype, args.descending != 0);
    m.value_bytes = args.value_bytes, m.positions = args.positions != 0;
    using Shape = std::conditional_t<VALUES, MergeShape<Key>, KeysShape<Key>>;
    const size_t tiles = ceil_div(args.a_count + args.b_count, Shape::TILE);
    if (tiles == 0) return cudaSuccess;
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    m.tiles = static_cast<unsigned>(tiles);
    cudaError_t error = VALUES ? merge_tiles_per_block<Key>(tiles, &m.each)
                               : tiles_per_block(tiles, tuning.values, Shape::BLOCKS, &m.each);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(ceil_div(tiles, m.each));
    if constexpr (VALUES) {
        return launch<merge_with_values<Key, FLOAT>>(blocks, Shape::THREADS, tuning.cache, stream, m);
    } else {
        error = set_smem_carveout<merge_keys_alone<Key, FLOAT>>(tuning.cache);
        if (error != cudaSuccess) return error;
        error = cudaFuncSetAttribute(merge_keys_alone<Key, FLOAT>, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::BYTES);
        if (error != cudaSuccess) return error;
        merge_keys_alone<Key, FLOAT><<<blocks, Shape::THREADS, Shape::BYTES, stream>>>(m);
        return cudaGetLastError();
    }
}

}  // namespace

int gpumexk_merge(const gpumexk_merge_args *args, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return dispatch_merge_kind(args->dtype, args->value_bytes, [&](auto kind) {
        using Kind = decltype(kind);
        return launch_merge<typename Kind::Key, Kind::FLOAT, Kind::VALUES>(*args, *tuning, stream);
    });
}
