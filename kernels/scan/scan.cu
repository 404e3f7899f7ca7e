// scan.cu — inclusive and exclusive scans with any operator.
//
//   result[i] = data[0] ∘ … ∘ data[i - 1]  (exclusive; the first is the identity)   or   … ∘ data[i]  (inclusive)
//   total     = data[0] ∘ … ∘ data[count - 1]                    data, result (count), total (1), 4 or 8 bytes an element
//
// Algorithm  Short arrays by one cluster (scan/scan_cluster.cuh), those that the registers of all multiprocessors hold by a block for each
//            (scan/scan_resident.cuh). Others in one pass by persistent blocks, one a multiprocessor: the pipeline of
//            scan/scan_pipeline.cuh, with tile prefixes by scan/lookback.cuh. A warp copies, scans and stores the same part of a tile. It
//            copies and stores packets of 16 bytes with coalesced accesses; in between each lane scans five consecutive packets in
//            place, so that a scan over the lanes serves twenty elements of 4 bytes. A small kernel clears the state; the scan is its
//            dependent launch.
// Cost       Reads and writes the array once: bound by memory. One launch for a cluster, or for two tiles of the pipeline, else two. Arrays that are not aligned to 16 take a load
//            and a store an element.
// Limits     Fewer than 2^31 tiles. Shared memory for four to six tiles.
// Edges      result may be data. The order of the operations depends on the count and on the device's clusters, multiprocessors and
//            shared memory: sums of floats have the same bits each time.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.

#include "kernels.h"
#include "scan/scan_cluster.cuh"
#include "scan/scan_pipeline.cuh"
#include "scan/scan_resident.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/thread/operator.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int ROWS = 5;                                            // packets of a thread: odd, so without bank conflicts

template <typename T>
constexpr unsigned PART = WARP * ROWS * PACKET_LENGTH<T>;          // elements of a scanner in a tile
template <typename T>
constexpr size_t PART_BYTES = PART<T> * sizeof(T) + sizeof(T);     // and its result

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

// stage ← the scan of this warp's part of a tile, from the identity; returns the aggregate of the part. The warp's lanes
// copied it, and here each has ROWS neighbouring packets.
template <bool WHOLE, typename Op, typename T = typename Op::Value>
__device__ __forceinline__ T scan_part(const Op &op, bool inclusive, size_t count, T *stage) {
    constexpr int LENGTH = PACKET_LENGTH<T>, OWN = ROWS * LENGTH;
    const unsigned first = threadIdx.x * OWN;
    Packet<T> *const own = reinterpret_cast<Packet<T> *>(stage + first);
    Packet<T> packets[ROWS];
    T sums[ROWS];
    __syncwarp();                                                  // all lanes' copies have arrived
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        packets[r] = own[r];
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            T &value = packets[r].values[p];
            value = WHOLE || first + r * LENGTH + p < count ? op.load(value) : Op::identity();
            sums[r] = p == 0 ? value : op.apply(sums[r], value);
        }
    }
#pragma unroll
    for (int r = 1; r < ROWS; ++r) sums[0] = op.apply(sums[0], sums[r]);
    const T scanned = warp_scan(op, sums[0]);
    T value = warp_exclusive(op, scanned);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
#pragma unroll
        for (int p = 0; p < LENGTH; ++p) {
            const T next = op.apply(value, packets[r].values[p]);
            packets[r].values[p] = inclusive ? next : value;
            value = next;
        }
        own[r] = packets[r];
    }
    return __shfl_sync(ALL_LANES, scanned, WARP - 1);
}

