// indexed.cuh — accesses to memory by an array of indices, each with the element that lies beside its index in another array.
//
//   elements[i] ← access (indices[i], elements[i]), 0 ≤ i < count
//
// Algorithm  A thread loads 4 or 2 indices at once, one or two packets of them, so that up to 8 accesses that they lead to are in flight
//            together. Packets that are used once are loaded and stored with the hint evict-first: the second-level cache is left to
//            what the indices lead to.
// Limits     Elements of 1, 2, 4 and 8 bytes, indices u32 or u64, any count. Where one of the arrays does not start at a multiple of its
//            packets (16 bytes at most), its elements are loaded one by one.
// Source     As packet.cuh; PTX ISA, "Cache Operators" (ld.global.cs, st.global.cs).
#pragma once

#include "prim/block/move.cuh"
#include "prim/grid/dispatch.cuh"
#include "prim/grid/generate.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

template <typename Index, bool ALIGNED>
using IndexPacket = Packet<Index, ALIGNED ? PACKET_BYTES : sizeof(Index)>;

template <typename T, typename Index>
constexpr size_t ELEMENT_ALIGNMENT = at_most(sizeof(T) * PACKET_LENGTH<Index>, PACKET_BYTES);

template <typename T, typename Index, bool ALIGNED>
struct alignas(ALIGNED ? ELEMENT_ALIGNMENT<T, Index> : sizeof(T)) ElementPacket {
    T values[PACKET_LENGTH<Index>];
};

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Pack>
__device__ __forceinline__ Pack load_once(const Pack *at) {
    Pack pack;
    if constexpr (alignof(Pack) == PACKET_BYTES) {
#pragma unroll
        for (size_t i = 0; i < sizeof(Pack) / PACKET_BYTES; ++i) {
            reinterpret_cast<uint4 *>(&pack)[i] = __ldcs(reinterpret_cast<const uint4 *>(at) + i);
        }
    } else {
        pack = *at;
    }
    return pack;
}

template <typename Pack>
__device__ __forceinline__ void store_once(Pack *at, const Pack &pack) {
    if constexpr (alignof(Pack) == PACKET_BYTES) {
#pragma unroll
        for (size_t i = 0; i < sizeof(Pack) / PACKET_BYTES; ++i) {
            __stcs(reinterpret_cast<uint4 *>(at) + i, reinterpret_cast<const uint4 *>(&pack)[i]);
        }
    } else {
        *at = pack;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// elements[i] ← access(indices[i], elements[i]). ACCESS::READS: they are read; else they are written.
template <typename T, typename Index, bool ALIGNED, int VT, typename Access>
__global__ void __launch_bounds__(BLOCK_MAX) access_indexed(Access access, const Index *indices, T *elements, size_t count) {
    constexpr int LENGTH = PACKET_LENGTH<Index>;
    using Indices = IndexPacket<Index, ALIGNED>;
    using Elements = ElementPacket<T, Index, ALIGNED>;
    for_each_tile<VT>(count / LENGTH, [&](size_t begin, unsigned here) {
        const Indices *const from = reinterpret_cast<const Indices *>(indices) + begin;
        Elements *const beside = reinterpret_cast<Elements *>(elements) + begin;
        Indices at[VT];
        Elements values[VT];
        in_strided_order<0, VT>(here, [&](int i, unsigned k) {
            at[i] = load_once(from + k);
            if constexpr (Access::READS) values[i] = load_once(beside + k);
        });
        in_strided_order<0, VT>(here, [&](int i, unsigned) {
#pragma unroll
            for (int p = 0; p < LENGTH; ++p) values[i].values[p] = access(at[i].values[p], values[i].values[p]);
        });
        if constexpr (!Access::READS) {
            in_strided_order<0, VT>(here, [&](int i, unsigned k) { store_once(beside + k, values[i]); });
        }
    });

    // The elements that do not fill a packet.
    const size_t rest = count - count % LENGTH + grid_x();
    if (rest < count) {
        const T value = access(indices[rest], Access::READS ? elements[rest] : T(0));
        if constexpr (!Access::READS) elements[rest] = value;
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

template <typename T, typename Index, typename Access, typename Tuning>
cudaError_t launch_access(Access access, const Index *indices, T *elements, size_t count, const Tuning &tuning, cudaStream_t stream) {
    if (!is_block(tuning.threads)) return cudaErrorInvalidValue;
    return dispatch_value<1, 2>(tuning.values, [&](auto values) -> cudaError_t {
        if (count == 0) return cudaSuccess;
        constexpr int VT = decltype(values)::value;
        const bool aligned = is_aligned(indices, PACKET_BYTES) && is_aligned(elements, ELEMENT_ALIGNMENT<T, Index>);
        unsigned blocks = 0;
        const cudaError_t error = tile_blocks(count / PACKET_LENGTH<Index>, tuning.threads, aligned ? VT : 1, &blocks);
        if (error != cudaSuccess) return error;
        return aligned ? launch<access_indexed<T, Index, true, VT, Access>>(blocks, tuning.threads, tuning.cache, stream, access, indices,
                                                                            elements, count)
                       : launch<access_indexed<T, Index, false, 1, Access>>(blocks, tuning.threads, tuning.cache, stream, access, indices,
                                                                            elements, count);
    });
}

// Enqueues the accesses of access_of (T ()) for `count` elements of value_bytes beside indices of index_bytes.
template <typename AccessOf, typename Tuning>
cudaError_t launch_indexed(int value_bytes, int index_bytes, void *elements, const void *indices, size_t count, AccessOf access_of,
                           const Tuning &tuning, cudaStream_t stream) {
    return dispatch_any_width(static_cast<size_t>(value_bytes), [&](auto zero) -> cudaError_t {
        auto *const of_type = static_cast<decltype(zero) *>(elements);
        return dispatch_width(index_bytes, [&](auto index) {
            return launch_access(access_of(zero), static_cast<const decltype(index) *>(indices), of_type, count, tuning, stream);
        });
    });
}
