// cells.cuh — the counters of all channels as one array of cells.
//
// Algorithm  A cell is a bin of a channel: cell = channel·bins + bin, as the counts lie in global memory.
// Edges      A sample in no bin is in no cell and is not counted.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "histogram/even.cuh"
#include "histogram/samples.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned NO_CELL = 0xFFFFFFFF;

using Count = unsigned long long;                                  // the 64-bit type atomicAdd knows

// ---- device helpers -------------------------------------------------------------------------------------------------

struct Cells {
    size_t bins;                                                   // of a channel
    unsigned channels;
    Count *counts;                                                 // (channels, bins)

    __host__ __device__ size_t total() const { return bins * channels; }
};

// visit(j, cell) for N neighbouring samples, the first of which is number first(); NO_CELL for a sample in no bin.
template <typename Index, int N, typename First, typename Visit>
__device__ __forceinline__ void for_each_cell(const Cells &cells, const unsigned (&bins)[N], First first, Visit visit) {
    if (cells.channels == 1) {
#pragma unroll
        for (int j = 0; j < N; ++j) visit(j, bins[j] == NO_BIN ? ~Index(0) : Index(bins[j]));
    } else {
        const size_t index = first();
        unsigned channel = static_cast<unsigned>(index - pixel_of(index, cells.channels) * cells.channels);
#pragma unroll
        for (int j = 0; j < N; ++j) {
            visit(j, bins[j] == NO_BIN ? ~Index(0) : Index(channel * Index(cells.bins) + bins[j]));
            channel = channel + 1 == cells.channels ? 0 : channel + 1;
        }
    }
}

__device__ __forceinline__ void clear(unsigned *words, unsigned count, unsigned value = 0) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) words[i] = value;
}

__device__ __forceinline__ void flush(Count *to, Count count) {
    if (count != 0) atomicAdd(to, count);
}
