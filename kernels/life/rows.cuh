// rows.cuh — one generation of the rows that a thread holds, in registers or in shared memory.
//
// Algorithm  The words left and right of a thread's come by shuffles. A thread passes the sums of its first and its last row to
//            those below and above through shared memory, steps the rows between them, synchronises, and steps these two.
// Cost       15 instructions a word for Conway, 11 of them on the pipe that does 64 a clock and multiprocessor; a barrier.
// Limits     Registers<R>: R rows of one word. Column<V>: any rows of V words, in shared memory private to the thread.
// Edges      Those of life/window.cuh. Bits of a word behind the last column are arbitrary, and are never read.
// Source     life/rule.cuh.
#pragma once

#include <stdint.h>

#include "life/rule.cuh"
#include "life/window.cuh"
#include "prim/cluster/cluster.cuh"

namespace life_cluster {

// ---- device helpers -------------------------------------------------------------------------------------------------

template <int VALUES>
struct Line {
    uint32_t word[VALUES];
};

template <int VALUES>
struct Sums {
    RowSum word[VALUES];
};

// A row's words with their neighbours and sums.
template <int VALUES>
struct Row {
    uint32_t left[VALUES], word[VALUES], right[VALUES];
    Sums<VALUES> sum;
};

// A row of which each lane has VALUES neighbouring words.
template <int VALUES>
__device__ __forceinline__ Row<VALUES> row_of(const Line<VALUES> &line, const Sides &sides) {
    uint32_t last = line.word[VALUES - 1];
#pragma unroll
    for (int v = 0; v < VALUES - 1; ++v) last = sides.send_value == v ? line.word[v] : last;
    uint32_t from_left = __shfl_sync(~0u, last, sides.left);
    uint32_t from_right = __shfl_sync(~0u, line.word[0], sides.right);
    if (VALUES > 1 && sides.own_left) from_left = line.word[0];
    if (VALUES > 1 && sides.own_right) from_right = last;
    const uint32_t left_word = from_left * sides.left_scale;
    const uint32_t right_bits = from_right * sides.right_scale;

    Row<VALUES> row;
#pragma unroll
    for (int v = 0; v < VALUES; ++v) {
        const uint32_t word = line.word[v];
        row.word[v] = word;
        row.left[v] = __funnelshift_l(v > 0 ? line.word[v > 0 ? v - 1 : 0] : left_word, word, 1);
        row.right[v] = __funnelshift_r(word, v + 1 < VALUES ? line.word[v + 1 < VALUES ? v + 1 : 0] : 0, 1);
        if (VALUES == 1 || v == sides.right_value) row.right[v] = merge(sides.right_mask, right_bits, row.right[v]);
        row.sum.word[v] = row_sum(row.left[v], word, row.right[v]);
    }
    return row;
}

template <typename Rule, int VALUES>
__device__ __forceinline__ uint32_t next_of(const Rule &rule, const Sums<VALUES> &above, const Row<VALUES> &same,
                                            const Sums<VALUES> &below, int v) {
    return rule.next(above.word[v], same.sum.word[v], below.word[v], same.left[v], same.word[v], same.right[v]);
}

// The sums of the first and last rows of all groups, (parity, side, value, thread): generations take turns with the parities.
template <int VALUES>
struct Edges {
    uint2 *own;                                                    // slots of parity 0
    const uint2 *higher, *lower;

    __device__ Edges(uint2 *slots, const Place &place)
        : own(slots + threadIdx.x), higher(slots + place.above), lower(slots + place.below) {
        if (threadIdx.x < 4 * VALUES) slots[threadIdx.x * (blockDim.x + 1) + blockDim.x] = {0, 0};
    }

    __device__ static unsigned slot(unsigned parity, int side, int v) {
        return ((2 * parity + side) * VALUES + v) * (blockDim.x + 1);
    }

    __device__ __forceinline__ void write(unsigned parity, const Sums<VALUES> &top, const Sums<VALUES> &bottom) const {
#pragma unroll
        for (int v = 0; v < VALUES; ++v) {
            own[slot(parity, 0, v)] = make_uint2(top.word[v].ones, top.word[v].twos);
            own[slot(parity, 1, v)] = make_uint2(bottom.word[v].ones, bottom.word[v].twos);
        }
    }

    __device__ __forceinline__ Sums<VALUES> read(unsigned parity, const uint2 *slots) const {
        Sums<VALUES> sums;
#pragma unroll
        for (int v = 0; v < VALUES; ++v) {
            const uint2 slotted = slots[slot(parity, 0, v)];
            sums.word[v] = {slotted.x, slotted.y};
        }
        return sums;
    }
    __device__ __forceinline__ Sums<VALUES> above(unsigned parity) const { return read(parity, higher); }
    __device__ __forceinline__ Sums<VALUES> below(unsigned parity) const { return read(parity, lower); }
};

// A thread's cells, R rows of one word, in registers.
template <int R>
struct Registers {
    static constexpr int VALUES = 1;
    static constexpr bool IN_REGISTERS = true;
    uint32_t row[R];

