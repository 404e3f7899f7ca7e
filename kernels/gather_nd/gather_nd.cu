// gather_nd.cu — elements of an N-D array at positions of each dimension.
//
//   result[i0, i1, …] = source[s0(i0), s1(i1), …], and zero bytes where a position is out of range
//
// Algorithm  A walk (prim/grid/walk.cuh): positions are computed once a column and once a row of a tile.
// Cost       Reads what is taken of source and writes result once: bound by memory where neighbours are taken together.
// Limits     Elements of 1 to 16 bytes, 8 dimensions, any counts.
// Source     CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".

#include "kernels.h"
#include "prim/grid/walk.cuh"

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_gather_nd(const gpumexk_walk *walk, const void *source, void *result, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    const auto move_of = [&](auto zero) {
        using T = decltype(zero);
        return WalkGather<T>{static_cast<const T *>(source), static_cast<T *>(result)};
    };
    return launch_walk(*walk, result, move_of, *tuning, stream);
}
