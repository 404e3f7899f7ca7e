// locality_sort.cu — a stable merge sort that costs little where keys are nearly in order.
//
//   sorted = the keys in order, equal ones as they stood        keys, sorted (count)
//   sorted_values[i] = the value that stood beside sorted[i], or where sorted[i] stood
//
// Algorithm  prim/merge/sort.cuh: tiles sorted in shared memory, then merges of pairs of runs; tiles in place stay where they are.
// Cost       Random keys: 1 + log2 (count / tile) passes over all; keys displaced by less than a tile: two or three.
//            A tile has 4352 elements of 4 bytes, 4608 of 8. Up to one tile: one launch.
// Limits     Any count; scratch of the size of keys and values.
// Edges      count = 0: nothing is launched.
// Source     S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.

#include "kernels.h"
#include "prim/merge/sort.cuh"

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_locality_sort_scratch(const gpumexk_merge_sorting *sorting, size_t *bytes) {
    return for_kind(sorting->dtype, sorting->value_bytes, [&](auto kind) {
        using Kind = decltype(kind);
        return launch_merge_sort<false, typename Kind::Key, Kind::FLOAT, Kind::VALUES>(*sorting, nullptr, nullptr, bytes,
                                                                                     nullptr);
    });
}

int gpumexk_locality_sort(const gpumexk_merge_sorting *sorting, void *scratch, gpumexk_stream stream) {
    return for_kind(sorting->dtype, sorting->value_bytes, [&](auto kind) {
        using Kind = decltype(kind);
        return launch_merge_sort<false, typename Kind::Key, Kind::FLOAT, Kind::VALUES>(*sorting, nullptr, scratch, nullptr,
                                                                                     stream);
    });
}
