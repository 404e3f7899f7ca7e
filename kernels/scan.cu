// scan.cu — what an operator makes of all elements before each one.
//
//   result[i] = data[0] ∘ … ∘ data[i - 1]  (exclusive; the first is the identity)   or   … ∘ data[i]  (inclusive)
//   total     = data[0] ∘ … ∘ data[count - 1]                    data, result (count), total (1), 4 or 8 bytes an element
//
// Algorithm  One pass. Blocks stay for the whole array and take tile after tile by a ticket. The tiles of a block stand in a ring in
//            shared memory: the last ones are still being loaded; the next one a step scans warp by warp, and publishes its result;
//            the first one, published some steps before, is stored behind what stands before it. A thread copies, scans and stores
//            the same packets of 16 bytes, so that the tiles need no barrier. One barrier a step carries the results of the warps
//            to a warp that publishes them, and from there what stands before each of them; one more warp claims the tiles and
//            looks at all others (prim/lookback.cuh), ahead of the rest.
//            The state is cleared by a small kernel into whose end the scan is launched.
// Cost       Reads and writes the array once: bound by memory. One launch up to two tiles, 15360 elements of 4 bytes or 7680 of 8,
//            else two. Arrays that do not start at multiples of 16 take a load and a store an element.
// Limits     Fewer than 2^31 tiles. Shared memory for two to seven tiles, 61 to 212 KiB: every device from compute capability 7.5 on.
// Edges      result may be data. The order of the operations depends on the count alone: sums of floats have the same bits each
//            time, on every device.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.

#include "kernels.h"
#include "prim/async.cuh"
#include "prim/chain.cuh"
#include "prim/grid.cuh"
#include "prim/lookback.cuh"
#include "prim/operator.cuh"
#include "prim/packet.cuh"
#include "prim/scan.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int SCANNERS = 30, SCAN_THREADS = SCANNERS * WARP;               // warps that scan, beside two others
constexpr int ROWS = 2;                                                    // packets of a thread
constexpr int STAGES_MAX = 7, RING = 16;                                   // tiles of a block at once; their numbers, at least twice as many
constexpr unsigned ALONE = 2;                                              // tiles that one block scans sooner than many
constexpr size_t STAGE_BYTES = size_t(SCAN_THREADS) * ROWS * PACKET_BYTES + SCANNERS * sizeof(uint64_t);

template <typename T>
constexpr unsigned TILE = SCAN_THREADS * ROWS * PACKET_LENGTH<T>;

// What the warps of a block tell each other, beside the results of each warp of each tile in the ring.
template <typename T>
struct Shared {
    T before[2][SCANNERS];                                         // what stands before each warp, in turn
    unsigned tiles[RING];                                          // the numbers of the block's tiles
    T prefixes[RING];                                              // what stands before these
    unsigned looked;                                               // so many prefixes are there
};

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

// A barrier of all warps but the last.
__device__ __forceinline__ void meet() { asm volatile("bar.sync 1, %0;" ::"n"(SCAN_THREADS + WARP) : "memory"); }

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

// ---- kernels --------------------------------------------------------------------------------------------------------

