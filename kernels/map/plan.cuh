// plan.cuh — the parameters of the interpreter: extents are merged, a program is encoded, and each array's access is chosen.
//
// Algorithm  Dimensions are sorted by the strides of the result, those of extent 1 dropped, and neighbours merged whose strides fit in
//            every array. What has more than 2^31 elements, or an element 2^32 elements behind the first one of an array, is split into
//            two launches, along the dimension in which an array reaches farthest.
#pragma once

#include <utility>

#include "kernels.h"
#include "map/element.cuh"
#include "map/encode.cuh"
#include "map/fetch.cuh"
#include "prim/thread/packet.cuh"

// ---- host helpers ---------------------------------------------------------------------------------------------------

constexpr int MAP_ARRAYS = 2 + MAP_INPUTS;

// The arrays of a launch: number 0 is the result, the inputs are behind it, and then the prefixes of a scan.
struct MapWalk {
    int rank, arrays;
    size_t extents[MAP_RANK];
    size_t strides[MAP_RANK][MAP_ARRAYS];                          // in elements
    const char *data[MAP_ARRAYS];
    int dtypes[MAP_ARRAYS];                                        // MapDtype
};

inline size_t elements_of(const MapWalk &walk) {
    size_t count = 1;
    for (int d = 0; d < walk.rank; ++d) count *= walk.extents[d];
    return count;
}

inline void swap_dimensions(MapWalk &walk, int a, int b) {
    std::swap(walk.extents[a], walk.extents[b]);
    for (int i = 0; i < walk.arrays; ++i) std::swap(walk.strides[a][i], walk.strides[b][i]);
}

inline void drop_dimension(MapWalk &walk, int d) {
    for (; d + 1 < walk.rank; ++d) swap_dimensions(walk, d, d + 1);
    --walk.rank;
}

// Whether dimension d + 1 goes on where dimension d ends, in every array.
inline bool are_contiguous(const MapWalk &walk, int d) {
    for (int i = 0; i < walk.arrays; ++i) {
        if (walk.strides[d + 1][i] != walk.strides[d][i] * walk.extents[d]) return false;
    }
    return true;
}

inline void coalesce(MapWalk &walk) {
    for (int d = walk.rank - 1; d >= 0; --d) {
        if (walk.extents[d] == 1 && walk.rank > 1) drop_dimension(walk, d);
    }
    for (int d = 1; d < walk.rank; ++d) {                          // insertion sort by the result's strides
        for (int k = d; k > 0 && walk.strides[k][0] < walk.strides[k - 1][0]; --k) swap_dimensions(walk, k, k - 1);
    }
    for (int d = walk.rank - 2; d >= 0; --d) {
        if (!are_contiguous(walk, d)) continue;
        walk.extents[d] *= walk.extents[d + 1];
        drop_dimension(walk, d + 1);
    }
}

// Whether one launch can walk it.
inline bool is_small(const MapWalk &walk) {
    if (elements_of(walk) > size_t(1) << 31) return false;
    for (int i = 0; i < walk.arrays; ++i) {
        size_t last = 0;
        for (int d = 0; d < walk.rank; ++d) {
            if (walk.extents[d] > 1 && walk.strides[d][i] >> 32 != 0) return false;
            last += (walk.extents[d] - 1) * walk.strides[d][i];
        }
        if (last >> 32 != 0) return false;
    }
    return true;
}

// The dimension along which an array reaches farthest.
inline int longest_dimension(const MapWalk &walk) {
    int longest = 0;
    size_t farthest = 0;
    for (int d = 0; d < walk.rank; ++d) {
        for (int i = 0; i < walk.arrays; ++i) {
            const size_t reach = (walk.extents[d] - 1) * walk.strides[d][i];
            if (reach >= farthest && walk.extents[d] > 1) longest = d, farthest = reach;
        }
    }
    return longest;
}

// Cuts that dimension after half of it; the part behind is returned.
inline MapWalk split(MapWalk &walk) {
    MapWalk behind = walk;
    const int d = longest_dimension(walk);
    size_t half = walk.extents[d] / 2;
    if (half > 64) half -= half % 64;                              // vectors stay aligned
    walk.extents[d] = half, behind.extents[d] -= half;
    for (int i = 0; i < walk.arrays; ++i) {
        behind.data[i] += half * walk.strides[d][i] * map_dtype_bytes(walk.dtypes[i]);
    }
    coalesce(walk), coalesce(behind);
    return behind;
}

inline bool is_single(const MapWalk &walk, int array) {
    for (int d = 0; d < walk.rank; ++d) {
        if (walk.extents[d] > 1 && walk.strides[d][array] != 0) return false;
    }
    return true;
}

