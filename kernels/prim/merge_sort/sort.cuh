// sort.cuh — a stable merge sort, of an array or of each of its segments, that leaves alone what is in order.
//
// Algorithm  sort_tiles   tiles in order (tiles.cuh)
//            find_bounds  of segments: those that go on across borders of tiles (bounds.cuh)
//            merge_pass   pairs of runs become one, log2 (tiles) times; tiles that have what they had stay (runs.cuh)
//            collect      copies the tiles that lie in the scratch to the result (runs.cuh)
//            Few elements are sorted by counting (prim/sort/small.cuh).
// Cost       1 + log2 (tiles) passes that read and write each element once where keys are in random order. Keys displaced by less
//            than a tile: one such pass, and the tiles at the borders of runs. Tiles whose elements move little go to the result
//            at once, others to the buffer from which an exchange in each pass brings them there: collect finds little to do.
// Limits     2^31 - 1 tiles. Scratch: keys and values once more, two bytes a tile, 16 bytes a tile for segments.
// Edges      Positions that are no segments' (not ascending, out of range) are passed over; nothing outside of the arrays
//            is touched.
// Source     S. Baxter, "ModernGPU", Mergesort, Segmented Sort and Locality Sort, NVIDIA 2013.
#pragma once

#include "prim/chain.cuh"
#include "prim/grid.cuh"
#include "prim/merge_sort/bounds.cuh"
#include "prim/merge_sort/runs.cuh"
#include "prim/merge_sort/tiles.cuh"
#include "prim/sort/small.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- host helpers ---------------------------------------------------------------------------------------------------

// A sort without segments and scratch.
template <typename Kind>
MergeSort<typename Kind::Key, Kind::FLOAT> merge_sort_of(const gpumexk_merge_sort_args &args) {
    using Key = typename Kind::Key;
    MergeSort<Key, Kind::FLOAT> sort = {};
    sort.keys = static_cast<const Key *>(args.keys), sort.values = args.values;
    sort.count = sort.segments.elements = args.count;
    sort.sorted[0] = static_cast<Key *>(args.sorted), sort.sorted_values[0] = args.sorted_values;
    sort.order = CodeOrder<Key, Kind::FLOAT>::of(args.dtype, args.descending != 0);
    sort.value_bytes = args.value_bytes, sort.positions = args.positions != 0;
    sort.tiles = static_cast<unsigned>(ceil_div(args.count, MergeShape<Key>::TILE));
    return sort;
}

// Parts of the scratch, each at a multiple of 256 bytes; returns the bytes of all.
template <bool SEGMENTED, typename Key, bool FLOAT>
size_t place_scratch(MergeSort<Key, FLOAT> &sort, void *scratch) {
    size_t used = 0;
    const auto take = [&](size_t bytes) {
        void *const part = static_cast<char *>(scratch) + used;
        used += ceil_div(bytes, 256) * 256;
        return part;
    };
    if (sort.count <= SMALL_MAX) return 0;
    sort.sorted[1] = static_cast<Key *>(take(sort.count * sizeof(Key)));
    sort.sorted_values[1] = take(sort.count * sort.value_bytes);
    for (uint8_t *&where : sort.where) where = static_cast<uint8_t *>(take(sort.tiles));
    if (SEGMENTED) {
        sort.segment_begin = static_cast<size_t *>(take(sort.tiles * sizeof(size_t)));
        sort.segment_end = static_cast<size_t *>(take(sort.tiles * sizeof(size_t)));
    }
    return used;
}

template <bool SEGMENTED, typename Key, bool FLOAT>
cudaError_t sort_few(const MergeSort<Key, FLOAT> &sort, const gpumexk_merge_sort_args &args, cudaStream_t stream) {
    SmallSort<Key> few = {};
    few.keys = sort.keys, few.sorted = sort.sorted[0];
    few.values = sort.values, few.sorted_values = sort.sorted_values[0], few.value_bytes = sort.value_bytes;
    few.count = static_cast<unsigned>(sort.count);
    few.order = KeyOrder<Key>::of(args.dtype, args.descending != 0);
    few.segments = sort.segments;
    return launch_small<SEGMENTED>(few, stream);
}

// *blocks ← how many blocks of KERNEL the current device runs at once, at least one.
template <auto KERNEL>
cudaError_t resident_blocks(int threads, size_t *blocks) {
    return remembered(blocks, [&](int, size_t *resident) {
        size_t sms = 0;
        int each = 0;
        cudaError_t error = multiprocessors(&sms);
        if (error == cudaSuccess) error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, KERNEL, threads, 0);
        *resident = sms * (each > 0 ? each : 1);
        return error;
    });
}

template <bool SEGMENTED, bool VALUES, typename Key, bool FLOAT>
cudaError_t sort_by_merging(MergeSort<Key, FLOAT> sort, cudaStream_t stream) {
    using Shape = MergeShape<Key>;
    if (ceil_div(sort.count, Shape::TILE) > GRID_X_MAX) return cudaErrorInvalidValue;
    int passes = 0;
    while (size_t(1) << passes < sort.tiles) ++passes;
    sort.far = passes % 2;
    bool chains = false;
    cudaError_t error = tiles_of_block<Key>(sort.tiles, &sort.each);
    if (error == cudaSuccess) error = can_chain(&merge_pass<SEGMENTED, Key, FLOAT, VALUES>, &chains);
    if (error == cudaSuccess) {
        error = launch<sort_tiles<SEGMENTED, Key, FLOAT, VALUES>>(sort.tiles, Shape::THREADS, 0, stream, sort);
    }
    if constexpr (SEGMENTED) {
        if (error == cudaSuccess) error = launch_chained(chains, &find_bounds<Key, FLOAT>, 1, BOUNDS_THREADS, stream, sort);
    }
    // Where it may find nothing to do, a pass has no more blocks than run at once.
    size_t blocks_of_pass = ceil_div(sort.tiles, sort.each);
    if (sort.is_near != nullptr && error == cudaSuccess) {
        size_t resident = 0;
        error = resident_blocks<merge_pass<SEGMENTED, Key, FLOAT, VALUES>>(Shape::THREADS, &resident);
        blocks_of_pass = at_most(blocks_of_pass, resident);
    }
    const unsigned blocks = static_cast<unsigned>(blocks_of_pass);
    for (int pass = 0; pass < passes && error == cudaSuccess; ++pass) {
        error = launch_chained(chains, &merge_pass<SEGMENTED, Key, FLOAT, VALUES>, blocks, Shape::THREADS, stream, sort,
                               1u << pass, pass);
    }
    if (error != cudaSuccess) return error;
    return launch_chained(chains, &collect<Key, FLOAT>, blocks, Shape::THREADS, stream, sort, passes);
}

}  // namespace
