// tile_range.cuh — a block takes a range of consecutive tiles, and searches where all of them begin at once.
//
//   cuts[c]    how many elements of a sorted array are before tile c of the range; cuts[tiles]: before what follows
//
// Algorithm  A warp a cut, 33-ary search (search.cuh). A search of 2^28 elements waits six times for memory, as long as a tile
//            takes; here all warps of a block wait together, and the tiles need no further search.
// Cost       6 KB of reads a cut, which hit the caches but for the last steps.
// Limits     Blocks of whole warps.
// Source     S. Baxter, "ModernGPU", Merge, NVIDIA 2013, partitions all tiles in a kernel of its own.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// cuts[c] ← find (c), c < count. All lanes of a warp call find together, and get the same answer. A barrier of the block makes them
// visible.
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

// The pointer, to global memory, opaque to the compiler, which then adds an index to it by one instruction, and not
// to the pointer it was computed from, by five.
template <typename T>
__device__ __forceinline__ T *opaque(T *pointer) {
    asm("" : "+l"(pointer));
    __builtin_assume(__isGlobal(pointer));
    return pointer;
}