// What a load of a group, or of a part of it, is aligned to.
inline size_t packet_bytes(int dtype, int length) {
    const size_t bytes = length * map_dtype_bytes(dtype);
    return bytes < sizeof(uint4) ? bytes : sizeof(uint4);
}

// Whether the groups of an array are consecutive, aligned vectors.
inline bool is_dense(const MapWalk &walk, int array, int length) {
    size_t stride = 1;
    for (int d = 0; d < walk.rank; ++d) {
        if (walk.strides[d][array] != stride) return false;
        stride *= walk.extents[d];
    }
    return (walk.rank == 1 || walk.extents[0] % length == 0) &&
           is_aligned(walk.data[array], packet_bytes(walk.dtypes[array], length));
}

inline int access_of(const MapWalk &walk, int array, int length) {
    const size_t bytes = map_dtype_bytes(walk.dtypes[array]);
    if (walk.strides[0][array] != 1) return ACCESS_ELEMENTS;
    bool is_vector = is_aligned(walk.data[array], packet_bytes(walk.dtypes[array], length)), has_rows = true;
    for (int d = 1; d < walk.rank; ++d) {
        is_vector = is_vector && walk.strides[d][array] % length == 0;
        has_rows = has_rows && walk.strides[d][array] >= 4;        // only the last row ends where the array does
    }
    if (is_vector) return ACCESS_VECTOR;
    return bytes == 1 && length == 4 && has_rows ? ACCESS_SHIFTED : ACCESS_ELEMENTS;
}

inline void plan_arrays(const MapWalk &walk, int length, MapParameters &p) {
    for (int i = 0; i < walk.arrays; ++i) {
        MapInput &to = i == 0 ? p.result : p.inputs[i - 1];
        to.data = walk.data[i], to.dtype = static_cast<uint8_t>(walk.dtypes[i]);
        const int access = i > 0 ? access_of(walk, i, length) : is_dense(walk, 0, length) ? ACCESS_VECTOR : ACCESS_ELEMENTS;
        to.access = static_cast<uint8_t>(access + walk.dtypes[i]);
        for (int d = 0; d < walk.rank; ++d) to.strides[d] = static_cast<unsigned>(walk.strides[d][i]);
    }
}

inline void plan_shape(const MapWalk &walk, int length, MapParameters &p) {
    const unsigned width = static_cast<unsigned>(walk.extents[0]), row = (width + length - 1) / length;
    const bool has_short = width % length != 0;
    bool is_shifted = false;
    for (int i = 1; i < walk.arrays; ++i) is_shifted = is_shifted || p.inputs[i - 1].access >= ACCESS_SHIFTED;
    MapShape &shape = p.shape;
    shape.groups = static_cast<unsigned>(elements_of(walk) / width) * row;
    const unsigned care = (has_short ? 1 : 0) + (is_shifted ? 1 : 0); // a shifted load may read 3 bytes behind its group
    shape.begin = is_shifted ? 1 : 0;                              // and 3 bytes before it
    shape.whole = shape.groups - (shape.groups < care ? shape.groups : care);
    shape.width = width;
    shape.ragged = has_short && walk.rank > 1;
    shape.rank = static_cast<unsigned>(walk.rank);
    shape.row = MapDivider::of(row);
    for (int d = 1; d < walk.rank; ++d) shape.extents[d] = MapDivider::of(static_cast<unsigned>(walk.extents[d]));
}

inline unsigned fetch_of(const gpumexk_map_step &step, const MapWalk &walk, int length) {
    switch (step.operand) {
        case OPERAND_LITERAL: return FETCH_LITERAL;
        case OPERAND_SLOT: return FETCH_SLOT;
        case OPERAND_INPUT: break;
        default: return FETCH_NONE;
    }
    const int array = 1 + step.index;
    if (is_single(walk, array)) return FETCH_SINGLE;
    return is_dense(walk, array, length) ? FETCH_DENSE + walk.dtypes[array] : FETCH_LOCATED;
}

// Encodes the steps; false: there is one that the interpreter does not serve.
template <bool WIDE, bool ELEMENTARY>
bool plan_steps(const gpumexk_map_args &args, const MapWalk &walk, MapParameters &p) {
    const int length = WIDE ? 2 : 4;
    for (size_t s = 0; s < args.step_count; ++s) {
        const gpumexk_map_step &step = args.steps[s];
        const unsigned fetch = fetch_of(step, walk, length);
        const bool is_word = fetch == FETCH_LITERAL || fetch == FETCH_SINGLE;
        if (!encode_step<WIDE, ELEMENTARY>(step, fetch, is_word, step.index, &p.steps[s])) return false;
    }
    return true;
}
