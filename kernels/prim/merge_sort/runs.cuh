// runs.cuh — a pass of a merge sort: pairs of runs become one; and the copy at the end.
//
// Algorithm  A tile of the output stays where it is when it has what it had: one of the first run, when nothing of the second comes
//            before its last element; one of the second, when nothing of the first comes behind its first element. Others are cut
//            and merged as in merge.cu, into the other one of the two buffers; a byte a tile says in which it lies. So a pass
//            costs what it moves. Of segments only the one across the border of the runs is merged.
// Cost       Reads and writes the elements of the tiles that move once, and a key or two of each tile.
// Source     S. Baxter, "ModernGPU", Mergesort, Segmented Sort and Locality Sort, NVIDIA 2013 (what may be left alone). Tiles
//            that stay where they are, without a copy, and the cuts by warps are ours.
#pragma once

#include <type_traits>

#include "prim/chain.cuh"
#include "prim/merge_sort/arrays.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- device helpers -------------------------------------------------------------------------------------------------

// The two runs that a tile belongs to, as places in the array: begin, middle, end; in between only [from, to) is merged.
struct RunPair {
    size_t begin, middle, end;
    size_t from, to;
};

// ---- kernels --------------------------------------------------------------------------------------------------------

// Runs of `width` tiles become runs of 2·width; `pass` counts passes.
template <bool SEGMENTED, typename Key, bool FLOAT, bool VALUES>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS, MergeShape<Key>::template blocks<VALUES>()) merge_pass(
    const __grid_constant__ MergeSort<Key, FLOAT> sort, unsigned width, int pass) {
    using Shape = MergeShape<Key>;
    constexpr unsigned TILE = Shape::TILE;
    __shared__ MergeMemory<Key, VALUES> memory;
    __shared__ size_t cuts[Shape::WARPS];                          // where in the first run a tile begins
    __shared__ bool moves[Shape::WARPS];
    chain_wait();
    chain_release();
    if (sort.is_idle()) return;

    const unsigned first = blockIdx.x * sort.each, here = min(sort.each, sort.tiles - first), warp = threadIdx.x / WARP;
    const uint8_t *const where = sort.where[pass % 2];
    uint8_t *const where_after = sort.where[(pass + 1) % 2];
    const auto key_at = [&](size_t place) { return sort.sorted[where[place / TILE]][place]; };
    const auto rank_at = [&](size_t place) { return sort.order.rank(sort.order.encode(key_at(place))); };
    const auto pair_of = [&](unsigned tile) {
        const unsigned begin = tile & ~(2 * width - 1);
        RunPair pair;
        pair.begin = pair.from = size_t(begin) * TILE;
        pair.middle = min((size_t(begin) + width) * TILE, sort.count);
        pair.end = pair.to = min((size_t(begin) + 2 * size_t(width)) * TILE, sort.count);
        if (SEGMENTED && pair.middle < pair.end) {
            pair.from = max(pair.begin, min(pair.middle, sort.segment_begin[begin + width]));
            pair.to = min(pair.end, max(pair.middle, sort.segment_end[begin + width]));
        }
        return pair;
    };

    // Which tiles move.
    if (threadIdx.x < here) {
        const unsigned tile = first + threadIdx.x;
        const RunPair pair = pair_of(tile);
        const size_t begin = size_t(tile) * TILE, end = min(begin + TILE, sort.count);
        bool is_moved = pair.from < pair.middle && pair.middle < pair.to && end > pair.from && begin < pair.to;
        if (is_moved) {
            const bool is_first = begin < pair.middle;
            is_moved = rank_at(is_first ? end - 1 : pair.middle - 1) > rank_at(is_first ? pair.middle : begin);
        }
        moves[threadIdx.x] = is_moved;
        where_after[tile] = where[tile] ^ is_moved;
    }
    __syncthreads();

    // A warp a cut, but for those at the ends of pairs.
    if (warp <= here) {
        const unsigned tile = first + warp;
        const bool is_used = (warp < here && moves[warp]) || (warp > 0 && moves[warp - 1]);
        if (is_used && tile < sort.tiles && tile % (2 * width) != 0) {
            const RunPair pair = pair_of(tile);
            const size_t begin = size_t(tile) * TILE;
            size_t low = max(pair.from, begin + pair.middle > pair.to ? begin + pair.middle - pair.to : 0);
            size_t high = min(begin, pair.middle);
            low = min(low, high);
            const size_t both = begin + pair.middle - 1;
            const size_t cut = begin <= pair.from ? begin : warp_merge_path<TILE>(low, high, [&](size_t place) {
                return rank_at(place) <= rank_at(both - place);
            });
            cuts[warp] = cut;
        }
    }
    __syncthreads();

    for (unsigned t = 0; t < here; ++t) {
        if (!moves[t]) continue;
        const unsigned tile = first + t;
        const RunPair pair = pair_of(tile);
        const size_t begin = size_t(tile) * TILE, end = min(begin + TILE, sort.count);
        const size_t a = begin == pair.begin ? begin : cuts[t];
        const size_t a_cut = end == pair.end ? pair.middle : cuts[t + 1];
        const size_t b = begin + pair.middle - a;                  // as many as came before
        TileRuns runs;
        runs.count = static_cast<unsigned>(end - begin);
        runs.a_count = a_cut > a ? static_cast<unsigned>(min(a_cut - a, end - begin)) : 0;
        const unsigned b_count = runs.count - runs.a_count;
        runs.a_fixed = SEGMENTED ? static_cast<unsigned>(min(pair.from > a ? pair.from - a : 0, size_t(runs.a_count))) : 0;
        runs.b_free = SEGMENTED ? static_cast<unsigned>(min(pair.to > b ? pair.to - b : 0, size_t(b_count))) : b_count;

        // A run may lie in both buffers, but mostly does in one.
        const auto buffer_of = [&](size_t place, unsigned places) {
            const uint8_t buffer = places == 0 ? 0 : where[place / TILE];
            return places == 0 || buffer == where[(place + places - 1) / TILE] ? int(buffer) : -1;
        };
        const int a_buffer = buffer_of(a, runs.a_count), b_buffer = buffer_of(b, b_count), to = where[tile] ^ 1;
        const bool is_plain = a_buffer >= 0 && b_buffer >= 0;
        const size_t b_shift = b - runs.a_count;
        const auto place_of = [&](unsigned index) { return index + (index < runs.a_count ? a : b_shift); };
        bool is_mixed;
        if (is_plain) {
            const Key *const from_a = sort.sorted[a_buffer] + a, *const from_b = sort.sorted[b_buffer] + b_shift;
            const Key *const of_a = from_a + threadIdx.x, *const of_b = from_b + threadIdx.x;
            const auto read = [&](int step, unsigned index) { return (index < runs.a_count ? of_a : of_b)[step]; };
            is_mixed = merge_tile<VALUES>(memory, runs, sort.order, read, sort.sorted[to] + begin);
        } else {
            const auto read = [&](int, unsigned index) { return key_at(place_of(index)); };
            is_mixed = merge_tile<VALUES>(memory, runs, sort.order, read, sort.sorted[to] + begin);
        }
        if constexpr (VALUES) {
            by_width(sort.value_bytes, [&](auto width) {
                using Value = decltype(width);
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
        __syncthreads();                                           // the tile is free again
    }
}

// The tiles that lie in the scratch come to the result.
template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS) collect(const __grid_constant__ MergeSort<Key, FLOAT> sort,
                                                                    int passes) {
    constexpr int NT = MergeShape<Key>::THREADS, VT = MergeShape<Key>::EACH;
    constexpr unsigned TILE = MergeShape<Key>::TILE;
    chain_wait();
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
        by_width(sort.value_bytes, [&](auto width) {
            using Value = decltype(width);
            copy(static_cast<Value *>(sort.sorted_values[0]), static_cast<const Value *>(sort.sorted_values[1]));
        });
    }
}

}  // namespace
