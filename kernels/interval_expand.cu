// interval_expand.cu — each interval's value, as often as the interval is long.
//
//   output[k] = values[j],  j = upper_bound (scan, k) - 1        scan, values (intervals), output (count)
//
// Algorithm  A tile of elements a block, whose intervals prim/load_balance.cuh finds; the value of an interval is read once a
//            row of 32, from the cache.
// Cost       Reads scan and values and writes output: bound by memory.
// Limits     Elements of 4 and 8 bytes, scan u32 or u64. Any count.
// Edges      count = 0 writes nothing; intervals = 0 is refused.
// Source     S. Baxter, "ModernGPU", Interval Expand, NVIDIA 2013.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/load_balance.cuh"
#include "prim/width.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, VALUES = 32;
constexpr int ROWS = 8;                                            // elements of a thread that are on their way together
template <typename T, typename Index>
constexpr int BLOCKS = sizeof(T) + sizeof(Index) == 8 ? 8 : 4;     // of a multiprocessor
using Balance = LoadBalance<THREADS, VALUES>;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void __launch_bounds__(THREADS, (BLOCKS<T, Index>)) interval_expand_tile(size_t count, const Index *scan,
                                                                                    size_t intervals, const T *values,
                                                                                    T *output) {
    __shared__ Balance balance;
    const auto nothing = [](const BalancedTile &) {};
    balance.walk(scan, intervals, count, 1, nothing, [&](const BalancedTile &tile, size_t interval, auto number_of) {
        const T *const of_tile = opaque(values + interval);
        for (int first = 0; first < VALUES; first += ROWS) {
            T elements[ROWS];
            T *const to = output + tile.begin + tile_item<VALUES>(first);
#pragma unroll
            for (int row = 0; row < ROWS; ++row) elements[row] = of_tile[number_of(tile_item<VALUES>(first + row))];
#pragma unroll
            for (int row = 0; row < ROWS; ++row) {
                if (tile_item<VALUES>(first + row) < tile.here) to[row * WARP] = elements[row];
            }
        }
    });
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_interval_expand(size_t count, const void *scan, size_t intervals, int index_bytes, const void *values, int value_bytes,
                            void *output, gpumexk_stream stream) {
    if (count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(count, Balance::TILE);
    if (intervals == 0 || tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    return by_widths(value_bytes, index_bytes, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        interval_expand_tile<<<static_cast<unsigned>(tiles), THREADS, 0, stream>>>(
            count, static_cast<const Index *>(scan), intervals, static_cast<const T *>(values), static_cast<T *>(output));
        return cudaGetLastError();
    });
}
