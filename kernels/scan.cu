// scan.cu — what an operator makes of all elements before each one.
//
//   result[i] = data[0] ∘ … ∘ data[i - 1]  (exclusive; the first is the identity)   or   … ∘ data[i]  (inclusive)
//   total     = data[0] ∘ … ∘ data[count - 1]                    data, result (count), total (1), 4 or 8 bytes an element
//
// Algorithm  One pass. A block a multiprocessor stays for the whole array and takes tile after tile; they flow through it as
//            prim/flow.cuh says, and what stands before a tile is found as prim/lookback.cuh says. A thread copies, scans and
//            stores the same packets of 16 bytes of a tile: a warp has 64 neighbouring ones, in two rows.
//            The state is cleared by a small kernel into whose end the scan is launched.
// Cost       Reads and writes the array once: bound by memory. One launch up to two tiles, 15360 elements of 4 bytes or 7680 of
//            8, else two. Arrays that do not start at multiples of 16 take a load and a store an element.
// Limits     Fewer than 2^31 tiles. Shared memory for two to seven tiles, 61 to 212 KiB: every device from 7.5 on.
// Edges      result may be data. The order of the operations depends on the count alone: sums of floats have the same bits
//            each time, on every device.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.

#include "kernels.h"
#include "prim/async.cuh"
#include "prim/chain.cuh"
#include "prim/flow.cuh"
#include "prim/grid.cuh"
#include "prim/operator.cuh"
#include "prim/packet.cuh"
#include "prim/scan.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int ROWS = 2;                                            // packets of a thread
constexpr size_t STAGE_BYTES = size_t(SCAN_THREADS) * ROWS * PACKET_BYTES + SCANNERS * sizeof(uint64_t);

template <typename T>
constexpr unsigned TILE = SCAN_THREADS * ROWS * PACKET_LENGTH<T>;

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first element of this thread's packet r of a tile: neighbouring lanes have neighbouring packets.
template <typename T>
__device__ __forceinline__ unsigned element_of(int r) {
    return ((threadIdx.x / WARP * ROWS + r) * WARP + threadIdx.x % WARP) * PACKET_LENGTH<T>;
}

// stage ← this thread's packets of the tile at `data`. WHOLE: it starts at a multiple of 16 bytes and has all of its elements.
template <bool WHOLE, typename T>
__device__ __forceinline__ void start_loading(const T *data, size_t count, T *stage) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const unsigned first = element_of<T>(r);
        if constexpr (WHOLE) {
            async_copy<PACKET_BYTES>(stage + first, data + first);
        } else {
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) {
                if (first + p < count) async_copy<sizeof(T)>(stage + first + p, data + first + p);
            }
        }
    }
}

// stage ← the scan of this warp's part of a tile, which starts from the identity; the result of that part.
template <bool WHOLE, typename Op, typename T = typename Op::Value>
__device__ __forceinline__ T scan_part(const Op &op, bool inclusive, size_t count, T *stage) {
    constexpr int LENGTH = PACKET_LENGTH<T>;
    Packet<T> packets[ROWS];
    T scanned[ROWS], row = Op::identity();
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const unsigned first = element_of<T>(r);
        packets[r] = *reinterpret_cast<const Packet<T> *>(stage + first);
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            T &value = packets[r].values[p];
            value = WHOLE || first + p < count ? op.load(value) : Op::identity();
        }
        T value = packets[r].values[0];
#pragma unroll
        for (int p = 1; p < LENGTH; ++p) value = op.apply(value, packets[r].values[p]);
        scanned[r] = warp_scan(op, value);
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        T value = op.apply(row, warp_before(op, scanned[r]));
        row = op.apply(row, T(__shfl_sync(ALL_LANES, scanned[r], WARP - 1)));
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            const T next = op.apply(value, packets[r].values[p]);
            packets[r].values[p] = inclusive ? next : value;
            value = next;
        }
        *reinterpret_cast<Packet<T> *>(stage + element_of<T>(r)) = packets[r];
    }
    return row;
}

