// sort.cuh — stable merge sort of an array, or of each of its segments, that skips what is in order.
//
// Algorithm  sort_tiles   sorts tiles in shared memory (tiles.cuh)
//            find_bounds  segments that cross boundaries of tiles (bounds.cuh)
//            merge_pass   merges pairs of runs, log2 (tiles) times; tiles that do not change are skipped (runs.cuh)
//            collect      copies the tiles that ended in the scratch to the result (runs.cuh)
//            Few elements are sorted by comparison counting (prim/grid/enumeration_sort.cuh).
// Cost       1 + log2 (tiles) passes that read and write each element once where keys are in random order. Keys displaced by
//            less than a tile: one such pass, and the tiles at the boundaries of runs. Tiles whose elements move little go to
//            the result at once, others to the buffer from which an exchange in each pass brings them there: collect finds
//            little to do.
// Limits     2^31 - 1 tiles. Scratch: keys and values once more, two bytes a tile, 16 bytes a tile for segments.
// Edges      Invalid segment offsets (not ascending, out of range) are skipped; nothing outside of the arrays is touched.
// Source     S. Baxter, "ModernGPU", Mergesort, Segmented Sort and Locality Sort, NVIDIA 2013.
#pragma once

#include "prim/block/merge.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/enumeration_sort.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/grid/merge_dispatch.cuh"
#include "prim/grid/merge_sort/arrays.cuh"
#include "prim/grid/merge_sort/bounds.cuh"
#include "prim/grid/merge_sort/runs.cuh"
#include "prim/grid/merge_sort/tiles.cuh"
#include "prim/thread/order.cuh"

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
    if (sort.count <= ENUMERATION_SORT_MAX) return 0;
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
    EnumerationSort<Key> few = {};
    few.keys = sort.keys, few.sorted = sort.sorted[0];
    few.values = sort.values, few.sorted_values = sort.sorted_values[0], few.value_bytes = sort.value_bytes;
    few.count = static_cast<unsigned>(sort.count);
    few.order = KeyOrder<Key>::of(args.dtype, args.descending != 0);
    few.segments = sort.segments;
    return launch_enumeration_sort<SEGMENTED>(few, stream);
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
    bool pdl = false;
    cudaError_t error = merge_tiles_per_block<Key>(sort.tiles, &sort.each);
    if (error == cudaSuccess) error = supports_pdl(&merge_pass<SEGMENTED, Key, FLOAT, VALUES>, &pdl);
    if (error == cudaSuccess) {
        error = launch<sort_tiles<SEGMENTED, Key, FLOAT, VALUES>>(sort.tiles, Shape::THREADS, 0, stream, sort);
    }
    if constexpr (SEGMENTED) {
        if (error == cudaSuccess) error = launch_pdl(pdl, &find_bounds<Key, FLOAT>, 1, BOUNDS_THREADS, stream, sort);
    }
    // Where it may find nothing to do, a pass has no more blocks than are resident.
    size_t blocks_of_pass = ceil_div(sort.tiles, sort.each);
    if (sort.is_near != nullptr && error == cudaSuccess) {
        size_t resident = 0;
        error = resident_blocks<merge_pass<SEGMENTED, Key, FLOAT, VALUES>>(Shape::THREADS, &resident);
        blocks_of_pass = at_most(blocks_of_pass, resident);
    }
    const unsigned blocks = static_cast<unsigned>(blocks_of_pass);
    for (int pass = 0; pass < passes && error == cudaSuccess; ++pass) {
        error = launch_pdl(pdl, &merge_pass<SEGMENTED, Key, FLOAT, VALUES>, blocks, Shape::THREADS, stream, sort,
                               1u << pass, pass);
    }
    if (error != cudaSuccess) return error;
    return launch_pdl(pdl, &collect<Key, FLOAT>, blocks, Shape::THREADS, stream, sort, passes);
}

}  // namespace
