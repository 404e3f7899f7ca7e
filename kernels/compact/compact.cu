// compact.cu — stream compaction: the elements whose flags are set, in order, and their positions.
//
//   kept = (data[i] : flags[i] ≠ 0)    positions = (i : flags[i] ≠ 0)    needed = their number
//   data (count) of 4 or 8 bytes an element, flags (count) bytes, kept and positions (capacity), positions of 4 or 8 bytes
//
// Algorithm  The array is divided into one range a warp, of nearly the same length. A first kernel packs the flags into bits
//            and counts those of each range. The second adds up the counts before its range and processes it, a packet of 16
//            bytes a lane and row: ranks from the bits, compaction in shared memory, coalesced stores. No warp waits for
//            another. Packets of which nothing is kept are not read.
// Cost       Reads flags once, and of data what is kept; writes what is kept, and the bits, which are read again: an eighth of a
//            byte an element, twice. Bound by memory. Two launches, the second a dependent launch.
// Limits     Any count.
// Edges      What is beyond the capacity is counted and not stored. kept and positions may be NULL, data only with kept.
// Source     M. Billeter, O. Olsson, U. Assarsson, "Efficient Stream Compaction on Wide SIMD Many-Core Architectures", HPG 2009
//            (count, scan, move; a range a processor).

#include "kernels.h"
#include "prim/block/reduce.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/operator.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, WARPS = THREADS / WARP;
constexpr int RESIDENT = 4;                                        // blocks a multiprocessor: 64 registers
constexpr int FLAGS = 16;                                          // of a lane that the first kernel reads at once,
constexpr int DEPTH = 4;                                           // so many times in flight
constexpr int ROWS = 4;                                            // packets of a lane that the second kernel reads at once
constexpr unsigned UNIT = WARP * FLAGS;                            // ranges are whole units

template <typename T>
constexpr unsigned STEP = WARP * ROWS * PACKET_LENGTH<T>;          // elements of a warp

// What is asked for.
struct Compaction {
    const void *data;
    const uint8_t *flags;
    size_t count;
    void *kept, *positions;
    bool wide_positions;
    size_t capacity;
    uint64_t *needed;
};

// What the first kernel leaves to the second.
struct Plan {
    unsigned blocks;
    size_t share, more;                                            // units of a warp, one more for the first `more`
    uint64_t *of_warps, *of_blocks;                                // set flags
    uint32_t *words;                                               // flag i is bit i mod 32 of word i / 32
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The first unit of the w-th warp's range.
__device__ __forceinline__ size_t range_begin(const Plan &plan, size_t w) {
    return w * plan.share + (w < plan.more ? w : plan.more);
}

using FlagPacket = Packet<uint32_t>;                               // FLAGS flags

// Bit i: flag i is set.
__device__ __forceinline__ unsigned set_of(const FlagPacket &flags) {
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint32_t four = flags.values[i];
        const uint32_t set = (((four & 0x7F7F7F7F) + 0x7F7F7F7F) | four) & 0x80808080; // the highest bit of each byte
        bits |= (set >> 7) * 0x01020408 >> 24 << 4 * i;
    }
    return bits;
}

// Where in a step this lane's packet r begins.
template <typename T>
__device__ __forceinline__ unsigned place_of(int r) { return (r * WARP + threadIdx.x % WARP) * PACKET_LENGTH<T>; }

// Whether element p of a packet is kept.
__device__ __forceinline__ bool is_kept(unsigned rank_and_mask, int p) { return rank_and_mask >> (16 + p) & 1; }

// For each of this lane's packets: the rank of its first kept element in the step, and from bit 16 on the mask of kept elements.
// Returns how many of the step are kept. word: this lane's of the step's flags.
template <typename T>
__device__ __forceinline__ unsigned rank_packets(uint32_t word, unsigned (&ranks)[ROWS]) {
    const unsigned own = __popc(word), scanned = warp_scan(Sum<unsigned>(), own);
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const unsigned lane = place_of<T>(r) / WARP, bit = place_of<T>(r) % WARP;
        const uint32_t flags = __shfl_sync(ALL_LANES, word, lane);
        const unsigned rank = __shfl_sync(ALL_LANES, scanned - own, lane) + __popc(flags & ((1u << bit) - 1));
        ranks[r] = rank | (flags >> bit & ((1u << PACKET_LENGTH<T>) - 1)) << 16;
    }
    return __shfl_sync(ALL_LANES, scanned, WARP - 1);
}

