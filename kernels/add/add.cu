// add.cu — the sum of two vectors, in place.
//
//   y[i] ← x[i] + y[i]        x, y (count) float or double
//
// Algorithm  Grid-stride: a grid that fills the device walks both arrays tile by tile. A thread holds up to four packets of 16
//            bytes of each, so that their loads are in flight together.
// Cost       Reads 2·count elements and writes count: bound by memory.
// Limits     Any count. Arrays that do not both start at a multiple of 16 are read and written an element at a time.
// Edges      count = 0 launches nothing. x may be y; other overlaps are the caller's mistake. One IEEE addition an element.
// Source     M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, Shodor 2020 (matrix addition).

#include "kernels.h"
#include "prim/block/move.cuh"
#include "prim/grid/generate.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"

namespace {

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, size_t ALIGNMENT, int VT>
__global__ void __launch_bounds__(BLOCK_MAX) add(const T *x, T *y, size_t count) {
    constexpr int LENGTH = PACKET_LENGTH<T>;
    using Pack = Packet<T, ALIGNMENT>;
    const Pack *const packets_x = reinterpret_cast<const Pack *>(x);
    Pack *const packets_y = reinterpret_cast<Pack *>(y);
    for_each_tile<VT>(count / LENGTH, [&](size_t begin, unsigned here) {
        Pack a[VT], b[VT];
        global_to_register<0>(here, packets_x + begin, a, Pack());
        global_to_register<0>(here, packets_y + begin, b, Pack());
#pragma unroll
        for (int i = 0; i < VT; ++i) {
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) b[i].values[p] += a[i].values[p];
        }
        register_to_global<0>(here, b, packets_y + begin);
    });

    // The elements that do not fill a packet.
    const size_t rest = count - count % LENGTH + grid_x();
    if (rest < count) y[rest] += x[rest];
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
cudaError_t launch_add(const T *x, T *y, size_t count, const gpumexk_tuning &tuning, gpumexk_stream stream) {
    if (!is_block(tuning.threads)) return cudaErrorInvalidValue;
    return dispatch_value<1, 2, 4>(tuning.values, [&](auto values) -> cudaError_t {
        if (count == 0) return cudaSuccess;
        constexpr int VT = decltype(values)::value;
        const bool aligned = is_aligned(x, PACKET_BYTES) && is_aligned(y, PACKET_BYTES);
        unsigned blocks = 0;
        const cudaError_t error = tile_blocks(count / PACKET_LENGTH<T>, tuning.threads, aligned ? VT : 1, &blocks);
        if (error != cudaSuccess) return error;
        return aligned ? launch<add<T, PACKET_BYTES, VT>>(blocks, tuning.threads, tuning.cache, stream, x, y, count)
                       : launch<add<T, sizeof(T), 1>>(blocks, tuning.threads, tuning.cache, stream, x, y, count);
    });
}

}  // namespace

int gpumexk_add_f32(const float *x, float *y, size_t count, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_add(x, y, count, *tuning, stream);
}

int gpumexk_add_f64(const double *x, double *y, size_t count, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return launch_add(x, y, count, *tuning, stream);
}
