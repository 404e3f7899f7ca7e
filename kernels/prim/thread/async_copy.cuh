// async_copy.cuh — asynchronous copies from global to shared memory (cp.async), in groups of a thread.
//
// Algorithm  async_copy() starts a copy of 4, 8 or 16 bytes; async_commit() closes a group, perhaps an empty one; async_wait(n)
//            waits until at most n groups of this thread are in flight. A thread may read its own copies then; others need a
//            barrier. Copies of 16 bytes bypass the L1 cache.
// Limits     Before compute capability 8.0 a copy is synchronous.
// Source     CUDA C++ Programming Guide, "Asynchronous Data Copies using LDGSTS"; PTX ISA, "cp.async".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "prim/thread/shared_address.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int ASYNC_PENDING_MAX = 7;                               // async_wait() counts so far; beyond, it waits for that many

// ---- device helpers -------------------------------------------------------------------------------------------------

// place ← BYTES bytes at `global`; both aligned to BYTES. place: a shared address.
template <int BYTES>
__device__ __forceinline__ void async_copy(uint32_t place, const void *global) {
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "sizes of cp.async");
#if __CUDA_ARCH__ >= 800
    if constexpr (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(place), "l"(global) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(place), "l"(global), "n"(BYTES) : "memory");
    }
#else
    if constexpr (BYTES == 16) {
        const uint4 v = *static_cast<const uint4 *>(global);
        asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(place), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
    } else if constexpr (BYTES == 8) {
        const uint2 v = *static_cast<const uint2 *>(global);
        asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(place), "r"(v.x), "r"(v.y) : "memory");
    } else {
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(place), "r"(*static_cast<const uint32_t *>(global)) : "memory");
    }
#endif
}

template <int BYTES>
__device__ __forceinline__ void async_copy(void *shared, const void *global) {
    async_copy<BYTES>(shared_address(shared), global);
}

__device__ __forceinline__ void async_commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

template <int PENDING>
__device__ __forceinline__ void async_wait_for() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

// pending: the same for all threads.
__device__ __forceinline__ void async_wait(int pending) {
    switch (pending) {
        case 0: return async_wait_for<0>();
        case 1: return async_wait_for<1>();
        case 2: return async_wait_for<2>();
        case 3: return async_wait_for<3>();
        case 4: return async_wait_for<4>();
        case 5: return async_wait_for<5>();
        case 6: return async_wait_for<6>();
        default: return async_wait_for<ASYNC_PENDING_MAX>();
    }
}