// result ← this thread's packets of a scanned stage, behind what stands before its warp.
template <bool WHOLE, typename Op, typename T = typename Op::Value>
__device__ __forceinline__ void store_part(const Op &op, T before, const T *stage, size_t count, T *result) {
    Packet<T> packets[ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) packets[r] = *reinterpret_cast<const Packet<T> *>(stage + element_of<T>(r));
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const unsigned first = element_of<T>(r);
#pragma unroll
        for (int p = 0; p < PACKET_LENGTH<T>; ++p) packets[r].values[p] = op.store(op.apply(before, packets[r].values[p]));
        if constexpr (WHOLE) {
            *reinterpret_cast<Packet<T> *>(result + first) = packets[r];
        } else {
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) {
                if (first + p < count) result[first + p] = packets[r].values[p];
            }
        }
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Op>
__global__ void __launch_bounds__(FLOW_THREADS, 1)
    scan_tiles(const typename Op::Value *data, size_t count, unsigned tiles, unsigned share, int stages, Op op, bool inclusive,
               bool aligned, void *state, typename Op::Value *result, typename Op::Value *total) {
    using T = typename Op::Value;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ Flow<T> flow;
    T *const ring = reinterpret_cast<T *>(memory);                 // (stages, TILE)
    T *const results = ring + stages * TILE<T>;                    // (stages, SCANNERS)
    const unsigned warp = threadIdx.x / WARP;

    if (warp == SCANNERS + 1) return flow_look<T>(op, state, tiles, share, stages, flow);
    if (warp == SCANNERS) {
        return flow_pass<T>(op, state, tiles, stages, results, flow, [&](T all) {
            if (total != nullptr) *total = op.store(all);
        });
    }

    const unsigned whole = aligned ? static_cast<unsigned>(count / TILE<T>) : 0;   // tiles that are copied by packets
    const auto load = [&](unsigned tile, int stage) {
        const size_t at = size_t(tile) * TILE<T>;
        T *const to = ring + stage * TILE<T>;
        if (tile < whole) {
            start_loading<true>(data + at, count - at, to);
        } else if (tile < tiles) {
            start_loading<false>(data + at, count - at, to);
        }
        async_commit();
    };
    const auto scan = [&](unsigned tile, int stage) {
        const size_t left = count - size_t(tile) * TILE<T>;
        T *const at = ring + stage * TILE<T>;
        const T found = tile < whole ? scan_part<true>(op, inclusive, left, at) : scan_part<false>(op, inclusive, left, at);
        if (threadIdx.x % WARP == 0) results[stage * SCANNERS + warp] = found;
    };
    const auto finish = [&](unsigned tile, int stage, T before) {
        const size_t at = size_t(tile) * TILE<T>;
        const T *const from = ring + stage * TILE<T>;
        if (tile < whole) {
            store_part<true>(op, before, from, count - at, result + at);
        } else {
            store_part<false>(op, before, from, count - at, result + at);
        }
    };
    flow_scan(tiles, stages, flow, load, scan, finish);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

size_t tiles_of(size_t count, size_t bytes) {
    return count == 0 ? 1 : ceil_div(count, bytes == 4 ? TILE<uint32_t> : TILE<uint64_t>);
}

template <typename Op>
cudaError_t launch_scan(const Op &op, const void *data, size_t count, bool inclusive, void *scratch, void *result, void *total,
                        gpumexk_stream stream) {
    using T = typename Op::Value;
    const auto kernel = scan_tiles<Op>;
    const bool aligned = is_aligned(data, PACKET_BYTES) && is_aligned(result, PACKET_BYTES);
    const size_t tiles = tiles_of(count, sizeof(T));
    FlowPlan plan;
    const cudaError_t error = plan_flow(kernel, tiles, STAGE_BYTES, sizeof(Flow<T>), sizeof(T), scratch, stream, &plan);
    if (error != cudaSuccess) return error;
    return launch_chained_shared(plan.chains, kernel, plan.blocks, FLOW_THREADS, plan.bytes, stream, static_cast<const T *>(data),
                                 count, unsigned(tiles), plan.share, plan.stages, op, inclusive, aligned, plan.state,
                                 static_cast<T *>(result), static_cast<T *>(total));
}

}  // namespace

int gpumexk_scan_scratch(size_t count, int dtype, size_t *bytes) {
    const size_t width = operand_bytes(dtype);
    if (width == 0) return cudaErrorInvalidValue;
    *bytes = flow_scratch(tiles_of(count, width), width);
    return cudaSuccess;
}

int gpumexk_scan(const void *data, size_t count, int dtype, int op, int inclusive, void *scratch, void *result, void *total,
                 gpumexk_stream stream) {
    return with_operator(dtype, op, [&](const auto &of) {
        return launch_scan(of, data, count, inclusive != 0, scratch, result, total, stream);
    });
}
