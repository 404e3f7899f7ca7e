// cub.cu — what the benches measure this library against: CUB of the CUDA toolkit, called directly. A library of its own, which
// benches/common/peers.rs loads; each function times one call on the legacy stream and returns milliseconds, negative where CUDA failed.

#include <cub/device/device_histogram.cuh>

#include <stdint.h>

namespace {

// The memory that a CUB operation asks for, kept from call to call.
struct Work {
    void *memory = nullptr;
    size_t bytes = 0;

    cudaError_t grow(size_t needed) {
        if (needed <= bytes) return cudaSuccess;
        cudaFree(memory);
        memory = nullptr, bytes = 0;
        const cudaError_t error = cudaMalloc(&memory, needed);
        if (error == cudaSuccess) bytes = needed;
        return error;
    }
};

// call(work, bytes) asks for the size first, then runs between two events.
template <typename Call>
float time(Call call) {
    static Work work;
    static cudaEvent_t begin = nullptr, end = nullptr;
    size_t needed = 0;
    float ms = -1;
    if (begin == nullptr && (cudaEventCreate(&begin) != cudaSuccess || cudaEventCreate(&end) != cudaSuccess)) return -1;
    if (call(nullptr, needed) != cudaSuccess || work.grow(needed) != cudaSuccess) return -1;
    cudaEventRecord(begin);
    if (call(work.memory, needed) != cudaSuccess) return -1;
    cudaEventRecord(end);
    if (cudaEventSynchronize(end) != cudaSuccess || cudaEventElapsedTime(&ms, begin, end) != cudaSuccess) return -1;
    return ms;
}

template <typename T>
float histogram_even(const T *data, size_t len, uint32_t *counts, int bins, T lo, T hi) {
    return time([&](void *work, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(work, bytes, data, counts, bins + 1, lo, hi, static_cast<long long>(len));
    });
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

// counts (bins) u32 ← how many of the len samples fall into each of `bins` even bins from lo to hi.
float peer_histogram_u8(const uint8_t *data, size_t len, uint32_t *counts) {
    return time([&](void *work, size_t &bytes) {
        return cub::DeviceHistogram::HistogramEven(work, bytes, data, counts, 257, 0, 256, static_cast<long long>(len));
    });
}
float peer_histogram_u32(const uint32_t *data, size_t len, uint32_t *counts, int bins, uint32_t lo, uint32_t hi) {
    return histogram_even(data, len, counts, bins, lo, hi);
}
float peer_histogram_f32(const float *data, size_t len, uint32_t *counts, int bins, float lo, float hi) {
    return histogram_even(data, len, counts, bins, lo, hi);
}

}
#pragma GCC visibility pop
