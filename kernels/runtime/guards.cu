// guards.cu — thread-safe initialisation of C++ static variables, without libstdc++.
//
//   A guard is 64 bits: byte 0 is 1 once the variable is initialised, the upper half is 1 while a thread initialises it.
//
// Algorithm  acquire: lock the upper half by compare-and-swap, or yield until its owner is done.
// Cost       One load when the variable is initialised.
// Limits     Recursive initialisation is not detected: it waits for ever, where libstdc++ throws.
// Edges      Hidden and weak: a program that links libstdc++ keeps its own. Host code only; nvcc's launch stubs, and CUB, need
//            it.
// Source     Itanium C++ ABI, §3.3.3 "One-time Construction API".

#include <sched.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

#define GUARD extern "C" __attribute__((weak, visibility("hidden")))

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Static, not in an unnamed namespace: nvcc puts a process id into the name of one where a file defines nothing but weak functions.
static uint8_t *is_done(uint64_t *guard) { return reinterpret_cast<uint8_t *>(guard); }
static uint32_t *is_taken(uint64_t *guard) { return reinterpret_cast<uint32_t *>(guard) + 1; }
static bool done(uint64_t *guard) { return __atomic_load_n(is_done(guard), __ATOMIC_ACQUIRE) != 0; }

// ---- the three functions that compilers call ------------------------------------------------------------------------

GUARD int __cxa_guard_acquire(uint64_t *guard) {
    while (!done(guard)) {
        uint32_t free = 0;
        if (__atomic_compare_exchange_n(is_taken(guard), &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
            if (!done(guard)) return 1;
            __atomic_store_n(is_taken(guard), 0, __ATOMIC_RELEASE);
            return 0;
        }
        sched_yield();
    }
    return 0;
}

GUARD void __cxa_guard_release(uint64_t *guard) {
    __atomic_store_n(is_done(guard), 1, __ATOMIC_RELEASE);
    __atomic_store_n(is_taken(guard), 0, __ATOMIC_RELEASE);
}

GUARD void __cxa_guard_abort(uint64_t *guard) { __atomic_store_n(is_taken(guard), 0, __ATOMIC_RELEASE); }
