// interval_move.cu — many intervals of elements, each from its place to its place.
//
//   output[scatter[j] + r] = input[gather[j] + r]        j = upper_bound (scan, k) - 1, r = k - scan[j], 0 ≤ k < count
//
// Algorithm  A tile of elements a block, whose intervals prim/load_balance.cuh finds. An element reads the three numbers of its
//            interval from the cache; neighbours of an interval move together, 32 at a time.
// Cost       Reads gather, scatter and scan, and each element; writes each: bound by memory where intervals are long enough to
//            fill sectors of 32 bytes.
// Limits     Elements of 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      Without scatter the output is dense, output[k]; without gather the input is, input[k]. Positions behind the end
//            of input or output are skipped. Where intervals of the output overlap, any one wins. count = 0 moves nothing;
//            intervals = 0 is refused.
// Source     S. Baxter, "ModernGPU", Interval Move, NVIDIA 2013.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/load_balance.cuh"
#include "prim/width.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, VALUES = 16;
constexpr int ROWS = 8;                                            // elements of a thread that are on their way together
constexpr size_t TILE = THREADS * VALUES;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void __launch_bounds__(THREADS) interval_move_tile(size_t count, const Index *gather, const Index *scatter,
                                                              const Index *scan, size_t intervals, const T *input,
                                                              size_t input_count, T *output, size_t output_count) {
    __shared__ LoadBalance<THREADS, VALUES> balance;
    const size_t begin = blockIdx.x * TILE;
    const unsigned here = static_cast<unsigned>(min(count - begin, TILE));
    balance.search(scan, intervals, begin, here);
    balance.with_objects(scan, begin, [&](auto interval_of) {
        for (int first = 0; first < VALUES; first += ROWS) {
            size_t from[ROWS], to[ROWS];
            T tile[ROWS];
#pragma unroll
            for (int row = 0; row < ROWS; ++row) {
                const unsigned item = tile_item<VALUES>(first + row);
                const Index interval = interval_of(item);
                const size_t k = begin + item, start = scan[interval], in_interval = k < start ? 0 : k - start;
                const auto placed = [&](const Index *starts, size_t size) -> size_t {
                    if (starts == nullptr) return k;
                    const size_t at = starts[interval];
                    return at < size ? at + in_interval : size;    // it does not wrap
                };
                from[row] = placed(gather, input_count);
                to[row] = item >= here ? output_count : placed(scatter, output_count);
            }
#pragma unroll
            for (int row = 0; row < ROWS; ++row) {
                if (from[row] >= input_count) to[row] = output_count;
                if (to[row] < output_count) tile[row] = input[from[row]];
            }
#pragma unroll
            for (int row = 0; row < ROWS; ++row) {
                if (to[row] < output_count) output[to[row]] = tile[row];
            }
        }
    });
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_interval_move(const gpumexk_intervals *intervals, const void *input, size_t input_count, int width, void *output,
                          size_t output_count, gpumexk_stream stream) {
    const gpumexk_intervals &all = *intervals;
    if (all.count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(all.count, TILE);
    if (all.intervals == 0 || tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    return by_widths(width, all.index_width, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        interval_move_tile<<<static_cast<unsigned>(tiles), THREADS, 0, stream>>>(
            all.count, static_cast<const Index *>(all.gather), static_cast<const Index *>(all.scatter),
            static_cast<const Index *>(all.scan), all.intervals, static_cast<const T *>(input), input_count,
            static_cast<T *>(output), output_count);
        return cudaGetLastError();
    });
}
