// packet.cuh — vectorized access: 16 bytes of consecutive elements in one load or store.
//
// Algorithm  A kernel is written once, for packets: with ALIGNMENT 16 a packet is one load or store, with the alignment of T
//            one an element, in the same order. So arrays may have any alignment, and the result is the same bit for bit.
// Cost       16 bytes a thread and instruction: a warp moves 512 consecutive bytes. From an unaligned array as many
//            instructions as a packet has elements, with a stride of 16 bytes between lanes.
// Limits     sizeof(T) is 1, 2, 4, 8 or 16.
// Source     J. Luitjens, "CUDA Pro Tip: Increase Performance with Vectorized Memory Access", NVIDIA 2013.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t PACKET_BYTES = 16;

template <typename T>
constexpr int PACKET_LENGTH = PACKET_BYTES / sizeof(T);

template <typename T, size_t ALIGNMENT = PACKET_BYTES>
struct alignas(ALIGNMENT) Packet {
    T values[PACKET_LENGTH<T>];
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline bool is_aligned(const void *pointer, size_t alignment) { return reinterpret_cast<uintptr_t>(pointer) % alignment == 0; }
