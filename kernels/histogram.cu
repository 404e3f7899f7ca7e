// histogram.cu — how often each byte value occurs.
//
//   counts[v] = #{ i : data[i] = v },  0 ≤ v < 256        data (len) u8, counts (256) u64
//
// Algorithm  global   One thread a byte, one atomic addition to global memory each.
//            strided  The same with two blocks a multiprocessor, whose threads stride through the data.
//            shared   Each block counts into 256 bins of its own in shared memory, then adds those to the global ones.
// Cost       Reads len bytes once. global and strided send len atomic additions to 256 addresses of L2, where equal
//            ones queue; shared sends at most 256 a block there, and its atomics meet only within a block.
//            Worst case: all bytes equal, every warp's 32 additions go to one address.
// Limits     Any len. Bins in shared memory are 32-bit: there are enough blocks for each to see less than 2^32 bytes.
// Edges      len = 0 launches nothing and gives zeros.
// Source     M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, Shodor 2020. There the
//            merge is right only with 256 threads a block; here both passes over the bins stride.

#include "kernels.h"
#include "prim/grid.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned BINS = 256;
constexpr unsigned THREADS = 256;
constexpr size_t BLOCKS_PER_MULTIPROCESSOR = 2;                    // of the strided variant, as in the source
constexpr size_t BYTES_PER_BLOCK_MAX = size_t(1) << 31;            // of the shared variant: its bins stay below 2^32

using Count = unsigned long long;                                  // the 64-bit type atomicAdd knows
static_assert(sizeof(Count) == sizeof(uint64_t), "counters are 64-bit");

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void histogram_global(const uint8_t *data, size_t len, Count *counts) {
    const size_t i = grid_x();
    if (i < len) atomicAdd(&counts[data[i]], Count(1));
}

__global__ void histogram_strided(const uint8_t *data, size_t len, Count *counts) {
    for (size_t i = grid_x(); i < len; i += grid_width()) atomicAdd(&counts[data[i]], Count(1));
}

__global__ void histogram_shared(const uint8_t *data, size_t len, Count *counts) {
    __shared__ unsigned bins[BINS];                                // this block's counts

    for (unsigned v = threadIdx.x; v < BINS; v += blockDim.x) bins[v] = 0;
    __syncthreads();                                               // bins are zero before anyone counts

    for (size_t i = grid_x(); i < len; i += grid_width()) atomicAdd(&bins[data[i]], 1u);
    __syncthreads();                                               // all have counted before anyone merges

    for (unsigned v = threadIdx.x; v < BINS; v += blockDim.x) {
        if (bins[v] != 0) atomicAdd(&counts[v], Count(bins[v]));
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

cudaError_t clear(uint64_t *counts, gpumexk_stream stream) {
    return cudaMemsetAsync(counts, 0, BINS * sizeof *counts, stream);
}

Count *counters(uint64_t *counts) { return reinterpret_cast<Count *>(counts); }

}  // namespace

int gpumexk_histogram_global(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream) {
    cudaError_t error = clear(counts, stream);
    // One launch is enough up to 2^39 bytes.
    for (size_t done = 0; error == cudaSuccess && done < len;) {
        const size_t now = at_most(len - done, GRID_X_MAX * THREADS);
        histogram_global<<<cover(now, 1, THREADS), THREADS, 0, stream>>>(data + done, now, counters(counts));
        error = cudaGetLastError();
        done += now;
    }
    return error;
}

int gpumexk_histogram_strided(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream) {
    cudaError_t error = clear(counts, stream);
    if (error != cudaSuccess || len == 0) return error;

    size_t sms = 0;
    error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;

    const size_t blocks = at_most(BLOCKS_PER_MULTIPROCESSOR * sms, ceil_div(len, THREADS));
    histogram_strided<<<static_cast<unsigned>(blocks), THREADS, 0, stream>>>(data, len, counters(counts));
    return cudaGetLastError();
}

int gpumexk_histogram_shared(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream) {
    cudaError_t error = clear(counts, stream);
    if (error != cudaSuccess || len == 0) return error;

    // As many blocks as fit on the device at once (the source takes two a multiprocessor, too few to hide the latency).
    size_t sms = 0;
    int resident = 0;
    error = multiprocessors(&sms);
    if (error == cudaSuccess) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, histogram_shared, THREADS, 0);
    }
    if (error != cudaSuccess) return error;

    size_t blocks = at_most(sms * static_cast<size_t>(resident), ceil_div(len, THREADS));
    const size_t needed = ceil_div(len, BYTES_PER_BLOCK_MAX);      // so that no block's bin can wrap
    if (blocks < needed) blocks = needed;
    histogram_shared<<<static_cast<unsigned>(blocks), THREADS, 0, stream>>>(data, len, counters(counts));
    return cudaGetLastError();
}
