// tagged.cuh — stores that hold data and a tag, the number of a step, so that a reader sees both or neither.
//
// Algorithm  A packet is 64 bits, a word and the tag; two of them are stored, and loaded, at once. Who has read a packet with the tag it waits
//            for has its data: no fence and no flag, neither between multiprocessors nor, over NVLink, between devices. A wait for
//            another device ends when the host, or a device that has waited for too long, says so.
// Cost       Twice the bytes; a store, and a load for each look.
// Limits     Memory starts as zeros, and tags at 1.
// Edges      Stores and loads of 64 bits are single copies; the two halves of one of 128 bits need not be.
// Source     The LL protocol of NCCL.
#pragma once

#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned TURNS = 256;                                    // of a wait, from one look at the host's memory to the next

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

// Whether both packets have a tag.
__device__ __forceinline__ bool is_of(uint4 packets, unsigned tag) { return packets.y == tag && packets.w == tag; }

__device__ __forceinline__ uint64_t nanoseconds() {
    uint64_t now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    return now;
}

// A thread's wait for another device. stop: memory of the host that all devices reach; limit: in nanoseconds, after which *stop becomes 1.
struct Patience {
    unsigned *stop;
    uint64_t limit, begin;
    unsigned turn;

    __device__ Patience(unsigned *stop_, uint64_t limit_) : stop(stop_), limit(limit_), begin(0), turn(0) {}

    // Whether it has to end: it has lasted too long, or that of another thread has. Asked in every turn.
    __device__ __forceinline__ bool is_over() {
        if (++turn % TURNS != 0) return false;
        const uint64_t now = nanoseconds();
        if (begin == 0) begin = now;
        unsigned is_stopped = 1;
        if (now - begin > limit) asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(stop), "r"(is_stopped) : "memory");
        else asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(is_stopped) : "l"(stop) : "memory");
        return is_stopped != 0;
    }
};
