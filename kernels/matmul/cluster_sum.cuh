// cluster_sum.cuh — split-K reduction of a tile of C over the blocks of a cluster, through distributed shared memory.
//
// Algorithm  Each block stores its partial sums in its shared memory, as each thread has them: slots of COUNT elements. Then
//            each takes every parts-th slot, and adds it up over the blocks in the order of their ranks, reading the shared
//            memory of the others. Teams of threads that share k within a block do the same among themselves, as blocks of a
//            larger cluster.
// Cost       A tile a part written once and read once in shared memory, most of it another block's; two barriers of the cluster.
// Limits     Code for compute capability 9.0 on; older code runs clusters of one block.
// Edges      A cluster of one, and of one team, passes its sums on from the registers. The order of the additions depends on the
//            number of blocks and teams alone.
// Source     CUDA C++ Programming Guide, "Distributed Shared Memory".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "prim/cluster/cluster.cuh"

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

// take(slot, sums) for the slots whose sums end in this thread. A block has TEAMS teams of THREADS threads, each with sums of its
// own; smem holds a tile for each of them, SLOTS · COUNT elements a thread, aligned to 16.
template <int THREADS, int TEAMS = 1, typename T, int SLOTS, int COUNT, typename Take>
__device__ __forceinline__ void cluster_sum(const T (&own)[SLOTS][COUNT], void *smem, Take take) {
    const unsigned blocks = cluster_blocks(), parts = blocks * TEAMS;
    if (parts == 1) {
#pragma unroll
        for (int slot = 0; slot < SLOTS; ++slot) take(slot, own[slot]);
        return;
    }
    constexpr int PACKETS = COUNT * sizeof(T) / sizeof(uint4);
    union Packets {
        T values[COUNT];
        uint4 packets[PACKETS];
    };
    const unsigned team = threadIdx.x / THREADS;
    const auto place = [&](unsigned of_team, unsigned slot) {      // of the same thread in that block or team
        return static_cast<uint4 *>(smem) + (of_team * SLOTS + slot) * PACKETS * THREADS + threadIdx.x % THREADS;
    };
    __syncthreads();                                               // shared memory is free
#pragma unroll
    for (int slot = 0; slot < SLOTS; ++slot) {
        Packets out;
#pragma unroll
        for (int v = 0; v < COUNT; ++v) out.values[v] = own[slot][v];
#pragma unroll
        for (int p = 0; p < PACKETS; ++p) place(team, slot)[p * THREADS] = out.packets[p];
    }
    blocks > 1 ? cluster_sync() : __syncthreads();                 // all sums are there
    for (unsigned slot = cluster_rank() * TEAMS + team; slot < SLOTS; slot += parts) {
        T sums[COUNT] = {};
#pragma unroll 4
        for (unsigned part = 0; part < parts; ++part) {
            Packets in;
#pragma unroll
            for (int p = 0; p < PACKETS; ++p) {
                in.packets[p] = read_from(address_in(part / TEAMS, place(part % TEAMS, slot) + p * THREADS));
            }
#pragma unroll
            for (int v = 0; v < COUNT; ++v) sums[v] += in.values[v];
        }
        take(static_cast<int>(slot), sums);
    }
    if (blocks > 1) cluster_sync();                                // no block ends while another reads its sums
}
