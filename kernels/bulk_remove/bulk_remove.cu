// bulk_remove.cu — removes the elements at given positions from an array.
//
//   result[i - #{j : indices[j] < i}] = source[i] for every i that is not among indices
//
//   source (count), indices (index_count) ascending and different, result (count - index_count)
//
// Algorithm  A block takes a range of tiles of the source. The indices in a tile set the flags of its elements, and the others
//            move up by the number of flags before them (prim/block/flags.cuh). No block waits for another.
// Cost       Reads source and indices, writes result: bound by memory.
// Limits     Elements of 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      count = 0 writes nothing. Where indices are not ascending or not different the result is unspecified, and nothing
//            is written behind it.
// Source     S. Baxter, "ModernGPU", Bulk Remove, NVIDIA 2013.

#include "kernels.h"
#include "prim/block/flags.cuh"
#include "prim/block/tile_range.cuh"
#include "prim/grid/dispatch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256;
using Flags = TileFlags<THREADS>;
constexpr int VALUES = Flags::VT, BLOCKS = 5;                      // blocks of a multiprocessor, of elements of 4 bytes
constexpr size_t TILE = Flags::TILE;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void __launch_bounds__(THREADS, BLOCKS * 4 / sizeof(T)) bulk_remove_tiles(const T *source, size_t count,
                                                                                     const Index *indices, size_t index_count,
                                                                                     unsigned tiles, T *result) {
    __shared__ Flags flags;
    const size_t first = size_t(blockIdx.x) * tiles * TILE, left = count - index_count;
    flags.search(index_count, first, tiles, [&](size_t i) { return size_t(indices[i]); });
    for (unsigned t = 0; t < tiles; ++t) {
        const size_t begin = first + t * TILE;
        if (begin >= count) break;
        const unsigned here = static_cast<unsigned>(min(count - begin, TILE));

        // The elements are loaded while the block sets flags.
        T tile[VALUES];
        const T *const from = source + begin + tile_item<VALUES>(0);
#pragma unroll
        for (int row = 0; row < VALUES; ++row) {
            if (tile_item<VALUES>(row) < here) tile[row] = from[row * WARP];
        }

        const size_t removed = flags.cuts[t], to_begin = begin - removed;
        const Index *const of_tile = opaque(indices + removed);
        const FlagRows rows = flags.set(t, here, [&](unsigned i) { return of_tile[i] - Index(begin); });
        const unsigned most = to_begin <= left ? static_cast<unsigned>(min(left - to_begin, TILE)) : 0; // in result, from there
        T *const to = opaque(result + to_begin);
#pragma unroll
        for (int row = 0; row < VALUES; ++row) {
            const FlagRows::Item item = rows.item(row);
            const unsigned place = tile_item<VALUES>(row) - item.rank;
            if (!item.is_flagged && place < most) to[place] = tile[row];
        }
    }
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_bulk_remove(const void *source, size_t count, int value_bytes, const void *indices, size_t index_count, int index_bytes,
                        void *result, gpumexk_stream stream) {
    if (count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(count, TILE);
    if (index_count > count || tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    unsigned each = 0;
    const cudaError_t error = tiles_per_block(tiles, Flags::TILES_MAX, BLOCKS, &each);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(ceil_div(tiles, each));
    return dispatch_widths(value_bytes, index_bytes, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        bulk_remove_tiles<<<blocks, THREADS, 0, stream>>>(static_cast<const T *>(source), count,
                                                          static_cast<const Index *>(indices), index_count, each,
                                                          static_cast<T *>(result));
        return cudaGetLastError();
    });
}
