// runs.cuh — what all tiles before a tile leave to it: how many runs began there, and the reduction of the run that is still open.
//
//   before (t) = states of tiles 0 … t - 1, joined in their order
//
// Algorithm  Decoupled look-back: a tile publishes what it found itself as soon as it knows it, and what it and all before it are as
//            soon as it knows that. A warp reads the states of the 32 tiles before its own and, while none of them is of the second
//            kind, those of the 32 before. Counts are added. The open reduction begins at the last tile in which a run ended
//            or that knows everything, and takes on the tiles behind it from left to right: which states a warp happens to meet
//            changes neither the operands nor their order, so floats have the same bits each time.
// Cost       16 bytes a tile, written twice.
// Limits     Blocks start in the order of their numbers, as they do on every device so far. 2^61 runs.
// Edges      States are zeros before the launch.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/segments/operator.cuh"
#include "prim/tune.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr uint64_t RUNS_OF_TILE = 1, RUNS_OF_ALL = 2, RUNS_KIND = 3; // 0: not there yet
constexpr uint64_t RUNS_END = 4;                                   // a run ended in what this is about
constexpr int RUNS_SHIFT = 3;                                      // behind it: how many began

// ---- device helpers -------------------------------------------------------------------------------------------------

// 16 bytes that are read and written at once.
struct alignas(16) RunsState {
    uint64_t word, value;
};

template <typename T>
__device__ __forceinline__ uint64_t bits_of_value(T value) {
    if constexpr (sizeof(T) == 4 && IS_FLOATING<T>) return __float_as_uint(value);
    else if constexpr (IS_FLOATING<T>) return static_cast<uint64_t>(__double_as_longlong(value));
    else return value;
}

template <typename T>
__device__ __forceinline__ T value_of_bits(uint64_t bits) {
    if constexpr (sizeof(T) == 4 && IS_FLOATING<T>) return __uint_as_float(static_cast<uint32_t>(bits));
    else if constexpr (IS_FLOATING<T>) return __longlong_as_double(static_cast<long long>(bits));
    else return static_cast<T>(bits);
}

__device__ __forceinline__ void publish_runs(RunsState *state, uint64_t word, uint64_t value) {
    asm volatile("{ .reg .b128 both; mov.b128 both, {%1, %2}; st.relaxed.gpu.global.b128 [%0], both; }" ::"l"(state), "l"(word), "l"(value)
                 : "memory");
}

__device__ __forceinline__ RunsState look_at_runs(const RunsState *state) {
    RunsState found;
    asm volatile("{ .reg .b128 both; ld.relaxed.gpu.global.b128 both, [%2]; mov.b128 {%0, %1}, both; }"
                 : "=l"(found.word), "=l"(found.value)
                 : "l"(state)
                 : "memory");
    return found;
}

// What is before a tile.
template <typename T>
struct RunsBefore {
    uint64_t runs;
    T open;
};

// One operation, chosen at run time.
template <typename T>
__device__ __forceinline__ T operate(int number, T left, T right) {
    T result = left;
    with_operator<T>(number, [&](auto operation) { result = operation(left, right); });
    return result;
}

// The states of tiles `first` … tile - 1, none of which is missing, taken on from left to right; the first one starts.
template <typename T>
__device__ __noinline__ T open_from(const RunsState *states, size_t first, size_t tile, int number) {
    T open = T(0);
    for (size_t base = first; base < tile; base += WARP) {
        const size_t mine = base + threadIdx.x % WARP;
        const RunsState state = mine < tile ? look_at_runs(states + mine) : RunsState{0, 0};
        for (int lane = 0; lane < WARP && base + lane < tile; ++lane) {
            const uint64_t word = __shfl_sync(ALL_LANES, state.word, lane), value = __shfl_sync(ALL_LANES, state.value, lane);
            const bool starts = base + lane == first || (word & (RUNS_END | RUNS_OF_ALL)) != 0;
            open = starts ? value_of_bits<T>(value) : operate(number, open, value_of_bits<T>(value));
        }
    }
    return open;
}

// All lanes of a warp call, for a tile that is not the first, and have the result.
template <typename T>
__device__ RunsBefore<T> runs_before(const RunsState *states, size_t tile, int number) {
    const unsigned lane = threadIdx.x % WARP;
    uint64_t runs = 0;
    size_t end = tile, first = tile;                               // tiles from `end` on are counted; the open run's first one
    T open = T(0);
    while (true) {
        const bool is_there = lane < end;
        RunsState state = {RUNS_OF_ALL, 0};                        // before the first tile there is nothing
        do {
            if (is_there) state = look_at_runs(states + (end - 1 - lane));
        } while (__any_sync(ALL_LANES, (state.word & RUNS_KIND) == 0));

        const unsigned knows_all = __ballot_sync(ALL_LANES, (state.word & RUNS_KIND) == RUNS_OF_ALL);
        const int last = knows_all == 0 ? WARP - 1 : __ffs(knows_all) - 1;
        uint64_t here = int(lane) <= last && is_there ? state.word >> RUNS_SHIFT : 0;
#pragma unroll
        for (int offset = WARP / 2; offset > 0; offset /= 2) here += __shfl_xor_sync(ALL_LANES, here, offset);
        runs += here;

        const unsigned starts = __ballot_sync(ALL_LANES, (state.word & (RUNS_END | RUNS_OF_ALL)) != 0);
        if (first == tile && starts != 0) {
            const int from = __ffs(starts) - 1;
            first = end - 1 - from;
            if (end == tile) {                                     // nearly always: no second look
                for (int source = from; source >= 0; --source) {
                    const T value = value_of_bits<T>(__shfl_sync(ALL_LANES, state.value, source));
                    open = source == from ? value : operate(number, open, value);
                }
            } else {
                open = open_from<T>(states, first, tile, number);
            }
        }
        if (knows_all != 0) return {runs, open};
        end -= WARP;
    }
}
