// bulk_insert.cu — elements put between those of an array.
//
//   result[indices[i] + i] = a[i]; the elements of b fill the other places in their order
//
//   a, indices (a_count), indices ascending and perhaps equal: a[i] goes before b[indices[i]]; b (b_count);
//   result (a_count + b_count)
//
// Algorithm  The merge of indices with 0, 1, 2 …, of which one side needs no memory. A tile of the result a block. Two warps
//            search the elements of a that lie in the tile; these mark its places, and the number of marks before a place says
//            which element of b comes there (prim/marks.cuh).
// Cost       Reads a, indices and b, writes result: bound by memory.
// Limits     Elements of 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      Indices beyond b_count count as b_count: behind the last. Where they are not ascending the result is unspecified.
// Source     S. Baxter, "ModernGPU", Bulk Insert, NVIDIA 2013.

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
__global__ void __launch_bounds__(THREADS) bulk_insert_tile(const T *a, const Index *indices, size_t a_count, const T *b,
                                                            size_t b_count, T *result) {
    __shared__ Marks<THREADS, VALUES> marks;
    const size_t begin = blockIdx.x * TILE;
    const unsigned here = static_cast<unsigned>(min(a_count + b_count - begin, TILE));

    const auto position = [&](size_t i) { return min(size_t(indices[i]), b_count) + i; };
    const unsigned before = marks.mark(a_count, begin, here, position);
    const size_t first_b = begin - marks.first;
    const unsigned rest_a = static_cast<unsigned>(min(a_count - marks.first, TILE));
    const unsigned rest_b = first_b <= b_count ? static_cast<unsigned>(min(b_count - first_b, TILE)) : 0;
    const T *const tile_a = a + marks.first, *const tile_b = b + first_b;
    T *const to = result + begin + tile_item<VALUES>(0);
    T tile[VALUES];
    marks.for_each_row(before, [&](int row, unsigned item, bool is_a, unsigned rank) {
        const unsigned at = is_a ? rank : item - rank;
        if (item < here && at < (is_a ? rest_a : rest_b)) tile[row] = (is_a ? tile_a : tile_b)[at];
    });
#pragma unroll
    for (int row = 0; row < VALUES; ++row) {
        if (tile_item<VALUES>(row) < here) to[row * WARP] = tile[row];
    }
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_bulk_insert(const void *a, const void *indices, size_t a_count, const void *b, size_t b_count, int width,
                        int index_width, void *result, gpumexk_stream stream) {
    if (a_count + b_count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(a_count + b_count, TILE);
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    return by_widths(width, index_width, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        bulk_insert_tile<<<static_cast<unsigned>(tiles), THREADS, 0, stream>>>(
            static_cast<const T *>(a), static_cast<const Index *>(indices), a_count, static_cast<const T *>(b), b_count,
            static_cast<T *>(result));
        return cudaGetLastError();
    });
}
