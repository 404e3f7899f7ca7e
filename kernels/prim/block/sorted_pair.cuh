// sorted_pair.cuh — two sorted arrays cut into tiles of their merge, and a tile in shared memory.
//
//   Of equal keys those of the first array come before those of the second. Places of a tile, in `ranks`:
//   first_at …      the tile's part of the first array, with its neighbour on each side, where it has one
//   second_at …     that of the second one, likewise
//
// Algorithm  A partition kernel, one thread or warp a cut, finds where tiles begin (merge_path.cuh). A tile that is inside,
//            which is all but those near an end of an array, is copied in aligned packets of 16 bytes and merged without bounds
//            checks: there is a neighbour to compare with. Each thread finds its cut by a branch-free binary search in steps of
//            powers of two.
// Cost       Loads: 2 instructions a packet. A search: 7 a step.
// Edges      Arrays that are not sorted give some tile within them.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/thread/async_copy.cuh"
#include "prim/thread/order.cuh"
#include "prim/thread/packet.cuh"
#include "prim/thread/predicated.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/balanced_path.cuh"
#include "prim/warp/merge_path.cuh"

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

// The merge-path cut of diagonal `items`: (i, j), i + j = items; items is a multiple of ITEMS, or all there are.
template <Searcher WHO, unsigned ITEMS, typename Bits>
__device__ __forceinline__ Cut<size_t> cut_at(const Sides<Bits> &sides, size_t items) {
    const size_t low = items > sides.second_count ? items - sides.second_count : 0, high = min(items, sides.first_count);
    const size_t i = merge_path<WHO, ITEMS>(low, high, [&](size_t i) {
        return sides.rank_of_first(i) <= sides.rank_of_second(items - 1 - i);
    });
    return {i, items - i};
}

// How many keys at the end of [0, i) of the first array are equal, i > 0.
template <typename Bits>
__device__ __forceinline__ size_t copies_before(const Sides<Bits> &sides, size_t i) {
    const Bits x = sides.rank_of_first(i - 1);
    return i - gallop_back(size_t(0), i - 1, [&](size_t p) { return sides.rank_of_first(p) == x; });
}

constexpr uint64_t INSIDE = uint64_t(1) << 63;                     // of a Start's second: no array begins or ends near the tile

// Where a tile begins.
struct alignas(16) Start {
    uint64_t first, second;

    // Of a tile of up to ITEMS keys and one.
    template <unsigned ITEMS, typename Bits>
    static __device__ __forceinline__ Start at(const Sides<Bits> &sides, const Cut<size_t> &cut) {
        constexpr size_t BEFORE = PACKET_LENGTH<Bits>, BEHIND = ITEMS + 2 + PACKET_LENGTH<Bits>;
        const bool is_inside = cut.a >= BEFORE && cut.a + BEHIND <= sides.first_count && cut.b >= BEFORE &&
                               cut.b + BEHIND <= sides.second_count;
        return {cut.a, cut.b | (is_inside ? INSIDE : 0)};
    }
};

// [first, first + first_count) and [second, second + second_count) of the arrays, ITEMS elements at most, or one more.
struct Tile {
    size_t first, second;
    unsigned first_count, second_count;
    unsigned first_at, second_at;                                  // places
    bool is_inside;

    __device__ __forceinline__ unsigned count() const { return first_count + second_count; }
    __device__ __forceinline__ unsigned first_end() const { return first_at + first_count; }
    __device__ __forceinline__ unsigned second_end() const { return second_at + second_count; }
};

// Up to that many places a tile takes, its neighbours included.
template <unsigned ITEMS, typename Bits>
constexpr unsigned PLACES = ITEMS + 3 + 4 * PACKET_LENGTH<Bits>;

