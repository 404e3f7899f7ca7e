// mbarrier.cuh — barriers in shared memory that count arrivals and bytes of asynchronous copies.
//
// Algorithm  A phase completes when its arrivals and the bytes that they announced (expect_tx) have come; phases alternate in
//            parity, 0 first. Other blocks of a cluster may arrive, and send bytes. mbarrier_wait orders memory for the block,
//            or for the cluster where other blocks' stores are waited for.
// Limits     Compute capability 9.0; older code, PTX of it included, does nothing and does not wait.
// Edges      Bytes may come before they are announced: the phase stays open until its arrivals. mbarrier_publish and a barrier
//            of the block, or cluster, come between mbarrier_init and the first use by others.
// Source     PTX ISA, "mbarrier".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

using Mbarrier = uint64_t;                                         // in shared memory; functions take its shared address

enum class MbarrierScope { BLOCK, CLUSTER };

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ void mbarrier_init(uint32_t barrier, unsigned arrivals) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
#endif
    (void)barrier, (void)arrivals;
}

// Makes initialised barriers visible to the cluster and to asynchronous copies.
__device__ __forceinline__ void mbarrier_publish() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

__device__ __forceinline__ void mbarrier_arrive(uint32_t barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
#endif
    (void)barrier;
}

// Arrives, and announces bytes.
__device__ __forceinline__ void mbarrier_expect_tx(uint32_t barrier, unsigned bytes) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
#endif
    (void)barrier, (void)bytes;
}

// Arrives at the same barrier of another block of the cluster.
__device__ __forceinline__ void mbarrier_arrive_remote(unsigned block, uint32_t barrier) {
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n\t.reg .b32 there;\n\t"
                 "mapa.shared::cluster.u32 there, %0, %1;\n\t"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n\t}"
                 ::"r"(barrier), "r"(block) : "memory");
#endif
    (void)block, (void)barrier;
}

template <MbarrierScope SCOPE = MbarrierScope::BLOCK>
__device__ __forceinline__ void mbarrier_wait(uint32_t barrier, unsigned parity) {
#if __CUDA_ARCH__ >= 900
    unsigned open = 0;
    while (open == 0) {
        if constexpr (SCOPE == MbarrierScope::CLUSTER) {
            asm volatile("{\n\t.reg .pred p;\n\t"
                         "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(open) : "r"(barrier), "r"(parity) : "memory");
        } else {
            asm volatile("{\n\t.reg .pred p;\n\t"
                         "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                         "selp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(open) : "r"(barrier), "r"(parity) : "memory");
        }
    }
#endif
    (void)barrier, (void)parity;
}
