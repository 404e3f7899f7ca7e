// locality_sort.cu — a stable sort that is fast where keys are nearly sorted.
//
//   sorted = the keys in order, equal ones in their input order        keys, sorted (count)
//   sorted_values[i] = the value of sorted[i], or its input position
//
// Algorithm  Merge sort that skips tiles that are in place (prim/grid/merge_sort/sort.cuh). Of many keys a sample decides
//            whether that is the fastest way (locality_sort/probe.cuh); if not, the radix sort sorts them (sort.cu). Both are
//            launched, and one of them finds on the device that it has nothing to do.
// Cost       Keys in order: two reads and a write. Displaced by less than a tile, which has 4352 elements of 4 bytes, 4608 of 8:
//            two or three passes over all. Random keys: 1 + log2 (count / tile) passes, or from RADIX_MIN on a radix sort. Up
//            to ENUMERATION_SORT_MAX keys: one launch.
// Limits     Any count; scratch of the size of keys and values, and a little more.
// Edges      count = 0: nothing is launched.
// Source     S. Baxter, "ModernGPU", Locality Sort, NVIDIA 2013.

#include "kernels.h"
#include "locality_sort/probe.cuh"
#include "prim/grid/enumeration_sort.cuh"
#include "prim/grid/merge_dispatch.cuh"
#include "prim/grid/merge_sort/arrays.cuh"
#include "prim/grid/merge_sort/sort.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t RADIX_MIN = size_t(1) << 22;                      // keys for which the launches of both sorts are worth it
constexpr size_t ALIGNMENT = 256;                                  // of the parts of the scratch
constexpr gpumexk_tuning RADIX_TUNING = {0, 0, 0};                 // by the types, the driver's cache

// ---- host helpers ---------------------------------------------------------------------------------------------------

gpumexk_sort_args radix_sort_of(const gpumexk_merge_sort_args &args, const int *unless) {
    return {args.keys,  args.sorted, args.values,     args.sorted_values,
            args.count, args.dtype,  args.descending, args.value_bytes,   unless};
}

// Radix sort, unless the probe finds on the device that the keys are nearly sorted (sort.is_near).
template <typename Key, bool FLOAT>
cudaError_t sort_if_far(MergeSort<Key, FLOAT> &sort, const gpumexk_merge_sort_args &args, int *is_near, void *scratch,
                        cudaStream_t stream) {
    sort.is_near = is_near;
    probe_order<<<1, PROBE_THREADS, 0, stream>>>(sort, probe_of<Key>(sort.count), is_near);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    const gpumexk_sort_args radix = radix_sort_of(args, is_near);
    return static_cast<cudaError_t>(gpumexk_sort(&radix, scratch, &RADIX_TUNING, stream));
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_locality_sort_scratch(const gpumexk_merge_sort_args *args, size_t *bytes) {
    return dispatch_merge_kind(args->dtype, args->value_bytes, [&](auto kind) {
        auto sort = merge_sort_of<decltype(kind)>(*args);
        *bytes = place_scratch<false>(sort, nullptr);
        if (args->count < RADIX_MIN) return cudaSuccess;
        const gpumexk_sort_args radix = radix_sort_of(*args, nullptr);
        size_t radix_bytes = 0;
        const int error = gpumexk_sort_scratch(&radix, &radix_bytes);
        *bytes = ALIGNMENT + (*bytes > radix_bytes ? *bytes : radix_bytes);
        return static_cast<cudaError_t>(error);
    });
}

int gpumexk_locality_sort(const gpumexk_merge_sort_args *args, void *scratch, gpumexk_stream stream) {
    if (args->count == 0) return cudaSuccess;
    return dispatch_merge_kind(args->dtype, args->value_bytes, [&](auto kind) {
        auto sort = merge_sort_of<decltype(kind)>(*args);
        if (sort.count <= ENUMERATION_SORT_MAX) return sort_few<false>(sort, *args, stream);
        cudaError_t error = cudaSuccess;
        if (sort.count >= RADIX_MIN) {                             // the two sorts share what is behind the flag
            void *const shared = static_cast<char *>(scratch) + ALIGNMENT;
            error = sort_if_far(sort, *args, static_cast<int *>(scratch), shared, stream);
            scratch = shared;
        }
        place_scratch<false>(sort, scratch);
        return error == cudaSuccess ? sort_by_merging<false, decltype(kind)::VALUES>(sort, stream) : error;
    });
}
