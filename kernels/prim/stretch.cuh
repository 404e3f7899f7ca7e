// stretch.cuh — a block takes a stretch of neighbouring tiles, and finds out at once where all of them begin.
//
//   cuts[c]    how many elements of a sorted array lie in front of tile c of the stretch; cuts[tiles]: of what comes behind
//
// Algorithm  A warp a cut: 33 pieces a step (search.cuh). A search of 2^28 elements waits six times for memory, as long as a tile
//            takes; here as many as a block has warps wait together, and the tiles follow without another search.
// Cost       6 KB of reads a cut, which caches hold but for the last steps.
// Limits     Blocks of whole warps.
// Source     S. Baxter, "ModernGPU", Merge, NVIDIA 2013, has a kernel for the cuts of all tiles in front.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/grid.cuh"
#include "prim/search.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// cuts[c] ← find (c), c < count. All lanes of a warp call find together, and get the same answer. They are there when all threads
// have met.
template <int NT, typename Find>
__device__ __forceinline__ void search_cuts(size_t *cuts, unsigned count, Find find) {
    for (unsigned c = threadIdx.x / WARP; c < count; c += NT / WARP) {
        const size_t found = find(c);
        if (threadIdx.x % WARP == 0) cuts[c] = found;
    }
}

// Where in a tile of VT rows a warp this thread's item of a row lies: a warp has 32·VT items, one after another.
template <int VT>
__device__ __forceinline__ unsigned tile_item(int row) {
    return threadIdx.x / WARP * (WARP * VT) + row * WARP + threadIdx.x % WARP;
}

// The pointer, to global memory, as one that was made from nothing: the compiler adds an index to it by one instruction, and not
// to what it was made from, by five.
template <typename T>
__device__ __forceinline__ T *opaque(T *pointer) {
    asm("" : "+l"(pointer));
    __builtin_assume(__isGlobal(pointer));
    return pointer;
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// *each ← how many tiles a block takes: at most `most`, such that `resident` blocks on each multiprocessor, once or several
// times, take them all.
inline cudaError_t tiles_of_stretch(size_t tiles, unsigned most, unsigned resident, unsigned *each) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    const size_t blocks = sms > 0 ? sms * resident : 1, times = ceil_div(tiles, blocks * most);
    *each = static_cast<unsigned>(times > 0 ? ceil_div(tiles, blocks * times) : 1);
    return error;
}
