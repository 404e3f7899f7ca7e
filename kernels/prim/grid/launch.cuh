// launch.cuh — launching with a tuning: block size, instantiation, and the shared-memory carve-out of the L1 cache.
//
// Algorithm  threads is a run-time block size where a kernel allows that, else it selects an instantiation, as values does. The
//            carve-out is an attribute of a kernel on a device; it is set when it changes, and the last value set is cached
//            beside each instantiation.
// Cost       One test of a flag while no carve-out was ever asked for, then the current device and one byte of memory.
// Limits     The cached values cover 64 devices; beyond, the carve-out is set at each launch.
// Edges      What is not served is cudaErrorInvalidValue. Where other code resets the device, kernels fall back to the driver's
//            default until another carve-out is asked for: a matter of speed alone.
// Source     CUDA C++ Programming Guide, "Unified Data Cache": the carve-out that replaced cudaFuncSetCacheConfig.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

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

// Whether a block has whole warps, as every kernel here requires, and not too many.
constexpr bool is_block(int threads) { return threads >= WARP && threads <= BLOCK_MAX && threads % WARP == 0; }

// Whether a kernel that takes any block, and one value a thread, serves a tuning (of kernels.h).
template <typename Tuning>
bool serves_one_value(const Tuning &tuning) { return is_block(tuning.threads) && tuning.values == 1; }

// Whether one of the CHOICES is `value`.
template <int... CHOICES>
constexpr bool is_one_of(int value) { return ((value == CHOICES) || ...); }

// launch(Constant<C>()) for the C among CHOICES that equals `value`.
template <int... CHOICES, typename Launch>
cudaError_t dispatch_value(int value, Launch launch) {
    cudaError_t error = cudaErrorInvalidValue;                     // none of them
    (void)((value == CHOICES && (error = launch(Constant<CHOICES>()), true)) || ...);
    return error;
}

// *fact ← ask(device, fact) of the current device, cached per device and lambda.
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

inline bool *carveout_was_set() {                                  // whether any kernel was ever given a carve-out
    static bool asked = false;
    return &asked;
}

// Sets the carve-out of KERNEL on the current device to number `cache`.
template <auto KERNEL>
cudaError_t set_smem_carveout(int cache) {
    static int8_t last[DEVICES_REMEMBERED];                        // where every kernel starts: 0, the driver's choice
    if (cache < 0 || cache > 3) return cudaErrorInvalidValue;
    if (cache == 0 && !__atomic_load_n(carveout_was_set(), __ATOMIC_RELAXED)) return cudaSuccess;

    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error != cudaSuccess) return error;
    int8_t *const known = device < DEVICES_REMEMBERED ? &last[device] : nullptr;
    if (known != nullptr && __atomic_load_n(known, __ATOMIC_RELAXED) == cache) return cudaSuccess;

    __atomic_store_n(carveout_was_set(), true, __ATOMIC_RELAXED);
    error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributePreferredSharedMemoryCarveout, CARVEOUTS[cache]);
    if (error == cudaSuccess && known != nullptr) __atomic_store_n(known, static_cast<int8_t>(cache), __ATOMIC_RELAXED);
    return error;
}

// Has multiprocessors keep all of their shared memory while KERNEL runs, for a kernel behind it that needs it: they change the carve-out
// when nothing runs on them, which takes 2 us between two kernels.
template <auto KERNEL>
cudaError_t keep_shared_memory() {
    bool set = false;
    return remembered(&set, [](int, bool *done) {
        *done = true;
        return cudaFuncSetAttribute(KERNEL, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
    });
}

// Enqueues KERNEL with its carve-out.
template <auto KERNEL, typename... Arguments>
cudaError_t launch(dim3 grid, dim3 block, int cache, cudaStream_t stream, Arguments... arguments) {
    const cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error != cudaSuccess) return error;
    KERNEL<<<grid, block, 0, stream>>>(arguments...);
    return cudaGetLastError();
}
