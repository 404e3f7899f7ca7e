// arrays.cuh — arguments of the kernels of a merge sort.
//
//   tile    MergeShape::TILE elements. Between the passes a tile is in one of two buffers: 0, the result, or 1, the scratch.
//   run     `width` sorted tiles, in either buffer
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "prim/block/merge.cuh"
#include "prim/block/segment_heads.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Key, bool FLOAT>
struct MergeSort {
    const Key *keys;
    const void *values;
    size_t count;
    Key *sorted[2];                                                // the result, the scratch
    void *sorted_values[2];
    uint8_t *where[2];                                             // (tiles) each, by turns: in which of them a tile lies
    CodeOrder<Key, FLOAT> order;
    int value_bytes;
    bool positions;                                                // values are where the keys stood
    unsigned tiles, each;                                          // of all, of a block of merge_pass
    const int *is_near;                                            // not NULL: nothing is done when that is 0
    uint8_t far;                                                   // where tiles go that move in every pass

    Segments segments;
    size_t *segment_begin, *segment_end;                           // (tiles): of the segment that goes on into a tile

    __device__ bool is_idle() const { return is_near != nullptr && *is_near == 0; }
};
