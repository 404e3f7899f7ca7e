// one_move.cuh — a kernel that runs one move of kernels/prim/block/move.cuh on one tile, and the values that it is tried with.
#pragma once

#include "prim/block/move.cuh"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

// ---- the moves ------------------------------------------------------------------------------------------------------

enum MoveName {
    GLOBAL_TO_REGISTER, GLOBAL_TO_REGISTER_OTHERWISE, REGISTER_TO_GLOBAL,
    GATHER, GATHER_OTHERWISE, SCATTER,
    SHARED_TO_REGISTER, REGISTER_TO_SHARED, REGISTER_TO_SHARED_NO_BARRIER,
    GLOBAL_TO_SHARED, GLOBAL_TO_SHARED_OTHERWISE, SHARED_TO_GLOBAL,
    SHARED_TO_THREAD, THREAD_TO_SHARED,
    GLOBAL_TO_THREAD, GLOBAL_TO_THREAD_OTHERWISE, THREAD_TO_GLOBAL,
    MOVES
};

inline const char *name_of(MoveName move) {
    static const char *const names[MOVES] = {
        "global_to_register", "global_to_register (otherwise)", "register_to_global",
        "gather", "gather (otherwise)", "scatter",
        "shared_to_register", "register_to_shared", "register_to_shared (no barrier)",
        "global_to_shared", "global_to_shared (otherwise)", "shared_to_global",
        "shared_to_thread", "thread_to_shared",
        "global_to_thread", "global_to_thread (otherwise)", "thread_to_global"};
    return names[move];
}

__host__ __device__ inline bool takes_a_value(MoveName move) {
    return move == GLOBAL_TO_REGISTER_OTHERWISE || move == GATHER_OTHERWISE || move == GLOBAL_TO_SHARED_OTHERWISE
        || move == GLOBAL_TO_THREAD_OTHERWISE;
}

__host__ __device__ inline bool ends_in_thread_registers(MoveName move) {
    return move == SHARED_TO_THREAD || move == GLOBAL_TO_THREAD || move == GLOBAL_TO_THREAD_OTHERWISE;
}

__host__ __device__ inline bool begins_in_thread_registers(MoveName move) {
    return move == THREAD_TO_SHARED || move == THREAD_TO_GLOBAL;
}

__host__ __device__ inline bool ends_in_registers(MoveName move) {
    return move == GLOBAL_TO_REGISTER || move == GLOBAL_TO_REGISTER_OTHERWISE || move == GATHER || move == GATHER_OTHERWISE
        || move == SHARED_TO_REGISTER || ends_in_thread_registers(move);
}

__host__ __device__ inline bool ends_in_shared(MoveName move) {
    return move == REGISTER_TO_SHARED || move == REGISTER_TO_SHARED_NO_BARRIER || move == GLOBAL_TO_SHARED
        || move == GLOBAL_TO_SHARED_OTHERWISE || move == THREAD_TO_SHARED;
}

// ---- values ---------------------------------------------------------------------------------------------------------

constexpr unsigned GUARD = 32;                                     // elements at either side of a tile

enum Poison : uint8_t { UNTOUCHED = 0xa5, BEYOND = 0x5a, OTHERWISE = 0xe7 };   // the byte that fills an element

template <typename T>
__host__ __device__ T poison(Poison byte) {
    union { uint8_t bytes[sizeof(T)]; T value; } filled;
    for (size_t b = 0; b < sizeof(T); ++b) filled.bytes[b] = byte;
    return filled.value;
}

// The k-th element of the source: no two neighbours, rows or columns of a tile are alike.
template <typename T>
T element(unsigned k) {
    T value;
    uint64_t bits = (k + 1) * 0x9e3779b97f4a7c15u;
    for (size_t done = 0; done < sizeof(T); done += 8, bits = bits * 3 + 1) {
        const uint64_t folded = bits ^ bits >> 29;
        std::memcpy(reinterpret_cast<char *>(&value) + done, &folded, sizeof(T) - done < 8 ? sizeof(T) - done : 8);
    }
    return value;
}

// The bytes in hexadecimal, the last one first.
template <typename T>
std::string text(const T &value) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(&value);
    std::string hex = "0x";
    for (size_t b = sizeof(T); b-- > 0;) {
        char two[3];
        std::snprintf(two, sizeof two, "%02x", bytes[b]);
        hex += two;
    }
    return hex;
}

