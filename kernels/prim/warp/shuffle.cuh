// shuffle.cuh — values of any type from other lanes, a word at a time; all lanes of the warp call.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

#include "prim/warp/warp.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// The value whose words `shuffle` brings.
template <typename V, typename Shuffle>
__device__ __forceinline__ V shuffled(const V &value, Shuffle shuffle) {
    static_assert(sizeof(V) % 4 == 0, "words");
    uint32_t words[sizeof(V) / 4];
    memcpy(words, &value, sizeof(V));
#pragma unroll
    for (uint32_t &word : words) word = shuffle(word);
    V other;
    memcpy(&other, words, sizeof(V));
    return other;
}

template <typename V>
__device__ __forceinline__ V lane_value(const V &value, unsigned lane) {
    return shuffled(value, [&](uint32_t word) { return __shfl_sync(ALL_LANES, word, lane); });
}

template <typename V>
__device__ __forceinline__ V shuffle_up_value(const V &value, unsigned offset) {
    return shuffled(value, [&](uint32_t word) { return __shfl_up_sync(ALL_LANES, word, offset); });
}

template <typename V>
__device__ __forceinline__ V shuffle_xor_value(const V &value, int offset) {
    return shuffled(value, [&](uint32_t word) { return __shfl_xor_sync(ALL_LANES, word, offset); });
}
