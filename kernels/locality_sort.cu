// locality_sort.cu — a stable sort that costs little where keys are nearly in order.
//
//   sorted = the keys in order, equal ones as they stood        keys, sorted (count)
//   sorted_values[i] = the value that stood beside sorted[i], or where sorted[i] stood
//
// Algorithm  prim/merge_sort/sort.cuh: tiles sorted in shared memory, then merges of pairs of runs; tiles in place stay where they are.
// Cost       Keys displaced by less than a tile: two or three passes over all. A tile has 4352 elements of 4 bytes, 4608 of 8.
//            Random keys: 1 + log2 (count / tile) passes. Up to SMALL_MAX keys: one launch.
// Limits     Any count; scratch of the size of keys and values, and a little more.
// Edges      count = 0: nothing is launched.
// Source     S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.

#include "kernels.h"
#include "prim/merge_sort/sort.cuh"

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_locality_sort_scratch(const gpumexk_merge_sorting *sorting, size_t *bytes) {
    return for_kind(sorting->dtype, sorting->value_bytes, [&](auto kind) {
        auto sort = merge_sort_of<decltype(kind)>(*sorting);
        *bytes = place_scratch<false>(sort, nullptr);
        return cudaSuccess;
    });
}

int gpumexk_locality_sort(const gpumexk_merge_sorting *sorting, void *scratch, gpumexk_stream stream) {
    if (sorting->count == 0) return cudaSuccess;
    return for_kind(sorting->dtype, sorting->value_bytes, [&](auto kind) {
        auto sort = merge_sort_of<decltype(kind)>(*sorting);
        if (sort.count <= SMALL_MAX) return sort_few<false>(sort, *sorting, stream);
        place_scratch<false>(sort, scratch);
        return sort_by_merging<false, decltype(kind)::VALUES>(sort, stream);
    });
}
