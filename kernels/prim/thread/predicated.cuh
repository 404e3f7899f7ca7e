// predicated.cuh — predicated loads, stores and additions, without a branch.
//
// Algorithm  The compiler turns an access in an `if` into a branch where it believes that to be cheaper, and a sum into
//            selections; where the lanes of a warp diverge in each step of a merge or a search, one predicated instruction is
//            cheaper. Shared addresses (shared_address.cuh) take one register, and constant offsets are free.
// Limits     Keys of 4 and 8 bytes.
// Source     PTX ISA, "Predicated Execution".
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- device helpers -------------------------------------------------------------------------------------------------

// value ← what lies OFFSET bytes behind an address, if the condition holds.
template <int OFFSET = 0>
__device__ __forceinline__ void load_shared_if(bool condition, unsigned address, uint32_t &value) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u32 %0, [%1 + %3]; }"
                 : "+r"(value) : "r"(address), "r"(unsigned(condition)), "n"(OFFSET) : "memory");
}

template <int OFFSET = 0>
__device__ __forceinline__ void load_shared_if(bool condition, unsigned address, uint64_t &value) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u64 %0, [%1 + %3]; }"
                 : "+l"(value) : "r"(address), "r"(unsigned(condition)), "n"(OFFSET) : "memory");
}

// What lies there if the condition holds, else anything.
template <typename Bits, int OFFSET = 0>
__device__ __forceinline__ Bits loaded_shared_if(bool condition, unsigned address) {
    Bits value;
    if constexpr (sizeof(Bits) == 4) {
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u32 %0, [%1 + %3]; }"
                     : "=r"(value) : "r"(address), "r"(unsigned(condition)), "n"(OFFSET) : "memory");
    } else {
        asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u64 %0, [%1 + %3]; }"
                     : "=l"(value) : "r"(address), "r"(unsigned(condition)), "n"(OFFSET) : "memory");
    }
    return value;
}

__device__ __forceinline__ void store_shared_if(bool condition, unsigned address, uint16_t value) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u16 [%0], %1; }"
                 ::"r"(address), "h"(value), "r"(unsigned(condition)) : "memory");
}

__device__ __forceinline__ void store_shared_if(bool condition, unsigned address, uint32_t value) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u32 [%0], %1; }"
                 ::"r"(address), "r"(value), "r"(unsigned(condition)) : "memory");
}

__device__ __forceinline__ void store_shared_if(bool condition, unsigned address, uint64_t value) {
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u64 [%0], %1; }"
                 ::"r"(address), "l"(value), "r"(unsigned(condition)) : "memory");
}

__device__ __forceinline__ void add_if(bool condition, unsigned &sum, unsigned value) {
    asm("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p add.u32 %0, %0, %1; }" : "+r"(sum) : "r"(value), "r"(unsigned(condition)));
}
