// histogram_bins.cu — how many samples fall into each bin.
#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/tune.cuh"

namespace {

using Count = unsigned long long;
using Samples = gpumexk_samples;
using Bins = gpumexk_bins;

constexpr size_t NO_BIN = ~size_t(0);

__device__ double edge(const Bins &bins, size_t k) {
    if (bins.rule == 0) return static_cast<double>(k);
    if (bins.rule == 2) return bins.edges[k];
    return k == bins.count ? bins.hi : __dadd_rn(bins.lo, __dmul_rn(static_cast<double>(k), bins.width));
}

__device__ size_t bin_of(const Bins &bins, double x) {
    if (x != x) return NO_BIN;
    const size_t last = bins.count - 1;
    if (bins.right_edge && x == edge(bins, bins.count)) return last;
    if (x < edge(bins, 0)) return bins.outliers ? 0 : NO_BIN;
    if (!(x < edge(bins, bins.count))) return bins.outliers ? last : NO_BIN;
    size_t low = 0, high = last;                                   // e(low) <= x < e(high + 1)
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (edge(bins, middle) <= x) low = middle; else high = middle - 1;
    }
    return low;
}

template <typename T>
__global__ void histogram_bins(Samples samples, Bins bins, void *counts) {
    const T *const data = static_cast<const T *>(samples.data);
    for (size_t i = grid_x(); i < samples.len; i += grid_width()) {
        const size_t bin = bin_of(bins, static_cast<double>(data[i]));
        if (bin == NO_BIN) continue;
        const size_t at = (i % samples.channels) * bins.count + bin, pixel = i / samples.channels;
        if (samples.weights == nullptr) {
            atomicAdd(static_cast<Count *>(counts) + at, Count(1));
        } else {
            const double weight = samples.weights_dtype == 4 ? static_cast<const float *>(samples.weights)[pixel]
                                                             : static_cast<const double *>(samples.weights)[pixel];
            atomicAdd(static_cast<double *>(counts) + at, weight);
        }
    }
}

__global__ void histogram_fold(const uint64_t *values, size_t per_channel, Bins bins, Count *counts) {
    const size_t v = grid_x();
    if (v >= per_channel) return;
    const size_t bin = bin_of(bins, static_cast<double>(v)), channel = blockIdx.y;
    const Count count = values[channel * per_channel + v];
    if (bin != NO_BIN && count != 0) atomicAdd(&counts[channel * bins.count + bin], count);
}

}  // namespace

int gpumexk_histogram_bins(const gpumexk_samples *samples, const gpumexk_bins *bins, void *counts,
                           const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (samples->len == 0) return cudaSuccess;
    const dim3 grid = cover(at_most(samples->len, size_t(1) << 20), 1, 256);
    switch (samples->dtype) {
        case 0: return launch<histogram_bins<uint8_t>>(grid, 256, tuning->cache, stream, *samples, *bins, counts);
        case 1: return launch<histogram_bins<uint16_t>>(grid, 256, tuning->cache, stream, *samples, *bins, counts);
        case 2: return launch<histogram_bins<uint32_t>>(grid, 256, tuning->cache, stream, *samples, *bins, counts);
        case 3: return launch<histogram_bins<int32_t>>(grid, 256, tuning->cache, stream, *samples, *bins, counts);
        case 4: return launch<histogram_bins<float>>(grid, 256, tuning->cache, stream, *samples, *bins, counts);
        case 5: return launch<histogram_bins<double>>(grid, 256, tuning->cache, stream, *samples, *bins, counts);
        default: return cudaErrorInvalidValue;
    }
}

int gpumexk_histogram_fold(const uint64_t *values, int dtype, int channels, const gpumexk_bins *bins, uint64_t *counts,
                           gpumexk_stream stream) {
    const size_t per_channel = dtype == 0 ? 256 : 65536;
    const dim3 grid(static_cast<unsigned>(per_channel / 256), static_cast<unsigned>(channels));
    histogram_fold<<<grid, 256, 0, stream>>>(values, per_channel, *bins, reinterpret_cast<Count *>(counts));
    return cudaGetLastError();
}
