// functor_search.cu — bounds of keys among keys that are sorted by an expression, and merges.
//
//   indices[i] = how many of the others precede keys[i] (lower), or are not preceded by it (upper)
//   merged[i + indices[i]] = keys[i]
//
// Algorithm  Bisection: all searches of a launch have the same number of steps and the same distances, so that the lanes of a thread, 16 of 4
//            bytes or 8 of 8, search side by side.
// Cost       log2 (others) + 1 loads and evaluations for each key.
// Limits     Any count.
// Edges      An expression that is no strict weak order, and keys that are not sorted, give some index from 0 to the number of others.
// Source     N. Satish, M. Harris, M. Garland, "Designing Efficient Sorting Algorithms for Manycore GPUs", 2009 (merges by ranks).

#include "kernels.h"
#include "map/functor.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/index.cuh"

namespace {

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY>
__global__ void __launch_bounds__(FUNCTOR_THREADS, 3)
    functor_search(const __grid_constant__ MapParameters p, const __grid_constant__ gpumexk_functor_search of, unsigned bytes) {
    constexpr unsigned LANES = MAP_LANES<Word>;
    extern __shared__ uint4 functor_slots[];                       // (slots, MAP_GROUPS, threads)
    const unsigned threads = blockDim.x;
    const MapSlots<Word> slots = {functor_slots + threadIdx.x, threads};
    const size_t first = size_t(blockIdx.x) * LANES * threads + threadIdx.x;
    const bool wants_match = of.flags != nullptr || of.matches != nullptr;
    if (first >= of.count) return;

    size_t low[LANES] = {};                                        // so many precede the key
    unsigned is_equal = 0;                                         // bit j: another one equals key j
    bool is_matching = false;                                      // the last round: whether the neighbour equals
    for (size_t length = of.other_count; length > 0 || wants_match;) {
        const size_t half = length > 1 ? length / 2 : 1;
        const bool is_turned = (of.upper != 0) != is_matching;     // the key is asked whether it precedes the other one
        Word a[LANES], b[LANES];
#pragma unroll
        for (unsigned j = 0; j < LANES; ++j) {
            const size_t i = first + size_t(j) * threads;
            const size_t at = is_matching ? low[j] - (of.upper != 0 ? 1 : 0) : low[j] + half - 1;   // wraps behind the end where there is none
            const bool is_there = i < of.count && at < of.other_count;
            const Word key = i < of.count ? load_element<Word>(of.keys, bytes, i) : Word(0);
            const Word other = is_there ? load_element<Word>(of.others, bytes, at) : Word(0);
            a[j] = is_turned ? key : other, b[j] = is_turned ? other : key;
        }
        join_lanes<ELEMENTARY>(p, slots, a, b);
        if (is_matching) {
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) {
                const bool has_neighbour = low[j] - (of.upper != 0 ? 1 : 0) < of.other_count;
                is_equal |= unsigned(has_neighbour && static_cast<uint32_t>(a[j]) == 0) << j;
            }
            break;
        }
        if (length > 0) {
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) low[j] += (static_cast<uint32_t>(a[j]) != 0) != (of.upper != 0) ? half : 0;
        }
        length -= length > 1 ? half : length;
        if (length > 0) continue;
        if (!wants_match) break;
        is_matching = true;
    }

    unsigned matches = 0;
#pragma unroll
    for (unsigned j = 0; j < LANES; ++j) {
        const size_t i = first + size_t(j) * threads;
        if (i >= of.count) continue;
        if (of.indices != nullptr) store_index(of.indices, of.index_bytes, i, low[j]);
        if (of.flags != nullptr) of.flags[i] = static_cast<uint8_t>(is_equal >> j & 1);
        matches += is_equal >> j & 1;
        if (of.merged != nullptr) store_element<Word>(of.merged, bytes, i + low[j], load_element<Word>(of.keys, bytes, i));
        if (of.merged_values == nullptr) continue;
        const size_t value = of.values == nullptr ? of.first_position + i : load_index(of.values, of.value_bytes, i);
        store_index(of.merged_values, of.value_bytes, i + low[j], value);
    }
    if (of.matches != nullptr && matches > 0) atomicAdd(reinterpret_cast<unsigned long long *>(of.matches), matches);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY>
cudaError_t launch_search(const gpumexk_functor &functor, const gpumexk_functor_search &of, cudaStream_t stream) {
    MapParameters p = {};
    unsigned slots = 0;
    if (!plan_functor<sizeof(Word) == 8, ELEMENTARY>(functor, p, &slots)) return cudaErrorInvalidValue;
    const unsigned threads = map_threads(FUNCTOR_THREADS, map_slot_bytes(slots));
    const size_t blocks = ceil_div(of.count, size_t(MAP_LANES<Word>) * threads);
    functor_search<Word, ELEMENTARY>
        <<<static_cast<unsigned>(blocks), threads, threads * map_slot_bytes(slots), stream>>>(p, of, unsigned(functor.bytes));
    return cudaGetLastError();
}

}  // namespace

int gpumexk_functor_search_run(const gpumexk_functor *functor, const gpumexk_functor_search *search, gpumexk_stream stream) {
    if (search->matches != nullptr) {
        const cudaError_t error = cudaMemsetAsync(search->matches, 0, sizeof(uint64_t), stream);
        if (error != cudaSuccess) return error;
    }
    if (search->count == 0) return cudaSuccess;
    return dispatch_functor(*functor, [&](auto word, auto elementary) {
        return launch_search<decltype(word), decltype(elementary)::value != 0>(*functor, *search, stream);
    });
}
