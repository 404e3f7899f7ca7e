// move.cuh — how a block moves a tile of NT·VT elements between global memory, shared memory and registers.
//
//   strided order   thread tid holds the elements NT·i + tid, 0 ≤ i < VT: a warp's i-th elements are neighbours
//   thread order    thread tid holds the elements VT·tid + i, 0 ≤ i < VT: a thread's elements are neighbours
//
//   name                | source        | target        | order   | past count      | syncs
//   --------------------|---------------|---------------|---------|-----------------|--------------------------
//   global_to_register  | global        | registers     | strided | kept or a value | no
//   register_to_global  | registers     | global        | strided | kept            | no
//   gather              | any, by index | registers     | strided | kept or a value | no
//   scatter             | registers     | any, by index | strided | kept            | no
//   shared_to_register  | shared        | registers     | strided | kept            | at the end
//   register_to_shared  | registers     | shared        | strided | kept            | at the end
//   global_to_shared    | global        | shared        | strided | kept or a value | at the end
//   shared_to_global    | shared        | global        | strided | kept            | at the end
//   shared_to_thread    | shared        | registers     | thread  | kept            | at the end
//   thread_to_shared    | registers     | shared        | thread  | kept            | at the end
//   global_to_thread    | global        | registers     | thread  | kept or a value | in the middle, at the end
//   thread_to_global    | registers     | global        | thread  | kept            | in the middle, at the end
//
// Algorithm  Every move is predicated: elements from `count` on are neither read nor written, and keep what they held or, where
//            a value for them is given last, take that. count ≥ NT·VT takes a path without predicates, whose loads are all in
//            flight at once. global_to_thread and thread_to_global pass through a tile in shared memory, so that global
//            memory is touched in strided order, in whole cache lines.
// Cost       One load or store an element and side. Thread order in shared memory: step i of a warp touches the banks
//            (VT·tid + i) mod 32, all different when VT is odd; with an even VT gcd(VT, 32) threads meet in one, eight of
//            them when VT = 8. So for 4 bytes an element; odd is as good for 8. A kernel that transposes has an odd VT.
// Used by    fill, random, add, dot and histogram: global_to_register, register_to_global. dot's second pass: global_to_thread,
//            and with it global_to_shared, register_to_shared and shared_to_thread. The other ways, and gather and scatter,
//            are for kernels that exchange elements; so far only their tests use them.
// Limits     Blocks of one dimension. NT = 0 takes the block's size at run time, for an addition an element more. VT is
//            small, since registers hold the tile. Elements are plain data; a Packet (packet.cuh) is one as well.
// Edges      count = 0 moves nothing. All threads of the block take part where a move syncs. Barrier::NONE leaves the barrier at
//            the end to the caller; without it another thread's elements are not there yet, and the tile is not free.
// Source     S. Baxter, "ModernGPU", The Library, "Load/store functions", NVIDIA 2013.
#pragma once

#include <cuda_runtime.h>

// ---- constants ------------------------------------------------------------------------------------------------------

enum class Barrier { NONE, AFTER };                                // what a move through shared memory ends with

// ---- device helpers -------------------------------------------------------------------------------------------------

template <int NT>
__device__ __forceinline__ unsigned block_threads() { return NT > 0 ? NT : blockDim.x; }

// move(i, index) for this thread's elements with index < count, in strided and in thread order.
template <int NT, int VT, typename Move>
__device__ __forceinline__ void in_strided_order(unsigned count, Move move) {
    const unsigned threads = block_threads<NT>();
    const bool whole = count >= threads * VT;
    if (whole) {
#pragma unroll
        for (int i = 0; i < VT; ++i) move(i, threads * i + threadIdx.x);
    } else {
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            const unsigned index = threads * i + threadIdx.x;
            if (index < count) move(i, index);
        }
    }
}

template <int NT, int VT, typename Move>
__device__ __forceinline__ void in_thread_order(unsigned count, Move move) {
    const unsigned first = VT * threadIdx.x;
    if (first + VT <= count) {
#pragma unroll
        for (int i = 0; i < VT; ++i) move(i, first + i);
    } else {
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            if (first + i < count) move(i, first + i);
        }
    }
}

template <int VT, typename T>
__device__ __forceinline__ void fill_registers(T (&registers)[VT], T value) {
#pragma unroll
    for (int i = 0; i < VT; ++i) registers[i] = value;
}

__device__ __forceinline__ void sync(Barrier barrier) {
    if (barrier == Barrier::AFTER) __syncthreads();
}

// ---- global memory and registers, strided ---------------------------------------------------------------------------