// ---- the kernel -----------------------------------------------------------------------------------------------------

template <typename T>
__device__ T *shared_memory() {
    extern __shared__ uint4 memory[];
    return reinterpret_cast<T *>(memory);
}

// The move from `source` (tile) to what it names; the result, with the guards around it where it is memory, goes to `target`
// (GUARD + tile + GUARD). Everything but the move itself is done with plain loops.
template <int NT, int VT, typename T>
__global__ void one_move(MoveName move, unsigned count, const T *source, const unsigned *indices, T *target) {
    const unsigned tid = threadIdx.x, threads = blockDim.x, tile = threads * VT;
    const T untouched = poison<T>(UNTOUCHED), otherwise = poison<T>(OTHERWISE);
    T *const memory = shared_memory<T>();                          // (GUARD + tile + GUARD)
    T *const shared = memory + GUARD, *const global = target + GUARD;
    T registers[VT];
    unsigned places[VT];

    // Registers hold the source where the move begins there, in the order that it takes, else poison.
    const bool from_registers = !ends_in_registers(move);
    for (int i = 0; i < VT; ++i) {
        const unsigned slot = threads * i + tid;
        registers[i] = from_registers ? source[begins_in_thread_registers(move) ? VT * tid + i : slot] : untouched;
        places[i] = indices[slot];
    }
    // Shared memory holds the source where the move begins there; its guards are poison in any case.
    const bool from_shared = move == SHARED_TO_REGISTER || move == SHARED_TO_GLOBAL || move == SHARED_TO_THREAD;
    for (unsigned k = tid; k < GUARD + tile + GUARD; k += threads) {
        const bool inside = k >= GUARD && k < GUARD + tile;
        memory[k] = from_shared && inside ? source[k - GUARD] : untouched;
    }
    __syncthreads();

    switch (move) {
    case GLOBAL_TO_REGISTER: global_to_register<NT>(count, source, registers); break;
    case GLOBAL_TO_REGISTER_OTHERWISE: global_to_register<NT>(count, source, registers, otherwise); break;
    case REGISTER_TO_GLOBAL: register_to_global<NT>(count, registers, global); break;
    case GATHER: gather<NT>(count, source, places, registers); break;
    case GATHER_OTHERWISE: gather<NT>(count, source, places, registers, otherwise); break;
    case SCATTER: scatter<NT>(count, registers, places, global); break;
    case SHARED_TO_REGISTER: shared_to_register<NT>(count, shared, registers); break;
    case REGISTER_TO_SHARED: register_to_shared<NT>(count, registers, shared); break;
    case REGISTER_TO_SHARED_NO_BARRIER:
        register_to_shared<NT>(count, registers, shared, Barrier::NONE);
        __syncthreads();
        break;
    case GLOBAL_TO_SHARED: global_to_shared<NT, VT>(count, source, shared); break;
    case GLOBAL_TO_SHARED_OTHERWISE: global_to_shared<NT, VT>(count, source, shared, otherwise); break;
    case SHARED_TO_GLOBAL: shared_to_global<NT, VT>(count, shared, global); break;
    case SHARED_TO_THREAD: shared_to_thread<NT>(count, shared, registers); break;
    case THREAD_TO_SHARED: thread_to_shared<NT>(count, registers, shared); break;
    case GLOBAL_TO_THREAD: global_to_thread<NT>(count, source, shared, registers); break;
    case GLOBAL_TO_THREAD_OTHERWISE: global_to_thread<NT>(count, source, shared, registers, otherwise); break;
    case THREAD_TO_GLOBAL: thread_to_global<NT>(count, registers, shared, global); break;
    case MOVES: break;
    }

    // No barrier here: the last thread's part of shared memory is dumped by the first, so that the move's own is needed.
    if (ends_in_registers(move)) {
        for (int i = 0; i < VT; ++i) global[threads * i + tid] = registers[i];
    } else if (ends_in_shared(move)) {
        for (unsigned k = threads - 1 - tid; k < GUARD + tile + GUARD; k += threads) target[k] = memory[k];
    }
}
