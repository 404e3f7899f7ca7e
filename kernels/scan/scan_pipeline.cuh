// scan_pipeline.cuh — warp-specialised pipeline of a single-pass scan: tiles pass through a ring of stages in shared memory.
//
//   scanner warps           a step: scan a tile warp by warp; add the prefix to the tile `lead` steps before, and store it
//   the last warp but one   a step: publish the aggregate of the scanned tile; compute each scanner's prefix
//   the last warp           take tiles by a ticket, and compute their exclusive prefixes, ahead of the other warps
//
// Algorithm  A block has `stages` tiles at once. The scanners start to load a tile when the one in its stage is stored; the
//            numbers of the first tiles reach them by sync_tiles(). One barrier a step, sync(), carries aggregates and prefixes;
//            the last warp does not take part in it: a counter says how many prefixes are ready. `lead` steps are between a
//            tile's aggregate and the use of those before it, so that as a rule nobody waits: two tiles are in flight, all
//            others wait for their prefix.
// Sharing    racecheck reports tiles and prefixes, which the last warp hands over by a counter instead of a barrier. It writes
//            prefixes[i] and tiles[i + stages], a fence, and prefixes_ready = i + 1; the warp before it waits for that number, a
//            fence, and only then enters the barrier behind which the others read them. Nor is an entry of a ring overwritten
//            early: prefixes[i] needs the aggregate of the block's tile i - 1, which is published behind the barrier of step i - 1;
//            the oldest entry read from then on is i - 1 - lead, and i + stages is less than PIPELINE_RING ahead of it.
// Cost       One barrier a step.
// Limits     At least two stages, PIPELINE_RING / 2 at most; scanners as pipeline_scanners() says.
// Edges      state NULL: the block has all tiles, and needs no aggregates of others.
// Source     scan/lookback.cuh.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "scan/lookback.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// One H200, 2^28 elements of 4 and of 8 bytes, times CUB: 15 scanners and six tiles of 37 KiB 1.31 and 1.14; 14 and six of 35 KiB
// 1.30 and 1.08, 12 and seven of 30 KiB 1.18 and 1.03, 16 and five of 40 KiB, one step less between, 1.17 and 0.94. One tile in
// flight is too little; with three a result of 8 bytes waits so long behind other bytes that everyone waits for it.
constexpr int SCANNERS_MAX = 15;
constexpr int PIPELINE_THREADS_MAX = (SCANNERS_MAX + 2) * WARP;
constexpr int PIPELINE_STAGES_MIN = 4, PIPELINE_STAGES_MAX = 6;    // tiles at once
constexpr int PIPELINE_IN_FLIGHT = 2;                              // those of them that are in flight
constexpr int PIPELINE_RING = 16;                                  // tile numbers in the ring
constexpr unsigned PIPELINE_SINGLE_BLOCK = 2;                      // tiles that one block scans faster than many

// Shared state of the warps, beside the aggregates of each scanner of each tile in the ring.
template <typename Value>
struct ScanPipeline {
    Value before[2][SCANNERS_MAX];                                 // each scanner's exclusive prefix, double-buffered
    Value prefixes[PIPELINE_RING];                                 // the tiles' exclusive prefixes
    unsigned tiles[PIPELINE_RING];                                 // the tiles' numbers, in the order of this block
    unsigned prefixes_ready;                                       // number of prefixes that are ready
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The shape of a launch: scanner warps, tiles that a block has at once, all tiles, tiles that a block takes at most.
struct PipelineShape {
    int scanners, stages;
    unsigned tiles, share;

    __host__ __device__ int threads() const { return (scanners + 2) * WARP; }
    __device__ __forceinline__ int lead() const { return max(stages - PIPELINE_IN_FLIGHT, 1); }
    // A barrier of all warps but the last but one.
    __device__ __forceinline__ void sync_tiles() const { sync_warps<2>(); }
    // A barrier of all warps but the last.
    __device__ __forceinline__ void sync() const { sync_warps<1>(); }

private:
    // barrier.sync: its warps come from different branches. bar.sync is the same instruction for all (PTX ISA, "bar, barrier").
    template <int BARRIER>
    __device__ __forceinline__ void sync_warps() const {
        asm volatile("barrier.sync %0, %1;" ::"n"(BARRIER), "r"((scanners + 1) * WARP) : "memory");
    }
};

// The numbers of a block's tiles, for one lane: by ticket, at most `share`; `none` when there are no more.
struct Tickets {
    unsigned *ticket;                                              // NULL: this block has all tiles
    unsigned none, share, taken;

