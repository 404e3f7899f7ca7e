// bulk_insert.cu — elements put between those of an array.
//
//   result[indices[i] + i] = a[i]; the elements of b fill the other places in their order
//
//   a, indices (a_count), indices ascending and perhaps equal: a[i] goes before b[indices[i]]; b (b_count);
//   result (a_count + b_count)
//
// Algorithm  The merge of indices with 0, 1, 2 …, of which one side needs no memory. A block takes a stretch of tiles of the
//            result. The elements of a that lie in a tile mark its places, and the number of marks before a place says which
//            element of b comes there (prim/marks.cuh).
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

constexpr int THREADS = 256;
using TileMarks = Marks<THREADS>;
constexpr int VALUES = TileMarks::VT, BLOCKS = 4;                  // blocks of a multiprocessor, of elements of 4 bytes
constexpr size_t TILE = TileMarks::TILE;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void __launch_bounds__(THREADS, BLOCKS * 4 / sizeof(T)) bulk_insert_tiles(const T *a, const Index *indices,
                                                                                     size_t a_count, const T *b, size_t b_count,
                                                                                     unsigned tiles, T *result) {
    __shared__ TileMarks marks;
    const size_t first = size_t(blockIdx.x) * tiles * TILE, count = a_count + b_count;
    marks.search(a_count, first, tiles, [&](size_t i) { return min(size_t(indices[i]), b_count) + i; });
    for (unsigned t = 0; t < tiles; ++t) {
        const size_t begin = first + t * TILE;
        if (begin >= count) break;
        const unsigned here = static_cast<unsigned>(min(count - begin, TILE));
        const size_t before_a = marks.cuts[t], before_b = begin - before_a;
        const Index *const of_tile = opaque(indices + before_a);
        const MarkedRows rows = marks.mark(t, here, [&](unsigned i) {
            return min(of_tile[i], Index(b_count)) + (Index(before_a - begin) + Index(i));
        });

        const unsigned rest_a = static_cast<unsigned>(min(a_count - before_a, TILE));
        const unsigned rest_b = before_b <= b_count ? static_cast<unsigned>(min(b_count - before_b, TILE)) : 0;
        const T *const tile_a = opaque(a + before_a), *const tile_b = opaque(b + before_b);
        T tile[VALUES];
#pragma unroll
        for (int row = 0; row < VALUES; ++row) {
            const MarkedRows::Item item = rows.item(row);
            const unsigned at = item.is_marked ? item.rank : tile_item<VALUES>(row) - item.rank;
            if (at < (item.is_marked ? rest_a : rest_b)) tile[row] = __ldg((item.is_marked ? tile_a : tile_b) + at);
        }
        T *const to = result + begin + tile_item<VALUES>(0);
#pragma unroll
        for (int row = 0; row < VALUES; ++row) {
            if (tile_item<VALUES>(row) < here) to[row * WARP] = tile[row];
        }
    }
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_bulk_insert(const void *a, const void *indices, size_t a_count, const void *b, size_t b_count, int value_bytes,
                        int index_bytes, void *result, gpumexk_stream stream) {
    if (a_count + b_count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(a_count + b_count, TILE);
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    unsigned each = 0;
    const cudaError_t error = tiles_of_stretch(tiles, TileMarks::TILES_MAX, BLOCKS, &each);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(ceil_div(tiles, each));
    return by_widths(value_bytes, index_bytes, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        bulk_insert_tiles<<<blocks, THREADS, 0, stream>>>(static_cast<const T *>(a), static_cast<const Index *>(indices), a_count,
                                                          static_cast<const T *>(b), b_count, each, static_cast<T *>(result));
        return cudaGetLastError();
    });
}
