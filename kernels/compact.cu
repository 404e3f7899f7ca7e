// compact.cu — the elements of an array whose flags are set, in their order, and where they stood.
//
//   kept = (data[i] : flags[i] ≠ 0)    positions = (i : flags[i] ≠ 0)    needed = their number
//   data (count) of 4 or 8 bytes an element, flags (count) bytes, kept and positions (capacity), positions of 4 or 8 bytes
//
// Algorithm  One pass. Tiles of flags and elements flow through the blocks as prim/flow.cuh says: a warp counts its flags, ranks
//            them and moves its elements together in shared memory; behind the count of all flags before it, it stores them side by
//            side. Lanes have four neighbouring elements.
// Cost       Reads flags and data and writes what is kept once: bound by memory. One launch up to two tiles, 15360 elements of 4
//            bytes or 7680 of 8, else two.
// Limits     Fewer than 2^31 tiles.
// Edges      What is beyond the capacity is counted and not stored. kept and positions may be NULL, data only with kept.
// Source     M. Billeter, O. Olsson, U. Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core Architectures", HPG 2009;
//            D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.

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

constexpr int UNIT = 4;                                            // neighbouring elements of a lane
constexpr size_t RESULT_BYTES = (SCANNERS * sizeof(uint32_t) + 15) / 16 * 16;   // of a tile, of all warps

template <typename T>
constexpr int UNITS = 8 / sizeof(T);                               // of a lane
template <typename T>
constexpr unsigned PART = WARP * UNIT * UNITS<T>;                  // elements of a warp
template <typename T>
constexpr unsigned TILE = SCANNERS * PART<T>;

// Bytes of a stage: flags, which become the places of what is kept in each warp's part; elements, where they are staged.
template <typename T>
__host__ __device__ constexpr size_t stage_bytes(bool staged) { return TILE<T> + (staged ? TILE<T> * sizeof(T) : 0); }

