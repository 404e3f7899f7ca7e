// runs.cuh — a pass of a merge sort, which merges pairs of runs, and the final copy.
//
// Algorithm  A tile of the output is skipped when the pass would not change it: one of the first run, when no key of the second
//            comes before its last; one of the second, when no key of the first comes behind its first. Others are cut by merge
//            path and merged as in merge.cu, into the other one of two buffers; a byte a tile says which. So a pass costs what
//            it moves. Of segments only the one that crosses the boundary of the runs is merged.
// Cost       Reads and writes the elements of the tiles that change once, and a key or two of each tile.
// Source     S. Baxter, "ModernGPU", Mergesort, Segmented Sort and Locality Sort, NVIDIA 2013 (early exit). Skipped tiles
//            without a copy, and cuts by warps, are ours.
#pragma once

#include <type_traits>

#include "prim/block/merge.cuh"
#include "prim/block/move.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/merge_sort/arrays.cuh"
#include "prim/warp/merge_path.cuh"
#include "prim/warp/warp.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- device helpers -------------------------------------------------------------------------------------------------

// The two runs that a tile belongs to, as places in the array: begin, middle, end; in between only [from, to) is merged.
struct RunPair {
    size_t begin, middle, end;
    size_t from, to;
};

// Runs of `width` tiles become runs of 2·width.
template <bool SEGMENTED, typename Key, bool FLOAT>
struct MergePass {
    static constexpr unsigned TILE = MergeShape<Key>::TILE;
    const MergeSort<Key, FLOAT> &sort;
    const uint8_t *where;                                          // before the pass
    unsigned width;

    __device__ Key key_at(size_t place) const { return sort.sorted[where[place / TILE]][place]; }
    __device__ Key rank_at(size_t place) const { return sort.order.rank(sort.order.encode(key_at(place))); }
    __device__ size_t begin_of(unsigned tile) const { return size_t(tile) * TILE; }
    __device__ size_t end_of(unsigned tile) const { return min(begin_of(tile) + TILE, sort.count); }

    __device__ RunPair pair_of(unsigned tile) const {
        const unsigned begin = tile & ~(2 * width - 1);
        RunPair pair;
        pair.begin = pair.from = begin_of(begin);
        pair.middle = min((size_t(begin) + width) * TILE, sort.count);
        pair.end = pair.to = min((size_t(begin) + 2 * size_t(width)) * TILE, sort.count);
        if (SEGMENTED && pair.middle < pair.end) {
            pair.from = max(pair.begin, min(pair.middle, sort.segment_begin[begin + width]));
            pair.to = min(pair.end, max(pair.middle, sort.segment_end[begin + width]));
        }
        return pair;
    }

    // Whether the pass changes a tile.
    __device__ bool moves(unsigned tile) const {
        const RunPair pair = pair_of(tile);
        const size_t begin = begin_of(tile), end = end_of(tile);
        const bool may = pair.from < pair.middle && pair.middle < pair.to && end > pair.from && begin < pair.to;
        if (!may) return false;
        const bool is_first = begin < pair.middle;
        return rank_at(is_first ? end - 1 : pair.middle - 1) > rank_at(is_first ? pair.middle : begin);
    }

    // Where in the first run a tile begins; a warp finds it.
    __device__ size_t cut_of(unsigned tile) const {
        const RunPair pair = pair_of(tile);
        const size_t begin = begin_of(tile), both = begin + pair.middle - 1;
        if (begin <= pair.from) return begin;
        const size_t high = min(begin, pair.middle);
        const size_t low = min(max(pair.from, begin + pair.middle > pair.to ? begin + pair.middle - pair.to : 0), high);
        return merge_path<Searcher::WARP, TILE>(low, high, [&](size_t place) { return rank_at(place) <= rank_at(both - place); });
    }

    // The buffer in which some places of a run lie, or -1 where they lie in both.
    __device__ int buffer_of(size_t place, unsigned places) const {
        if (places == 0) return 0;
        const uint8_t buffer = where[place / TILE];
        return buffer == where[(place + places - 1) / TILE] ? int(buffer) : -1;
    }

