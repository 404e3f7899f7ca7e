// counters.cuh — where a block counts: in shared memory as far as that reaches, else in global memory behind a cache.
//
//   name      | counts in                                          | for
//   ----------|----------------------------------------------------|--------------------------------------------
//   Words     | 32 bits of shared memory a cell                    | all cells in every block
//   Fields    | 16 or 8 bits of shared memory a cell               | the slice of the cells that a block has
//   Cache     | 32 bits of shared memory a cell that is met often  | any number of cells
//   Weights   | a double of shared or global memory a cell         | samples with weights
//
// A cell is a bin of a channel: cell = channel·bins + bin, as the counts lie in global memory.
//
// Algorithm  Words    An addition of 1 whose result nobody reads is one instruction, which counts the equal lanes of a warp.
//            Fields   Several fields a word; equal samples of a group are added at once. An addition that finds its field full
//                     carries into the next one: then 2^bits go to the field's count in global memory and -1 to its
//                     neighbour's, which makes the sum right whatever others do meanwhile. From then on the cell is hot: it
//                     has one of HOT_PLACES words, if that is free, and is counted there. Each slice of the cells has blocks
//                     of its own, which walk through the same samples at about the same time: all but the first find them
//                     in L2.
//            Cache    A cell takes its place in a table if nobody has it and is counted there, others in global memory. Every
//                     CACHE_ROUND tiles all is handed over, and cells with few hits leave.
//            Weights  Copies in shared memory for neighbouring lanes, as many as there is room for.
// Cost       Words: 3 instructions a sample, whatever the samples. Fields: 8, and equal lanes queue until their cell is hot. At
//            its end a block adds to global memory what is not zero.
// Limits     A block counts less than 2^32 samples. Words, Fields: less than 2^32 - 1 cells.
// Edges      A sample in no bin is in no cell and is not counted.
// Source     V. Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA 2007, for counting in shared memory first.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/histogram/even.cuh"
#include "prim/histogram/samples.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned NO_CELL = 0xFFFFFFFF;
constexpr unsigned HOT_PLACES = 256;                               // for cells whose fields were full
constexpr unsigned HOT_WORDS = 2 * HOT_PLACES + 1;
constexpr unsigned CACHE_PLACES = 4096;
constexpr unsigned CACHE_ROUND = 16;                               // tiles until all hand over
constexpr unsigned CACHE_HITS_MIN = 64;                            // in a round, for a cell to stay

using Count = unsigned long long;                                  // the 64-bit type atomicAdd knows

// ---- device helpers -------------------------------------------------------------------------------------------------

struct Cells {
    size_t bins;                                                   // of a channel
    unsigned channels;
    Count *counts;                                                 // (channels, bins)

    __host__ __device__ size_t total() const { return bins * channels; }
};

// visit(j, cell) for N neighbouring samples, the first of which is number first(); NO_CELL for a sample in no bin.
template <typename Index, int N, typename First, typename Visit>
__device__ __forceinline__ void for_each_cell(const Cells &cells, const unsigned (&bins)[N], First first, Visit visit) {
    if (cells.channels == 1) {
#pragma unroll
        for (int j = 0; j < N; ++j) visit(j, bins[j] == NO_BIN ? ~Index(0) : Index(bins[j]));
    } else {
        const size_t index = first();
        unsigned channel = static_cast<unsigned>(index - pixel_of(index, cells.channels) * cells.channels);
#pragma unroll
        for (int j = 0; j < N; ++j) {
            visit(j, bins[j] == NO_BIN ? ~Index(0) : Index(channel * Index(cells.bins) + bins[j]));
            channel = channel + 1 == cells.channels ? 0 : channel + 1;
        }
    }
}

__device__ __forceinline__ void clear(unsigned *words, unsigned count, unsigned value = 0) {
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) words[i] = value;
}

__device__ __forceinline__ void hand_over(Count *to, Count count) {
    if (count != 0) atomicAdd(to, count);
}

struct Words {
    Cells cells;