// What is asked for.
struct Compaction {
    const void *data;
    const uint8_t *flags;
    size_t count;
    void *kept, *positions;
    int position_bytes;
    size_t capacity;
    uint64_t *needed;
    bool aligned;                                                  // data to 16 bytes, flags to 4
    bool staged;                                                   // elements pass through shared memory
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first element of this lane's unit u of a tile.
template <typename T>
__device__ __forceinline__ unsigned unit_of(int u) {
    return threadIdx.x / WARP * PART<T> + (u * WARP + threadIdx.x % WARP) * UNIT;
}

// stage ← this lane's units of a tile; flags past the end are 0.
template <typename T>
__device__ __forceinline__ void load_units(const Compaction &job, size_t at, unsigned char *stage) {
    const T *const data = static_cast<const T *>(job.data) + at;
    const size_t left = job.count - at;
    uint8_t *const flags = stage;
    T *const elements = reinterpret_cast<T *>(stage + TILE<T>);
#pragma unroll
    for (int u = 0; u < UNITS<T>; ++u) {
        const unsigned first = unit_of<T>(u);
        if (job.aligned && first + UNIT <= left) {
            async_copy<UNIT>(flags + first, job.flags + at + first);
            if (!job.staged) continue;
#pragma unroll
            for (int p = 0; p < UNIT; p += PACKET_LENGTH<T>) async_copy<PACKET_BYTES>(elements + first + p, data + first + p);
        } else {
#pragma unroll
            for (int p = 0; p < UNIT; ++p) {
                const bool is_element = first + p < left;
                flags[first + p] = is_element ? job.flags[at + first + p] : 0;
                if (is_element && job.staged) async_copy<sizeof(T)>(elements + first + p, data + first + p);
            }
        }
    }
}

// Moves what this warp keeps of a stage to the front of its part; returns how much that is.
template <typename T>
__device__ __forceinline__ unsigned rank_units(const Compaction &job, unsigned char *stage) {
    const Sum<unsigned> sum;
    uint8_t *const places = stage;
    T *const elements = reinterpret_cast<T *>(stage + TILE<T>);
    uint32_t flags[UNITS<T>];
    T values[UNITS<T>][UNIT] = {};
    unsigned counts = 0;                                           // of unit u in 16 bits from 16·u on
#pragma unroll
    for (int u = 0; u < UNITS<T>; ++u) {
        const unsigned first = unit_of<T>(u);
        flags[u] = *reinterpret_cast<const uint32_t *>(stage + first);
#pragma unroll
        for (int p = 0; p < UNIT; ++p) {
            counts += unsigned((flags[u] >> 8 * p & 0xFF) != 0) << 16 * u;
            if (job.staged) values[u][p] = elements[first + p];
        }
    }
    const unsigned scanned = warp_scan(sum, counts), before = warp_before(sum, scanned);
    const unsigned all = __shfl_sync(ALL_LANES, scanned, WARP - 1);
    __syncwarp();                                                  // every lane has its flags and elements

    const unsigned begin = threadIdx.x / WARP * PART<T>;
    unsigned base = begin;
#pragma unroll
    for (int u = 0; u < UNITS<T>; ++u) {
        unsigned rank = base + (before >> 16 * u & 0xFFFF);
#pragma unroll
        for (int p = 0; p < UNIT; ++p) {
            if ((flags[u] >> 8 * p & 0xFF) == 0) continue;
            if (job.staged) elements[rank] = values[u][p];
            places[rank] = static_cast<uint8_t>(unit_of<T>(u) + p - begin);
            ++rank;
        }
        base += all >> 16 * u & 0xFFFF;
    }
    return (all & 0xFFFF) + (all >> 16);
}

// Stores the first `kept` of this warp's part of a stage from `before` on; the tile starts at element `at`.
template <typename T>
__device__ __forceinline__ void store_units(const Compaction &job, size_t at, uint64_t before, unsigned kept,
                                            const unsigned char *stage) {
    const unsigned lane = threadIdx.x % WARP, begin = threadIdx.x / WARP * PART<T>;
    const uint8_t *const places = stage + begin;
    const T *const elements = reinterpret_cast<const T *>(stage + TILE<T>) + begin;
    at += begin;
    const uint64_t room = before < job.capacity ? job.capacity - before : 0;
    const unsigned stored = room < kept ? static_cast<unsigned>(room) : kept;
    if (job.kept != nullptr) {
        T *const to = static_cast<T *>(job.kept) + before;
        const T *const from = static_cast<const T *>(job.data) + at;
        for (unsigned i = lane; i < stored; i += WARP) to[i] = job.staged ? elements[i] : from[places[i]];
    }
    if (job.positions != nullptr && job.position_bytes == 4) {
        uint32_t *const to = static_cast<uint32_t *>(job.positions) + before;
        for (unsigned i = lane; i < stored; i += WARP) to[i] = static_cast<uint32_t>(at + places[i]);
    } else if (job.positions != nullptr) {
        uint64_t *const to = static_cast<uint64_t *>(job.positions) + before;
        for (unsigned i = lane; i < stored; i += WARP) to[i] = at + places[i];
    }
    __syncwarp();                                                  // the stage is free
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// state: NULL for a single block.
template <typename T>
__global__ void __launch_bounds__(FLOW_THREADS, 1)
    compact_tiles(Compaction job, unsigned tiles, unsigned share, int stages, void *state) {
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ Flow<uint64_t> flow;
    const size_t bytes = stage_bytes<T>(job.staged);
    uint32_t *const results = reinterpret_cast<uint32_t *>(memory + stages * bytes);   // (stages, SCANNERS)
    const unsigned warp = threadIdx.x / WARP;
    const Sum<uint64_t> sum;

    if (warp == SCANNERS + 1) return flow_look<uint32_t>(sum, state, tiles, share, stages, flow);
    if (warp == SCANNERS) {
        return flow_pass<uint32_t>(sum, state, tiles, stages, results, flow, [&](uint64_t all) { *job.needed = all; });
    }
    const auto load = [&](unsigned tile, int stage) {
        if (tile < tiles) load_units<T>(job, size_t(tile) * TILE<T>, memory + stage * bytes);
        async_commit();
    };
    const auto scan = [&](unsigned, int stage) {
        const unsigned kept = rank_units<T>(job, memory + stage * bytes);
        if (threadIdx.x % WARP == 0) results[stage * SCANNERS + warp] = kept;
    };
    const auto finish = [&](unsigned tile, int stage, uint64_t before) {
        const unsigned kept = results[stage * SCANNERS + warp];
        store_units<T>(job, size_t(tile) * TILE<T>, before, kept, memory + stage * bytes);
    };
    flow_scan(tiles, stages, flow, load, scan, finish);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

size_t tiles_of(size_t count, size_t width) {
    return count == 0 ? 1 : ceil_div(count, width == 4 ? TILE<uint32_t> : TILE<uint64_t>);
}

template <typename T>
cudaError_t launch_compact(Compaction job, void *scratch, gpumexk_stream stream) {
    const auto kernel = compact_tiles<T>;
    const size_t tiles = tiles_of(job.count, sizeof(T));
    FlowPlan plan;
    const auto try_plan = [&] {
        const size_t bytes = stage_bytes<T>(job.staged) + RESULT_BYTES;
        return plan_flow(kernel, tiles, bytes, sizeof(Flow<uint64_t>), sizeof(uint32_t), scratch, stream, &plan);
    };
    cudaError_t error = try_plan();
    if (error == cudaErrorInvalidConfiguration && job.staged) {    // 64 KiB of shared memory: elements are read when stored
        job.staged = false;
        error = try_plan();
    }
    if (error != cudaSuccess) return error;
    return launch_chained_shared(plan.chains, kernel, plan.blocks, FLOW_THREADS, plan.bytes, stream, job, unsigned(tiles),
                                 plan.share, plan.stages, plan.state);
}

}  // namespace

int gpumexk_compact_scratch(size_t count, size_t width, size_t *bytes) {
    *bytes = flow_scratch(tiles_of(count, width), sizeof(uint32_t));
    return cudaSuccess;
}

int gpumexk_compact(const void *data, size_t width, const uint8_t *flags, size_t count, void *scratch, void *kept,
                    void *positions, size_t position_width, size_t capacity, uint64_t *needed, gpumexk_stream stream) {
    const bool aligned = is_aligned(data, PACKET_BYTES) && is_aligned(flags, UNIT), staged = kept != nullptr;
    const int position_bytes = static_cast<int>(position_width);
    const Compaction job{data, flags, count, kept, positions, position_bytes, capacity, needed, aligned, staged};
    switch (width) {
        case 4: return launch_compact<uint32_t>(job, scratch, stream);
        case 8: return launch_compact<uint64_t>(job, scratch, stream);
        default: return cudaErrorInvalidValue;
    }
}
