// tune.cuh — what launchers do with a tuning: the block, the instantiation, the balance of L1 cache and shared memory.
//
// Algorithm  threads is a run-time block size where a kernel allows that, else it chooses among instantiations, as values does.
//            The balance is an attribute of the kernel on a device, which the driver is told when it changes: what it was told
//            last is kept beside each instantiation.
// Cost       One look at a flag while no balance was ever asked for, then the current device and one byte of memory.
// Limits     The memory of the balance covers 64 devices; beyond, the driver is told at each launch.
// Edges      What is not served is cudaErrorInvalidValue. Where other code resets the device, kernels fall back to the driver's
//            own balance until another one is asked for: a matter of speed alone.
// Source     CUDA C++ Programming Guide, "Unified Data Cache": the carve-out that replaced cudaFuncSetCacheConfig.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xFFFFFFFF;                         // of a warp
constexpr int BLOCK_MAX = 1024;
constexpr int DEVICES_REMEMBERED = 64;

// What cudaFuncAttributePreferredSharedMemoryCarveout takes for 0 the driver's choice, 1 prefer shared memory, 2 prefer
// L1, 3 equal: per cent of the unified cache that become shared memory.
constexpr int CARVEOUTS[] = {-1, 100, 0, 50};

template <int N>
struct Constant {
    static constexpr int value = N;
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Whether a block has whole warps, as every kernel here wants, and not too many.
constexpr bool is_block(int threads) { return threads >= WARP && threads <= BLOCK_MAX && threads % WARP == 0; }

// Whether a kernel that takes any block, and one value a thread, serves a tuning (of kernels.h).
template <typename Tuning>
bool serves_one_value(const Tuning &tuning) { return is_block(tuning.threads) && tuning.values == 1; }

// Whether one of the CHOICES is `value`.
template <int... CHOICES>
constexpr bool is_one_of(int value) { return ((value == CHOICES) || ...); }

// launch(Constant<C>()) for the C among CHOICES that equals `value`.
template <int... CHOICES, typename Launch>
cudaError_t choose(int value, Launch launch) {
    cudaError_t error = cudaErrorInvalidValue;                     // none of them
    (void)((value == CHOICES && (error = launch(Constant<CHOICES>()), true)) || ...);
    return error;
}

// *fact ← what ask(device, fact) finds of the current device, which is asked once; a lambda has a memory of its own.
template <typename Fact, typename Ask>
cudaError_t remembered(Fact *fact, Ask ask) {
    static Fact known[DEVICES_REMEMBERED];
    static unsigned char asked[DEVICES_REMEMBERED];
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess) return error;
    const bool has_place = device < DEVICES_REMEMBERED;
    if (has_place && __atomic_load_n(&asked[device], __ATOMIC_ACQUIRE) != 0) {
        *fact = known[device];
        return cudaSuccess;
    }
    error = ask(device, fact);
    if (error == cudaSuccess && has_place) {
        known[device] = *fact;                                     // the same from whichever thread
        __atomic_store_n(&asked[device], 1, __ATOMIC_RELEASE);
    }
    return error;
}

inline bool *balance_was_asked() {                                       // whether any kernel was ever given a balance
    static bool asked = false;
    return &asked;
}

// Gives KERNEL the balance number `cache` on the current device.
template <auto KERNEL>
cudaError_t prefer_cache(int cache) {
    static int8_t last[DEVICES_REMEMBERED];                        // where every kernel starts: 0, the driver's choice
    if (cache < 0 || cache > 3) return cudaErrorInvalidValue;
    if (cache == 0 && !__atomic_load_n(balance_was_asked(), __ATOMIC_RELAXED)) return cudaSuccess;

    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess) return error;
    int8_t *const known = device < DEVICES_REMEMBERED ? &last[device] : nullptr;
    if (known != nullptr && __atomic_load_n(known, __ATOMIC_RELAXED) == cache) return cudaSuccess;

    __atomic_store_n(balance_was_asked(), true, __ATOMIC_RELAXED);
    error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributePreferredSharedMemoryCarveout, CARVEOUTS[cache]);
    if (error == cudaSuccess && known != nullptr) __atomic_store_n(known, static_cast<int8_t>(cache), __ATOMIC_RELAXED);
    return error;
}

// Enqueues KERNEL with its balance.
template <auto KERNEL, typename... Arguments>
cudaError_t launch(dim3 grid, dim3 block, int cache, cudaStream_t stream, Arguments... arguments) {
    const cudaError_t error = prefer_cache<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    KERNEL<<<grid, block, 0, stream>>>(arguments...);
    return cudaGetLastError();
}
