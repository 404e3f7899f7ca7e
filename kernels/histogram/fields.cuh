// fields.cuh — packed counters of 16 or 8 bits in shared memory, for more cells than words fit.
//
// Algorithm  Each block has a slice of the cells; equal samples of a group are added at once, and in fields of 8 bits, where most
//            lanes of a warp have such groups, as in sorted data, equal lanes are one addition outside of the fields, which it would
//            overflow. An addition that overflows its field carries into the next one: then 2^bits go to the field's count in global memory and -1 to its neighbour's,
//            which corrects the sum whatever others do concurrently. From then on the cell is hot: it has one of HOT_PLACES
//            words of 32 bits, if that is free, and is counted there. Each slice of the cells has blocks of its own, which read
//            the same samples at about the same time: all but the first find them in L2.
// Cost       8 instructions a sample, and equal lanes serialise until their cell is hot. At its end a block adds to global memory
//            what is not zero.
// Limits     A block counts less than 2^32 samples, of less than 2^32 - 1 cells.
#pragma once

#include <cuda_runtime.h>
#include <stdint.h>

#include "histogram/cells.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned HOT_PLACES = 256;                               // for cells whose fields were full
constexpr unsigned HOT_WORDS = 2 * HOT_PLACES + 1;
constexpr int ALIKE_LANES = 24;                                    // with groups of equal samples, for lanes to be joined

// ---- device helpers -------------------------------------------------------------------------------------------------

// 2^PER_WORD_LOG fields a word; blocks blockIdx.y count the cells from blockIdx.y·slice on. The words lie behind the hot cells.
template <unsigned PER_WORD_LOG>
struct Fields {
    Cells cells;
    unsigned slice;
    bool is_hot;                                                   // whether a field of this block was full

    static __device__ unsigned *tags(unsigned *smem) { return smem; }
    static __device__ unsigned *hits(unsigned *smem) { return smem + HOT_PLACES; }
    static __device__ unsigned *any_tag(unsigned *smem) { return smem + 2 * HOT_PLACES; }    // not 0: there are hot cells
    static __device__ unsigned *words(unsigned *smem) { return smem + HOT_WORDS; }

    __device__ unsigned from() const { return blockIdx.y * slice; }
    __device__ unsigned here() const { return min(slice, static_cast<unsigned>(cells.total()) - from()); }
    static __device__ constexpr unsigned full() { return 0xFFFFFFFFu >> (32 - (32 >> PER_WORD_LOG)); }
    // `value` in the field of `at`: the bits above the word's place number rotate out.
    __device__ unsigned in_field(unsigned value, unsigned at) const {
        return __funnelshift_l(value, value, at << (5 - PER_WORD_LOG));
    }
    __device__ unsigned field(unsigned word, unsigned at) const {
        return __funnelshift_r(word, word, at << (5 - PER_WORD_LOG)) & full();
    }