    __device__ __forceinline__ unsigned next() {
        if (taken >= share) return none;
        const unsigned tile = ticket == nullptr ? taken : atomicAdd(ticket, 1u);
        ++taken;
        return min(tile, none);
    }
};

// Work of the last warp.
template <typename Op, typename Value = typename Op::Value>
__device__ __forceinline__ void pipeline_look_back(const Op &op, void *state, const PipelineShape &shape,
                                                   ScanPipeline<Value> &pipeline) {
    const unsigned tiles = shape.tiles, stages = shape.stages, lane = threadIdx.x % WARP;
    const Lookback<Op> lookback(state);
    Prefixes<Op> prefixes(lookback);
    Tickets tickets{state == nullptr ? nullptr : lookback.ticket, tiles, shape.share, 0};
    if (lane < PIPELINE_RING) pipeline.tiles[lane] = tiles;
    if (lane == 0) pipeline.prefixes_ready = 0;
    __syncwarp();
    pdl_wait();
    for (unsigned i = 0; i < stages; ++i) {
        if (lane == 0) pipeline.tiles[i] = tickets.next();
        shape.sync_tiles();                                        // the next tile is known
    }
    if (state == nullptr) return;
    for (unsigned i = 0; pipeline.tiles[i % PIPELINE_RING] < tiles; ++i) {
        unsigned ahead = tiles;
        if (lane == 0) ahead = tickets.next();                     // in flight during the look-back
        const Value before = prefixes.before(op, pipeline.tiles[i % PIPELINE_RING]);
        if (lane == 0) {
            pipeline.prefixes[i % PIPELINE_RING] = before;
            pipeline.tiles[(i + stages) % PIPELINE_RING] = ahead;
            __threadfence_block();
            *const_cast<volatile unsigned *>(&pipeline.prefixes_ready) = i + 1;
        }
        __syncwarp();
    }
}

// Work of the last warp but one. results (stages, scanners): aggregates; finish(all) is called once in the grid, by one lane, with
// the total.
template <typename Op, typename Finish, typename Value = typename Op::Value>
__device__ __forceinline__ void pipeline_carry(const Op &op, void *state, const PipelineShape &shape, const Value *results,
                                          ScanPipeline<Value> &pipeline, Finish finish) {
    const unsigned tiles = shape.tiles, lane = threadIdx.x % WARP;
    const int scanners = shape.scanners, stages = shape.stages, lead = shape.lead();
    const Lookback<Op> lookback(state);
    const auto result_of = [&](int step) {
        return int(lane) < scanners ? results[step % stages * scanners + lane] : Value(Op::identity());
    };
    Value running = Op::identity();                                // prefix of a single block
    for (int step = 0;; ++step) {
        const int back = step - lead;
        unsigned old = 0;
        if (back >= 0 && (old = pipeline.tiles[back % PIPELINE_RING]) < tiles) {
            if (state != nullptr) {
                while (*const_cast<volatile unsigned *>(&pipeline.prefixes_ready) <= unsigned(back)) {}
                __threadfence_block();
                running = pipeline.prefixes[back % PIPELINE_RING];
            }
            const Value scanned = warp_scan(op, result_of(back));
            const Value start = op.apply(running, warp_exclusive(op, scanned));
            if (int(lane) < scanners) pipeline.before[step % 2][lane] = start;
            running = op.apply(running, Value(__shfl_sync(ALL_LANES, scanned, WARP - 1)));
            if (lane == 0 && old + 1 == tiles) finish(running);
        }
        shape.sync();                                              // results, before and tiles are ready
        if (old >= tiles) return;
        const unsigned tile = pipeline.tiles[step % PIPELINE_RING];
        if (state != nullptr && tile < tiles) {
            const Value found = warp_reduce(op, result_of(step));
            if (lane == 0) lookback.publish(tile, found);
        }
    }
}

// Work of the scanners: load(tile, stage) starts to copy a tile, or none where tile >= tiles, and commits; scan(tile, stage)
// when it has arrived; finish(tile, stage, before) with this warp's exclusive prefix.
template <typename Value, typename Load, typename Scan, typename Finish>
__device__ __forceinline__ void pipeline_scan(const PipelineShape &shape, ScanPipeline<Value> &pipeline, Load load, Scan scan,
                                              Finish finish) {
    const unsigned tiles = shape.tiles, warp = threadIdx.x / WARP;
    const int stages = shape.stages, lead = shape.lead();
    for (int i = 0; i < stages; ++i) {
        shape.sync_tiles();                                        // the next tile is known
        load(pipeline.tiles[i], i);
    }
    for (int step = 0;; ++step) {
        const int back = step - lead;
        const unsigned tile = pipeline.tiles[step % PIPELINE_RING];
        if (tile < tiles) {
            async_wait(stages - 1 - min(step, lead));
            scan(tile, step % stages);
        }
        shape.sync();                                              // results, before and tiles are ready
        if (back < 0) continue;
        const unsigned old = pipeline.tiles[back % PIPELINE_RING];
        if (old >= tiles) return;
        finish(old, back % stages, pipeline.before[step % 2][warp]);
        load(pipeline.tiles[(back + stages) % PIPELINE_RING], back % stages);
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// The launch of a grid for the tiles of an array.
struct PipelinePlan {
    PipelineShape shape;
    unsigned blocks;
    bool pdl;
    void *state;
    size_t bytes;                                                  // of dynamic shared memory
};

// *scanners ← how many warps scan, of which each has so many bytes of a stage; *bytes ← the shared memory of a block. A device
// with little of it has fewer scanners, for PIPELINE_STAGES_MIN stages.
inline cudaError_t pipeline_scanners(size_t part_bytes, size_t static_bytes, int *scanners, size_t *bytes) {
    int device = 0, limit = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error != cudaSuccess) return error;
    *bytes = size_t(limit) - static_bytes;
    *scanners = static_cast<int>(at_most(*bytes / PIPELINE_STAGES_MIN / part_bytes, SCANNERS_MAX));
    return *scanners > 0 ? cudaSuccess : cudaErrorInvalidConfiguration;
}

// Plans for tiles of so many bytes a scanner, and clears the state where there are more than PIPELINE_SINGLE_BLOCK.
template <typename... Parameters>
cudaError_t plan_pipeline(void (*kernel)(Parameters...), size_t tiles, int scanners, size_t part_bytes, size_t bytes,
                      size_t result_bytes, void *state, cudaStream_t stream, PipelinePlan *plan) {
    if (tiles > 0x7FFFFFFFu) return cudaErrorInvalidValue;
    const bool alone = tiles <= PIPELINE_SINGLE_BLOCK;
    size_t blocks = 1;
    bool pdl = false;
    cudaError_t error = cudaSuccess;
    if (!alone) {
        error = multiprocessors(&blocks);
        if (error == cudaSuccess) error = supports_pdl(kernel, &pdl);
        if (error == cudaSuccess) error = launch_lookback_clear(state, lookback_bytes(tiles, result_bytes), stream);
        blocks = at_most(tiles, blocks);                           // one a multiprocessor
    }
    if (error != cudaSuccess) return error;

    // An eighth more than its share, for load balance between fast and slow blocks.
    const size_t stage_bytes = scanners * part_bytes, share = ceil_div(tiles, blocks);
    const size_t most = at_most(bytes / stage_bytes, PIPELINE_STAGES_MAX), stages = at_most(share + 1, most);
    const PipelineShape shape{scanners, int(stages), unsigned(tiles), unsigned(share + share / 8)};
    *plan = {shape, unsigned(blocks), pdl, alone ? nullptr : state, stages * stage_bytes};
    // The same for arrays of every length: another thread must not take back what this one needs.
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most * stage_bytes));
}

// Bytes of scratch for the state.
constexpr size_t pipeline_scratch(size_t tiles, size_t result_bytes) {
    return tiles <= PIPELINE_SINGLE_BLOCK ? 0 : lookback_bytes(tiles, result_bytes);
}
