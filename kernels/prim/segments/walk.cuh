// walk.cuh — the reductions of all segments, by blocks that share segments and elements evenly.
//
//   result[s] = ⊕ of the elements of segment s        offsets (segments + 1): s has the elements offsets[s] … offsets[s + 1) - 1
//
// Algorithm  Ends of segments and elements are merged in thought: an end comes behind the elements of its segment. The list is cut
//            into equal parts, of which each block takes as many; it finds them by one search of the offsets, and walks them in
//            tiles, while the elements of the next one are brought to the second-level cache. Of a tile it first counts the
//            segments that end there, which leaves so many elements; these pass through shared memory into thread order
//            and are reduced by segments (tile.cuh), where every thread leaves its reductions in their places. The
//            segments then pick theirs up, neighbours side by side; empty ones take the identity.
//            What is left open at the end of a share is the block's carry. A second, small kernel reduces the carries by segment
//            and adds them to the results in front.
// Cost       Reads elements once, offsets twice, the second time from a cache; writes the results. Nothing depends on how
//            the elements are spread over segments: long, short and empty ones cost what their bytes cost.
// Limits     Any count of segments and elements.
// Edges      Offsets that are not ascending, or larger than count, are cut to what came before and to count: the results are then
//            anything, but nothing outside the arrays is touched. The order of the operations depends on the sizes, on where the
//            elements start and on the number of multiprocessors: the same bits each time on a device.
// Source     D. Merrill, M. Garland, "Merge-based Parallel Sparse Matrix-Vector Multiplication", SC 2016 (the merged list,
//            carries of shares); S. Baxter, "ModernGPU", Segmented Reduction, NVIDIA 2013.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/chain.cuh"
#include "prim/grid.cuh"
#include "prim/segments/operator.cuh"
#include "prim/segments/tile.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

// Blocks a multiprocessor. One H200, 2^28 float in segments of about 500: 376 us with four and 64 registers, 442 us with six and
// 40. One wave of blocks, since each searches once.
constexpr int WALK_RESIDENT = 4;
constexpr size_t WALK_PARTS = 12;                                  // a multiprocessor, for two, three or four blocks
constexpr size_t WALK_BLOCKS_MAX = 2048;                           // carries, which are one tile; no more parts
constexpr size_t WALK_ALONE = 4080;                                // so many ends and elements are one tile: no second kernel
constexpr size_t WALK_PART = 4096;                                 // ends and elements of a part, if there are not too many parts
// Up to WALK_FEW of them: more blocks, each sooner done. One H200, products of 4096 nonzeros: 10 to 14 us, 13 to 21 in one block.
constexpr size_t WALK_FEW = 65536, WALK_PART_OF_FEW = 1024;
constexpr int WALK_AHEAD = 4;                                      // ends a thread loads at once where there are many
constexpr int WALK_VT = 16;                                        // places a thread

// ---- device helpers -------------------------------------------------------------------------------------------------

// size_t elements of 4 or 8 bytes.
struct Indices {
    const void *numbers;
    bool is_wide;

    __device__ __forceinline__ size_t operator[](size_t i) const {
        return is_wide ? size_t(static_cast<const uint64_t *>(numbers)[i]) : size_t(static_cast<const uint32_t *>(numbers)[i]);
    }
};

// The segments of a call. starts.numbers is NULL, or says where each one begins in the data.
struct Segments {
    Indices offsets, starts;
    size_t segments, count;
};

// What the walk of a block leaves behind.
template <typename T>
struct Carries {
    T *values;                                                     // one a block
    size_t *segments;                                              // to which each belongs; the number of segments: to none
};

template <typename T>
struct alignas(16) WalkShared {
    PaddedTile<T, WALK_VT> tile;
    alignas(16) uint8_t ends[TILE_THREADS * WALK_VT];              // 1: a segment ends behind this place
    WarpCarries<T> carries;
};

// Elements of a tile, and where the list of ends and elements is cut.
struct Span {
    size_t segment;                                                // the first one that is open
    size_t element;
    unsigned segments, elements;                                   // that end here; that lie here
    unsigned shift;                                                // the place of the first element, behind that of the carry
};

// The elements' bounds.
struct Bounds {
    size_t first, last;

    __device__ __forceinline__ Bounds(const Segments &of) {
        first = min(of.offsets[0], of.count);
        last = min(max(of.offsets[of.segments], first), of.count);
    }
    __device__ __forceinline__ size_t cut(size_t offset) const { return min(max(offset, first), last); }
};

// What each of some parts is of the merged list.
struct Share {
    size_t total, length;

    __device__ __forceinline__ size_t begin(size_t part) const { return min(length * part, total); }
};

__device__ __forceinline__ Share share_of(const Segments &of, const Bounds &bounds, unsigned parts) {
    const size_t total = of.segments + (bounds.last - bounds.first);
    return {total, (total + parts - 1) / parts};
}