// result ← this thread's packets of a scanned stage, combined with its warp's exclusive prefix.
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
    __syncwarp();                                                  // the stage is free
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Op>
__global__ void __launch_bounds__(PIPELINE_THREADS_MAX, 1)
    scan_tiles(const typename Op::Value *data, size_t count, PipelineShape shape, Op op, bool inclusive, bool aligned, void *state,
               typename Op::Value *result, typename Op::Value *total) {
    using T = typename Op::Value;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ ScanPipeline<T> pipeline;
    const unsigned tiles = shape.tiles, length = shape.scanners * PART<T>;
    T *const ring = reinterpret_cast<T *>(memory);                 // (stages, length)
    T *const results = ring + shape.stages * length;               // (stages, scanners)
    const int warp = threadIdx.x / WARP;

    if (warp == shape.scanners + 1) return pipeline_look_back(op, state, shape, pipeline);
    if (warp == shape.scanners) {
        return pipeline_carry(op, state, shape, results, pipeline, [&](T all) {
            if (total != nullptr) *total = op.store(all);
        });
    }

    const unsigned whole = aligned ? static_cast<unsigned>(count / length) : 0; // tiles that are copied by packets
    const auto load = [&](unsigned tile, int stage) {
        const size_t at = size_t(tile) * length;
        T *const to = ring + stage * length;
        if (tile < whole) {
            start_loading<true>(data + at, count - at, to);
        } else if (tile < tiles) {
            start_loading<false>(data + at, count - at, to);
        }
        async_commit();
    };
    const auto scan = [&](unsigned tile, int stage) {
        const size_t left = count - size_t(tile) * length;
        T *const at = ring + stage * length;
        const T found = tile < whole ? scan_part<true>(op, inclusive, left, at) : scan_part<false>(op, inclusive, left, at);
        if (threadIdx.x % WARP == 0) results[stage * shape.scanners + warp] = found;
    };
    const auto finish = [&](unsigned tile, int stage, T before) {
        const size_t at = size_t(tile) * length;
        const T *const from = ring + stage * length;
        if (tile < whole) {
            store_part<true>(op, before, from, count - at, result + at);
        } else {
            store_part<false>(op, before, from, count - at, result + at);
        }
    };
    pipeline_scan(shape, pipeline, load, scan, finish);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// The tiles of an array, their scanners, and the shared memory of a block. threads 0: as many scanners as there is memory for.
template <typename T>
cudaError_t tiles_of(size_t count, const gpumexk_tuning &tuning, size_t *tiles, int *scanners, size_t *bytes) {
    if (!is_one_of<0, 256, 512>(tuning.threads) || tuning.values != 1) return cudaErrorInvalidValue;
    const cudaError_t error = pipeline_scanners(PART_BYTES<T>, sizeof(ScanPipeline<T>), scanners, bytes);
    if (tuning.threads != 0) *scanners = static_cast<int>(at_most(*scanners, tuning.threads / WARP - 2));
    if (error == cudaSuccess) *tiles = count == 0 ? 1 : ceil_div(count, *scanners * PART<T>);
    return error;
}

// What scans an array, and how it is shared out where that is not by tiles.
struct Way {
    enum { CLUSTER, RESIDENT, TILES } by;
    ScanRowsShape shape;
};

template <typename T>
cudaError_t way_of(size_t count, const gpumexk_tuning &tuning, Way *way) {
    *way = {Way::TILES, {}};
    if (tuning.threads != 0) return cudaSuccess;
    ScanRowsShape cluster, resident;
    cudaError_t error = scan_cluster_shape<T>(count, &cluster);
    if (error == cudaSuccess) error = scan_resident_shape<T>(count, &resident);
    if (error != cudaSuccess) return error;
    if (cluster.blocks != 0) {
        *way = {Way::CLUSTER, cluster};
    } else if (resident.blocks != 0) {
        *way = {Way::RESIDENT, resident};
    }
    return cudaSuccess;
}

// *bytes ← those of the state of an array's blocks or tiles; none for a cluster.
template <typename T>
cudaError_t scratch_of(size_t count, const gpumexk_tuning &tuning, size_t *bytes) {
    size_t tiles = 0, shared = 0;
    int scanners = 0;
    Way way;
    cudaError_t error = way_of<T>(count, tuning, &way);
    if (error == cudaSuccess) error = tiles_of<T>(count, tuning, &tiles, &scanners, &shared);
    if (error != cudaSuccess) return error;
    switch (way.by) {
        case Way::CLUSTER: *bytes = 0; break;
        case Way::RESIDENT: *bytes = scan_resident_scratch<T>(way.shape); break;
        case Way::TILES: *bytes = pipeline_scratch(tiles, sizeof(T)); break;
    }
    return cudaSuccess;
}

template <typename Op>
cudaError_t launch_scan(const Op &op, const void *data, size_t count, bool inclusive, void *scratch, void *result, void *total,
                        const gpumexk_tuning &tuning, gpumexk_stream stream) {
    using T = typename Op::Value;
    const auto kernel = scan_tiles<Op>;
    const bool aligned = is_aligned(data, PACKET_BYTES) && is_aligned(result, PACKET_BYTES);
    const T *const from = static_cast<const T *>(data);
    T *const to = static_cast<T *>(result), *const all = static_cast<T *>(total);
    Way way;
    cudaError_t error = way_of<T>(count, tuning, &way);
    if (error != cudaSuccess) return error;
    if (way.by == Way::CLUSTER) return launch_scan_cluster(way.shape, op, from, count, inclusive, aligned, to, all, stream);
    if (way.by == Way::RESIDENT) return launch_scan_resident(way.shape, op, from, count, inclusive, aligned, scratch, to, all, stream);

    size_t tiles = 0, bytes = 0;
    int scanners = 0;
    PipelinePlan plan;
    error = tiles_of<T>(count, tuning, &tiles, &scanners, &bytes);
    if (error == cudaSuccess) error = set_smem_carveout<scan_tiles<Op>>(tuning.cache);
    if (error == cudaSuccess) error = plan_pipeline(kernel, tiles, scanners, PART_BYTES<T>, bytes, sizeof(T), scratch, stream, &plan);
    if (error != cudaSuccess) return error;
    return launch_pdl_shared(plan.pdl, kernel, plan.blocks, plan.shape.threads(), plan.bytes, stream, from, count, plan.shape, op, inclusive,
                             aligned, plan.state, to, all);
}

}  // namespace

int gpumexk_scan_scratch(size_t count, int dtype, const gpumexk_tuning *tuning, size_t *bytes) {
    switch (operand_bytes(dtype)) {
        case 4: return scratch_of<uint32_t>(count, *tuning, bytes);
        case 8: return scratch_of<uint64_t>(count, *tuning, bytes);
        default: return cudaErrorInvalidValue;
    }
}

int gpumexk_scan(const gpumexk_scan_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return dispatch_operator(args->dtype, args->op, [&](const auto &of) {
        return launch_scan(of, args->data, args->count, args->inclusive != 0, scratch, args->result, args->total, *tuning, stream);
    });
}
