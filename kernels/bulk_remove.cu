// bulk_remove.cu — an array without the elements at given positions.
//
//   result[i - #{j : indices[j] < i}] = source[i] for every i that is not among indices
//
//   source (count), indices (index_count) ascending and different, result (count - index_count)
//
// Algorithm  A tile of the source a block. Two warps search the indices that lie in the tile; these mark its elements, and what
//            is left moves up by the number of those before (prim/marks.cuh). No block waits for another.
// Cost       Reads source and indices, writes result: bound by memory.
// Limits     Elements of 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      count = 0 writes nothing. Where indices are not ascending or not different the result is unspecified, and nothing
//            is written behind it.
// Source     S. Baxter, "ModernGPU", Bulk Remove, NVIDIA 2013.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/marks.cuh"
#include "prim/width.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, VALUES = 16;
constexpr size_t TILE = THREADS * VALUES;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void __launch_bounds__(THREADS) bulk_remove_tile(const T *source, size_t count, const Index *indices,
                                                            size_t index_count, T *result) {
    __shared__ Marks<THREADS, VALUES> marks;
    const size_t begin = blockIdx.x * TILE;
    const unsigned here = static_cast<unsigned>(min(count - begin, TILE));

    // The elements are on their way while the block searches.
    T tile[VALUES];
    const T *const from = source + begin + tile_item<VALUES>(0);
#pragma unroll
    for (int row = 0; row < VALUES; ++row) {
        if (tile_item<VALUES>(row) < here) tile[row] = from[row * WARP];
    }

    const unsigned before = marks.mark(index_count, begin, here, [&](size_t i) { return size_t(indices[i]); });
    const size_t first = begin - marks.first, left = count - index_count;
    const unsigned room = first <= left ? static_cast<unsigned>(min(left - first, TILE)) : 0; // in result, from there
    T *const to = result + first;
    marks.for_each_row(before, [&](int row, unsigned item, bool is_removed, unsigned rank) {
        if (item < here && !is_removed && item - rank < room) to[item - rank] = tile[row];
    });
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_bulk_remove(const void *source, size_t count, int width, const void *indices, size_t index_count, int index_width,
                        void *result, gpumexk_stream stream) {
    if (count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(count, TILE);
    if (index_count > count || tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    return by_widths(width, index_width, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        bulk_remove_tile<<<static_cast<unsigned>(tiles), THREADS, 0, stream>>>(
            static_cast<const T *>(source), count, static_cast<const Index *>(indices), index_count, static_cast<T *>(result));
        return cudaGetLastError();
    });
}