    // The merge into a tile that moves, from [a, a_end) of the first run and what came before it of the second.
    template <bool VALUES>
    __device__ __forceinline__ void merge(unsigned tile, size_t a, size_t a_end, MergeMemory<Key, VALUES> &memory) const {
        const RunPair pair = pair_of(tile);
        const size_t begin = begin_of(tile), end = end_of(tile);
        const size_t b = begin + pair.middle - a;                  // as many as came before
        TileRuns runs;
        runs.count = static_cast<unsigned>(end - begin);
        runs.a_count = a_end > a ? static_cast<unsigned>(min(a_end - a, end - begin)) : 0;
        const unsigned b_count = runs.count - runs.a_count;
        runs.a_fixed = SEGMENTED ? static_cast<unsigned>(min(pair.from > a ? pair.from - a : 0, size_t(runs.a_count))) : 0;
        runs.b_free = SEGMENTED ? static_cast<unsigned>(min(pair.to > b ? pair.to - b : 0, size_t(b_count))) : b_count;

        // A run may lie in both buffers, but mostly does in one.
        const int a_buffer = buffer_of(a, runs.a_count), b_buffer = buffer_of(b, b_count), to = where[tile] ^ 1;
        const bool is_plain = a_buffer >= 0 && b_buffer >= 0;
        const size_t b_shift = b - runs.a_count;
        const auto place_of = [&](unsigned index) { return index + (index < runs.a_count ? a : b_shift); };
        bool is_mixed;
        if (is_plain) {
            const Key *const of_a = sort.sorted[a_buffer] + a + threadIdx.x;
            const Key *const of_b = sort.sorted[b_buffer] + b_shift + threadIdx.x;
            const auto read = [&](int step, unsigned index) { return (index < runs.a_count ? of_a : of_b)[step]; };
            is_mixed = merge_tile<VALUES>(memory, runs, sort.order, read, sort.sorted[to] + begin);
        } else {
            const auto read = [&](int, unsigned index) { return key_at(place_of(index)); };
            is_mixed = merge_tile<VALUES>(memory, runs, sort.order, read, sort.sorted[to] + begin);
        }
        if constexpr (VALUES) {
            dispatch_value_width(sort.value_bytes, [&](auto bytes) {
                using Value = decltype(bytes);
                const uint16_t *const sources = is_mixed ? memory.sources : nullptr;
                Value *const target = static_cast<Value *>(sort.sorted_values[to]) + begin;
                const auto values = [&](int buffer) { return static_cast<const Value *>(sort.sorted_values[buffer]); };
                if (is_plain) {
                    const Value *const from_a = values(a_buffer) + a, *const from_b = values(b_buffer) + b_shift;
                    move_values<Key>(runs.count, sources, target, [&](unsigned source) {
                        return (source < runs.a_count ? from_a : from_b)[source];
                    });
                } else {
                    move_values<Key>(runs.count, sources, target, [&](unsigned source) {
                        const size_t place = place_of(source);
                        return values(where[place / TILE])[place];
                    });
                }
            });
        }
        __syncthreads();                                           // the memory is free again
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

// Pass number `pass`: a block takes sort.each tiles, then those a grid further.
template <bool SEGMENTED, typename Key, bool FLOAT, bool VALUES>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS, MergeShape<Key>::template blocks<VALUES>()) merge_pass(
    const __grid_constant__ MergeSort<Key, FLOAT> sort, unsigned width, int pass) {
    constexpr int WARPS = MergeShape<Key>::WARPS;
    __shared__ MergeMemory<Key, VALUES> memory;
    __shared__ size_t cuts[WARPS];                                 // where in the first run a tile begins
    __shared__ bool moves[WARPS];
    pdl_wait();
    pdl_trigger();
    if (sort.is_idle()) return;

    const MergePass<SEGMENTED, Key, FLOAT> merging = {sort, sort.where[pass % 2], width};
    const unsigned warp = threadIdx.x / WARP;
    for (unsigned first = blockIdx.x * sort.each; first < sort.tiles; first += gridDim.x * sort.each) {
        const unsigned here = min(sort.each, sort.tiles - first);
        if (threadIdx.x < here) {
            const unsigned tile = first + threadIdx.x;
            const bool is_moved = merging.moves(tile);
            moves[threadIdx.x] = is_moved;
            sort.where[(pass + 1) % 2][tile] = merging.where[tile] ^ is_moved;
        }
        __syncthreads();

        // A warp a cut, except at the ends of pairs.
        const bool is_used = (warp < here && moves[warp]) || (warp > 0 && warp <= here && moves[warp - 1]);
        if (is_used && first + warp < sort.tiles && (first + warp) % (2 * width) != 0) cuts[warp] = merging.cut_of(first + warp);
        __syncthreads();

        for (unsigned t = 0; t < here; ++t) {
            if (!moves[t]) continue;
            const RunPair pair = merging.pair_of(first + t);
            const size_t a = merging.begin_of(first + t) == pair.begin ? pair.begin : cuts[t];
            const size_t a_end = merging.end_of(first + t) == pair.end ? pair.middle : cuts[t + 1];
            merging.template merge<VALUES>(first + t, a, a_end, memory);
        }
        __syncthreads();                                           // cuts and moves are free again
    }
}

// Copies the tiles that are in the scratch to the result.
template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS) collect(const __grid_constant__ MergeSort<Key, FLOAT> sort,
                                                                    int passes) {
    constexpr int NT = MergeShape<Key>::THREADS, VT = MergeShape<Key>::EACH;
    constexpr unsigned TILE = MergeShape<Key>::TILE;
    pdl_wait();
    if (sort.is_idle()) return;
    for (size_t tile = blockIdx.x; tile < sort.tiles; tile += gridDim.x) {
        if (sort.where[passes % 2][tile] == 0) continue;
        const size_t begin = tile * TILE;
        const unsigned count = static_cast<unsigned>(min(sort.count - begin, size_t(TILE)));
        const auto copy = [&](auto *to, const auto *from) {
            std::remove_const_t<std::remove_pointer_t<decltype(from)>> elements[VT];
            global_to_register<NT>(count, from + begin, elements);
            register_to_global<NT>(count, elements, to + begin);
        };
        copy(sort.sorted[0], sort.sorted[1]);
        if (sort.value_bytes == 0) continue;
        dispatch_value_width(sort.value_bytes, [&](auto width) {
            using Value = decltype(width);
            copy(static_cast<Value *>(sort.sorted_values[0]), static_cast<const Value *>(sort.sorted_values[1]));
        });
    }
}

}  // namespace