// A step scans a tile of the block, and stores the one `lead` tiles before it. share: tiles
// that a block takes at most. state: NULL for a single block.
template <typename Op>
__global__ void __launch_bounds__(SCAN_THREADS + 2 * WARP, 1)
    scan_tiles(const typename Op::Value *data, size_t count, unsigned tiles, unsigned share, int stages, Op op, bool inclusive,
               bool aligned, void *state, typename Op::Value *result, typename Op::Value *total) {
    using T = typename Op::Value;
    extern __shared__ __align__(16) unsigned char memory[];
    __shared__ Shared<T> shared;
    T *const ring = reinterpret_cast<T *>(memory);                 // (stages, TILE)
    T *const results = ring + stages * TILE<T>;                    // (stages, SCANNERS)
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int lead = stages / 2;
    const unsigned whole = aligned ? static_cast<unsigned>(count / TILE<T>) : 0;   // tiles that are copied by packets

    // The last warp claims tiles, and finds what stands before them.
    if (warp == SCANNERS + 1) {
        const Lookback<Op> lookback(state);
        Prefixes<Op> prefixes(lookback);
        Tickets tickets{state == nullptr ? nullptr : lookback.ticket, tiles, share, 0};
        if (lane < RING) shared.tiles[lane] = tiles;
        if (lane == 0) shared.looked = 0;
        __syncwarp();
        chain_wait();
        for (int i = 0; i < stages; ++i) {
            if (lane == 0) shared.tiles[i] = tickets.next();
            __syncthreads();                                       // the next tile is known
        }
        if (state == nullptr) return;
        for (unsigned i = 0; shared.tiles[i % RING] < tiles; ++i) {
            unsigned ahead = tiles;
            if (lane == 0) ahead = tickets.next();                 // on its way while the warp looks around
            const T before = prefixes.before(op, shared.tiles[i % RING]);
            if (lane == 0) {
                shared.prefixes[i % RING] = before;
                shared.tiles[(i + stages) % RING] = ahead;
                __threadfence_block();
                *const_cast<volatile unsigned *>(&shared.looked) = i + 1;
            }
            __syncwarp();
        }
        return;
    }

    // The one before it publishes results, and passes on to each warp what stands before it.
    if (warp == SCANNERS) {
        const Lookback<Op> lookback(state);
        T running = Op::identity();                                // of a single block
        for (int i = 0; i < stages; ++i) __syncthreads();          // the next tile is known
        for (int step = 0;; ++step) {
            const int back = step - lead;
            unsigned old = 0;
            if (back >= 0 && (old = shared.tiles[back % RING]) < tiles) {
                if (state != nullptr) {
                    while (*const_cast<volatile unsigned *>(&shared.looked) <= unsigned(back)) {}
                    __threadfence_block();
                    running = shared.prefixes[back % RING];
                }
                const T found = lane < SCANNERS ? results[back % stages * SCANNERS + lane] : Op::identity();
                const T scanned = warp_scan(op, found);
                const T start = op.apply(running, warp_before(op, scanned));
                if (lane < SCANNERS) shared.before[step % 2][lane] = start;
                running = op.apply(running, T(__shfl_sync(ALL_LANES, scanned, WARP - 1)));
                if (lane == 0 && old + 1 == tiles && total != nullptr) *total = op.store(running);
            }
            meet();                                                // results, before and tiles are there
            if (old >= tiles) return;
            const unsigned tile = shared.tiles[step % RING];
            if (state != nullptr && tile < tiles) {
                const T found = warp_reduce(op, lane < SCANNERS ? results[step % stages * SCANNERS + lane] : Op::identity());
                if (lane == 0) lookback.publish_tile(tile, found);
            }
        }
    }

    // The others copy, scan and store.
    const auto load = [&](unsigned tile, T *stage) {
        const size_t at = size_t(tile) * TILE<T>;
        if (tile < whole) {
            start_loading<true>(data + at, count - at, stage);
        } else if (tile < tiles) {
            start_loading<false>(data + at, count - at, stage);
        }
        async_commit();
    };
    for (int i = 0; i < stages; ++i) {
        __syncthreads();                                           // the next tile is known
        load(shared.tiles[i], ring + i * TILE<T>);
    }
    for (int step = 0;; ++step) {
        const int back = step - lead;
        const unsigned tile = shared.tiles[step % RING];
        if (tile < tiles) {
            async_wait(stages - 1 - min(step, lead));
            T *const stage = ring + step % stages * TILE<T>;
            const size_t here = count - size_t(tile) * TILE<T>;
            const T found = tile < whole ? scan_part<true>(op, inclusive, here, stage) : scan_part<false>(op, inclusive, here, stage);
            if (lane == 0) results[step % stages * SCANNERS + warp] = found;
        }
        meet();                                                    // results, before and tiles are there
        if (back < 0) continue;
        const unsigned old = shared.tiles[back % RING];
        if (old >= tiles) return;
        const size_t at = size_t(old) * TILE<T>;
        T *const stage = ring + back % stages * TILE<T>;
        const T before = shared.before[step % 2][warp];
        if (old < whole) {
            store_part<true>(op, before, stage, count - at, result + at);
        } else {
            store_part<false>(op, before, stage, count - at, result + at);
        }
        load(shared.tiles[(back + stages) % RING], stage);
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

size_t tiles_of(size_t count, size_t bytes) { return count == 0 ? 1 : ceil_div(count, bytes == 4 ? TILE<uint32_t> : TILE<uint64_t>); }

// *stages ← the tiles that a block of the current device has room for.
cudaError_t stages_that_fit(int *stages) {
    int device = 0, bytes = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const size_t room = size_t(bytes) - sizeof(Shared<uint64_t>);
    *stages = static_cast<int>(at_most(room / STAGE_BYTES, STAGES_MAX));
    return error;
}

template <typename Op>
cudaError_t launch_scan(const Op &op, const void *data, size_t count, bool inclusive, void *scratch, void *result, void *total,
                        gpumexk_stream stream) {
    using T = typename Op::Value;
    const auto kernel = scan_tiles<Op>;
    const bool aligned = is_aligned(data, PACKET_BYTES) && is_aligned(result, PACKET_BYTES);
    const size_t tiles = tiles_of(count, sizeof(T));
    if (tiles > 0x7FFFFFFFu) return cudaErrorInvalidValue;
    size_t blocks = 1;
    bool chains = false;
    int stages = 0;
    cudaError_t error = stages_that_fit(&stages);
    if (tiles > ALONE) {
        if (error == cudaSuccess) error = multiprocessors(&blocks);
        if (error == cudaSuccess) error = can_chain(kernel, &chains);
        if (error == cudaSuccess) error = launch_lookback_clear(scratch, lookback_bytes(tiles, sizeof(T)), stream);
        blocks = at_most(tiles, blocks);                           // one a multiprocessor
    }
    if (error == cudaSuccess && stages < 2) error = cudaErrorInvalidConfiguration;
    const size_t share = ceil_div(tiles, blocks);
    stages = static_cast<int>(at_most(share + 1, size_t(stages)));
    const size_t bytes = stages * STAGE_BYTES;
    if (error == cudaSuccess) error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes));
    if (error != cudaSuccess) return error;
    return launch_chained_shared(chains, kernel, unsigned(blocks), SCAN_THREADS + 2 * WARP, bytes, stream, static_cast<const T *>(data),
                                 count, unsigned(tiles), unsigned(share + share / 8), stages, op, inclusive, aligned,
                                 tiles > ALONE ? scratch : nullptr, static_cast<T *>(result), static_cast<T *>(total));
}

}  // namespace

int gpumexk_scan_scratch(size_t count, int dtype, size_t *bytes) {
    const size_t width = operand_bytes(dtype);
    if (width == 0) return cudaErrorInvalidValue;
    const size_t tiles = tiles_of(count, width);
    *bytes = tiles <= ALONE ? 0 : lookback_bytes(tiles, width);
    return cudaSuccess;
}

int gpumexk_scan(const void *data, size_t count, int dtype, int op, int inclusive, void *scratch, void *result, void *total,
                 gpumexk_stream stream) {
    return with_operator(dtype, op, [&](const auto &of) {
        return launch_scan(of, data, count, inclusive != 0, scratch, result, total, stream);
    });
}
