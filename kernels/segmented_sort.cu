// segmented_sort.cu — each segment of an array sorted by itself.
//
//   sorted = for each segment its keys in order, equal ones as they stood        keys, sorted (count)
//   sorted_values[i] = the value that stood beside sorted[i], or where sorted[i] stood
//
// Algorithm  prim/merge_sort/sort.cuh: tiles sorted in shared memory, segment by segment, then merges of pairs of runs, each of
//            which concerns the one segment that crosses their border.
// Cost       Segments shorter than a tile (4352 elements of 4 bytes, 4608 of 8): about three passes over all, however many they
//            are; a segment of m tiles takes part in about log2 m passes more. Up to SMALL_MAX: one launch.
// Limits     Any count, any number of segments; scratch of the size of keys and values.
// Edges      Segments may be empty. Positions that do not ascend or lie outside give some order within some segments.
// Source     S. Baxter, "ModernGPU", Segmented Sort, NVIDIA 2013.

#include "kernels.h"
#include "prim/merge_sort/sort.cuh"

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_segmented_sort_scratch(const gpumexk_merge_sort_args *args, size_t *bytes) {
    return for_kind(args->dtype, args->value_bytes, [&](auto kind) {
        auto sort = merge_sort_of<decltype(kind)>(*args);
        *bytes = place_scratch<true>(sort, nullptr);
        return cudaSuccess;
    });
}

int gpumexk_segmented_sort(const gpumexk_merge_sort_args *args, const gpumexk_segment_heads *segments, void *scratch,
                           gpumexk_stream stream) {
    if (args->count == 0) return cudaSuccess;
    return for_kind(args->dtype, args->value_bytes, [&](auto kind) {
        auto sort = merge_sort_of<decltype(kind)>(*args);
        sort.segments.kind = segments->flags ? Heads::FLAGS : segments->index_bytes == 4 ? Heads::OFFSETS_U32 : Heads::OFFSETS_U64;
        sort.segments.heads = segments->heads, sort.segments.count = segments->count;
        if (sort.count <= SMALL_MAX) return sort_few<true>(sort, *args, stream);
        place_scratch<true>(sort, scratch);
        return sort_by_merging<true, decltype(kind)::VALUES>(sort, stream);
    });
}
