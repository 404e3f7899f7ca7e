// edges.cuh — bins between given edges, by binary search.
//
//   bin k is edges[k] ≤ x < edges[k + 1], the last such k where edges are equal
//
// Algorithm  Binary search for how many edges are ≤ x, by halving steps that are the same for all samples: a thread searches for
//            several at once, and their loads overlap. Edges that fit are copied into shared memory first.
// Cost       log2(count + 1) dependent loads a sample.
// Limits     count + 1 edges, ascending; others give some bin or none.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>

#include "histogram/even.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

struct Edges {
    const double *edges;                                           // count + 1 of them
    unsigned count, below, above;
    unsigned first_step;                                           // the largest power of two ≤ count + 1
    bool right_edge, are_shared;

    __device__ __forceinline__ unsigned bin_of(double x, unsigned not_above, double last_edge) const {
        if (not_above == 0) return x == x ? below : NO_BIN;
        if (not_above <= count) return not_above - 1;
        return right_edge && x == last_edge ? count - 1 : above;
    }

    // at: where the edges are looked up, in global or in shared memory.
    template <int N>
    __device__ __forceinline__ void bins_of(const double (&samples)[N], unsigned (&bins)[N], const double *at) const {
        unsigned not_above[N] = {};
        for (unsigned step = first_step; step != 0; step >>= 1) {
#pragma unroll
            for (int j = 0; j < N; ++j) {
                const unsigned next = not_above[j] + step;
                if (next <= count + 1 && at[next - 1] <= samples[j]) not_above[j] = next;
            }
        }
        const double last_edge = at[count];
#pragma unroll
        for (int j = 0; j < N; ++j) bins[j] = bin_of(samples[j], not_above[j], last_edge);
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

inline Edges given_edges(const double *edges, size_t count, bool right_edge, bool clamps) {
    unsigned step = 1;
    while (step <= (count + 1) / 2) step *= 2;
    const unsigned n = static_cast<unsigned>(count);
    return {edges, n, clamps ? 0 : NO_BIN, clamps ? n - 1 : NO_BIN, step, right_edge, false};
}
