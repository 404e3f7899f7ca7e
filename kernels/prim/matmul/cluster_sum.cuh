// cluster_sum.cuh — the sums of a tile of C, each block of a cluster having those over its part of k.
//
// Algorithm  Each block leaves its sums in its shared memory, as each thread has them: slots of COUNT elements. Then each takes
//            every so manyth slot, and adds it up over the blocks in the order of their ranks, reading the shared memory of the
//            others.
// Cost       A tile written once and read once in shared memory, most of it another block's; two barriers of the cluster.
// Limits     Code for compute capability 9.0 on; older code runs clusters of one block.
// Edges      A cluster of one hands its sums on from the registers. The order of the additions depends on the size of the cluster
//            alone.
// Source     CUDA C++ Programming Guide, "Distributed Shared Memory".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "prim/cluster.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// Sixteen bytes at an address of address_in().
__device__ inline uint4 read_from(uint32_t address) {
    uint4 words = {};
#if __CUDA_ARCH__ >= 900
    asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w) : "r"(address) : "memory");
#endif
    (void)address;
    return words;
}

// take(slot, sums) for the slots whose sums end in this thread; room holds a tile, SLOTS · COUNT elements a thread, aligned to 16.
template <int THREADS, typename T, int SLOTS, int COUNT, typename Take>
__device__ __forceinline__ void cluster_sum(const T (&own)[SLOTS][COUNT], void *room, Take take) {
    const unsigned blocks = cluster_blocks();
    if (blocks == 1) {
#pragma unroll
        for (int slot = 0; slot < SLOTS; ++slot) take(slot, own[slot]);
        return;
    }
    constexpr int PACKETS = COUNT * sizeof(T) / sizeof(uint4);
    union Packets {
        T values[COUNT];
        uint4 packets[PACKETS];
    };
    uint4 *const mine = static_cast<uint4 *>(room) + threadIdx.x;
    __syncthreads();                                               // nobody reads any more what lies in the room
#pragma unroll
    for (int slot = 0; slot < SLOTS; ++slot) {
        Packets out;
#pragma unroll
        for (int v = 0; v < COUNT; ++v) out.values[v] = own[slot][v];
#pragma unroll
        for (int p = 0; p < PACKETS; ++p) mine[(slot * PACKETS + p) * THREADS] = out.packets[p];
    }
    cluster_meet();                                                // all sums are there
    for (unsigned slot = cluster_rank(); slot < SLOTS; slot += blocks) {
        T sums[COUNT] = {};
#pragma unroll 4
        for (unsigned block = 0; block < blocks; ++block) {
            Packets in;
#pragma unroll
            for (int p = 0; p < PACKETS; ++p) in.packets[p] = read_from(address_in(block, mine + (slot * PACKETS + p) * THREADS));
#pragma unroll
            for (int v = 0; v < COUNT; ++v) sums[v] += in.values[v];
        }
        take(static_cast<int>(slot), sums);
    }
    cluster_meet();                                                // no block ends while another reads its sums
}
