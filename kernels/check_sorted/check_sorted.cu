// check_sorted.cu — the first position where an array is not sorted.
//
//   *position = min { i : 1 <= i < count, keys[i] comes before keys[i - 1] }, or with `strict` is equal to it; 2^64 - 1 for none
//
// Algorithm  Grid-stride; a thread compares neighbours, and reports the lowest position it finds out of order by an atomic
//            minimum. Tiles behind a known position are skipped.
// Cost       Reads the array once; the neighbour comes from the L1 cache.
// Limits     Any count.
// Edges      Keys compare by rank (order.cuh): -0 equals 0, NaN equals NaN and is the greatest. count < 2 is sorted.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/thread/order.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int NT = 256, VT = 8;                                    // loads of a thread under way at once
constexpr size_t BLOCKS = 8;                                       // a multiprocessor

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits>
__global__ void __launch_bounds__(NT) check_sorted(const Bits *keys, size_t count, KeyOrder<Bits> order, bool strict,
                                                   unsigned long long *position) {
    for_each_tile<VT>(count - 1, [&](size_t begin, unsigned here) {
        if (*static_cast<volatile unsigned long long *>(position) <= begin) return;
        const Bits *const tile = keys + begin;
        Bits left[VT], right[VT];
#pragma unroll
        for (int k = 0; k < VT; ++k) {
            const unsigned i = NT * k + threadIdx.x;
            left[k] = tile[i < here ? i : 0];
            right[k] = tile[i < here ? i + 1 : 1];
        }
        unsigned first = ~0u;
#pragma unroll
        for (int k = VT - 1; k >= 0; --k) {
            const unsigned i = NT * k + threadIdx.x;
            const Bits before = order.rank(left[k]), behind = order.rank(right[k]);
            if (i < here && (strict ? behind <= before : behind < before)) first = i;
        }
        if (first != ~0u) atomicMin(position, static_cast<unsigned long long>(begin + first + 1));
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Bits>
cudaError_t run(const void *keys, size_t count, int dtype, bool descending, bool strict, uint64_t *position,
                cudaStream_t stream) {
    cudaError_t error = cudaMemsetAsync(position, 0xFF, sizeof *position, stream);
    if (error != cudaSuccess || count < 2) return error;
    size_t sms = 0;
    error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(at_most(ceil_div(count - 1, NT * VT), sms * BLOCKS));
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(dtype, descending);
    check_sorted<Bits><<<blocks, NT, 0, stream>>>(static_cast<const Bits *>(keys), count, order, strict,
                                                  reinterpret_cast<unsigned long long *>(position));
    return cudaGetLastError();
}

}  // namespace

int gpumexk_check_sorted(const void *keys, size_t count, int dtype, int descending, int strict, uint64_t *position,
                         gpumexk_stream stream) {
    return is_wide_dtype(dtype) ? run<uint64_t>(keys, count, dtype, descending != 0, strict != 0, position, stream)
                                : run<uint32_t>(keys, count, dtype, descending != 0, strict != 0, position, stream);
}
