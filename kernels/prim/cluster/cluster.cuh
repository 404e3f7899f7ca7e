// cluster.cuh — thread-block clusters: ranks, barriers, asynchronous stores to other blocks. Their launches: prim/grid/launch_cluster.cuh.
//
// Algorithm  cluster_send stores words into another block's shared memory (st.async), and counts their bytes at an mbarrier
//            there: the receiver waits for its own bytes, nobody for the whole cluster.
// Cost       One H200: a barrier of the whole cluster 0.23 us; a word and its mbarrier about half.
// Limits     Code for compute capability 9.0 on; older code, PTX of it included, runs as clusters of one block and sends nothing.
// Edges      A receiver initialises its mbarriers, and the cluster synchronises, before anyone sends. Nothing may be sent to a
//            block that does not wait for it, since that block may have ended.
// Source     PTX ISA, "st.async" and "mbarrier"; CUDA C++ Programming Guide, "Thread Block Clusters".
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/thread/shared_address.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned CLUSTER_MAX = 16;                               // beyond 8 a kernel has to ask for it

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ inline unsigned cluster_rank() {
    unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}

__device__ inline unsigned cluster_blocks() {
    unsigned blocks = 1;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
#endif
    return blocks;
}

// The two halves of a barrier of all threads of all blocks; it orders memory.
__device__ inline void cluster_arrive() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}

__device__ inline void cluster_wait() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

__device__ inline void cluster_sync() {
    cluster_arrive();
    cluster_wait();
}

// A barrier that orders no memory: all have done their reads.
__device__ inline void cluster_sync_relaxed() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
#endif
}

// *place ← a value of 4 or 8 bytes in another block, which has begun; ordered by the next cluster_sync.
template <typename T>
__device__ __forceinline__ void cluster_store(unsigned block, T *place, T value) {
#if __CUDA_ARCH__ >= 900
    uint32_t address = shared_address(place);
    asm("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(address) : "r"(block));
    if constexpr (sizeof(T) == 4) {
        uint32_t word;
        memcpy(&word, &value, sizeof word);
        asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
    } else {
        uint64_t word;
        memcpy(&word, &value, sizeof word);
        asm volatile("st.shared::cluster.u64 [%0], %1;" ::"r"(address), "l"(word) : "memory");
    }
#else
    if (block == 0) *place = value;
#endif
}

// The address of the same place in the shared memory of another block.
__device__ inline uint32_t address_in(unsigned block, const void *place) {
    uint32_t address = shared_address(place);
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(address) : "r"(block));
#endif
    return address;
}

// Stores one, two or four words at an address of address_in(), aligned to all of them, and counts their bytes at an mbarrier of the
// same block.
template <int WORDS>
__device__ inline void cluster_send(uint32_t address, const uint32_t *words, uint32_t barrier) {
#if __CUDA_ARCH__ >= 900
    if constexpr (WORDS == 4) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [%0], {%1, %2, %3, %4}, [%5];"
                     ::"r"(address), "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3]), "r"(barrier) : "memory");
    } else if constexpr (WORDS == 2) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%0], {%1, %2}, [%3];"
                     ::"r"(address), "r"(words[0]), "r"(words[1]), "r"(barrier) : "memory");
    } else {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
                     ::"r"(address), "r"(words[0]), "r"(barrier) : "memory");
    }
#endif
    (void)address, (void)words, (void)barrier;
}
