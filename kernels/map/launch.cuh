// launch.cuh — launching the interpreter.
#pragma once

#include "map/encode.cuh"
#include "map/interpreter.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

// ---- host helpers ---------------------------------------------------------------------------------------------------

// values: blocks of a multiprocessor; 0: a block for each tile.
template <typename Word, bool ELEMENTARY>
cudaError_t launch_map(MapParameters &p, unsigned slots, const gpumexk_tuning &tuning, cudaStream_t stream) {
    const unsigned threads = map_threads(static_cast<unsigned>(tuning.threads), map_slot_bytes(slots));
    p.tiles = static_cast<unsigned>(ceil_div(p.shape.groups, size_t(MAP_GROUPS) * threads));
    size_t blocks = p.tiles, sms = 0;
    if (tuning.values > 0) {
        const cudaError_t error = multiprocessors(&sms);
        if (error != cudaSuccess) return error;
        blocks = at_most(blocks, sms * static_cast<size_t>(tuning.values));
    }
    const cudaError_t error = set_smem_carveout<map_tiles<Word, ELEMENTARY>>(tuning.cache);
    if (error != cudaSuccess) return error;
    const size_t bytes = threads * map_slot_bytes(slots);
    map_tiles<Word, ELEMENTARY><<<static_cast<unsigned>(blocks), threads, bytes, stream>>>(p);
    return cudaGetLastError();
}
