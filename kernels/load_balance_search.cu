// load_balance_search.cu — the object to which each work item belongs.
//
//   indices[k] = upper_bound (scan, k) - 1        scan (objects) ascending, indices (count), both u32 or both u64
//
// Algorithm  A tile of items a block: prim/load_balance.cuh.
// Cost       Reads scan and writes indices: bound by memory.
// Limits     Any count.
// Edges      count = 0 writes nothing; objects = 0 is refused.
// Source     S. Baxter, "ModernGPU", Load-Balancing Search, NVIDIA 2013.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/load_balance.cuh"
#include "prim/width.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, VALUES = 32, BLOCKS = 8;              // blocks of a multiprocessor
using Balance = LoadBalance<THREADS, VALUES>;

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Index>
__global__ void __launch_bounds__(THREADS, BLOCKS) load_balance_tile(size_t count, const Index *scan, size_t objects,
                                                                     Index *indices) {
    __shared__ Balance balance;
    const auto nothing = [](const BalancedTile &) {};
    balance.walk(scan, objects, count, 1, nothing, [&](const BalancedTile &tile, size_t object, auto number_of) {
        Index *const to = indices + tile.begin + tile_item<VALUES>(0);
#pragma unroll 8
        for (int row = 0; row < VALUES; ++row) {
            const unsigned item = tile_item<VALUES>(row);
            if (item < tile.here) to[row * WARP] = Index(object) + Index(number_of(item));
        }
    });
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_load_balance_search(size_t count, const void *scan, size_t objects, int index_bytes, void *indices,
                                gpumexk_stream stream) {
    if (count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(count, Balance::TILE);
    if (objects == 0 || tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    return by_width(index_bytes, [&](auto index) -> cudaError_t {
        using Index = decltype(index);
        load_balance_tile<<<static_cast<unsigned>(tiles), THREADS, 0, stream>>>(
            count, static_cast<const Index *>(scan), objects, static_cast<Index *>(indices));
        return cudaGetLastError();
    });
}
