// segmented_reduce.cuh — segmented reduction of a tile in shared memory, by a block.
//
//   place p       one element; thread tid owns the VT places from VT·tid on
//   ends          bit i of a thread: a segment ends behind its i-th place
//   values[i]  ←  the reduction of the segment of place i, up to and with it, within this thread
//
// Algorithm  Each thread reduces its places in order and restarts behind each end. What is left behind its last end is a carry
//            to the next thread: a segmented warp scan by shuffles, whose segments a ballot of the ends gives; warps pass their
//            carries through shared memory in order.
// Cost       Three instructions a place; seventy a thread; one barrier.
// Limits     Rows of VT elements are padded by 16 bytes: reading and writing packets has no bank conflicts.
// Edges      The order of the operations depends on the places alone: the same bits each time.
// Source     G. Blelloch, "Prefix sums and their applications", 1990 (segmented scans); S. Baxter, "ModernGPU", Segmented
//            Reduction, NVIDIA 2013 (carries between threads alone).
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "prim/thread/operation.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int TILE_THREADS = 256;
constexpr int TILE_WARPS = TILE_THREADS / WARP;

// ---- device helpers -------------------------------------------------------------------------------------------------

// VT elements a thread.
template <typename T, int VT>
struct alignas(PACKET_BYTES) PaddedTile {
    static constexpr int PLACES = TILE_THREADS * VT;
    static constexpr int PAD = PACKET_LENGTH<T>;
    static_assert(VT % PACKET_LENGTH<T> == 0, "whole packets a thread");

    T elements[TILE_THREADS * (VT + PAD)];

    static __device__ __forceinline__ unsigned at(unsigned place) { return place + place / VT * PAD; }
    __device__ __forceinline__ T &operator[](unsigned place) { return elements[at(place)]; }

    // The packet of a place that is a multiple of its length.
    __device__ __forceinline__ Packet<T> &packet(unsigned place) { return reinterpret_cast<Packet<T> &>(elements[at(place)]); }

    __device__ __forceinline__ void read(T (&values)[VT]) {
#pragma unroll
        for (int i = 0; i < VT; i += PAD) {
            const Packet<T> here = packet(VT * threadIdx.x + i);
#pragma unroll
            for (int k = 0; k < PAD; ++k) values[i + k] = here.values[k];
        }
    }

    __device__ __forceinline__ void write(const T (&values)[VT]) {
#pragma unroll
        for (int i = 0; i < VT; i += PAD) {
            Packet<T> here;
#pragma unroll
            for (int k = 0; k < PAD; ++k) here.values[k] = values[i + k];
            packet(VT * threadIdx.x + i) = here;
        }
    }
};

// What the warps of a block leave for each other.
template <typename T>
struct WarpCarries {
    T carries[TILE_WARPS];
    unsigned ends[TILE_WARPS];                                     // not 0 where the warp has an end
};

// values as above. Returns what the segment of this thread's first place had before it, within the tile and `carry`; carry, the
// same in all threads, becomes what is left behind the last end of the tile.
template <typename Operation, typename T, int VT>
__device__ __forceinline__ T reduce_segments(T (&values)[VT], unsigned ends, T &carry, WarpCarries<T> &shared,
                                             Operation operation) {
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;

    T rest = (ends & 1) ? operation.identity() : values[0];
#pragma unroll
    for (int i = 1; i < VT; ++i) {
        values[i] = operation(rest, values[i]);
        rest = (ends >> i & 1) ? operation.identity() : values[i];
    }

    // The rests of the lanes from the last one with an end on, up to this one.
    const unsigned with_ends = __ballot_sync(ALL_LANES, ends != 0);
    const unsigned up_to_here = with_ends & (ALL_LANES >> (WARP - 1 - lane));
    const int begin = up_to_here == 0 ? 0 : WARP - 1 - __clz(up_to_here);
#pragma unroll
    for (int offset = 1; offset < WARP; offset *= 2) {
        const T before = __shfl_up_sync(ALL_LANES, rest, offset);
        if (int(lane) - offset >= begin) rest = operation(before, rest);
    }
    T into = __shfl_up_sync(ALL_LANES, rest, 1);
    if (lane == 0) into = operation.identity();
    const bool is_first = (with_ends & ((1u << lane) - 1)) == 0;   // no end before this thread in the warp

    if (lane == WARP - 1) {
        shared.carries[warp] = rest;
        shared.ends[warp] = with_ends;
    }
    __syncthreads();                                               // the carries of all warps are there
    T before = carry;
#pragma unroll
    for (int w = 0; w < TILE_WARPS; ++w) {
        if (w == int(warp)) before = carry;
        const T next = shared.carries[w];
        carry = shared.ends[w] != 0 ? next : operation(carry, next);
    }
    return is_first ? operation(before, into) : into;
}