    __device__ Registers(uint32_t *, const Place &) {}

    // work(row, value, word) for each word.
    template <typename Work>
    __device__ __forceinline__ void each(Work work) {
#pragma unroll
        for (int i = 0; i < R; ++i) work(i, 0, row[i]);
    }

    // All rows to the addresses from `address` on, with as wide accesses as R allows, and from a place in shared memory.
    static constexpr int WIDTH = R % 4 == 0 ? 4 : R % 2 == 0 ? 2 : 1;
    __device__ void send_all(uint32_t address, uint32_t barrier) const {
#pragma unroll
        for (int i = 0; i < R; i += WIDTH) cluster_send<WIDTH>(address + i * unsigned(sizeof(uint32_t)), &row[i], barrier);
    }
    __device__ void take_all(const uint32_t *place) {
#pragma unroll
        for (int i = 0; i < R; i += WIDTH) {
            if (WIDTH == 4) {
                const uint4 words = *reinterpret_cast<const uint4 *>(place + i);
                row[i] = words.x, row[i + 1 % WIDTH] = words.y, row[i + 2 % WIDTH] = words.z, row[i + 3 % WIDTH] = words.w;
            } else {
#pragma unroll
                for (int k = 0; k < WIDTH; ++k) row[i + k] = place[i + k];
            }
        }
    }

    // One generation. The first and the last row's sums go out as soon as they are there; what the others take hides the way.
    template <typename Rule>
    __device__ __forceinline__ void step(const Rule &rule, const Shape &, const Sides &sides, const Edges<1> &edges, unsigned parity) {
        Row<1> old[R];
        old[0] = row_of<1>({row[0]}, sides);
        if (R > 1) old[R - 1] = row_of<1>({row[R - 1]}, sides);
        edges.write(parity, old[0].sum, old[R - 1].sum);
#pragma unroll
        for (int i = 1; i + 1 < R; ++i) old[i] = row_of<1>({row[i]}, sides);
#pragma unroll
        for (int i = 1; i + 1 < R; ++i) row[i] = next_of(rule, old[i - 1].sum, old[i], old[i + 1].sum, 0);
        __syncthreads();                                           // all edges are there
        const Sums<1> above = edges.above(parity), below = edges.below(parity);
        row[0] = next_of(rule, above, old[0], R > 1 ? old[R > 1 ? 1 : 0].sum : below, 0);
        if (R > 1) row[R - 1] = next_of(rule, old[R > 1 ? R - 2 : 0].sum, old[R - 1], below, 0);
    }
};

// A thread's cells, any number of rows of V words, in shared memory; nobody else looks at them.
template <int V>
struct Column {
    static constexpr int VALUES = V;
    static constexpr bool IN_REGISTERS = false;
    uint32_t *cells;
    unsigned count;

    __device__ Column(uint32_t *all, const Place &place) : cells(all + threadIdx.x), count(place.count) {}

    __device__ void send_all(uint32_t, uint32_t) const {}          // its rows never go all at once
    __device__ void take_all(const uint32_t *) {}

    __device__ uint32_t &at(unsigned i, int v) { return cells[(i * V + v) * blockDim.x]; }

    template <typename Work>
    __device__ __forceinline__ void each(Work work) {
        for (unsigned i = 0; i < count; ++i) {
#pragma unroll
            for (int v = 0; v < V; ++v) work(i, v, at(i, v));
        }
    }

    __device__ Line<V> line(unsigned i) {
        Line<V> line;
#pragma unroll
        for (int v = 0; v < V; ++v) line.word[v] = at(i, v);
        return line;
    }
    // One generation, from the first row to the last, in place. All lanes of a warp take the same number of turns.
    template <typename Rule>
    __device__ __forceinline__ void step(const Rule &rule, const Shape &shape, const Sides &sides, const Edges<V> &edges,
                                         unsigned parity) {
        Row<V> same = row_of(line(0), sides);
        edges.write(parity, same.sum, row_of(line(count > 0 ? count - 1 : 0), sides).sum);
        __syncthreads();                                           // all edges are there
        Sums<V> above = edges.above(parity);
        for (unsigned i = 0; i < shape.tall; ++i) {
            const Row<V> after = row_of(line(i + 1 < count ? i + 1 : i), sides);
            const Sums<V> below = i + 1 < count ? after.sum : edges.below(parity);
            if (i < count) {
#pragma unroll
                for (int v = 0; v < V; ++v) at(i, v) = next_of(rule, above, same, below, v);
            }
            above = same.sum, same = after;
        }
    }
};

}  // namespace life_cluster
