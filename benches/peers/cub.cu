// cub.cu — what the benches measure this library against: CUB of the CUDA toolkit and the sort of C++'s library, called directly. A
// library of its own, which benches/common/peers.rs loads; each function of CUB times one call on the legacy stream and returns
// milliseconds, negative where CUDA failed.

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_merge.cuh>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_sort.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <chrono>

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

template <typename Key>
float radix_sort(const Key *keys, size_t count, Key *sorted) {
    return time([&](void *work, size_t &bytes) { return cub::DeviceRadixSort::SortKeys(work, bytes, keys, sorted, count); });
}

struct Less {
    __device__ bool operator()(uint32_t a, uint32_t b) const { return a < b; }
};

struct Add {
    __device__ float operator()(float a, float b) const { return a + b; }
};

template <typename T>
float reduce(const T *data, size_t count, T *result) {
    return time([&](void *work, size_t &bytes) { return cub::DeviceReduce::Sum(work, bytes, data, result, count); });
}

template <typename T>
float scan(const T *data, size_t count, T *result) {
    return time([&](void *work, size_t &bytes) { return cub::DeviceScan::ExclusiveSum(work, bytes, data, result, count); });
}

// Seconds of std::stable_sort on the host, one thread.
template <typename Key>
double stable_sort(Key *keys, size_t count) {
    const auto begin = std::chrono::steady_clock::now();
    std::stable_sort(keys, keys + count);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
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

// sorted (count) ← the keys in ascending order, by radix sort, and at the end by merge sort.
float peer_sort_u32(const uint32_t *keys, size_t count, uint32_t *sorted) { return radix_sort(keys, count, sorted); }
float peer_sort_u64(const uint64_t *keys, size_t count, uint64_t *sorted) { return radix_sort(keys, count, sorted); }
float peer_sort_f32(const float *keys, size_t count, float *sorted) { return radix_sort(keys, count, sorted); }
float peer_sort_pairs_u32(const uint32_t *keys, const uint32_t *values, size_t count, uint32_t *sorted, uint32_t *sorted_values) {
    return time([&](void *work, size_t &bytes) {
        return cub::DeviceRadixSort::SortPairs(work, bytes, keys, sorted, values, sorted_values, count);
    });
}
float peer_merge_sort_u32(const uint32_t *keys, size_t count, uint32_t *sorted) {
    return time([&](void *work, size_t &bytes) {
        return cub::DeviceMergeSort::SortKeysCopy(work, bytes, keys, sorted, count, Less());
    });
}

// keys ← the keys of a and b, both ascending, ascending.
float peer_merge_u32(const uint32_t *a, size_t a_count, const uint32_t *b, size_t b_count, uint32_t *keys) {
    return time([&](void *work, size_t &bytes) {
        return cub::DeviceMerge::MergeKeys(work, bytes, a, static_cast<long long>(a_count), b, static_cast<long long>(b_count), keys);
    });
}

// sorted (count) ← the keys of each segment ascending; segment i begins at offsets[i] and ends at offsets[i + 1].
float peer_segmented_sort_u32(const uint32_t *keys, size_t count, const uint32_t *offsets, size_t segments, uint32_t *sorted) {
    return time([&](void *work, size_t &bytes) {
        return cub::DeviceSegmentedSort::StableSortKeys(work, bytes, keys, sorted, static_cast<long long>(count),
                                                        static_cast<long long>(segments), offsets, offsets + 1);
    });
}

// result (segments) ← the sum of data[offsets[s] … offsets[s + 1]).
float peer_segmented_reduce_f32(const float *data, const uint32_t *offsets, size_t segments, float *result) {
    return time([&](void *work, size_t &bytes) {
        const auto count = static_cast<long long>(segments);
        return cub::DeviceSegmentedReduce::Sum(work, bytes, data, result, count, offsets, offsets + 1);
    });
}

// unique_keys, results, *needed ← the first key and the sum of each run of equal neighbouring keys, and how many they are.
float peer_reduce_by_key_u32_f32(const uint32_t *keys, const float *data, size_t count, uint32_t *unique_keys, float *results,
                                 uint64_t *needed) {
    return time([&](void *work, size_t &bytes) {
        const auto n = static_cast<long long>(count);
        return cub::DeviceReduce::ReduceByKey(work, bytes, keys, unique_keys, data, results, needed, Add(), n);
    });
}

// result (1), or result (count) exclusive, ← the sums of data (count).
float peer_reduce_u32(const uint32_t *data, size_t count, uint32_t *result) { return reduce(data, count, result); }
float peer_reduce_f32(const float *data, size_t count, float *result) { return reduce(data, count, result); }
float peer_reduce_u64(const uint64_t *data, size_t count, uint64_t *result) { return reduce(data, count, result); }
float peer_reduce_f64(const double *data, size_t count, double *result) { return reduce(data, count, result); }
float peer_scan_u32(const uint32_t *data, size_t count, uint32_t *result) { return scan(data, count, result); }
float peer_scan_f32(const float *data, size_t count, float *result) { return scan(data, count, result); }
float peer_scan_u64(const uint64_t *data, size_t count, uint64_t *result) { return scan(data, count, result); }
float peer_scan_f64(const double *data, size_t count, double *result) { return scan(data, count, result); }

// kept ← the elements of data (count) whose flags are not 0; *needed ← how many there are.
float peer_select_u32(const uint32_t *data, const uint8_t *flags, size_t count, uint32_t *kept, uint64_t *needed) {
    return time([&](void *work, size_t &bytes) {
        return cub::DeviceSelect::Flagged(work, bytes, data, flags, kept, needed, static_cast<long long>(count));
    });
}

// keys (count) of the host are sorted in place.
double peer_stable_sort_u32(uint32_t *keys, size_t count) { return stable_sort(keys, count); }
double peer_stable_sort_u64(uint64_t *keys, size_t count) { return stable_sort(keys, count); }
double peer_stable_sort_f32(float *keys, size_t count) { return stable_sort(keys, count); }

}
#pragma GCC visibility pop