// The tile from `begin` to `end`.
template <unsigned ITEMS, typename Bits>
__device__ __forceinline__ Tile tile_between(const Sides<Bits> &sides, const Start &begin, const Start &end) {
    constexpr unsigned PACK = PACKET_LENGTH<Bits>;
    Tile tile;
    tile.is_inside = (begin.second & INSIDE) != 0;
    tile.first = begin.first, tile.second = begin.second & ~INSIDE;
    tile.first_count = min(static_cast<unsigned>(end.first) - static_cast<unsigned>(tile.first), ITEMS + 1);
    tile.second_count = min(static_cast<unsigned>(end.second) - static_cast<unsigned>(tile.second), ITEMS + 1 - tile.first_count);
    if (!tile.is_inside) {                                         // where arrays are not sorted starts are in no order
        tile.first_count = static_cast<unsigned>(min(sides.first_count - tile.first, size_t(tile.first_count)));
        tile.second_count = static_cast<unsigned>(min(sides.second_count - tile.second, size_t(tile.second_count)));
    }
    const auto in_packet = [](const Bits *key) { return unsigned(reinterpret_cast<uintptr_t>(key) / sizeof(Bits)) % PACK; };
    tile.first_at = in_packet(sides.first + tile.first - 1) + 1;
    tile.second_at = (tile.first_end() + PACK) / PACK * PACK + in_packet(sides.second + tile.second - 1) + 1;
    return tile;
}

// Tile `number` of `tiles`, where starts (tiles + 1) says where each begins; of a single one that is known.
template <unsigned ITEMS, typename Bits>
__device__ __forceinline__ Tile tile_at(const Sides<Bits> &sides, const Start *starts, size_t number, size_t tiles) {
    if (tiles == 1) return tile_between<ITEMS>(sides, Start{0, 0}, Start{sides.first_count, sides.second_count});
    return tile_between<ITEMS>(sides, starts[number], starts[number + 1]);
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

// Copies [begin - 1, begin + count] of an array, as far as it is there, so that `begin` comes to place `at`.
template <int NT, int VT, typename Bits>
__device__ __forceinline__ void load_part(const Bits *array, size_t total, size_t begin, unsigned count, unsigned at,
                                          bool is_inside, Bits *ranks) {
    constexpr unsigned PACK = PACKET_LENGTH<Bits>;
    if (is_inside) {
        const unsigned place = (at - 1) / PACK * PACK, packets = (at + count + PACK - place) / PACK;
        using Packet = ::Packet<Bits>;
        for_own<NT, VT / PACK>(reinterpret_cast<const Packet *>(array + begin - (at - place)), packets,
                               reinterpret_cast<Packet *>(ranks + place),
                               [](const Packet *from, Packet *to) { async_copy<PACKET_BYTES>(to, from); });
    } else {
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < count + 2; i += NT) {
            const size_t index = begin + i - 1;
            if (index < total) async_copy<sizeof(Bits)>(ranks + at - 1 + i, array + index);
        }
    }
}

// Starts the copies of the keys of a tile and its neighbours; ranks are aligned to packets.
template <int NT, int VT, typename Bits>
__device__ __forceinline__ void send_for_tile(const Sides<Bits> &sides, const Tile &tile, Bits *ranks) {
    load_part<NT, VT>(sides.first, sides.first_count, tile.first, tile.first_count, tile.first_at, tile.is_inside, ranks);
    load_part<NT, VT>(sides.second, sides.second_count, tile.second, tile.second_count, tile.second_at, tile.is_inside, ranks);
    async_commit();
}

// ranks ← those of the tile whose copies were started. The caller synchronises.
template <int NT, typename Bits>
__device__ __forceinline__ void receive_tile(const Sides<Bits> &sides, const Tile &tile, Bits *ranks) {
    async_wait_for<0>();
    if (!sides.order.is_float && sides.order.flip == 0) return;
    __syncthreads();                                               // the keys have arrived
    Packet<Bits> *const packets = reinterpret_cast<Packet<Bits> *>(ranks);
#pragma unroll 4
    for (unsigned i = threadIdx.x; i <= tile.second_end() / PACKET_LENGTH<Bits>; i += NT) {
        Packet<Bits> packet = packets[i];
        for (Bits &key : packet.values) key = sides.order.rank(key);
        packets[i] = packet;
    }
}

