// check_indices.cu — the first index that is out of range.
//
//   *position = min { i : indices[i] >= limit }; 2^64 - 1 for none
//
// Algorithm  A grid walks the indices; a thread that finds some out of range hands its lowest position on by an atomic minimum. Tiles
//            behind a position that is known are left out.
// Cost       Reads the indices once.
// Limits     Indices u32 or u64. Any count.

#include "kernels.h"
#include "prim/grid/dispatch.cuh"
#include "prim/grid/grid.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int NT = 256, VT = 8;                                    // loads of a thread under way at once
constexpr size_t BLOCKS = 8;                                       // a multiprocessor

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Index>
__global__ void __launch_bounds__(NT) check_indices(const Index *indices, size_t count, size_t limit, unsigned long long *position) {
    for_each_tile<VT>(count, [&](size_t begin, unsigned here) {
        if (*static_cast<volatile unsigned long long *>(position) <= begin) return;
        Index held[VT];
#pragma unroll
        for (int k = 0; k < VT; ++k) {
            const unsigned i = NT * k + threadIdx.x;
            held[k] = indices[begin + (i < here ? i : 0)];
        }
        unsigned first = ~0u;
#pragma unroll
        for (int k = VT - 1; k >= 0; --k) {
            const unsigned i = NT * k + threadIdx.x;
            if (i < here && held[k] >= limit) first = i;
        }
        if (first != ~0u) atomicMin(position, static_cast<unsigned long long>(begin + first));
    });
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_check_indices(const void *indices, int index_bytes, size_t count, size_t limit, uint64_t *position, gpumexk_stream stream) {
    cudaError_t error = cudaMemsetAsync(position, 0xFF, sizeof *position, stream);
    if (error != cudaSuccess || count == 0) return error;
    size_t sms = 0;
    error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(at_most(ceil_div(count, NT * VT), sms * BLOCKS));
    return dispatch_width(index_bytes, [&](auto index) {
        using Index = decltype(index);
        check_indices<<<blocks, NT, 0, stream>>>(static_cast<const Index *>(indices), count, limit,
                                                 reinterpret_cast<unsigned long long *>(position));
        return cudaGetLastError();
    });
}
