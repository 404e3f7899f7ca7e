// sorted_search.cuh — vectorized sorted search: bounds of the elements of one sorted array in another, by tiles of their merge.
//
// Algorithm  A tile is a piece of the merge path of NT·VT elements: of A those from a.begin on, of B those from b.begin on, and
//            one neighbour on each side, in shared memory as ranks. Where keys are equal those of A come first, or those of B:
//            the lower bound of a key of the first is within the tile, and so is the upper bound of a key of the second. A
//            block takes a range of tiles (tile_range.cuh), and copies the next one while it searches one (staged.cuh). Of four
//            neighbours the last searches the whole part of the other array, the others between its bound and the bound of the
//            four before.
// Cost       Reads A and B once; a fourth of log2 (tile) steps a key, and as many as its neighbours' bounds are apart, of four
//            instructions each.
// Limits     Two stages of sizeof (Bits) · (NT·VT + 20) bytes of shared memory; tiles of up to 65535 elements.
// Edges      In arrays that are not sorted tiles are some tiles, within the arrays.
// Source     O. Green, R. McColl, D. Bader, "GPU Merge Path", 2012; S. Baxter, "ModernGPU", Vectorized Sorted Search, 2013.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/block/staged.cuh"
#include "prim/block/tile_range.cuh"
#include "prim/thread/async_copy.cuh"
#include "prim/thread/order.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/merge_path.cuh"
#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// One array's part of a tile.
template <typename Bits>
struct SortedPart {
    const Bits *ranks;                                             // ranks[-1], ranks[count]: the neighbours, where there are any
    size_t begin, total;                                           // where the part begins in its array, and how long that is
    unsigned count;

    // at[k] ← the first of the `rest` elements from at[k] on that does not lie before keys[k], equal ones included or not, or
    // the one behind. The searches go side by side.
    template <bool BEHIND_EQUAL, int N>
    static __device__ __forceinline__ void find(const Bits (&keys)[N], unsigned rest, const Bits *(&at)[N]) {
        const auto before = [](Bits rank, Bits key) { return BEHIND_EQUAL ? rank <= key : rank < key; };
        while (rest > 1) {
            const unsigned half = rest / 2;
#pragma unroll
            for (int k = 0; k < N; ++k) {
                const Bits *const middle = at[k] + half;
                if (before(middle[-1], keys[k])) at[k] = middle;
            }
            rest -= half;
        }
        if (rest == 0) return;
#pragma unroll
        for (int k = 0; k < N; ++k) {
            if (before(*at[k], keys[k])) ++at[k];
        }
    }

    // Whether an element equals the key whose place is `at`.
    __device__ __forceinline__ bool has(Bits key, unsigned at, bool behind_equal) const {
        const int equal = behind_equal ? int(at) - 1 : int(at);    // where there would be one
        return begin + equal < total && ranks[equal] == key;       // 0 - 1 is beyond every total
    }
};

// How a block searches all elements of one part in another.
template <int NT, unsigned TILE>
struct PartSearch {
    static constexpr unsigned WARPS = NT / WARP, GROUP = 4;        // neighbours that a thread searches

    alignas(8) uint16_t found[WARPS][GROUP * WARP];                // places of a warp's elements
    uint16_t bounds[TILE / GROUP + 1];                             // of the last of each group

    // use (i, place of needle i) for all needles, neighbours by neighbouring lanes. All threads of the block call, and meet
    // before they call again.
    template <bool BEHIND_EQUAL, typename Bits, typename Use>
    __device__ __forceinline__ void search(const SortedPart<Bits> &needles, const SortedPart<Bits> &haystack, Use use) {
        const unsigned groups = (needles.count + GROUP - 1) / GROUP, lane = threadIdx.x % WARP, last = needles.count - 1;
        const auto place_of = [&](const Bits *at) { return static_cast<unsigned>(at - haystack.ranks); };
        for (unsigned g = threadIdx.x; g < groups; g += NT) {
            const Bits keys[1] = {needles.ranks[min(GROUP * g + GROUP - 1, last)]};
            const Bits *at[1] = {haystack.ranks};
            haystack.template find<BEHIND_EQUAL>(keys, haystack.count, at);
            bounds[g] = static_cast<uint16_t>(place_of(at[0]));
        }
        __syncthreads();                                           // all bounds are there

        uint16_t *const of_warp = found[threadIdx.x / WARP];
        for (unsigned first = threadIdx.x - lane; first < groups; first += NT) {
            const unsigned g = first + lane;
            if (g < groups) {
                const unsigned low = g > 0 ? bounds[g - 1] : 0, high = bounds[g];
                Bits keys[GROUP - 1];
                const Bits *at[GROUP - 1];
#pragma unroll
                for (unsigned k = 0; k < GROUP - 1; ++k) {
                    keys[k] = needles.ranks[min(GROUP * g + k, last)];
                    at[k] = haystack.ranks + low;
                }
                haystack.template find<BEHIND_EQUAL>(keys, high > low ? high - low : 0, at);
                reinterpret_cast<uint2 *>(of_warp)[lane] = make_uint2(place_of(at[0]) | place_of(at[1]) << 16,
                                                                      place_of(at[2]) | high << 16);
            }
            __syncwarp();
#pragma unroll
            for (unsigned row = 0; row < GROUP; ++row) {
                const unsigned in_warp = row * WARP + lane, i = GROUP * first + in_warp;
                if (i < needles.count) use(i, unsigned(of_warp[in_warp]));
            }
            __syncwarp();
        }
    }
};

