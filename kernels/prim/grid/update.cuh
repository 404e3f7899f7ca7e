// update.cuh — a vector that is computed anew element by element, from itself, another vector and numbers.
//
//   y[i] ← f (x[i], y[i]), 0 ≤ i < count
//
// Algorithm  Grid-stride over packets of 16 bytes, up to four of each vector a thread, so that their loads are in flight together. Numbers
//            come as arguments of the launch or, where they were computed there, from the device.
// Cost       Reads the vectors that f needs and writes y: bound by memory.
// Limits     Any count. Vectors that do not both start at a multiple of 16 are read and written an element at a time.
// Edges      A vector that f does not need (READS) is not read, and may be anything.
// Source     As packet.cuh; cuBLAS Library, "Scalar Parameters", NVIDIA (numbers on the device).
#pragma once

#include "prim/block/move.cuh"
#include "prim/grid/generate.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int READS_X = 1, READS_Y = 2;

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct Scalar {
    const T *at;                                                   // on the device, or NULL
    T value;

    __device__ __forceinline__ T load() const { return at != nullptr ? *at : value; }
};

template <int READS, size_t ALIGNMENT, int VT, typename T, typename F>
__device__ __forceinline__ void update(const T *x, T *y, size_t count, F f) {
    constexpr int LENGTH = PACKET_LENGTH<T>;
    using Pack = Packet<T, ALIGNMENT>;
    for_each_tile<VT>(count / LENGTH, [&](size_t begin, unsigned here) {
        Pack a[VT] = {}, b[VT] = {};
        if constexpr ((READS & READS_X) != 0) global_to_register<0>(here, reinterpret_cast<const Pack *>(x) + begin, a);
        if constexpr ((READS & READS_Y) != 0) global_to_register<0>(here, reinterpret_cast<const Pack *>(y) + begin, b);
#pragma unroll
        for (int i = 0; i < VT; ++i) {
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) b[i].values[p] = f(a[i].values[p], b[i].values[p]);
        }
        register_to_global<0>(here, b, reinterpret_cast<Pack *>(y) + begin);
    });

    // The elements that do not fill a packet.
    const size_t rest = count - count % LENGTH + grid_x();
    if (rest < count) y[rest] = f((READS & READS_X) != 0 ? x[rest] : T(0), (READS & READS_Y) != 0 ? y[rest] : T(0));
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename T, typename Number>
Scalar<T> scalar_of(const Number &number) {
    return {static_cast<const T *>(number.at), static_cast<T>(number.value)};
}

// run(Constant<ALIGNMENT>(), Constant<VT>(), blocks); x may be y.
template <typename T, typename Tuning, typename Run>
cudaError_t launch_update(const T *x, const T *y, size_t count, const Tuning &tuning, Run run) {
    if (!is_block(tuning.threads)) return cudaErrorInvalidValue;
    return dispatch_value<1, 2, 4>(tuning.values, [&](auto values) -> cudaError_t {
        if (count == 0) return cudaSuccess;
        const bool aligned = is_aligned(x, PACKET_BYTES) && is_aligned(y, PACKET_BYTES);
        unsigned blocks = 0;
        const cudaError_t error =
            tile_blocks(count / PACKET_LENGTH<T>, tuning.threads, aligned ? decltype(values)::value : 1, &blocks);
        if (error != cudaSuccess) return error;
        return aligned ? run(Constant<PACKET_BYTES>(), values, blocks) : run(Constant<sizeof(T)>(), Constant<1>(), blocks);
    });
}