    __device__ unsigned total() const { return static_cast<unsigned>(cells.total()); }
    __device__ void begin(unsigned *words) const { clear(words, total()); }
    template <int N, typename First>
    __device__ __forceinline__ void add(unsigned *words, const unsigned (&bins)[N], First first) const {
        const unsigned all = total();
        for_each_cell<unsigned>(cells, bins, first, [&](int, unsigned cell) {
            if (cell < all) atomicAdd(&words[cell], 1u);
        });
    }
    __device__ void before_tile(unsigned *) {}
    __device__ void end(const unsigned *words) const {
        for (unsigned i = threadIdx.x; i < total(); i += blockDim.x) hand_over(&cells.counts[i], words[i]);
    }
};

// 2^per_word_log fields a word; blocks blockIdx.y count the cells from blockIdx.y·slice on. The words lie behind the hot cells.
struct Fields {
    Cells cells;
    unsigned slice, per_word_log;
    bool is_hot;                                                   // whether a field of this block was full

    static __device__ unsigned *tags(unsigned *room) { return room; }
    static __device__ unsigned *hits(unsigned *room) { return room + HOT_PLACES; }
    static __device__ unsigned *any_tag(unsigned *room) { return room + 2 * HOT_PLACES; }    // not 0: there are hot cells
    static __device__ unsigned *words(unsigned *room) { return room + HOT_WORDS; }

    __device__ unsigned from() const { return blockIdx.y * slice; }
    __device__ unsigned here() const { return min(slice, static_cast<unsigned>(cells.total()) - from()); }
    __device__ unsigned full() const { return 0xFFFFFFFFu >> (32 - (32 >> per_word_log)); }
    // `value` in the field of `at`: the bits above the word's place number rotate out.
    __device__ unsigned in_field(unsigned value, unsigned at) const {
        return __funnelshift_l(value, value, at << (5 - per_word_log));
    }
    __device__ unsigned field(unsigned word, unsigned at) const {
        return __funnelshift_r(word, word, at << (5 - per_word_log)) & full();
    }

    __device__ void begin(unsigned *room) const {
        clear(tags(room), HOT_PLACES, NO_CELL);
        clear(hits(room), HOT_WORDS - HOT_PLACES + (here() - 1 >> per_word_log) + 1);
    }
    template <int N, typename First>
    __device__ __forceinline__ void add(unsigned *room, const unsigned (&bins)[N], First first) {
        const unsigned begin = from(), count = here(), most = full();
        unsigned old[N] = {}, at[N];
        for_each_cell<unsigned>(cells, bins, first, [&](int j, unsigned cell) { at[j] = cell - begin; });
        if (is_hot) {
#pragma unroll
            for (int j = 0; j < N; ++j) {
                if (at[j] >= count || is_counted_as_hot(room, at[j])) at[j] = NO_CELL;
            }
        }
        const unsigned amount = merge(at);                         // that the first one adds; others add 1
        bool was_full = false;
#pragma unroll
        for (int j = 0; j < N; ++j) {
            const unsigned addend = in_field(j == 0 ? amount : 1, at[j]);
            if (at[j] < count) old[j] = atomicAdd(&words(room)[at[j] >> per_word_log], addend);
        }
        was_full |= field(old[0], at[0]) + amount > most;
#pragma unroll
        for (int j = 1; j < N; ++j) was_full |= (~old[j] & in_field(most, at[j])) == 0;
        if (!was_full) return;
#pragma unroll
        for (int j = 0; j < N; ++j) carry(room, old[j], at[j], j == 0 ? amount : 1);
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
    __device__ __forceinline__ bool is_counted_as_hot(unsigned *room, unsigned at) const {
        const unsigned place = at % HOT_PLACES;
        const bool is_there = *const_cast<volatile unsigned *>(&tags(room)[place]) == at;
        if (is_there) atomicAdd(&hits(room)[place], 1u);
        return is_there;
    }
    // Where the field of `at` could not hold `amount` more, its neighbour has one more now, or was full and is empty as well.
    __device__ __noinline__ void carry(unsigned *room, unsigned old, unsigned at, unsigned amount) const {
        Count *const counts = cells.counts + from();
        if (at >= here() || field(old, at) + amount <= full()) return;
        atomicCAS(&tags(room)[at % HOT_PLACES], NO_CELL, at);
        *any_tag(room) = 1;
        do {
            atomicAdd(&counts[at], Count(full()) + 1);
            if ((at + 1) % (1u << per_word_log) == 0 || at + 1 >= here()) return;
            atomicAdd(&counts[++at], ~Count(0));
        } while (field(old, at) == full());
    }
    __device__ void before_tile(unsigned *room) { is_hot = *const_cast<volatile unsigned *>(any_tag(room)) != 0; }
    __device__ void end(unsigned *room) const {
        Count *const counts = cells.counts + from();
        for (unsigned i = threadIdx.x; i < here(); i += blockDim.x) hand_over(&counts[i], field(words(room)[i >> per_word_log], i));
        for (unsigned i = threadIdx.x; i < HOT_PLACES; i += blockDim.x) {
            if (hits(room)[i] != 0) atomicAdd(&counts[tags(room)[i]], Count(hits(room)[i]));
        }
    }
};

struct Cache {
    Cells cells;
    unsigned tiles;                                                // since all handed over

