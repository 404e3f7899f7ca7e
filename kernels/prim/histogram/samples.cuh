// samples.cuh — the samples of an array that starts anywhere, in groups, and which channel and pixel one belongs to.
//
// Algorithm  A thread loads VT groups of up to 16 bytes before it looks at the first. The samples before the first whole
//            group and behind the last one are taken one by one, as groups of one.
//            AnySamples are of a type that is known at run time, and loaded one by one as double.
// Cost       Up to 16·VT bytes in flight a thread.
// Limits     Any len. A division by the number of channels is one by a constant.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid.cuh"
#include "prim/move.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int AT_ONCE = 4;                                         // samples of a group, 2 if they have 8 bytes

template <typename T>
struct alignas(sizeof(T) == 8 ? 16 : AT_ONCE * sizeof(T)) Group {
    T samples[sizeof(T) == 8 ? 2 : AT_ONCE];
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// use(samples, index of the first one) for what falls to this thread.
template <int VT, typename T, typename Use>
__device__ __forceinline__ void for_each_group(const T *data, size_t len, Use use) {
    constexpr size_t LENGTH = sizeof(Group<T>) / sizeof(T);
    const size_t misaligned = reinterpret_cast<size_t>(data) % sizeof(Group<T>) / sizeof(T);
    const size_t before = min(len, (LENGTH - misaligned) % LENGTH);      // samples before the first group
    const size_t groups = (len - before) / LENGTH, whole = groups * LENGTH;
    const Group<T> *const source = reinterpret_cast<const Group<T> *>(data + before);

    for_each_tile<VT>(groups, [&](size_t begin, unsigned here) {
        Group<T> held[VT];
        global_to_register<0>(here, source + begin, held);
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            const unsigned at = i * blockDim.x + threadIdx.x;
            if (at < here) use(held[i].samples, before + (begin + at) * LENGTH);
        }
    });
    const size_t alone = grid_x();
    if (alone < len - whole) {
        const size_t index = alone < before ? alone : alone + whole;
        const T sample[1] = {data[index]};
        use(sample, index);
    }
}

struct AnySamples {
    const void *data;
    size_t len;
    int dtype;                                                     // 0 u8, 1 u16, 2 u32, 3 i32, 4 f32, 5 f64

    __device__ __forceinline__ double number(size_t i) const {
        switch (dtype) {
            case 0: return static_cast<const uint8_t *>(data)[i];
            case 1: return static_cast<const uint16_t *>(data)[i];
            case 2: return static_cast<const uint32_t *>(data)[i];
            case 3: return static_cast<const int32_t *>(data)[i];
            case 4: return static_cast<const float *>(data)[i];
            default: return static_cast<const double *>(data)[i];
        }
    }
    // Those from index on; NaN, which falls into no bin, behind the end.
    template <int N>
    __device__ __forceinline__ void load(size_t index, double (&numbers)[N]) const {
#pragma unroll
        for (int j = 0; j < N; ++j) numbers[j] = index + j < len ? number(index + j) : __longlong_as_double(-1);
    }
};

// index / channels, 1 ≤ channels ≤ 4
__device__ __forceinline__ size_t pixel_of(size_t index, unsigned channels) {
    return channels == 3 ? index / 3 : index >> (channels / 2);
}