// The packets of a step of which something is kept; whole: they are in the array, and aligned.
template <typename T>
__device__ __forceinline__ void load_packets(const T *step, bool whole, const unsigned (&ranks)[ROWS],
                                             Packet<T> (&packets)[ROWS]) {
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const T *const from = step + place_of<T>(r);
        if (whole) {
            if (ranks[r] >> 16 != 0) packets[r] = *reinterpret_cast<const Packet<T> *>(from);
        } else {
#pragma unroll
            for (int p = 0; p < PACKET_LENGTH<T>; ++p) {
                if (is_kept(ranks[r], p)) packets[r].values[p] = from[p];
            }
        }
    }
}

// staged[rank] ← value(r, p) for all that is kept. All lanes may read it then.
template <typename T, typename V, typename Value>
__device__ __forceinline__ void pack(const unsigned (&ranks)[ROWS], V *staged, Value value) {
    __syncwarp();                                                  // what was there has been read
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        unsigned rank = ranks[r] & 0xFFFF;
#pragma unroll
        for (int p = 0; p < PACKET_LENGTH<T>; ++p) {
            if (is_kept(ranks[r], p)) staged[rank++] = value(r, p);
        }
    }
    __syncwarp();                                                  // all is there
}

// to[i] ← value(i), i < count, by a warp.
template <typename V, typename Value>
__device__ __forceinline__ void store(V *to, unsigned count, Value value) {
#pragma unroll 4
    for (unsigned i = threadIdx.x % WARP; i < count; i += WARP) to[i] = static_cast<V>(value(i));
}

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void __launch_bounds__(THREADS) compact_count(Compaction args, bool aligned, Plan plan) {
    pdl_trigger();
    const unsigned lane = threadIdx.x % WARP;
    const size_t w = size_t(blockIdx.x) * WARPS + threadIdx.x / WARP;
    const size_t begin = range_begin(plan, w), end = range_begin(plan, w + 1);
    uint16_t *const bits = reinterpret_cast<uint16_t *>(plan.words);
    const Sum<uint64_t> sum;

    uint64_t count = 0;
    const auto pack = [&](size_t unit, unsigned set) {
        bits[unit * WARP + lane] = static_cast<uint16_t>(set);
        count += __popc(set);
    };
    const FlagPacket *const packets = reinterpret_cast<const FlagPacket *>(args.flags);
    const size_t whole = aligned ? min(end, args.count / UNIT) : 0;
    size_t unit = begin;
    for (; unit + DEPTH <= whole; unit += DEPTH) {
        FlagPacket loaded[DEPTH];
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) loaded[d] = packets[(unit + d) * WARP + lane];
#pragma unroll
        for (int d = 0; d < DEPTH; ++d) pack(unit + d, set_of(loaded[d]));
    }
    for (; unit < whole; ++unit) pack(unit, set_of(packets[unit * WARP + lane]));
    for (; unit < end; ++unit) {
        const size_t first = unit * UNIT + lane * FLAGS;
        unsigned set = 0;
        for (int i = 0; i < FLAGS; ++i) {
            if (first + i < args.count) set |= unsigned(args.flags[first + i] != 0) << i;
        }
        pack(unit, set);
    }
    count = warp_reduce(sum, count);
    if (lane == 0) plan.of_warps[w] = count;
    const uint64_t all = block_reduce(sum, lane == 0 ? count : 0);
    if (threadIdx.x == 0) plan.of_blocks[blockIdx.x] = all;
}

