// sides.cuh — two sorted arrays in tiles of their merge, and a tile in shared memory.
//
//   Of equal keys those of the first array come before those of the second one. Places of a tile, in `ranks`:
//   0 the key of the first array before the tile      1, 2, … the tile's part of the first array      then that of the second
//
// Algorithm  A partition kernel, one thread or warp a cut, finds where tiles begin (path.cuh), and how many copies of the key
//            at place 0 there are before. With that and the order of equal keys, whoever merges some keys from the middle of a
//            tile on knows all about the run of the first array that goes by when the keys of the second one come.
// Edges      Arrays that are not sorted give some tile that lies in them.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/async.cuh"
#include "prim/order.cuh"
#include "prim/sets/path.cuh"

namespace sets {

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Bits>
struct Sides {
    const Bits *first, *second;
    size_t first_count, second_count;
    KeyOrder<Bits> order;

    __host__ __device__ size_t count() const { return first_count + second_count; }
    __device__ __forceinline__ Bits rank_of_first(size_t i) const { return order.rank(first[i]); }
    __device__ __forceinline__ Bits rank_of_second(size_t j) const { return order.rank(second[j]); }
};

// Where the merge stands after `items` elements: (i, j), i + j = items; items is a multiple of ITEMS, or all there are.
template <Searcher WHO, unsigned ITEMS, typename Bits>
__device__ __forceinline__ Cut<size_t> cut_at(const Sides<Bits> &sides, size_t items) {
    return merge_path<WHO, ITEMS>(
        items, sides.first_count, sides.second_count, [&](size_t i) { return sides.rank_of_first(i); },
        [&](size_t j) { return sides.rank_of_second(j); });
}

// How many keys at the end of [0, i) of the first array are equal, i > 0.
template <typename Bits>
__device__ __forceinline__ size_t copies_before(const Sides<Bits> &sides, size_t i) {
    const Bits x = sides.rank_of_first(i - 1);
    return i - gallop_back(size_t(0), i - 1, [&](size_t p) { return sides.rank_of_first(p) == x; });
}

// [first, first + first_count) and [second, second + second_count) of the arrays, ITEMS elements at most.
struct Tile {
    size_t first, second;
    unsigned first_count, second_count;

    __device__ __forceinline__ unsigned count() const { return first_count + second_count; }
    __device__ __forceinline__ unsigned first_end() const { return 1 + first_count; }         // places
    __device__ __forceinline__ unsigned end() const { return 1 + first_count + second_count; }
};

// Tile `number` of `tiles`, where cuts (tiles + 1) says how many elements of the first array lie before each; of the first and
// the last cut that is known.
template <unsigned ITEMS, typename Bits>
__device__ __forceinline__ Tile tile_at(const Sides<Bits> &sides, const uint64_t *cuts, size_t number, size_t tiles) {
    const size_t begin = number * ITEMS, end = min(begin + ITEMS, sides.count());
    const size_t first = number == 0 ? 0 : cuts[number], second = begin - first;
    const size_t first_end = number + 1 == tiles ? sides.first_count : cuts[number + 1], second_end = end - first_end;
    const unsigned firsts = first_end > first ? static_cast<unsigned>(min(first_end - first, size_t(ITEMS))) : 0;
    const unsigned seconds = second_end > second ? static_cast<unsigned>(min(second_end - second, size_t(ITEMS - firsts))) : 0;
    return {first, second, firsts, seconds};
}

// visit (from, to) for each element of this thread, from + count elements to `to`. Of a side most tiles have about a half.
template <int NT, int VT, typename From, typename To, typename Visit>
__device__ __forceinline__ void for_own(From *from, unsigned count, To *to, Visit visit) {
    constexpr int HALF = VT / 2 + 1;
    from += threadIdx.x, to += threadIdx.x;
#pragma unroll 1
    for (int left = static_cast<int>(count - threadIdx.x); left > 0; left -= NT * HALF) {
#pragma unroll
        for (int k = 0; k < HALF; ++k) {
            if (NT * k < left) visit(from + NT * k, to + NT * k);
        }
        from += NT * HALF, to += NT * HALF;
    }
}

// ranks ← those of places 0 to tile.end() - 1. The caller synchronises.
template <int NT, int VT, typename Bits>
__device__ __forceinline__ void load_tile(const Sides<Bits> &sides, const Tile &tile, Bits *ranks) {
    const KeyOrder<Bits> order = sides.order;
    Bits *const firsts = ranks + 1, *const seconds = ranks + tile.first_end();
    const auto copy = [](const Bits *from, Bits *to) { async_copy<sizeof(Bits)>(to, from); };
    for_own<NT, VT>(sides.first + tile.first, tile.first_count, firsts, copy);
    for_own<NT, VT>(sides.second + tile.second, tile.second_count, seconds, copy);
    async_commit();
    if (threadIdx.x == 0) ranks[0] = tile.first > 0 ? sides.rank_of_first(tile.first - 1) : 0;
    async_wait_for<0>();

    // What this thread copied itself it may read now.
    if (!order.is_float && order.flip == 0) return;
    const auto rank = [&](const Bits *from, Bits *to) { *to = order.is_float ? order.rank(*from) : *from ^ order.flip; };
    for_own<NT, VT>(firsts, tile.first_count, firsts, rank);
    for_own<NT, VT>(seconds, tile.second_count, seconds, rank);
}

// Where in a tile the merge stands after `items` elements: the next places.
template <typename Bits>
__device__ __forceinline__ Cut<unsigned> cut_in_tile(const Tile &tile, const Bits *ranks, unsigned items) {
    const Bits *const firsts = ranks + 1, *const seconds = ranks + tile.first_end();
    const auto cut = merge_path(
        items, tile.first_count, tile.second_count, [&](unsigned i) { return firsts[i]; },
        [&](unsigned j) { return seconds[j]; });
    return {1 + cut.a, tile.first_end() + cut.b};
}

// The place where the run of the first array begins that ends before place i: 0 if it begins before the tile, i without a key.
template <typename Bits>
__device__ __forceinline__ unsigned run_begin(const Tile &tile, const Bits *ranks, unsigned i) {
    const unsigned least = tile.first > 0 ? 0 : 1;
    if (i == least) return i;
    const Bits x = ranks[i - 1];
    return gallop_back(least, i - 1, [&](unsigned p) { return ranks[p] == x; });
}

}  // namespace sets
