// bins.cu — histogram with even or given bin edges, of any dtype, with or without weights.
//
//   counts[c, k] ← counts[c, k] + #{ i : i mod channels = c and e(k) ≤ data[i] < e(k + 1) },  with weights + the sum of theirs
//
// Algorithm  even     Samples of 2 bytes and more in bins of equal width. A thread loads groups of them (histogram/samples.cuh),
//                     computes their bins without a search (even.cuh) and counts them where they fit (counters.cuh):
//                     in 32, 16 or 8 bits of shared memory a cell, those of 8 in up to SLICES_MAX slices.
//            any      Every other case, sample by sample as double: given edges (edges.cuh), bytes, weights, more bins.
//            fold     Adds counts of values to the bins of the values.
// Cost       Reads the samples once, slices after the first from L2. One H200, 2^28 of u32 or f32, uniform, in 10^9 samples a
//            second (memory gives 1117): 980 up to 16384 bins, 950 for 32768, 640 for 65536, 133 for 2^20; beyond
//            SLICES_MAX what L2 and memory add, 20 to 90. Up to 58000 bins other samples, all equal ones too, take as long,
//            beyond at most three times as long.
// Limits     1 to 2^31 bins; any len; data aligned to its elements.
// Edges      len = 0 launches nothing. NaN falls into no bin. Weights are added in no fixed order.
// Source     That of the headers.

#include "kernels.h"
#include "histogram/counters.cuh"
#include "histogram/edges.cuh"
#include "histogram/even.cuh"
#include "histogram/fields.cuh"
#include "histogram/outliers.cuh"
#include "histogram/samples.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int VALUES = 4;                                          // groups of samples that a thread holds at once
constexpr size_t SLICES_MAX = 8;                                   // of 8 bits a cell; beyond, global memory is faster
constexpr size_t SAMPLES_PER_BLOCK_MAX = size_t(1) << 31;          // its counters stay below 2^32
constexpr size_t COPIES_MAX = 32;                                  // of weighted cells: one a lane
constexpr unsigned FOLD_THREADS = 256;

// ---- device helpers -------------------------------------------------------------------------------------------------

// Bins by any rule, of samples of any type.
struct AnyBins {
    EvenEdges even;
    Edges edges;
    bool are_given;                                                // the edges
    size_t copied;                                                 // edges that blocks copy into shared memory