// How many segments end within the first `diagonal` entries of the list. All lanes of a warp call, with the same arguments.
__device__ __forceinline__ size_t segments_within(const Segments &of, const Bounds &bounds, size_t diagonal) {
    const size_t elements = bounds.last - bounds.first;
    size_t low = diagonal > elements ? diagonal - elements : 0, high = min(diagonal, of.segments);
    while (low < high) {
        const size_t step = (high - low + WARP - 1) / WARP, probe = low + step * (threadIdx.x % WARP + 1) - 1;
        const bool ends = probe < high && bounds.cut(of.offsets[probe + 1]) - bounds.first + probe + 1 <= diagonal;
        const size_t here = low + step * __popc(__ballot_sync(ALL_LANES, ends));
        low = min(here, high);
        high = min(high, low + step - 1);
    }
    return low;
}

// Asks for the elements of the next tile, from `element` on, to be in the second-level cache when it comes; all threads.
template <typename T>
__device__ __forceinline__ void prefetch_elements(const T *data, size_t element, size_t count) {
    constexpr size_t LINE = 128 / sizeof(T);
    const size_t at = element + threadIdx.x * LINE;
    if (threadIdx.x * LINE < TILE_THREADS * WALK_VT && at < count) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(data + at));
    }
}

// Of 4 bytes, each 0 or 1, four bits.
__device__ __forceinline__ unsigned bits_of(uint32_t bytes) { return bytes * 0x10204080u >> 28; }

// The ends of this thread's places as bits; the bytes become 0.
template <int VT>
__device__ __forceinline__ unsigned take_ends(uint8_t *ends) {
    unsigned bits = 0;
    uint2 *const own = reinterpret_cast<uint2 *>(ends + VT * threadIdx.x);
#pragma unroll
    for (int i = 0; i < VT / 8; ++i) {
        const uint2 here = own[i];
        bits |= (bits_of(here.x) | bits_of(here.y) << 4) << 8 * i;
        own[i] = make_uint2(0, 0);
    }
    return bits;
}

// Where in the data element `element` of the span lies: its segment is the one that ends first behind it.
__device__ __forceinline__ size_t place_in_data(const Segments &of, const Span &span, size_t element) {
    unsigned low = 0, high = span.segments;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (of.offsets[span.segment + middle + 1] <= element) low = middle + 1;
        else high = middle;
    }
    const size_t segment = min(span.segment + low, of.segments - 1);
    return of.starts[segment] + (element - of.offsets[segment]);
}