    __device__ void begin(unsigned *smem) const {
        clear(tags(smem), HOT_PLACES, NO_CELL);
        clear(hits(smem), HOT_WORDS - HOT_PLACES + (here() - 1 >> PER_WORD_LOG) + 1);
    }
    template <int N, typename First>
    __device__ __forceinline__ void add(unsigned *smem, const unsigned (&bins)[N], First first) {
        const unsigned begin = from(), count = here(), most = full();
        unsigned old[N] = {}, at[N];
        for_each_cell<unsigned>(cells, bins, first, [&](int j, unsigned cell) { at[j] = cell - begin; });
        if (is_hot) {
#pragma unroll
            for (int j = 0; j < N; ++j) {
                if (at[j] >= count || is_counted_as_hot(smem, at[j])) at[j] = NO_CELL;
            }
        }
        const unsigned amount = merge(at);                         // that the first one adds; others add 1
        if (PER_WORD_LOG == 2 && N > 1 && amount > 1) join_lanes(smem, at[0], count, amount);
        bool was_full = false;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            const unsigned addend = in_field(j == 0 ? amount : 1, at[j]);
            if (at[j] < count) old[j] = atomicAdd(&words(smem)[at[j] >> PER_WORD_LOG], addend);
        }
        was_full |= field(old[0], at[0]) + amount > most;
#pragma unroll
        for (int j = 1; j < N; ++j) was_full |= (~old[j] & in_field(most, at[j])) == 0;
        if (!was_full) return;
#pragma unroll
        for (int j = 0; j < N; ++j) carry(smem, old[j], at[j], j == 0 ? amount : 1);
    }
    // A group of equal cells, as in sorted data, becomes one.
    template <int N>
    __device__ __forceinline__ unsigned merge(unsigned (&at)[N]) const {
        unsigned difference = 0;
#pragma unroll
        for (int j = 1; j < N; ++j) difference |= at[j] ^ at[0];
#pragma unroll
        for (int j = 1; j < N; ++j) at[j] = difference == 0 ? NO_CELL : at[j];
        return difference == 0 ? N : 1;
    }
    // The lanes that come here together, whose groups are of one cell each: the first of equal ones adds them all where hot cells are
    // counted, if a place is free, else to global memory.
    __device__ __forceinline__ void join_lanes(unsigned *smem, unsigned &at, unsigned count, unsigned amount) const {
        const unsigned alike = __activemask();
        if (__popc(alike) < ALIKE_LANES) return;
        const unsigned equal = __match_any_sync(alike, at), sum = amount * __popc(equal);
        const bool is_first = (equal & ((1u << (threadIdx.x % 32)) - 1)) == 0;
        if (is_first && at < count) {
            const unsigned place = at % HOT_PLACES;
            unsigned there = *const_cast<volatile unsigned *>(&tags(smem)[place]);
            if (there == NO_CELL) {
                there = atomicCAS(&tags(smem)[place], NO_CELL, at);
                if (there == NO_CELL) there = at;
            }
            if (there == at) atomicAdd(&hits(smem)[place], sum); else atomicAdd(&cells.counts[from() + at], Count(sum));
        }
        at = NO_CELL;
    }
    __device__ __forceinline__ bool is_counted_as_hot(unsigned *smem, unsigned at) const {
        const unsigned place = at % HOT_PLACES;
        const bool is_there = *const_cast<volatile unsigned *>(&tags(smem)[place]) == at;
        if (is_there) atomicAdd(&hits(smem)[place], 1u);
        return is_there;
    }
    // Where the field of `at` could not hold `amount` more, its neighbour has one more now, or was full and is empty as well.
    __device__ __noinline__ void carry(unsigned *smem, unsigned old, unsigned at, unsigned amount) const {
        Count *const counts = cells.counts + from();
        if (at >= here() || field(old, at) + amount <= full()) return;
        atomicCAS(&tags(smem)[at % HOT_PLACES], NO_CELL, at);
        atomicExch(any_tag(smem), 1u);                             // who reads 0 later adds to fields, which is right as well
        do {
            atomicAdd(&counts[at], Count(full()) + 1);
            if ((at + 1) % (1u << PER_WORD_LOG) == 0 || at + 1 >= here()) return;
            atomicAdd(&counts[++at], ~Count(0));
        } while (field(old, at) == full());
    }
    __device__ void before_tile(unsigned *smem) { is_hot = *const_cast<volatile unsigned *>(any_tag(smem)) != 0; }
    __device__ void end(unsigned *smem) const {
        Count *const counts = cells.counts + from();
        for (unsigned i = threadIdx.x; i < here(); i += blockDim.x) flush(&counts[i], field(words(smem)[i >> PER_WORD_LOG], i));
        for (unsigned i = threadIdx.x; i < HOT_PLACES; i += blockDim.x) {
            if (hits(smem)[i] != 0) atomicAdd(&counts[tags(smem)[i]], Count(hits(smem)[i]));
        }
    }
};
