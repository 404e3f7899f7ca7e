// counters.cuh — privatised counters of a block: in shared memory where they fit, else in global memory behind a software cache.
//
//   name      | counts in                                          | for
//   ----------|----------------------------------------------------|--------------------------------------------
//   Words     | 32 bits of shared memory a cell                    | all cells in every block
//   Fields    | 16 or 8 bits of shared memory a cell (fields.cuh)  | the slice of the cells that a block has
//   Cache     | 32 bits of shared memory a frequent cell           | any number of cells
//   Weights   | a double of shared or global memory a cell         | samples with weights
//
// Algorithm  Words    An atomic addition of 1 without a result is one instruction, which counts the equal lanes of a warp.
//            Cache    Direct-mapped: a cell is counted in its place if that is free or its own, else in global memory. Every
//                     CACHE_ROUND tiles all counts are flushed, and cells with few hits are evicted.
//            Weights  Copies in shared memory for neighbouring lanes, as many as fit.
// Cost       Words: 3 instructions a sample, whatever the samples. At its end a block adds to global memory what is not zero.
// Limits     A block counts less than 2^32 samples. Words: less than 2^32 - 1 cells.
// Source     V. Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA 2007 (privatisation).
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "histogram/cells.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned CACHE_PLACES = 4096;
constexpr unsigned CACHE_ROUND = 16;                               // tiles between two flushes
constexpr unsigned CACHE_HITS_MIN = 64;                            // in a round, for a cell to stay

// ---- device helpers -------------------------------------------------------------------------------------------------

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
        for (unsigned i = threadIdx.x; i < total(); i += blockDim.x) flush(&cells.counts[i], words[i]);
    }
};

struct Cache {
    Cells cells;
    unsigned tiles;                                                // since the last flush

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
        __syncthreads();                                           // all have counted before the places get other cells
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
