// packets.cuh — stores that hold data and the number of a step, so that a reader sees both or neither.
//
// Algorithm  A packet is 64 bits, a word and the step; two of them are stored, and loaded, at once. Who has read a packet of the step it waits
//            for has its data: no fence and no flag, neither between multiprocessors nor, over NVLink, between devices.
// Cost       Twice the bytes; a store, and a load for each look.
// Limits     Memory starts as zeros, and steps at 1.
// Edges      Stores and loads of 64 bits are single copies; the two halves of one of 128 bits need not be.
// Source     The LL protocol of NCCL.
#pragma once

#include <stdint.h>

#include "life/edges.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PACKETS = STEPS * WORDS / 2;                         // pairs of packets of the rows of a halo, one a lane
static_assert(PACKETS == 32, "a warp sends them at once");

// ---- device helpers -------------------------------------------------------------------------------------------------

// Two packets from memory that others write; `otherwise` where there is nothing to load.
__device__ __forceinline__ uint4 load_packets(bool has, const uint4 *from, uint4 otherwise) {
    uint4 value = otherwise;
    asm volatile("{.reg .pred has; .reg .b64 a, b; mov.b64 a, {%0, %1}; mov.b64 b, {%2, %3}; setp.ne.u32 has, %5, 0;"
                 "@has ld.volatile.global.v2.b64 {a, b}, [%4]; mov.b64 {%0, %1}, a; mov.b64 {%2, %3}, b;}"
                 : "+r"(value.x), "+r"(value.y), "+r"(value.z), "+r"(value.w) : "l"(from), "r"(unsigned(has)) : "memory");
    return value;
}

__device__ __forceinline__ void store_packets(uint4 *to, uint4 value) {
    asm volatile("{.reg .b64 a, b; mov.b64 a, {%1, %2}; mov.b64 b, {%3, %4}; st.volatile.global.v2.b64 [%0], {a, b};}"
                 ::"l"(to), "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w) : "memory");
}

// Whether both packets are of a step.
__device__ __forceinline__ bool is_of(uint4 packets, unsigned step) { return packets.y == step && packets.w == step; }