template <int NT, int VT, typename Bits>
__device__ __forceinline__ void load_tile(const Sides<Bits> &sides, const Tile &tile, Bits *ranks) {
    send_for_tile<NT, VT>(sides, tile, ranks);
    receive_tile<NT>(sides, tile, ranks);
}

constexpr unsigned power_within(unsigned n) { return n < 2 ? n : 2 * power_within(n / 2); } // the greatest power of two up to n
template <unsigned ITEMS>
constexpr unsigned FIRST_STEP = power_within((ITEMS + 1) / 2);     // the shorter part has no more keys

// Goes STEP keys further on the merge path, of `left` at the most, if they are behind where it begins; then half as many.
template <unsigned STEP, typename Bits>
__device__ __forceinline__ void go_on(unsigned &left, unsigned &first, unsigned &second) {
    constexpr int BYTES = STEP * sizeof(Bits), SIZE = sizeof(Bits);
    bool goes_on = STEP <= left;
    const Bits in_first = loaded_shared_if<Bits, BYTES - SIZE>(goes_on, first);
    const Bits in_second = loaded_shared_if<Bits, -BYTES>(goes_on, second);
    goes_on = goes_on && in_first <= in_second;
    if (goes_on) first += BYTES;
    if (goes_on) second -= BYTES;
    if (goes_on) left -= STEP;
    if constexpr (STEP > 1) go_on<STEP / 2, Bits>(left, first, second);
}

// The merge-path cut of diagonal `items` in a tile: the next places.
template <unsigned ITEMS, typename Bits>
__device__ __forceinline__ Cut<unsigned> cut_in_tile(const Tile &tile, const Bits *ranks, unsigned items) {
    const unsigned low = items > tile.second_count ? items - tile.second_count : 0;
    const unsigned begin = shared_address(ranks + tile.first_at);
    unsigned left = min(items, tile.first_count) - low;
    unsigned first = begin + low * sizeof(Bits), second = shared_address(ranks + tile.second_at) + (items - low) * sizeof(Bits);
    go_on<FIRST_STEP<ITEMS>, Bits>(left, first, second);
    const unsigned i = (first - begin) / sizeof(Bits);
    return {tile.first_at + i, tile.second_at + items - i};
}

constexpr int NEIGHBOURS = 3;                                      // of a run that are looked at before its end is searched

// Where the run of x begins that ends before place `end`, places from `begin` on.
template <typename Bits>
__device__ __forceinline__ unsigned run_begin(const Bits *ranks, unsigned begin, unsigned end, Bits x) {
    unsigned at = end;
    bool goes_on = true;
#pragma unroll
    for (int k = 0; k < NEIGHBOURS; ++k) {
        goes_on = goes_on && at > begin;
        goes_on = goes_on && loaded_shared_if<Bits, -int(sizeof(Bits))>(goes_on, shared_address(ranks + at)) == x;
        if (goes_on) at -= 1;
    }
    return goes_on ? gallop_back(begin, at, [&](unsigned p) { return ranks[p] == x; }) : at;
}

// Where the run of x ends that goes on at place `begin`, places before `end`.
template <typename Bits>
__device__ __forceinline__ unsigned run_end(const Bits *ranks, unsigned begin, unsigned end, Bits x) {
    unsigned at = begin;
    bool goes_on = true;
#pragma unroll
    for (int k = 0; k < NEIGHBOURS; ++k) {
        goes_on = goes_on && at < end;
        goes_on = goes_on && loaded_shared_if<Bits>(goes_on, shared_address(ranks + at)) == x;
        if (goes_on) at += 1;
    }
    return goes_on ? gallop(at, end, [&](unsigned p) { return ranks[p] == x; }) : at;
}

}  // namespace sets
