// sort.cu — 64-bit keys in ascending order.
//
//   sorted = the keys, sorted[i] ≤ sorted[i + 1]        keys, sorted (count) u64
//
// Algorithm  CUB's radix sort, eight bits a pass from the least significant on; each pass counts, scans and scatters at once.
// Cost       Reads the keys once for all histograms, then reads and writes them eight times.
// Limits     Any count. Scratch, about the size of the keys, comes from the caller.
// Edges      count = 0 writes nothing. The keys stay as they are; keys and sorted must not overlap.
// Source     A. Adinets, D. Merrill, "Onesweep: a faster least significant digit radix sort for GPUs", 2022; CUB, in NVIDIA's
//            CCCL. One header of CUB alone, and no <iostream>: its static initialiser would need libstdc++.

#include "kernels.h"

#define CCCL_DISABLE_NVTX                                          // no search for profilers from inside a caller's program
#include <ostream>
#define _GLIBCXX_IOSTREAM 1                                        // the guard of libstdc++'s <iostream>
#include <cub/device/device_radix_sort.cuh>

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_sort_u64_scratch(size_t count, size_t *bytes) {
    const uint64_t *const keys = nullptr;
    uint64_t *const sorted = nullptr;
    int device = 0;
    const cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess) return error;
    *bytes = 0;                                                    // without scratch CUB only says how much it wants
    return cub::DeviceRadixSort::SortKeys(nullptr, *bytes, keys, sorted, count);
}

int gpumexk_sort_u64(void *scratch, size_t scratch_bytes, const uint64_t *keys, uint64_t *sorted, size_t count,
                     gpumexk_stream stream) {
    if (count == 0) return cudaSuccess;
    if (scratch == nullptr) return cudaErrorInvalidValue;
    int device = 0;                                                // CUB would end the process over a device that is not there
    const cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess) return error;
    return cub::DeviceRadixSort::SortKeys(scratch, scratch_bytes, keys, sorted, count, 0, 64, stream);
}
