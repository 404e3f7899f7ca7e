// merge.cu — two ascending arrays become one.
//
//   keys = the keys of a and b in order, of equal ones those of a first        a_keys (a_count), b_keys (b_count)
//   values[i] = the value that stood beside keys[i], or where in a, b it stood
//
// Algorithm  The path of the merge is cut every tile (merge_path.cuh). A block takes up to 7 tiles (15 of 8 byte keys): first its
//            warps cut the path at the ends of all of them, a warp a cut, then it merges them one after the other in shared
//            memory. Values are gathered once the keys lie: neighbours came from one of two neighbourhoods, so that lines are
//            read whole.
// Cost       Reads and writes each element once: 8 bytes of 4 byte keys. One launch.
// Limits     Any counts.
// Edges      An empty array is fine; both empty: nothing is launched. Arrays that do not ascend give some of their keys.
// Source     S. Odeh, O. Green, Z. Mwassi, O. Shmueli, Y. Birk, "Merge Path - Parallel Merging Made Simple", 2012; S. Baxter,
//            "ModernGPU", Merge, NVIDIA 2013. The cuts by warps, in the kernel that merges, are ours.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/merge/tile.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

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

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Key, bool FLOAT, bool VALUES>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS, MergeShape<Key>::template blocks<VALUES>()) merge_tiles(
    const __grid_constant__ Merging<Key, FLOAT> m) {
    using Shape = MergeShape<Key>;
    __shared__ MergeMemory<Key, VALUES> memory;
    __shared__ size_t cuts[Shape::WARPS];                          // (here + 1) elements of a in front of each tile
    const unsigned first = blockIdx.x * m.each, here = min(m.each, m.tiles - first), warp = threadIdx.x / WARP;
    const size_t total = m.a_count + m.b_count;

    // A warp a cut.
    if (warp <= here) {
        const size_t diagonal = min(size_t(first + warp) * Shape::TILE, total);
        const size_t low = diagonal > m.b_count ? diagonal - m.b_count : 0, high = min(diagonal, m.a_count);
        const auto rank = [&](Key key) { return m.order.rank(m.order.encode(key)); };
        const size_t cut = warp_merge_path<Shape::TILE>(low, high, [&](size_t i) {
            return rank(m.a_keys[i]) <= rank(m.b_keys[diagonal - 1 - i]);
        });
        cuts[warp] = cut;
    }
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
        const bool is_mixed = merge_tile<VALUES>(memory, runs, m.order, read, m.keys + begin);
        if constexpr (VALUES) {
            by_width(m.value_bytes, [&](auto width) {
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
        }
        __syncthreads();                                           // the tile is free again
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Key, bool FLOAT, bool VALUES>
cudaError_t launch_merge(const gpumexk_merging &args, gpumexk_stream stream) {
    using Shape = MergeShape<Key>;
    Merging<Key, FLOAT> m = {};
    m.a_keys = static_cast<const Key *>(args.a_keys), m.b_keys = static_cast<const Key *>(args.b_keys);
    m.a_values = args.a_values, m.b_values = args.b_values;
    m.a_count = args.a_count, m.b_count = args.b_count;
    m.keys = static_cast<Key *>(args.keys), m.values = args.values;
    m.order = CodeOrder<Key, FLOAT>::of(args.dtype, args.descending != 0);
    m.value_bytes = args.value_bytes, m.positions = args.positions != 0;
    const size_t tiles = ceil_div(args.a_count + args.b_count, Shape::TILE);
    if (tiles == 0) return cudaSuccess;
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    m.tiles = static_cast<unsigned>(tiles);
    const cudaError_t error = tiles_of_block<Key>(tiles, &m.each);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(ceil_div(tiles, m.each));
    return launch<merge_tiles<Key, FLOAT, VALUES>>(blocks, Shape::THREADS, 0, stream, m);
}

}  // namespace

int gpumexk_merge(const gpumexk_merging *merging, gpumexk_stream stream) {
    return for_kind(merging->dtype, merging->value_bytes, [&](auto kind) {
        using Kind = decltype(kind);
        return launch_merge<typename Kind::Key, Kind::FLOAT, Kind::VALUES>(*merging, stream);
    });
}