template <typename T>
__global__ void __launch_bounds__(THREADS, RESIDENT) compact_move(Compaction args, bool aligned, Plan plan) {
    __shared__ T memory[WARPS][STEP<T>];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t w = size_t(blockIdx.x) * WARPS + warp;
    const size_t begin = range_begin(plan, w) * UNIT, end = range_begin(plan, w + 1) * UNIT;
    T *const staged = memory[warp];
    uint32_t *const places = reinterpret_cast<uint32_t *>(staged);
    pdl_wait();

    // Exclusive prefix: elements kept before this range.
    uint64_t before = lane < warp ? plan.of_warps[w - warp + lane] : 0;
#pragma unroll 8
    for (unsigned b = lane; b < blockIdx.x; b += WARP) before += plan.of_blocks[b];
    before = warp_reduce(Sum<uint64_t>(), before);
    if (lane == 0 && w + 1 == size_t(plan.blocks) * WARPS) *args.needed = before + plan.of_warps[w];

    const auto load_word = [&](size_t at) {
        const size_t first = at + lane * WARP;
        return lane < STEP<T> / WARP && first < end ? plan.words[first / WARP] : 0;
    };
    uint32_t next = load_word(begin);
    for (size_t at = begin; at < end && before < args.capacity; at += STEP<T>) {
        const uint32_t word = next;
        next = load_word(at + STEP<T>);
        unsigned ranks[ROWS];
        const unsigned all = rank_packets<T>(word, ranks);
        const unsigned stored = static_cast<unsigned>(min(uint64_t(all), args.capacity - before));

        if (args.kept != nullptr) {
            Packet<T> packets[ROWS];
            load_packets(static_cast<const T *>(args.data) + at, aligned && at + STEP<T> <= args.count, ranks, packets);
            pack<T>(ranks, staged, [&](int r, int p) { return packets[r].values[p]; });
            store(static_cast<T *>(args.kept) + before, stored, [&](unsigned i) { return staged[i]; });
        }
        if (args.positions != nullptr) {
            pack<T>(ranks, places, [&](int r, int p) { return place_of<T>(r) + p; });
            const auto position = [&](unsigned i) { return at + places[i]; };
            if (args.wide_positions) store(static_cast<uint64_t *>(args.positions) + before, stored, position);
            else store(static_cast<uint32_t *>(args.positions) + before, stored, position);
        }
        before += all;
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// Where everything is in the scratch, from 0 on for its size alone.
cudaError_t plan_compact(size_t count, char *scratch, Plan *plan, size_t *bytes) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    const size_t units = ceil_div(count, UNIT), wanted = ceil_div(units, WARPS);
    const size_t blocks = wanted == 0 ? 1 : at_most(wanted, sms * RESIDENT), warps = blocks * WARPS;
    uint64_t *const counts = reinterpret_cast<uint64_t *>(scratch);
    uint32_t *const words = reinterpret_cast<uint32_t *>(counts + warps + blocks);
    *plan = {unsigned(blocks), units / warps, units % warps, counts, counts + warps, words};
    *bytes = (warps + blocks) * sizeof(uint64_t) + units * UNIT / 8;
    return error;
}

template <typename T>
cudaError_t launch_compact(const Compaction &args, const Plan &plan, gpumexk_stream stream) {
    const auto kernel = compact_move<T>;
    bool pdl = false;
    cudaError_t error = supports_pdl(kernel, &pdl);
    if (error != cudaSuccess) return error;
    compact_count<<<plan.blocks, THREADS, 0, stream>>>(args, is_aligned(args.flags, PACKET_BYTES), plan);
    error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    return launch_pdl(pdl, kernel, plan.blocks, THREADS, stream, args, is_aligned(args.data, PACKET_BYTES), plan);
}

}  // namespace

int gpumexk_compact_scratch(size_t count, size_t *bytes) {
    Plan plan;
    return plan_compact(count, nullptr, &plan, bytes);
}

int gpumexk_compact(const gpumexk_compact_args *args, void *scratch, gpumexk_stream stream) {
    const Compaction of{args->data, args->flags, args->count, args->kept, args->positions, args->position_bytes == 8,
                        args->capacity, args->needed};
    Plan plan;
    size_t bytes = 0;
    const cudaError_t error = plan_compact(of.count, static_cast<char *>(scratch), &plan, &bytes);
    if (error != cudaSuccess) return error;
    switch (args->value_bytes) {
        case 4: return launch_compact<uint32_t>(of, plan, stream);
        case 8: return launch_compact<uint64_t>(of, plan, stream);
        default: return cudaErrorInvalidValue;
    }
}
