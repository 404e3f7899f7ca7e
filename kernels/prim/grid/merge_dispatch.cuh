// merge_dispatch.cuh — which instantiation of a merge serves a call, and how its blocks share the tiles.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/block/merge.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/order.cuh"

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename K, bool F, bool V>
struct MergeKind {
    using Key = K;
    static constexpr bool FLOAT = F, VALUES = V;
};

// run (MergeKind ()) with the kind of key of a dtype, and whether something goes with it.
template <typename Run>
cudaError_t dispatch_merge_kind(int dtype, int value_bytes, Run run) {
    const bool is_float = is_float_dtype(dtype);
    const auto with_values = [&](auto key, auto floats) {
        using Key = decltype(key);
        constexpr bool FLOAT = decltype(floats)::value != 0;
        return value_bytes == 0 ? run(MergeKind<Key, FLOAT, false>()) : run(MergeKind<Key, FLOAT, true>());
    };
    if (is_wide_dtype(dtype)) return is_float ? with_values(uint64_t(), Constant<1>()) : with_values(uint64_t(), Constant<0>());
    return is_float ? with_values(uint32_t(), Constant<1>()) : with_values(uint32_t(), Constant<0>());
}

// How many tiles a block takes one after the other: as many as it has warps to cut for, but enough blocks for all multiprocessors.
template <typename Key>
cudaError_t merge_tiles_per_block(size_t tiles, unsigned *each) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    const size_t share = sms == 0 ? 1 : tiles / (16 * sms);
    *each = static_cast<unsigned>(share < 1 ? 1 : at_most(share, MergeShape<Key>::WARPS - 1));
    return error;
}
