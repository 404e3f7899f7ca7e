// samples.cuh — vectorized loads of an array of any alignment, and the channel and pixel of a sample.
//
// Algorithm  A thread loads VT groups of up to 16 bytes before it uses the first. The samples before the first aligned group and
//            behind the last one are loaded one by one, as groups of one.
//            AnySamples have a type that is known at run time, and are loaded one by one as double.
// Cost       Up to 16·VT bytes in flight a thread.
// Limits     Any len. A division by the number of channels is one by a constant.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/grid.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int AT_ONCE = 4;                                         // samples of a group, 2 if they have 8 bytes

template <typename T>
struct alignas(sizeof(T) == 8 ? 16 : AT_ONCE * sizeof(T)) Group {
    T samples[sizeof(T) == 8 ? 2 : AT_ONCE];
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// use(samples, first) for what falls to this thread, first() being the index of the first sample; before_tile() now and then.
template <int VT, typename T, typename BeforeTile, typename Use>
__device__ __forceinline__ void for_each_group(const T *data, size_t len, BeforeTile before_tile, Use use) {
    constexpr size_t LENGTH = sizeof(Group<T>) / sizeof(T);
    const size_t misaligned = reinterpret_cast<size_t>(data) % sizeof(Group<T>) / sizeof(T);
    const size_t before = min(len, (LENGTH - misaligned) % LENGTH); // samples before the first group
    const size_t groups = (len - before) / LENGTH, in_groups = groups * LENGTH;
    const size_t tile = size_t(VT) * blockDim.x, in_tiles = groups / tile * tile;
    const Group<T> *const source = reinterpret_cast<const Group<T> *>(data + before);

    for (size_t begin = blockIdx.x * tile; begin < in_tiles; begin += gridDim.x * tile) {
        const size_t at = begin + threadIdx.x;
        Group<T> held[VT];
#pragma unroll
        for (int i = 0; i < VT; ++i) held[i] = source[at + i * blockDim.x];
        before_tile();
#pragma unroll
        for (int i = 0; i < VT; ++i) use(held[i].samples, [&] { return before + (at + i * blockDim.x) * LENGTH; });
    }
#pragma unroll 1
    for (size_t at = in_tiles + grid_x(); at < groups; at += grid_width()) {
        const Group<T> held = source[at];
        use(held.samples, [&] { return before + at * LENGTH; });
    }
    const size_t alone = grid_x();
    if (alone < len - in_groups) {
        const size_t index = alone < before ? alone : alone + in_groups;
        const T sample[1] = {data[index]};
        use(sample, [&] { return index; });
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
