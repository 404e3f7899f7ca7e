// positions.cu — index vectors that are looked at before they are used.
//
//   first_outside    *first = min { i : start + indices[i] is not below extent }; 2^64 - 1 for none
//   last_positions   positions[i] = start + indices[i], if that is below extent and differs from those of all later i; else 2^64 - 1
//
// Algorithm  first_outside: an atomic minimum. last_positions: an atomic maximum of i + 1 for each position, and a second look.
// Cost       Reads the indices once, last_positions twice; it clears and writes 8 bytes for each element of the dimension.
// Limits     Indices u32, u64, i32, i64 and f64. Any count.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/thread/position.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int NT = 256;
constexpr size_t BLOCKS = 16;                                      // a multiprocessor

// An index vector of a dimension.
struct IndexVector {
    const void *indices;
    size_t count, extent;
    int64_t start;
    int dtype;

    __device__ __forceinline__ uint64_t position(size_t i) const { return position_at(indices, dtype, i, start, extent); }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(NT) first_outside(IndexVector vector, unsigned long long *first) {
    for (size_t i = grid_x(); i < vector.count; i += grid_width()) {
        if (vector.position(i) != OUTSIDE) continue;
        atomicMin(first, static_cast<unsigned long long>(i));
        return;                                                    // later ones of this thread are greater
    }
}

__global__ void __launch_bounds__(NT) mark_owners(IndexVector vector, unsigned long long *owners) {
    for (size_t i = grid_x(); i < vector.count; i += grid_width()) {
        const uint64_t position = vector.position(i);
        if (position != OUTSIDE) atomicMax(owners + position, static_cast<unsigned long long>(i + 1));
    }
}

__global__ void __launch_bounds__(NT) keep_owners(IndexVector vector, const unsigned long long *owners, uint64_t *positions) {
    for (size_t i = grid_x(); i < vector.count; i += grid_width()) {
        const uint64_t position = vector.position(i);
        positions[i] = position != OUTSIDE && owners[position] == i + 1 ? position : OUTSIDE;
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

cudaError_t blocks_for(size_t count, unsigned *blocks) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    *blocks = static_cast<unsigned>(at_most(ceil_div(count, NT), sms * BLOCKS));
    return error;
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_first_outside(const void *indices, int index_dtype, size_t count, int64_t start, size_t extent, uint64_t *first,
                          gpumexk_stream stream) {
    if (!is_index_dtype(index_dtype)) return cudaErrorInvalidValue;
    unsigned blocks = 0;
    cudaError_t error = cudaMemsetAsync(first, 0xFF, sizeof *first, stream);
    if (error != cudaSuccess || count == 0) return error;
    error = blocks_for(count, &blocks);
    if (error != cudaSuccess) return error;
    const IndexVector vector = {indices, count, extent, start, index_dtype};
    first_outside<<<blocks, NT, 0, stream>>>(vector, reinterpret_cast<unsigned long long *>(first));
    return cudaGetLastError();
}

int gpumexk_last_positions(const void *indices, int index_dtype, size_t count, int64_t start, size_t extent, uint64_t *owners,
                           uint64_t *positions, gpumexk_stream stream) {
    if (!is_index_dtype(index_dtype)) return cudaErrorInvalidValue;
    if (count == 0) return cudaSuccess;
    unsigned blocks = 0;
    cudaError_t error = blocks_for(count, &blocks);
    if (error == cudaSuccess && extent > 0) error = cudaMemsetAsync(owners, 0, extent * sizeof *owners, stream);
    if (error != cudaSuccess) return error;
    const IndexVector vector = {indices, count, extent, start, index_dtype};
    unsigned long long *const owner = reinterpret_cast<unsigned long long *>(owners);
    mark_owners<<<blocks, NT, 0, stream>>>(vector, owner);
    error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    keep_owners<<<blocks, NT, 0, stream>>>(vector, owner, positions);
    return cudaGetLastError();
}