template <int NT, int VT, typename T>
__device__ __forceinline__ void global_to_register(unsigned count, const T *source, T (&target)[VT]) {
    in_strided_order<NT, VT>(count, [&](int i, unsigned index) { target[i] = source[index]; });
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void global_to_register(unsigned count, const T *source, T (&target)[VT], T otherwise) {
    if (count < block_threads<NT>() * VT) fill_registers(target, otherwise);
    global_to_register<NT>(count, source, target);
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void register_to_global(unsigned count, const T (&source)[VT], T *target) {
    in_strided_order<NT, VT>(count, [&](int i, unsigned index) { target[index] = source[i]; });
}

// target[i] ← source[indices[i]]
template <int NT, int VT, typename T, typename Index>
__device__ __forceinline__ void gather(unsigned count, const T *source, const Index (&indices)[VT], T (&target)[VT]) {
    in_strided_order<NT, VT>(count, [&](int i, unsigned) { target[i] = source[indices[i]]; });
}

template <int NT, int VT, typename T, typename Index>
__device__ __forceinline__ void gather(unsigned count, const T *source, const Index (&indices)[VT], T (&target)[VT],
                                       T otherwise) {
    if (count < block_threads<NT>() * VT) fill_registers(target, otherwise);
    gather<NT>(count, source, indices, target);
}

// target[indices[i]] ← source[i]; of equal indices any one wins.
template <int NT, int VT, typename T, typename Index>
__device__ __forceinline__ void scatter(unsigned count, const T (&source)[VT], const Index (&indices)[VT], T *target) {
    in_strided_order<NT, VT>(count, [&](int i, unsigned) { target[indices[i]] = source[i]; });
}

// ---- shared memory, strided -----------------------------------------------------------------------------------------

template <int NT, int VT, typename T>
__device__ __forceinline__ void shared_to_register(unsigned count, const T *source, T (&target)[VT],
                                                   Barrier barrier = Barrier::AFTER) {
    global_to_register<NT>(count, source, target);
    sync(barrier);
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void register_to_shared(unsigned count, const T (&source)[VT], T *target,
                                                   Barrier barrier = Barrier::AFTER) {
    register_to_global<NT>(count, source, target);
    sync(barrier);
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void global_to_shared(unsigned count, const T *source, T *target,
                                                 Barrier barrier = Barrier::AFTER) {
    T tile[VT];
    global_to_register<NT>(count, source, tile);
    register_to_shared<NT>(count, tile, target, barrier);
}

// The whole tile in shared memory is written: from count on with `otherwise`.
template <int NT, int VT, typename T>
__device__ __forceinline__ void global_to_shared(unsigned count, const T *source, T *target, T otherwise,
                                                 Barrier barrier = Barrier::AFTER) {
    T tile[VT];
    global_to_register<NT>(count, source, tile, otherwise);
    register_to_shared<NT>(block_threads<NT>() * VT, tile, target, barrier);
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void shared_to_global(unsigned count, const T *source, T *target,
                                                 Barrier barrier = Barrier::AFTER) {
    T tile[VT];
    shared_to_register<NT>(count, source, tile, barrier);
    register_to_global<NT>(count, tile, target);
}

// ---- thread order ---------------------------------------------------------------------------------------------------

template <int NT, int VT, typename T>
__device__ __forceinline__ void shared_to_thread(unsigned count, const T *source, T (&target)[VT],
                                                 Barrier barrier = Barrier::AFTER) {
    in_thread_order<NT, VT>(count, [&](int i, unsigned index) { target[i] = source[index]; });
    sync(barrier);
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void thread_to_shared(unsigned count, const T (&source)[VT], T *target,
                                                 Barrier barrier = Barrier::AFTER) {
    in_thread_order<NT, VT>(count, [&](int i, unsigned index) { target[index] = source[i]; });
    sync(barrier);
}

// tile: NT·VT elements of shared memory, exclusive to the call.
template <int NT, int VT, typename T>
__device__ __forceinline__ void global_to_thread(unsigned count, const T *source, T *tile, T (&target)[VT],
                                                 Barrier barrier = Barrier::AFTER) {
    global_to_shared<NT, VT>(count, source, tile);
    shared_to_thread<NT>(count, tile, target, barrier);
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void global_to_thread(unsigned count, const T *source, T *tile, T (&target)[VT], T otherwise,
                                                 Barrier barrier = Barrier::AFTER) {
    if (VT * threadIdx.x + VT > count) fill_registers(target, otherwise);
    global_to_thread<NT>(count, source, tile, target, barrier);
}

template <int NT, int VT, typename T>
__device__ __forceinline__ void thread_to_global(unsigned count, const T (&source)[VT], T *tile, T *target,
                                                 Barrier barrier = Barrier::AFTER) {
    thread_to_shared<NT>(count, source, tile);
    shared_to_global<NT, VT>(count, tile, target, barrier);
}