    static __device__ unsigned *hits(unsigned *tags) { return tags + CACHE_PLACES; }

    __device__ void begin(unsigned *tags) const {
        clear(tags, CACHE_PLACES, NO_CELL);
        clear(hits(tags), CACHE_PLACES);
    }
    template <int N, typename First>
    __device__ __forceinline__ void add(unsigned *tags, const unsigned (&bins)[N], First first) const {
        for_each_cell<size_t>(cells, bins, first, [&](int, size_t cell) {
            if (cell == ~size_t(0)) return;
            const unsigned place = static_cast<unsigned>(cell % CACHE_PLACES), tag = static_cast<unsigned>(cell / CACHE_PLACES);
            unsigned there = *const_cast<volatile unsigned *>(&tags[place]);
            if (there == NO_CELL) {
                there = atomicCAS(&tags[place], NO_CELL, tag);
                if (there == NO_CELL) there = tag;
            }
            if (there == tag) atomicAdd(&hits(tags)[place], 1u); else atomicAdd(&cells.counts[cell], Count(1));
        });
    }
    __device__ void before_tile(unsigned *tags) {
        if (++tiles % CACHE_ROUND != 0) return;
        __syncthreads();                                           // all have counted before the places change hands
        end(tags);
        __syncthreads();
    }
    __device__ void end(unsigned *tags) const {
        for (unsigned place = threadIdx.x; place < CACHE_PLACES; place += blockDim.x) {
            const unsigned hit = hits(tags)[place];
            if (hit != 0) atomicAdd(&cells.counts[size_t(tags[place]) * CACHE_PLACES + place], Count(hit));
            if (hit < CACHE_HITS_MIN) tags[place] = NO_CELL;
            hits(tags)[place] = 0;
        }
    }
};

struct Weights {
    Cells cells;
    const void *weights;                                           // one a pixel
    bool are_double;
    unsigned copies;                                               // in shared memory, a power of two; 0: none

    __device__ void begin(unsigned *words) const { clear(words, static_cast<unsigned>(2 * copies * cells.total())); }
    __device__ __forceinline__ double weight(size_t pixel) const {
        return are_double ? static_cast<const double *>(weights)[pixel] : static_cast<const float *>(weights)[pixel];
    }
    template <int N, typename First>
    __device__ __forceinline__ void add(unsigned *words, const unsigned (&bins)[N], First first) const {
        const unsigned copy = threadIdx.x & (copies - 1);
        double *const sums = reinterpret_cast<double *>(words), *const totals = reinterpret_cast<double *>(cells.counts);
        for_each_cell<size_t>(cells, bins, first, [&](int j, size_t cell) {
            if (cell == ~size_t(0)) return;
            const double value = weight(pixel_of(first() + j, cells.channels));
            if (copies == 0) atomicAdd(&totals[cell], value); else atomicAdd(&sums[cell * copies + copy], value);
        });
    }
    __device__ void before_tile(unsigned *) {}
    __device__ void end(const unsigned *words) const {
        const double *const sums = reinterpret_cast<const double *>(words);
        if (copies == 0) return;
        for (unsigned i = threadIdx.x; i < cells.total(); i += blockDim.x) {
            double sum = 0;
            for (unsigned copy = 0; copy < copies; ++copy) sum += sums[i * copies + ((copy + threadIdx.x) & (copies - 1))];
            if (sum != 0) atomicAdd(reinterpret_cast<double *>(cells.counts) + i, sum);
        }
    }
};
