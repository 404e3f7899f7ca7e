// place.cuh — the groups of a thread, and where their elements are in an array.
//
// Algorithm  Thread t of a tile has the groups first + g·threads, first = tile·4·threads + t. A group's row is found by a division by
//            a constant, the coordinates of the row by one more for each further dimension.
// Cost       About four instructions a group and dimension, at each use of an array that is not dense; nothing is kept.
#pragma once

#include "map/parameters.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

struct MapPlace {
    unsigned first, threads;
    bool is_whole;                                                 // no group of the warp is the last of a row, or needs care at an end

    __device__ __forceinline__ unsigned group(int g) const { return first + g * threads; }
};

// Whether the groups of all lanes need no care; all threads of the warp call.
template <typename Place>
__device__ __forceinline__ bool are_whole(const MapShape &shape, const Place &at) {
    bool is_whole = at.group(0) >= shape.begin && at.group(MAP_GROUPS - 1) < shape.whole;
    if (shape.ragged != 0 && is_whole) {
#pragma unroll
        for (int g = 0; g < MAP_GROUPS; ++g) {
            const unsigned next = at.group(g) + 1;
            is_whole = is_whole && shape.row.quotient(next) * shape.row.divisor != next;
        }
    }
    return __all_sync(~0u, is_whole);
}

__device__ __forceinline__ MapPlace place_of(const MapShape &shape, unsigned tile) {
    MapPlace at = {tile * MAP_GROUPS * blockDim.x + threadIdx.x, blockDim.x, true};
    at.is_whole = are_whole(shape, at);
    return at;
}

// Where a group begins, in elements of an array, and its last lane; -1: it is behind the end, and begins where the first one does.
struct MapSpot {
    unsigned offset;
    int last;
};

template <int LENGTH>
__device__ __forceinline__ MapSpot spot_of(const MapShape &shape, const unsigned *strides, unsigned group) {
    const bool exists = group < shape.groups;
    unsigned rest = 0, column = exists ? group : 0;
    if (shape.rank > 1) {
        rest = shape.row.quotient(column);
        column -= rest * shape.row.divisor;
    }
    const int last = static_cast<int>(min(shape.width - column * LENGTH, unsigned(LENGTH))) - 1;
    unsigned offset = column * LENGTH * strides[0];
    for (unsigned d = 1; d < shape.rank; ++d) {
        const unsigned quotient = d + 1 < shape.rank ? shape.extents[d].quotient(rest) : 0;
        offset += (rest - quotient * shape.extents[d].divisor) * strides[d];
        rest = quotient;
    }
    return {offset, exists ? last : -1};
}

// The last lane of a group.
template <int LENGTH>
__device__ __forceinline__ int last_lane(const MapShape &shape, unsigned group) {
    const unsigned column = shape.rank > 1 ? group - shape.row.quotient(group) * shape.row.divisor : group;
    return static_cast<int>(min(shape.width - column * LENGTH, unsigned(LENGTH))) - 1;
}
