// segmented_reduce.cu — the reduction of each segment of an array.
//
//   result[s] = ⊕ data[offsets[s] … offsets[s + 1])                                       data (count), offsets (segments + 1)
//   result[s] = ⊕ data[sources[s] … sources[s] + offsets[s + 1] - offsets[s])             with sources (segments)
//
// Algorithm  prim/grid/segmented_reduce.cuh. The elements of a tile are loaded in packets of 16 bytes; with sources one by one,
//            each after a search of its segment among those of the tile.
// Cost       Reads the data once, bound by memory; two launches, one where segments and elements are few. One H200, 2^28 float in
//            segments of 500 on average: 359 us, 3.0 TB/s, double 611 us, 3.5 TB/s; 2.2 and 1.4 times as fast as CUB.
// Limits     Any count; 4 instantiations serve the six dtypes of 4 and 8 bytes.
// Edges      Empty segments give the identity. Sources beyond count add nothing.
// Source     S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013; the rest in segmented_reduce.cuh.

#include "kernels.h"
#include "prim/block/segmented_reduce.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/segmented_reduce.cuh"
#include "prim/thread/operation.cuh"
#include "prim/thread/packet.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

// Blocks a multiprocessor. One H200, 2^28 double in segments of about 500: 617 us with three, 697 us with four, whose registers
// spill.
template <typename T>
constexpr int RESIDENT = sizeof(T) == 8 ? 3 : WALK_RESIDENT;

// ---- device helpers -------------------------------------------------------------------------------------------------

// The elements of a span that lie side by side: whole packets where all of one are inside.
template <typename T>
__device__ __forceinline__ void load_packets(const T *data, const Span &span, T identity, PaddedTile<T, WALK_VT> &tile) {
    constexpr int LENGTH = PACKET_LENGTH<T>, PACKETS = WALK_VT / LENGTH;
    const T *const origin = data + span.element;                   // at place span.shift
    const int elements = static_cast<int>(span.elements), shift = static_cast<int>(span.shift);
    Packet<T> packets[PACKETS];
#pragma unroll
    for (int i = 0; i < PACKETS; ++i) {
        const int from = LENGTH * int(TILE_THREADS * i + threadIdx.x) - shift;
        if (from >= 0 && from + LENGTH <= elements) {
            packets[i] = *reinterpret_cast<const Packet<T> *>(origin + from);
        } else {
#pragma unroll
            for (int k = 0; k < LENGTH; ++k) {
                packets[i].values[k] = from + k >= 0 && from + k < elements ? origin[from + k] : identity;
            }
        }
    }
#pragma unroll
    for (int i = 0; i < PACKETS; ++i) tile.packet(LENGTH * (TILE_THREADS * i + threadIdx.x)) = packets[i];
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T>
__global__ void __launch_bounds__(TILE_THREADS, RESIDENT<T>)
    segmented_reduce_walk(Segments of, int op, unsigned parts, const size_t *geometry, const T *data, T *result,
                          Carries<T> carries) {
    pdl_trigger();
    auto shift_of = [&](size_t element) {
        return 1 + static_cast<unsigned>((reinterpret_cast<uintptr_t>(data + element) - sizeof(T)) % PACKET_BYTES / sizeof(T));
    };
    walk_segments<T>(of, op, parts, geometry, result, carries, shift_of,
                     [&](PaddedTile<T, WALK_VT> &tile, const Span &span, T identity) {
        if (of.starts.numbers == nullptr) {
            load_packets(data, span, identity, tile);
            prefetch_elements(data, span.element + span.elements, of.count);
            return;
        }
#pragma unroll 4
        for (int i = 0; i < WALK_VT; ++i) {
            const unsigned place = TILE_THREADS * i + threadIdx.x, index = place - span.shift;
            T value = identity;
            if (place >= span.shift && index < span.elements) {
                const size_t at = place_in_data(of, span, span.element + index);
                if (at < of.count) value = data[at];
            }
            tile[place] = value;
        }
    });
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename T>
cudaError_t launch_segmented_reduce(const gpumexk_segments &segments, int op, const T *data, T *result, void *scratch,
                                    const gpumexk_tuning &tuning, cudaStream_t stream) {
    if (tuning.threads != TILE_THREADS || !is_one_of<0, 1, 2>(tuning.values)) return cudaErrorInvalidValue;
    const Segments of = {{segments.offsets, segments.index_dtype == 0},
                         {segments.sources, segments.index_dtype == 0},
                         segments.segments,
                         segments.count};
    const int resident = tuning.values == 0 ? RESIDENT<T> : tuning.values;
    unsigned parts = 0, blocks = 0;
    cudaError_t error = walk_blocks(of.segments, of.count, resident, &parts, &blocks);
    if (error != cudaSuccess || of.segments == 0) return error;
    const Carries<T> carries = carries_in<T>(scratch);
    const size_t *const geometry = static_cast<const size_t *>(segments.geometry);
    error = launch<segmented_reduce_walk<T>>(blocks, TILE_THREADS, tuning.cache, stream, of, op, parts, geometry, data, result,
                                             carries);
    return error != cudaSuccess ? error : launch_carry(blocks, carries, of.segments, op, result, stream);
}

}  // namespace

int gpumexk_segmented_reduce(const gpumexk_segments *segments, int dtype, int op, const void *data, void *result,
                             void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!has_operation(op, dtype)) return cudaErrorInvalidValue;
    return dispatch_operand(dtype, [&](auto zero) {
        using T = decltype(zero);
        return launch_segmented_reduce(*segments, operator_of(op, dtype), static_cast<const T *>(data),
                                       static_cast<T *>(result), scratch, *tuning, stream);
    });
}
