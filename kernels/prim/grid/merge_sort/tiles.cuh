// tiles.cuh — the first step of a merge sort: sorts each tile of an array, or of each of its segments.
//
// Algorithm  A block sorts a tile: each thread its elements in registers (odd-even transposition, which is stable), then pairs
//            of runs are merged in shared memory, log2 (threads) times. A merge of two runs changes only the segment that crosses
//            their boundary. A sorted tile is detected and left as it is. Keys go where the tile will be, values follow through
//            shared memory.
//            Of segments each tile records where its last one begins and where its first head is, for bounds.cuh.
// Cost       Reads and writes each element once.
// Source     S. Baxter, "ModernGPU", Mergesort and Segmented Sort, NVIDIA 2013.
#pragma once

#include "prim/block/merge.cuh"
#include "prim/block/move.cuh"
#include "prim/block/segment_heads.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/merge_sort/arrays.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t NO_HEAD = ~size_t(0);

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Key, bool VALUES>
union SortMemory {
    MergeMemory<Key, VALUES> merge;
    uint64_t values[VALUES ? MergeShape<Key>::TILE : 1];           // once the sources have been read
};

// Sorts the codes of one thread; where bit i of `heads` is set, code i begins a segment.
template <bool SEGMENTED, bool VALUES, int VT, typename Key, bool FLOAT>
__device__ __forceinline__ void sort_in_thread(Key (&codes)[VT], unsigned (&sources)[VT], unsigned heads,
                                               const CodeOrder<Key, FLOAT> &order) {
#pragma unroll
    for (int step = 0; step < VT; ++step) {
#pragma unroll
        for (int i = step % 2; i + 1 < VT; i += 2) {
            const Key code = codes[i], next = codes[i + 1];
            if (!SEGMENTED && !VALUES && !FLOAT) {
                codes[i] = min(code, next), codes[i + 1] = max(code, next);
                continue;
            }
            const bool swap = order.rank(next) < order.rank(code) && !(SEGMENTED && (heads >> (i + 1) & 1));
            codes[i] = swap ? next : code, codes[i + 1] = swap ? code : next;
            const unsigned source = sources[i];
            sources[i] = swap ? sources[i + 1] : source, sources[i + 1] = swap ? source : sources[i + 1];
        }
    }
}

