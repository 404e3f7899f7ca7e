// pipeline.cuh — a ring of places in shared memory that copies fill while the multiprocessor empties them.
//
// Algorithm  Each place has two barriers: `full` opens when the bytes that a producer announced have come, `empty` when every
//            consumer has arrived. Copies are the bulk copy engine's: a run of bytes, or a box of a tensor map, for this
//            block or for every block of a mask of the cluster at once, counted at the same barrier of each.
// Limits     Compute capability 9.0. A copy moves multiples of 16 bytes between addresses aligned to 16.
// Edges      A barrier may receive bytes before they are announced: it stays shut until its one announcement. What passes through
//            the ring is written and read by the copy engine and the tensor cores alone: barriers order no other memory.
// Source     PTX ISA, "mbarrier", "cp.async.bulk", "cp.async.bulk.tensor".
#pragma once

#include <cuda.h>

#include "prim/cluster/cluster.cuh"

namespace tensor {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// ---- barriers -------------------------------------------------------------------------------------------------------

__device__ __forceinline__ void make_barrier(uint32_t barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals) : "memory");
}

__device__ __forceinline__ void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

__device__ __forceinline__ void announce(uint32_t barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

// At the same barrier of another block of the cluster.
__device__ __forceinline__ void arrive_in(unsigned block, uint32_t barrier) {
    asm volatile("{\n\t.reg .b32 there;\n\t"
                 "mapa.shared::cluster.u32 there, %0, %1;\n\t"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n\t}"
                 ::"r"(barrier), "r"(block) : "memory");
}

__device__ __forceinline__ void wait_for(uint32_t barrier, unsigned parity) {
    unsigned open = 0;
    while (open == 0) {
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(open) : "r"(barrier), "r"(parity) : "memory");
    }
}

// ---- copies ---------------------------------------------------------------------------------------------------------

__device__ __forceinline__ void copy_bytes(uint32_t to, const void *from, unsigned bytes, uint32_t barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 ::"r"(to), "l"(from), "r"(bytes), "r"(barrier) : "memory");
}

__device__ __forceinline__ void copy_bytes(uint32_t to, const void *from, unsigned bytes, uint32_t barrier, uint16_t blocks) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                 ::"r"(to), "l"(from), "r"(bytes), "r"(barrier), "h"(blocks) : "memory");
}

__device__ __forceinline__ void copy_box(uint32_t to, const CUtensorMap *map, int x, int y, int z, uint32_t barrier) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                 ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier) : "memory");
}

// ---- the ring -------------------------------------------------------------------------------------------------------

// Where a walk round the ring is. Consumers wait for parity `parity`, the producer for the other one.
template <unsigned PLACES>
struct RingPosition {
    unsigned place = 0, parity = 0;

    __device__ __forceinline__ void advance() {
        if (++place == PLACES) place = 0, parity ^= 1;
    }
};

#endif

}  // namespace tensor
