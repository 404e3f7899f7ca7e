// pipeline.cuh — bulk copies (TMA) into a ring of stages in shared memory.
//
// Algorithm  Each stage has two mbarriers: `full` completes when the bytes that a producer announced have come, `empty` when
//            every consumer has arrived. A copy is a contiguous range of bytes, or a box of a tensor map, for this block or
//            multicast to a mask of blocks of the cluster, counted at the same barrier of each.
// Limits     Compute capability 9.0. A copy moves multiples of 16 bytes between addresses aligned to 16.
// Edges      What passes through the ring is written and read by the asynchronous proxy (TMA, tensor cores) alone: barriers
//            order no other memory.
// Source     PTX ISA, "mbarrier", "cp.async.bulk", "cp.async.bulk.tensor".
#pragma once

#include <cuda.h>
#include <stdint.h>

namespace tensor {

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

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

__device__ __forceinline__ void copy_box(uint32_t to, const CUtensorMap *map, int x, int y, int z, uint32_t barrier, uint16_t blocks) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                 " [%0], [%1, {%2, %3, %4}], [%5], %6;"
                 ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(z), "r"(barrier), "h"(blocks) : "memory");
}

// A box from shared memory to where the map says. What lies outside is left out, but for the rest of 16 bytes at the end of a row, which
// become zeros (H200): rows have to be multiples of 16 bytes. Part of a bulk group of the thread.
__device__ __forceinline__ void store_box(uint32_t from, const CUtensorMap *map, int x, int y, int z) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
                 ::"l"(map), "r"(x), "r"(y), "r"(z), "r"(from) : "memory");
}

// What the thread wrote to shared memory ← to be seen by TMA, which is told of it behind a barrier.
__device__ __forceinline__ void publish_to_tma() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// The boxes that the thread has stored since the last one ← a bulk group.
__device__ __forceinline__ void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }

// Of all bulk groups of the thread but the last PENDING shared memory has been read.
template <int PENDING>
__device__ __forceinline__ void wait_for_reads() { asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory"); }

// The map will be used soon.
__device__ __forceinline__ void prefetch_map(const CUtensorMap *map) {
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
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
