// textbook.cu — the textbook's histograms for any number of bins: how often each integer from 0 on occurs.
//
//   counts[v] ← counts[v] + #{ i : data[i] = v },  0 ≤ v < bins        data (len) u8, u16, u32 or i32, counts (bins) u64
//
// Algorithm  global   One thread a sample, one atomic addition to global memory each.
//            strided  The same with two blocks a multiprocessor, whose threads stride through the data.
//            shared   Each block counts into bins of its own in shared memory, then adds those to the global ones.
//            textbook_bytes.cu has the 256 values of bytes, with loads of packets.
// Cost       Reads the data once. global and strided send an atomic addition a sample to L2, where equal addresses queue; shared
//            sends at most `bins` a block there, and its atomics meet only within a block.
// Limits     Any len. global, strided: bins ≤ 2^31. shared: 4·bins bytes of shared memory a block, 58112 bins on Hopper; bins in
//            shared memory are 32-bit: there are enough blocks for each to see less than 2^32 samples.
// Edges      Samples outside 0 … bins - 1 fall into no bin, or with OUTLIERS_CLAMP into the first or the last one.
// Source     M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, Shodor 2020.

#include "kernels.h"
#include "histogram/outliers.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t BLOCKS_PER_SM = 2;                                // of the strided variant, as in the source
constexpr size_t SAMPLES_PER_BLOCK_MAX = size_t(1) << 31;          // of the shared variant: its bins stay below 2^32

using Count = unsigned long long;                                  // the 64-bit type atomicAdd knows

// ---- device helpers -------------------------------------------------------------------------------------------------

struct Values {
    size_t bins;
    bool clamps;

    // count(bin) unless the sample falls into no bin.
    template <typename T, typename CountBin>
    __device__ __forceinline__ void visit(T sample, CountBin count) const {
        const long long value = static_cast<long long>(sample), last = static_cast<long long>(bins) - 1;
        if (value >= 0 && value <= last) count(static_cast<size_t>(value));
        else if (clamps) count(value < 0 ? size_t(0) : bins - 1);
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T>
__global__ void textbook_global(const T *data, size_t len, Values values, Count *counts) {
    const size_t i = grid_x();
    if (i < len) values.visit(data[i], [&](size_t bin) { atomicAdd(&counts[bin], Count(1)); });
}

template <typename T>
__global__ void textbook_strided(const T *data, size_t len, Values values, Count *counts) {
    for (size_t i = grid_x(); i < len; i += grid_width()) {
        values.visit(data[i], [&](size_t bin) { atomicAdd(&counts[bin], Count(1)); });
    }
}

template <typename T>
__global__ void textbook_shared(const T *data, size_t len, Values values, Count *counts) {
    extern __shared__ unsigned bins[];                             // (values.bins)  this block's counts

    for (size_t v = threadIdx.x; v < values.bins; v += blockDim.x) bins[v] = 0;
    __syncthreads();                                               // bins are zero before anyone counts

    for (size_t i = grid_x(); i < len; i += grid_width()) {
        values.visit(data[i], [&](size_t bin) { atomicAdd(&bins[bin], 1u); });
    }
    __syncthreads();                                               // all have counted before anyone merges

    for (size_t v = threadIdx.x; v < values.bins; v += blockDim.x) {
        if (bins[v] != 0) atomicAdd(&counts[v], Count(bins[v]));
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// Bytes of shared memory that a block may have.
cudaError_t smem_max(int *bytes) {
    int device = 0;
    const cudaError_t error = cudaGetDevice(&device);
    return error != cudaSuccess ? error : cudaDeviceGetAttribute(bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
}

template <typename T>
cudaError_t launch_shared(const T *data, size_t len, Values values, Count *counts, int threads, gpumexk_stream stream) {
    size_t sms = 0;
    int most = 0, resident = 0;
    cudaError_t error = smem_max(&most);
    if (error == cudaSuccess && values.bins > size_t(most) / sizeof(unsigned)) error = cudaErrorInvalidValue;
    const int bytes = static_cast<int>(values.bins * sizeof(unsigned));
    // The same for every number of bins: another thread must not take back what this one needs.
    if (error == cudaSuccess) error = cudaFuncSetAttribute(textbook_shared<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    if (error == cudaSuccess) error = multiprocessors(&sms);
    if (error == cudaSuccess) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, textbook_shared<T>, threads, bytes);
    }
    if (error != cudaSuccess) return error;
    size_t blocks = at_most(sms * static_cast<size_t>(resident), ceil_div(len, threads));
    const size_t needed = ceil_div(len, SAMPLES_PER_BLOCK_MAX);    // so that no block's bin can wrap
    if (blocks < needed) blocks = needed;
    textbook_shared<T><<<static_cast<unsigned>(blocks), threads, bytes, stream>>>(data, len, values, counts);
    return cudaGetLastError();
}

template <typename T>
cudaError_t launch_textbook(const gpumexk_samples &samples, Values values, int memory, Count *counts, int threads,
                            gpumexk_stream stream) {
    const T *const data = static_cast<const T *>(samples.data);
    const size_t len = samples.len;
    if (len == 0) return cudaSuccess;
    size_t sms = 0;
    cudaError_t error = cudaSuccess;
    switch (memory) {
        case 0:
            for (size_t done = 0; error == cudaSuccess && done < len;) {
                const size_t now = at_most(len - done, GRID_X_MAX * static_cast<size_t>(threads));
                textbook_global<T><<<cover(now, 1, threads), threads, 0, stream>>>(data + done, now, values, counts);
                error = cudaGetLastError();
                done += now;
            }
            return error;
        case 1:
            error = multiprocessors(&sms);
            if (error != cudaSuccess) return error;
            textbook_strided<T><<<static_cast<unsigned>(at_most(BLOCKS_PER_SM * sms, ceil_div(len, threads))), threads, 0, stream>>>(
                data, len, values, counts);
            return cudaGetLastError();
        case 2: return launch_shared(data, len, values, counts, threads, stream);
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace

int gpumexk_histogram_textbook(const gpumexk_samples *samples, const gpumexk_bins *bins, int memory, uint64_t *counts,
                               const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!is_block(tuning->threads) || bins->rule != 0 || !is_outliers(bins->outliers)) return cudaErrorInvalidValue;
    const Values values = {bins->count, bins->outliers == OUTLIERS_CLAMP};
    Count *const to = reinterpret_cast<Count *>(counts);
    switch (samples->dtype) {
        case 0: return launch_textbook<uint8_t>(*samples, values, memory, to, tuning->threads, stream);
        case 1: return launch_textbook<uint16_t>(*samples, values, memory, to, tuning->threads, stream);
        case 2: return launch_textbook<uint32_t>(*samples, values, memory, to, tuning->threads, stream);
        case 3: return launch_textbook<int32_t>(*samples, values, memory, to, tuning->threads, stream);
        default: return cudaErrorInvalidValue;
    }
}

int gpumexk_histogram_shared_bins_max(size_t *bins) {
    int bytes = 0;
    const cudaError_t error = smem_max(&bytes);
    *bins = static_cast<size_t>(bytes) / sizeof(unsigned);
    return error;
}
