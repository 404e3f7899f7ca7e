// async_copy.cuh — copies from global to shared memory that a thread starts, and waits for later.
//
// Algorithm  async_copy() starts a copy of 4, 8 or 16 bytes; async_commit() closes a group of them, perhaps an empty one;
//            async_wait(n) waits until at most n of this thread's groups are on their way. What a thread copied itself it may read then; others
//            need a barrier.
// Limits     Before compute capability 8.0 a copy is done at once.
// Source     CUDA C++ Programming Guide, "Asynchronous Data Copies using LDGSTS".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int ASYNC_PENDING_MAX = 7;                               // async_wait() counts so far; beyond, it waits for that many

// ---- device helpers -------------------------------------------------------------------------------------------------

// Both aligned to BYTES.
template <int BYTES>
__device__ __forceinline__ void async_copy(void *shared, const void *global) {
    static_assert(BYTES == 4 || BYTES == 8 || BYTES == 16, "what one copy moves");
#if __CUDA_ARCH__ >= 800
    const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
    if constexpr (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(global) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(global), "n"(BYTES) : "memory");
    }
#else
    if constexpr (BYTES == 16) *static_cast<uint4 *>(shared) = *static_cast<const uint4 *>(global);
    if constexpr (BYTES == 8) *static_cast<uint2 *>(shared) = *static_cast<const uint2 *>(global);
    if constexpr (BYTES == 4) *static_cast<uint32_t *>(shared) = *static_cast<const uint32_t *>(global);
#endif
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