// A tile that is being copied to shared memory.
template <typename Bits>
struct SortedTile {
    StagedPair<Bits> staged;
    unsigned a_count, b_count;
};

template <int NT, int VT, typename Bits>
struct SortedTiles {
    static constexpr unsigned TILE = NT * VT, WARPS = NT / WARP, PACK = PACKET_LENGTH<Bits>, STAGE = TILE + 4 + 4 * PACK;
    static constexpr unsigned TILES_MAX = WARPS - 1;
    static_assert(TILE <= 65535, "places in a tile are 16 bits");

    alignas(16) Bits stages[2][STAGE];
    size_t cuts[TILES_MAX + 1];                                    // elements of A before each tile, and up to the last one's end
    SortedTile<Bits> parts[TILES_MAX];

    // work (a, b) for each of the block's tiles, `tiles` ≤ TILES_MAX of them. All threads of the block call.
    template <typename Work>
    __device__ __forceinline__ void walk(const Bits *a, size_t a_count, const Bits *b, size_t b_count, KeyOrder<Bits> order,
                                         bool a_first, unsigned tiles, Work work) {
        const size_t all = a_count + b_count, first = size_t(blockIdx.x) * tiles * TILE;
        const unsigned here = static_cast<unsigned>(min(size_t(tiles), (all - first + TILE - 1) / TILE));
        search_cuts<NT>(cuts, here + 1, [&](unsigned c) {
            const size_t diagonal = min(first + c * size_t(TILE), all), low = diagonal > b_count ? diagonal - b_count : 0;
            return merge_path<Searcher::WARP, TILE>(low, min(diagonal, a_count), [&](size_t i) {
                const Bits left = order.rank(a[i]), right = order.rank(b[diagonal - 1 - i]);
                return a_first ? left <= right : left < right;
            });
        });
        __syncthreads();                                           // all cuts are there

        if (threadIdx.x < here) {
            SortedTile<Bits> &tile = parts[threadIdx.x];
            const size_t begin = first + threadIdx.x * size_t(TILE), a_begin = cuts[threadIdx.x];
            const unsigned length = static_cast<unsigned>(min(size_t(TILE), all - begin));
            tile.a_count = static_cast<unsigned>(min(max(cuts[threadIdx.x + 1], a_begin) - a_begin, size_t(length)));
            tile.b_count = length - tile.a_count;
            tile.staged.place(a, a_count, a_begin - 1, tile.a_count + 2, b, b_count, begin - a_begin - 1, tile.b_count + 2);
        }
        __syncthreads();                                           // all tiles are there

        const auto start = [&](unsigned t) {
            parts[t].staged.template start<NT>(a, a_count, b, b_count, Bits(0), stages[t % 2]);
            async_commit();
        };
        start(0);
        for (unsigned t = 0; t < here; ++t) {
            async_wait_for<0>();
            __syncthreads();                                       // the tile is ready, the other stage free
            if (t + 1 < here) start(t + 1);
            const Bits *const stage = stages[t % 2];
            const size_t begin = first + t * size_t(TILE), a_begin = cuts[t];
            const SortedPart<Bits> now_a = {stage + parts[t].staged.a + 1, a_begin, a_count, parts[t].a_count};
            const SortedPart<Bits> now_b = {stage + parts[t].staged.b + 1, begin - a_begin, b_count, parts[t].b_count};
            if (order.is_float || order.flip != 0) {
                for (unsigned i = threadIdx.x; i < STAGE; i += NT) stages[t % 2][i] = order.rank(stages[t % 2][i]);
                __syncthreads();                                   // its keys are ranks
            }
            work(now_a, now_b);
        }
    }
};

// ---- the shape of searches ------------------------------------------------------------------------------------------

constexpr int THREADS = 256, BLOCKS = 5;                           // blocks of a multiprocessor, for what registers are kept few
template <typename Bits>
constexpr int VALUES = sizeof(Bits) == 4 ? 16 : 8;                 // elements of a tile a thread
template <typename Bits>
using Tiles = SortedTiles<THREADS, VALUES<Bits>, Bits>;
template <typename Bits>
using Search = PartSearch<THREADS, Tiles<Bits>::TILE>;
