// enumeration_sort.cuh — stable sort of few elements by comparison counting, of an array or of each of its segments, in one launch.
//
//   place (i) = begin + #{ j of i's segment : rank (j) < rank (i), or rank (j) = rank (i) and j < i }
//
//                where i's segment begins at `begin`; without segments all elements are one
//
// Algorithm  Each element is compared with all. A block has 32 elements, one a lane; its warps share the elements to compare
//            with, 32 keys at a time, which all lanes read from shared memory (broadcast). The results of 32 comparisons are
//            the bits of a word, so that a segment is a mask.
// Cost       count² comparisons, over the whole device, at two or three operations each. With the launch, 4 us of which are
//            fixed, an H200 takes 7 us for 256 elements, 11 to 13 for 4096, 38 to 50 for ENUMERATION_SORT_MAX.
// Limits     ENUMERATION_SORT_MAX elements.
// Edges      Invalid segment heads give some segments.
// Source     D. Knuth, "The Art of Computer Programming" 3, 5.2 (comparison counting).
#pragma once

#include "prim/block/segment_heads.cuh"
#include "prim/thread/order.cuh"
#include "prim/warp/warp.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- constants ------------------------------------------------------------------------------------------------------

// Chosen on an H200: from there on passes are faster.
constexpr unsigned ENUMERATION_SORT_MAX = 12288;                   // elements
constexpr int SMALL_THREADS = 512, SMALL_WARPS = SMALL_THREADS / WARP;

// ---- device helpers -------------------------------------------------------------------------------------------------

// Elements to be sorted. Arrays that there is no use for are NULL.
template <typename Bits>
struct EnumerationSort {
    const Bits *keys;
    Bits *sorted;
    const void *values;                                            // NULL: the positions of the keys
    void *sorted_values;
    unsigned count;
    int value_bytes;                                               // 0: no values
    KeyOrder<Bits> order;
    Segments segments;
    const int *unless;                                             // not NULL: nothing is done when that is not 0
};

// Bit i ← whether ranks[i] < rank, or, OR_EQUAL, ranks[i] ≤ rank.
template <bool OR_EQUAL, typename Bits>
__device__ __forceinline__ unsigned lanes_before(const Bits *ranks, Bits rank) {
    constexpr int STEP = 8;                                        // more at once take too many registers
    unsigned lanes = 0;
#pragma unroll 1
    for (int first = 0; first < WARP; first += STEP) {
        lanes >>= STEP;
#pragma unroll
        for (int i = 0; i < STEP; ++i) {
            const Bits other = ranks[first + i];
            if (OR_EQUAL ? other <= rank : other < rank) lanes |= 1u << (WARP - STEP + i);
        }
    }
    return lanes;
}

// Of 32 elements from `from` on, those in [begin, end).
__device__ __forceinline__ unsigned lanes_within(unsigned from, unsigned begin, unsigned end) {
    const unsigned behind = end <= from ? 0 : end - from >= WARP ? ALL_LANES : (1u << (end - from)) - 1;
    const unsigned in_front = begin <= from ? 0 : begin - from >= WARP ? ALL_LANES : (1u << (begin - from)) - 1;
    return behind & ~in_front;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A block for 32 elements.
template <bool SEGMENTED, typename Bits>
__global__ void __launch_bounds__(SMALL_THREADS) enumeration_sort(const __grid_constant__ EnumerationSort<Bits> sort) {
    __shared__ alignas(16) Bits ranks[SMALL_WARPS][WARP];
    __shared__ unsigned places[WARP];
    const unsigned warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, place = blockIdx.x * WARP + lane;
    if (sort.unless != nullptr && *sort.unless != 0) return;
    const unsigned groups = (sort.count + WARP - 1) / WARP;
    const auto rank_of = [&](unsigned i) { return i < sort.count ? sort.order.rank(sort.keys[i]) : ~Bits(0); };
    const Bits rank = rank_of(place);
    Bits next = rank_of(warp * WARP + lane);

    unsigned begin = 0, end = sort.count;
    if constexpr (SEGMENTED) {
        __shared__ HeadBits<ENUMERATION_SORT_MAX> bits;
        __shared__ size_t first;
        find_heads(bits, sort.segments, 0, &first);
        begin = bits.before(place + 1, 0), end = min(bits.from(place + 1, end), end);
    }
    if (warp == 0) places[lane] = begin;
    __syncthreads();

    unsigned before = 0;
    for (unsigned group = warp; group < groups; group += SMALL_WARPS) {
        const unsigned within = SEGMENTED ? lanes_within(group * WARP, begin, end) : ALL_LANES;
        ranks[warp][lane] = next;
        next = rank_of((group + SMALL_WARPS) * WARP + lane);
        __syncwarp();
        if (!SEGMENTED || __any_sync(ALL_LANES, within != 0)) {
            unsigned lanes;
            if (group > blockIdx.x) lanes = lanes_before<false>(ranks[warp], rank);
            else lanes = lanes_before<true>(ranks[warp], rank);
            if (group == blockIdx.x) {                             // of equal keys those of lanes below
                const unsigned below = (1u << lane) - 1;
                lanes = (lanes & below) | (lanes_before<false>(ranks[warp], rank) & ~below);
            }
            before += __popc(lanes & within);
        }
        __syncwarp();
    }
    if (before != 0) atomicAdd(&places[lane], before);
    __syncthreads();

    if (warp != 0 || place >= sort.count) return;
    const unsigned to = places[lane];
    if (sort.sorted != nullptr) sort.sorted[to] = sort.keys[place];
    if (sort.value_bytes == 4) {
        const uint32_t *const values = static_cast<const uint32_t *>(sort.values);
        static_cast<uint32_t *>(sort.sorted_values)[to] = values == nullptr ? place : values[place];
    } else if (sort.value_bytes == 8) {
        const uint64_t *const values = static_cast<const uint64_t *>(sort.values);
        static_cast<uint64_t *>(sort.sorted_values)[to] = values == nullptr ? place : values[place];
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <bool SEGMENTED, typename Bits>
cudaError_t launch_enumeration_sort(const EnumerationSort<Bits> &sort, cudaStream_t stream) {
    if (sort.count == 0) return cudaSuccess;
    enumeration_sort<SEGMENTED, Bits><<<(sort.count + WARP - 1) / WARP, SMALL_THREADS, 0, stream>>>(sort);
    return cudaGetLastError();
}

}  // namespace