    __device__ const double *copy_edges(double *copies) const {
        for (size_t i = threadIdx.x; i < copied; i += blockDim.x) copies[i] = edges.edges[i];
        return copied != 0 ? copies : edges.edges;
    }
    template <int N>
    __device__ __forceinline__ void bins_of(const double (&samples)[N], unsigned (&bins)[N], const double *at) const {
        if (are_given) {
            edges.bins_of(samples, bins, at);
        } else {
#pragma unroll
            for (int j = 0; j < N; ++j) bins[j] = even.bin_of(samples[j]);
        }
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Counter>
__global__ void __launch_bounds__(BLOCK_MAX)
histogram_even(const T *data, size_t len, const __grid_constant__ Even<T> even, Counter counter) {
    extern __shared__ double smem[];
    unsigned *const counters = reinterpret_cast<unsigned *>(smem);
    counter.begin(counters);
    __syncthreads();                                               // counters are zero before anyone counts

    for_each_group<VALUES>(data, len, [&] { counter.before_tile(counters); }, [&](const auto &samples, auto first) {
        unsigned bins[sizeof(samples) / sizeof(T)];
        even.bins_of(samples, bins);
        counter.add(counters, bins, first);
    });
    __syncthreads();                                               // all have counted before anyone flushes

    counter.end(counters);
}

template <typename Counter>
__global__ void __launch_bounds__(BLOCK_MAX) histogram_any(AnySamples samples, AnyBins bins, Counter counter) {
    extern __shared__ double smem[];                               // copies of the edges, then counters
    unsigned *const counters = reinterpret_cast<unsigned *>(smem + bins.copied);
    const double *const edges = bins.copy_edges(smem);
    counter.begin(counters);
    __syncthreads();                                               // edges are there, counters zero before anyone counts

    for_each_tile<AT_ONCE>(samples.len, [&](size_t begin, unsigned) {
        const size_t index = begin + AT_ONCE * threadIdx.x;
        double numbers[AT_ONCE];
        unsigned found[AT_ONCE];
        counter.before_tile(counters);
        samples.load(index, numbers);
        bins.bins_of(numbers, found, edges);
        counter.add(counters, found, [&] { return index; });
    });
    __syncthreads();                                               // all have counted before anyone flushes

    counter.end(counters);
}

__global__ void histogram_fold(const Count *values, AnyBins bins, Cells cells) {
    const unsigned value = grid_x<unsigned>(), channel = blockIdx.y;
    const Count count = values[channel * (gridDim.x * blockDim.x) + value];
    const double sample[1] = {static_cast<double>(value)};
    unsigned found[1];
    bins.bins_of(sample, found, bins.edges.edges);
    if (found[0] != NO_BIN) flush(&cells.counts[channel * cells.bins + found[0]], count);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

AnyBins any_bins(const gpumexk_bins &bins) {
    const bool is_value = bins.rule == 0, right_edge = bins.right_edge != 0, clamps = bins.outliers == OUTLIERS_CLAMP;
    const double lo = is_value ? 0 : bins.lo, hi = is_value ? static_cast<double>(bins.count) : bins.hi;
    return {even_edges(lo, hi, is_value ? 1 : bins.width, bins.count, right_edge, clamps),
            given_edges(bins.edges, bins.count, right_edge, clamps), bins.rule == 2, 0};
}

// What is counted, into what, where.
struct Work {
    const gpumexk_samples &samples;
    AnyBins bins;
    Cells cells;
    const gpumexk_tuning &tuning;
    gpumexk_stream stream;
    size_t sms, shared_bytes;                                              // multiprocessors; bytes of shared memory a block may have

    // As many blocks as the device holds at once, a share of them for each slice.
    template <auto KERNEL, typename... Arguments>
    cudaError_t enqueue(size_t shared, size_t slices, Arguments... arguments) const {
        const int most = static_cast<int>(shared_bytes);
        int blocks = 0;
        cudaError_t error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
        if (error == cudaSuccess) error = set_smem_carveout<KERNEL>(tuning.cache);
        if (error == cudaSuccess) error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, KERNEL, tuning.threads, shared);
        if (error != cudaSuccess) return error;

        const size_t resident = sms * blocks / slices;
        const size_t useful = ceil_div(samples.len, size_t(tuning.threads) * AT_ONCE);
        const size_t needed = ceil_div(samples.len, SAMPLES_PER_BLOCK_MAX);
        const dim3 grid(static_cast<unsigned>(max(at_most(resident, useful), needed)), static_cast<unsigned>(slices));
        KERNEL<<<grid, tuning.threads, shared, stream>>>(arguments...);
        return cudaGetLastError();
    }

    template <typename T, typename Counter>
    cudaError_t enqueue_even(Counter counter, size_t bytes, size_t slices) const {
        const T *const data = static_cast<const T *>(samples.data);
        return enqueue<histogram_even<T, Counter>>(bytes, slices, data, samples.len, even_bins<T>(bins.even, samples.dtype == 3),
                                                   counter);
    }

    template <typename Counter>
    cudaError_t enqueue_any(Counter counter, size_t bytes, size_t slices) const {
        const AnySamples any = {samples.data, samples.len, samples.dtype};
        return enqueue<histogram_any<Counter>>(bytes + bins.copied * sizeof(double), slices, any, bins, counter);
    }

    template <typename Counter>
    cudaError_t enqueue_counts(Counter counter, size_t bytes, size_t slices) const {
        switch (bins.are_given ? 0 : samples.dtype) {
            case 1: return enqueue_even<uint16_t>(counter, bytes, slices);
            case 2:
            case 3: return enqueue_even<uint32_t>(counter, bytes, slices);
            case 4: return enqueue_even<float>(counter, bytes, slices);
            case 5: return enqueue_even<double>(counter, bytes, slices);
            default: return enqueue_any(counter, bytes, slices);
        }
    }

    size_t counter_bytes() const { return shared_bytes - bins.copied * sizeof(double); }

    cudaError_t count() const {
        const size_t total = cells.total(), words = counter_bytes() / sizeof(unsigned);
        if (total <= words) return enqueue_counts(Words{cells}, total * sizeof(unsigned), 1);
        const size_t field_words = words - HOT_WORDS;
        if (total <= field_words << 1) return count_in_fields<1>(field_words);
        if (total <= SLICES_MAX * (field_words << 2)) return count_in_fields<2>(field_words);
        return enqueue_any(Cache{cells, 0}, 2 * CACHE_PLACES * sizeof(unsigned), 1);
    }
    template <unsigned PER_WORD_LOG>
    cudaError_t count_in_fields(size_t field_words) const {
        const size_t total = cells.total(), slices = ceil_div(total, field_words << PER_WORD_LOG);
        const size_t used = ceil_div(ceil_div(total, slices), size_t(1) << PER_WORD_LOG);
        const Fields<PER_WORD_LOG> fields = {cells, static_cast<unsigned>(used << PER_WORD_LOG), false};
        return enqueue_counts(fields, (HOT_WORDS + used) * sizeof(unsigned), slices);
    }

    cudaError_t weigh() const {
        const size_t bytes = cells.total() * sizeof(double), most = counter_bytes();
        size_t copies = bytes <= most ? 1 : 0;
        while (copies != 0 && copies < COPIES_MAX && 2 * copies * bytes <= most) copies *= 2;
        const Weights weights = {cells, samples.weights, samples.weights_dtype == 5, static_cast<unsigned>(copies)};
        return enqueue_any(weights, copies * bytes, 1);
    }
};

// *bytes ← the shared memory that a block may have on the current device.
cudaError_t shared_bytes_of_block(size_t *bytes) {
    int device = 0, value = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    *bytes = static_cast<size_t>(value);
    return error;
}

}  // namespace

int gpumexk_histogram_bins(const gpumexk_samples *samples, const gpumexk_bins *bins, void *counts,
                           const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!is_block(tuning->threads) || tuning->values != VALUES) return cudaErrorInvalidValue;
    if (samples->dtype < 0 || samples->dtype > 5 || !is_outliers(bins->outliers)) return cudaErrorInvalidValue;
    if (samples->len == 0) return cudaSuccess;
    const Cells cells = {bins->count, static_cast<unsigned>(samples->channels), static_cast<Count *>(counts)};
    Work work = {*samples, any_bins(*bins), cells, *tuning, stream, 0, 0};
    cudaError_t error = multiprocessors(&work.sms);
    if (error == cudaSuccess) error = shared_bytes_of_block(&work.shared_bytes);
    if (error != cudaSuccess) return error;
    const size_t edges = bins->count + 1;
    if (work.bins.are_given && edges * sizeof(double) <= work.shared_bytes / 3) work.bins.copied = edges;
    return samples->weights == nullptr ? work.count() : work.weigh();
}

int gpumexk_histogram_fold(const uint64_t *values, int dtype, int channels, const gpumexk_bins *bins, uint64_t *counts,
                           gpumexk_stream stream) {
    if (!is_outliers(bins->outliers)) return cudaErrorInvalidValue;
    const Cells cells = {bins->count, static_cast<unsigned>(channels), reinterpret_cast<Count *>(counts)};
    const dim3 grid((dtype == 0 ? 256 : 65536) / FOLD_THREADS, static_cast<unsigned>(channels));
    histogram_fold<<<grid, FOLD_THREADS, 0, stream>>>(reinterpret_cast<const Count *>(values), any_bins(*bins), cells);
    return cudaGetLastError();
}
