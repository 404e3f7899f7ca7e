// staged.cuh — asynchronous copies of pieces of two arrays to a stage in shared memory, in aligned packets of 16 bytes.
//
//   stage[a + i] = array a[a_first + i], stage[b + i] = array b[b_first + i]        a filler where an array has ended
//
// Algorithm  A piece is copied in whole packets, as they are aligned in memory, with up to three more elements in front and
//            behind. A thread copies every NT-th packet (async_copy.cuh). Where a packet would cross the end of its array,
//            elements are copied.
// Cost       A dozen instructions a packet.
// Limits     A piece of n elements takes up to n + 2·PACK - 2 of the stage.
// Source     CUDA C++ Programming Guide, "Asynchronous Data Copies using LDGSTS".
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "prim/thread/async_copy.cuh"
#include "prim/thread/packet.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename T>
struct StagedPair {
    static constexpr unsigned PACK = PACKET_LENGTH<T>;

    const T *from_a, *from_b;                                      // where element 0 of the stage would be, were it of a, or of b
    unsigned packets_a, packets;                                   // of a, of both
    unsigned a, b;                                                 // where in the stage the pieces begin
    bool is_inside;                                                // all packets lie within their arrays

    // Any firsts, even in front of an array.
    __device__ __forceinline__ void place(const T *a_array, size_t a_total, size_t a_first, unsigned a_want, const T *b_array,
                                          size_t b_total, size_t b_first, unsigned b_want) {
        packets_a = packets = 0;
        is_inside = true;
        place(a_array, a_total, a_first, a_want, &from_a, &a);
        packets_a = packets;
        place(b_array, b_total, b_first, b_want, &from_b, &b);
    }

    // Starts the copies; all threads of the block call.
    template <int NT>
    __device__ __forceinline__ void start(const T *a_array, size_t a_total, const T *b_array, size_t b_total, T filler,
                                          T *stage) const {
        if (is_inside) {
            const T *const of_a = from_a, *const of_b = from_b;
            const unsigned end_a = packets_a, end = packets;
#pragma unroll 1
            for (unsigned p = threadIdx.x; p < end; p += NT) {
                async_copy<PACKET_BYTES>(stage + p * PACK, (p < end_a ? of_a : of_b) + p * PACK);
            }
        } else {
#pragma unroll 1
            for (unsigned i = threadIdx.x; i < packets * PACK; i += NT) {
                const bool is_a = i < packets_a * PACK;
                const size_t index = is_a ? index_of(from_a, a_array) + i : index_of(from_b, b_array) + i;
                if (index < (is_a ? a_total : b_total)) async_copy<sizeof(T)>(stage + i, (is_a ? a_array : b_array) + index);
                else stage[i] = filler;
            }
        }
    }

private:
    static __device__ __forceinline__ size_t index_of(const T *from, const T *array) {
        return static_cast<size_t>(static_cast<intptr_t>(reinterpret_cast<uintptr_t>(from) - reinterpret_cast<uintptr_t>(array)) /
                                   static_cast<intptr_t>(sizeof(T)));
    }

    __device__ __forceinline__ void place(const T *array, size_t total, size_t first, unsigned want, const T **from,
                                          unsigned *at) {
        const uintptr_t address = reinterpret_cast<uintptr_t>(array) + first * sizeof(T);
        const unsigned shift = address / sizeof(T) % PACK, count = (shift + want + PACK - 1) / PACK;
        const size_t begin = first - shift;
        is_inside = is_inside && begin < total && total - begin >= count * PACK;
        *from = reinterpret_cast<const T *>(address - (shift + packets * PACK) * sizeof(T));
        *at = packets * PACK + shift;
        packets += count;
    }
};
