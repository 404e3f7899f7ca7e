// launch.cuh — launching the interpreter.
#pragma once

#include "map/interpreter.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t MAP_SHARED_MAX = 48 << 10;                        // what every device grants a block without being asked

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Threads of a block, at most `most`, so that their slots fit.
inline unsigned map_threads(int most, unsigned slots) {
    unsigned threads = static_cast<unsigned>(most);
    while (threads > WARP && threads * slots * MAP_GROUPS * sizeof(uint4) > MAP_SHARED_MAX) threads /= 2;
    return threads;
}

// values: blocks of a multiprocessor; 0: a block for each tile.
template <typename Word, bool ELEMENTARY>
cudaError_t launch_map(MapParameters &p, unsigned slots, const gpumexk_tuning &tuning, cudaStream_t stream) {
    const unsigned threads = map_threads(tuning.threads, slots);
    p.tiles = static_cast<unsigned>(ceil_div(p.shape.groups, size_t(MAP_GROUPS) * threads));
    size_t blocks = p.tiles, sms = 0;
    if (tuning.values > 0) {
        const cudaError_t error = multiprocessors(&sms);
        if (error != cudaSuccess) return error;
        blocks = at_most(blocks, sms * static_cast<size_t>(tuning.values));
    }
    const cudaError_t error = set_smem_carveout<map_tiles<Word, ELEMENTARY>>(tuning.cache);
    if (error != cudaSuccess) return error;
    const size_t bytes = size_t(threads) * slots * MAP_GROUPS * sizeof(uint4);
    map_tiles<Word, ELEMENTARY><<<static_cast<unsigned>(blocks), threads, bytes, stream>>>(p);
    return cudaGetLastError();
}
