// probe.cuh — whether keys are near enough to their sorted order for a merge sort, from a sample.
//
//   *is_near ← for each of some distances d, of the pairs (key (i), key (i + d)), sampled all over the array, few are inversions
//
// Algorithm  Keys displaced by less than d/2 have no inversion at distance d, keys in random order have every other pair
//            inverted; of ascending runs of r keys d/r of the pairs are inverted, those across a boundary. Neighbours tell
//            whether tiles are sorted already, a tile or a few how far merges reach, a part of the array how many passes there
//            are in which everything moves.
// Cost       Four keys a sample, all in flight at once, in one block: about 4 us on an H200.
#pragma once

#include "prim/block/merge.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/merge_sort/arrays.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned PROBE_THREADS = 1024, PROBES = 4, SAMPLES = PROBE_THREADS * PROBES;
constexpr int DISTANCES = 3;
constexpr size_t PROBED_PART = 32;                                 // of the array: the largest distance

// ---- device helpers -------------------------------------------------------------------------------------------------

// The distances, and how many of SAMPLES pairs may be out of order; chosen on an H200 by which of the sorts is faster then.
struct Probe {
    size_t distance[DISTANCES];
    unsigned allowed[DISTANCES];
};

// ---- kernels --------------------------------------------------------------------------------------------------------

// No distance is more than sort.count / PROBED_PART.
template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(PROBE_THREADS) probe_order(const __grid_constant__ MergeSort<Key, FLOAT> sort,
                                                             const __grid_constant__ Probe probe, int *is_near) {
    const size_t step = (sort.count - sort.count / PROBED_PART) / SAMPLES;
    const auto rank = [&](Key key) { return sort.order.rank(sort.order.encode(key)); };
    Key keys[PROBES], later[DISTANCES][PROBES];
#pragma unroll
    for (int i = 0; i < PROBES; ++i) {
        const size_t place = (i * PROBE_THREADS + threadIdx.x) * step;
        keys[i] = sort.keys[place];
#pragma unroll
        for (int d = 0; d < DISTANCES; ++d) later[d][i] = sort.keys[place + probe.distance[d]];
    }
    bool near = true;
#pragma unroll
    for (int d = 0; d < DISTANCES; ++d) {
        unsigned inversions = 0;
#pragma unroll
        for (int i = 0; i < PROBES; ++i) inversions += __syncthreads_count(rank(keys[i]) > rank(later[d][i]));
        near = near && inversions <= probe.allowed[d];
    }
    if (threadIdx.x == 0) *is_near = near;
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Keys of 4 bytes take the radix sort no longer than sorting tiles alone, those of 8 twice as long.
template <typename Key>
Probe probe_of(size_t count) {
    const bool is_wide = sizeof(Key) == 8;
    const size_t largest = count / PROBED_PART, tiles = MergeShape<Key>::TILE * (is_wide ? 8 : 1);
    return {{1, at_most(tiles, largest), largest}, {is_wide ? SAMPLES : SAMPLES / 4096, SAMPLES / 64, SAMPLES / 4}};
}

}  // namespace