// Sorts a tile whose codes lie in memory.codes and, in thread order, in `codes`; where they came from goes to `sources`. True
// when little moved over the middle of the tile.
template <bool SEGMENTED, bool VALUES, typename Key, bool FLOAT>
__device__ __forceinline__ bool sort_in_block(MergeMemory<Key, VALUES> &memory, const HeadBits<MergeShape<Key>::TILE> &bits,
                                              const CodeOrder<Key, FLOAT> &order, Key (&codes)[MergeShape<Key>::EACH],
                                              unsigned (&sources)[MergeShape<Key>::EACH]) {
    using Shape = MergeShape<Key>;
    constexpr int NT = Shape::THREADS, VT = Shape::EACH;
    const unsigned begin = VT * threadIdx.x;
    const unsigned heads = SEGMENTED ? bits.bits(begin, VT) : 0;
#pragma unroll
    for (int i = 0; i < VT; ++i) sources[i] = begin + i;

    // Is it sorted already?
    bool in_order = true;
#pragma unroll
    for (int i = 0; i + 1 < VT; ++i) {
        in_order = in_order && (order.rank(codes[i]) <= order.rank(codes[i + 1]) || (heads >> (i + 1) & 1));
    }
    if (begin + VT < Shape::TILE && order.rank(codes[VT - 1]) > order.rank(memory.codes[begin + VT])) {
        in_order = in_order && SEGMENTED && bits.from(begin + VT, Shape::TILE) == begin + VT;
    }
    if (__syncthreads_and(in_order)) return true;

    sort_in_thread<SEGMENTED, VALUES>(codes, sources, heads, order);
    bool moved = false;
#pragma unroll 1
    for (unsigned width = 1; width < NT; width *= 2) {             // threads of a run
        put_in_thread_order<Key, VALUES>(memory, codes, sources);

        // This thread's pair of runs, and what of it is in one segment.
        const unsigned a = begin - VT * (threadIdx.x % (2 * width)), b = a + VT * width;
        TileRuns runs = {2 * VT * width, VT * width, 0, VT * width};
        if (SEGMENTED) {
            runs.a_fixed = max(bits.before(b, a), a) - a;
            runs.b_free = min(bits.from(b, Shape::TILE), b + VT * width) - b;
        }
        const Key *const pair = memory.codes + a;
        moved = false;
        if (runs.b_free > 0 && order.rank(pair[VT * width - 1]) > order.rank(pair[VT * width])) {
            merge_in_thread(pair, runs, begin - a, order, codes, sources);
            moved = a + sources[0] != begin || a + sources[VT - 1] != begin + VT - 1;
            if constexpr (VALUES) {
#pragma unroll
                for (int i = 0; i < VT; ++i) sources[i] = memory.sources[a + sources[i]];
            }
        }
        __syncthreads();
    }
    return __syncthreads_count(moved) < NT / 2;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A block a tile.
template <bool SEGMENTED, typename Key, bool FLOAT, bool VALUES>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS, MergeShape<Key>::BLOCKS) sort_tiles(
    const __grid_constant__ MergeSort<Key, FLOAT> sort) {
    using Shape = MergeShape<Key>;
    constexpr int NT = Shape::THREADS, VT = Shape::EACH;
    __shared__ SortMemory<Key, VALUES> memory;
    __shared__ HeadBits<SEGMENTED ? Shape::TILE : 32> bits_of_tile;
    __shared__ size_t first_head;
    auto &bits = reinterpret_cast<HeadBits<Shape::TILE> &>(bits_of_tile);
    pdl_trigger();
    if (sort.is_idle()) return;

    const unsigned tile = blockIdx.x;
    const size_t begin = size_t(tile) * Shape::TILE;
    const unsigned count = static_cast<unsigned>(min(sort.count - begin, size_t(Shape::TILE)));
    if constexpr (SEGMENTED) find_heads(bits, sort.segments, begin, &first_head);

    // Behind the last key come codes that nothing comes behind.
    Key codes[VT];
    unsigned sources[VT];
    global_to_register<NT>(count, sort.keys + begin, codes, sort.order.decode(~Key(0)));
#pragma unroll
    for (int i = 0; i < VT; ++i) codes[i] = sort.order.encode(codes[i]);
    register_to_shared<NT>(Shape::TILE, codes, memory.merge.codes);
    shared_to_thread<NT>(Shape::TILE, memory.merge.codes, codes, Barrier::NONE);
    const bool is_near = sort_in_block<SEGMENTED>(memory.merge, bits, sort.order, codes, sources);

    // Store the keys.
    const int to = is_near ? 0 : sort.far;
    put_in_thread_order<Key, VALUES>(memory.merge, codes, sources);
    in_strided_order<NT, VT>(count, [&](int, unsigned index) {
        sort.sorted[to][begin + index] = sort.order.decode(memory.merge.codes[index]);
    });
    if (threadIdx.x == 0) {
        sort.where[0][tile] = static_cast<uint8_t>(to);
        if constexpr (SEGMENTED) {
            const unsigned last = bits.before(Shape::TILE, Shape::TILE), next = bits.from(0, Shape::TILE);
            if (tile + 1 < sort.tiles) sort.segment_begin[tile + 1] = last < Shape::TILE ? begin + last : 0;
            if (tile == 0) sort.segment_begin[0] = 0;
            sort.segment_end[tile] = next < Shape::TILE ? begin + next : NO_HEAD;
        }
    }

    // Then the values, through shared memory.
    if constexpr (VALUES) {
        in_strided_order<NT, VT>(count, [&](int i, unsigned index) { sources[i] = memory.merge.sources[index]; });
        __syncthreads();
        dispatch_value_width(sort.value_bytes, [&](auto width) {
            using Value = decltype(width);
            Value *const target = static_cast<Value *>(sort.sorted_values[to]) + begin;
            Value *const tile_values = reinterpret_cast<Value *>(memory.values);
            if (sort.positions) {
                in_strided_order<NT, VT>(count, [&](int i, unsigned index) { target[index] = Value(begin + sources[i]); });
            } else {
                global_to_shared<NT, VT>(count, static_cast<const Value *>(sort.values) + begin, tile_values);
                in_strided_order<NT, VT>(count, [&](int i, unsigned index) { target[index] = tile_values[sources[i]]; });
            }
        });
    }
}

}  // namespace
