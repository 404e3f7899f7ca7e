// fill_empty.cu — the results of empty segments.
//
//   result[s] = value  where offsets[s + 1] ≤ offsets[s]
//
// Algorithm  One thread a segment, in strided order.
// Cost       Reads the offsets once, twice from L1, and writes the results of empty segments.
// Limits     Results of 4 and 8 bytes, any number of segments.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/grid/dispatch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, BLOCKS_PER_SM = 8;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void __launch_bounds__(THREADS) fill_empty(const Index *offsets, size_t segments, T value, T *result) {
    for (size_t s = grid_x(); s < segments; s += grid_width()) {
        if (offsets[s + 1] <= offsets[s]) result[s] = value;
    }
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_segments_fill_empty(const gpumexk_segments *segments, int value_bytes, uint64_t value, void *result,
                                gpumexk_stream stream) {
    return dispatch_widths(value_bytes, segments->index_dtype ? 4 : 8, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        if (segments->segments == 0) return cudaSuccess;
        size_t sms = 0;
        const cudaError_t error = multiprocessors(&sms);
        if (error != cudaSuccess) return error;
        const unsigned blocks = static_cast<unsigned>(at_most(ceil_div(segments->segments, THREADS), sms * BLOCKS_PER_SM));
        fill_empty<T, Index><<<blocks, THREADS, 0, stream>>>(static_cast<const Index *>(segments->offsets), segments->segments,
                                                             static_cast<T>(value), static_cast<T *>(result));
        return cudaGetLastError();
    });
}
