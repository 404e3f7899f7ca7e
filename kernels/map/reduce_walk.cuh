// reduce_walk.cuh — the dimensions of a reduction of an expression, and the boxes of which each is one launch.
//
// Algorithm  Dimensions keep their order: those of neighbouring results, those that are reduced, and others. Neighbours are merged whose strides
//            fit in every array; the strides of the results, 0 along what is reduced, keep the three kinds apart. Reduced rows of
//            few elements are left to come last: then neighbouring lanes are of neighbouring rows. What has more than 2^30 elements, or
//            an element 2^32 elements behind the first one of an array, is cut into boxes.
#pragma once

#include "map/plan.cuh"
#include "prim/grid/grid.cuh"

// ---- host helpers ---------------------------------------------------------------------------------------------------

struct ReduceWalk {
    MapWalk walk;                                                  // array 0: the results
    int inner, reduced;                                            // dimensions of neighbouring results, and those that follow
    size_t boxes[MAP_RANK], extents[MAP_RANK];                     // along each dimension; of a box
    uint64_t positions[MAP_RANK];                                  // from an element to the next along a dimension
};

inline bool is_reduced(const MapWalk &walk, int d) { return walk.strides[d][0] == 0; }

inline void merge_dimensions(MapWalk &walk) {
    for (int d = walk.rank - 1; d >= 0; --d) {
        if (walk.extents[d] == 1 && walk.rank > 1) drop_dimension(walk, d);
    }
    for (int d = walk.rank - 2; d >= 0; --d) {
        if (!are_contiguous(walk, d)) continue;
        walk.extents[d] *= walk.extents[d + 1];
        drop_dimension(walk, d + 1);
    }
}

inline void count_kinds(ReduceWalk &to) {
    const MapWalk &walk = to.walk;
    to.inner = to.reduced = 0;
    while (to.inner < walk.rank && !is_reduced(walk, to.inner)) ++to.inner;
    while (to.inner + to.reduced < walk.rank && is_reduced(walk, to.inner + to.reduced)) ++to.reduced;
}

// Reduced rows of less than `least` elements come last.
inline void rotate_short_rows(ReduceWalk &to, size_t least) {
    MapWalk &walk = to.walk;
    if (to.inner != 0 || to.reduced != 1 || walk.rank == 1 || walk.extents[0] >= least) return;
    for (int d = 0; d + 1 < walk.rank; ++d) swap_dimensions(walk, d, d + 1);
    count_kinds(to);
}

// The dimension that is cut next; where the order counts, of several reduced ones the last.
inline int dimension_to_cut(const ReduceWalk &of, const MapWalk &box, bool is_ordered) {
    if (!is_ordered || of.reduced < 2) return longest_dimension(box);
    int d = box.rank - 1;
    while (d > 0 && box.extents[d] == 1) --d;
    return d;
}

inline void cut_boxes(ReduceWalk &to, bool is_ordered) {
    MapWalk box = to.walk;
    for (int d = 0; d < MAP_RANK; ++d) to.boxes[d] = 1;
    while (elements_of(box) > size_t(1) << 30 || !is_small(box)) {
        const int d = dimension_to_cut(to, box, is_ordered);
        size_t half = ceil_div(box.extents[d], 2);
        if (half > 64) half = ceil_div(half, 64) * 64;             // vectors stay aligned
        box.extents[d] = half;
        to.boxes[d] = ceil_div(to.walk.extents[d], half);
    }
    for (int d = 0; d < MAP_RANK; ++d) to.extents[d] = d < box.rank ? box.extents[d] : 1;
}

inline ReduceWalk reduce_walk(const MapWalk &walk, size_t least, bool is_ordered) {
    ReduceWalk to = {};
    to.walk = walk;
    merge_dimensions(to.walk);
    count_kinds(to);
    rotate_short_rows(to, least);
    cut_boxes(to, is_ordered);
    uint64_t position = 1;
    for (int d = 0; d < to.walk.rank; ++d) {
        if (!is_reduced(to.walk, d)) continue;
        to.positions[d] = position;
        position *= to.walk.extents[d];
    }
    return to;
}

// Boxes along what is reduced.
inline size_t reduced_boxes(const ReduceWalk &of) {
    size_t boxes = 1;
    for (int d = of.inner; d < of.inner + of.reduced; ++d) boxes *= of.boxes[d];
    return boxes;
}

// A box: its arrays, where its results and positions begin, and its number along what is reduced.
struct ReduceBox {
    MapWalk walk;
    size_t base, number;
    uint64_t position;
};

inline ReduceBox box_of(const ReduceWalk &of, size_t index) {
    ReduceBox box = {of.walk, 0, 0, 0};
    size_t weight = 1;
    for (int d = 0; d < of.walk.rank; ++d) {
        const size_t at = index % of.boxes[d], first = at * of.extents[d], left = of.walk.extents[d] - first;
        index /= of.boxes[d];
        box.walk.extents[d] = left < of.extents[d] ? left : of.extents[d];
        box.base += first * of.walk.strides[d][0];
        box.position += first * of.positions[d];
        for (int i = 1; i < of.walk.arrays; ++i) {
            box.walk.data[i] += first * of.walk.strides[d][i] * map_dtype_bytes(of.walk.dtypes[i]);
        }
        if (d < of.inner || d >= of.inner + of.reduced) continue;
        box.number += at * weight;
        weight *= of.boxes[d];
    }
    return box;
}