// Walks this block's parts, of which each has as many. load(tile, span, identity) fills a tile: the elements of the span from
// place span.shift on, the identity elsewhere; shift_of(element) is that place, from 1 to a packet's length. The place before it
// is that of a segment without elements in the tile, to which the carry alone belongs.
template <typename T, typename Shift, typename Load>
__device__ __forceinline__ void walk_segments(const Segments &of, int op, unsigned parts, const size_t *geometry, T *result,
                                              Carries<T> carries, Shift shift_of, Load load) {
    constexpr int VT = WALK_VT;
    constexpr unsigned TILE = TILE_THREADS * VT - PACKET_LENGTH<T>;
    __shared__ WalkShared<T> shared;
    auto &tile = shared.tile;

    const Bounds bounds(of);
    const Share share = share_of(of, bounds, parts);
    const unsigned each = (parts + gridDim.x - 1) / gridDim.x, part = blockIdx.x * each;
    size_t diagonal = share.begin(part);
    const size_t end = share.begin(size_t(part) + each);

    // A geometry may be of other segments: what it says is cut to what leaves segments and elements enough for the share.
    Span span;
    if (geometry != nullptr) {
        const size_t elements = bounds.last - bounds.first, least = diagonal > elements ? diagonal - elements : 0;
        span.segment = min(max(geometry[part], least), min(diagonal, of.segments));
    } else {
        span.segment = segments_within(of, bounds, diagonal);
    }
    span.element = bounds.first + (diagonal - span.segment);

    const T identity = identity_of<T>(op);
    T carry = identity;
    take_ends<VT>(shared.ends);
    __syncthreads();                                               // no ends yet

    // The end of this thread's segment among the next TILE_THREADS ones.
    auto end_of = [&](size_t segment) { return segment < of.segments ? bounds.cut(of.offsets[segment + 1]) : bounds.last; };
    size_t next_end = end_of(span.segment + threadIdx.x);

    while (diagonal < end) {
        const unsigned limit = static_cast<unsigned>(min(end - diagonal, size_t(TILE)));
        span.shift = shift_of(span.element);

        // Count the segments that end within `limit` entries, and mark the places before their ends.
        auto closes = [&](size_t end_at, unsigned index) {
            const size_t ahead = max(end_at, span.element) - span.element;
            const bool is_here = span.segment + index < of.segments && ahead + index + 1 <= limit;
            if (is_here) shared.ends[span.shift + ahead - 1] = 1;
            return is_here;
        };
        span.segments = __syncthreads_count(closes(next_end, threadIdx.x));
        unsigned asked = TILE_THREADS;
        while (span.segments == asked && asked < limit) {
            size_t ends[WALK_AHEAD];
#pragma unroll
            for (int i = 0; i < WALK_AHEAD; ++i) ends[i] = end_of(span.segment + asked + TILE_THREADS * i + threadIdx.x);
#pragma unroll
            for (int i = 0; i < WALK_AHEAD; ++i) {
                if (span.segments == asked) {
                    span.segments += __syncthreads_count(closes(ends[i], asked + threadIdx.x));
                    asked += TILE_THREADS;
                }
            }
        }
        span.elements = static_cast<unsigned>(min(size_t(limit - span.segments), bounds.last - span.element));

        load(tile, span, identity);
        next_end = end_of(span.segment + span.segments + threadIdx.x);
        __syncthreads();                                           // elements and ends are there

        // Reduce by segments; the place before an end has the reduction of the segment, as far as it lies in this tile.
        T values[VT];
        tile.read(values);
        const unsigned ends = take_ends<VT>(shared.ends);
        with_operator<T>(op, [&](auto operation) {
            const T before = reduce_segments(values, ends, carry, shared.carries, operation);
            if (ends != 0) {
                tile.write(values);
                T &first = tile[VT * threadIdx.x + __ffs(ends) - 1];
                first = operation(before, first);
            }
        });
        __syncthreads();                                           // the reductions are in their places

        for (unsigned index = threadIdx.x; index < span.segments; index += TILE_THREADS) {
            const size_t segment = span.segment + index;
            auto local = [&](size_t offset) {
                return static_cast<unsigned>(min(max(offset, span.element) - span.element, size_t(span.elements)));
            };
            const unsigned from = index == 0 ? 0 : local(of.offsets[segment]), to = local(of.offsets[segment + 1]);
            result[segment] = index == 0 || from < to ? tile[span.shift + to - 1] : identity;
        }
        span.segment += span.segments;
        span.element += span.elements;
        diagonal += span.segments + span.elements;
    }

    if (gridDim.x > 1 && threadIdx.x == 0) {
        carries.values[blockIdx.x] = carry;
        carries.segments[blockIdx.x] = span.segment;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// result[segment] ← carries of the segment ⊕ result[segment], for `count` carries, in one block.
template <typename T>
__global__ void __launch_bounds__(TILE_THREADS) segments_carry(Carries<T> carries, unsigned count, size_t segments, int op,
                                                               T *result) {
    constexpr int VT = WALK_BLOCKS_MAX / TILE_THREADS;
    __shared__ WarpCarries<T> shared;
    chain_wait();

    const unsigned begin = VT * threadIdx.x;
    const T identity = identity_of<T>(op);
    T values[VT];
    size_t owners[VT + 1];
    unsigned ends = 0;
#pragma unroll
    for (int i = 0; i < VT; ++i) values[i] = begin + i < count ? carries.values[begin + i] : identity;
#pragma unroll
    for (int i = 0; i <= VT; ++i) owners[i] = begin + i < count ? carries.segments[begin + i] : segments;
#pragma unroll
    for (int i = 0; i < VT; ++i) ends |= unsigned(owners[i] != owners[i + 1]) << i;

    with_operator<T>(op, [&](auto operation) {
        T carry = identity;
        const T before = reduce_segments(values, ends, carry, shared, operation);
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            if ((ends >> i & 1) && owners[i] < segments) {
                const bool is_first = (ends & ((1u << i) - 1)) == 0;
                const T sum = is_first ? operation(before, values[i]) : values[i];
                result[owners[i]] = operation(sum, result[owners[i]]);
            }
        }
    });
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// *parts ← into how many a walk over so many segments and elements falls, at each of which a block may begin; *blocks ← how many
// blocks share them, `resident` a multiprocessor.
inline cudaError_t walk_blocks(size_t segments, size_t count, int resident, unsigned *parts, unsigned *blocks) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    const size_t total = segments + count, parts_of_all = ceil_div(total, total <= WALK_FEW ? WALK_PART_OF_FEW : WALK_PART);
    const size_t cut = total <= WALK_ALONE ? 1 : at_most(parts_of_all, at_most(sms * WALK_PARTS, WALK_BLOCKS_MAX));
    *parts = static_cast<unsigned>(cut);
    *blocks = error != cudaSuccess ? 0 : static_cast<unsigned>(ceil_div(cut, ceil_div(cut, sms * resident)));
    return error;
}

constexpr size_t WALK_SCRATCH = WALK_BLOCKS_MAX * 16;              // bytes: a value and a segment a block

template <typename T>
Carries<T> carries_in(void *scratch) {
    size_t *const owners = static_cast<size_t *>(scratch);
    return {reinterpret_cast<T *>(owners + WALK_BLOCKS_MAX), owners};
}

// The second kernel of a walk.
template <typename T>
cudaError_t launch_carry(unsigned blocks, const Carries<T> &carries, size_t segments, int op, T *result,
                         cudaStream_t stream) {
    if (blocks <= 1) return cudaSuccess;
    bool chains = false;
    const cudaError_t error = can_chain(segments_carry<T>, &chains);
    if (error != cudaSuccess) return error;
    return launch_chained(chains, segments_carry<T>, 1, TILE_THREADS, stream, carries, blocks, segments, op, result);
}
