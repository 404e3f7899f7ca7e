// window.cuh — the decomposition of a board of bits over the blocks of a cluster and their threads.
//
// Algorithm  A block has a window of rows: its own, the core, and a halo above and below. A window is divided among groups of
//            threads, one below the other; a group's threads have the words of a row from left to right, all in one warp.
// Cost       Some forty instructions a thread, once a launch; no division but one by the lanes of a row.
// Limits     A row takes at most 32 threads.
// Edges      Left and right, the word from outside is made of the row's own by multiplications whose factors are 0 but at an
//            edge. Above and below, the slot that is read is that of the row itself (clamp), of zeros (dead) or of the other
//            end (torus). Where a window is cut, the cells outside are arbitrary, and invalidate the halo a row a generation.
// Source     Halos of K rows for K steps: overlapped tiling, J. Meng and K. Skadron, "Performance modeling and automatic ghost
//            zone optimization for iterative stencil loops on GPUs", ICS 2009.
#pragma once

#include <stdint.h>

#include "life/rule.cuh"
#include "prim/cluster/cluster.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/warp.cuh"

namespace life_cluster {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned WORD = 32;
constexpr unsigned NOWHERE = 1u << 30;                             // a row that no window has

// ---- shapes ---------------------------------------------------------------------------------------------------------

// How a board lies in a cluster. A row has `words` words, held by `lanes` neighbouring threads; `groups` of such threads lie
// one below the other in a block, `in_warp` of them in a warp, and share the `window` rows, at most `tall` rows each. `halo` is K.
struct Shape {
    unsigned rows, cols, words, lanes, groups, in_warp, tall, window, halo;
    int boundary;
    unsigned unit;                                                 // rows that stay together: all of a thread's, or 1
    unsigned core_units, core_more;                                // of a block; the first core_more blocks have one more
    unsigned group_rows, group_more;                               // of a group, likewise
    unsigned last_group;                                           // its first thread

    __host__ __device__ unsigned pitch() const { return unit > 1 ? halo : halo | 1; }  // of a column of words in a halo
    __host__ __device__ unsigned halo_words() const { return words * pitch(); }
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The block's rows: its core, as rows of the board; where that begins in its window; and who is above and below.
struct Band {
    unsigned begin, core, core_at;
    unsigned up, down;                                             // blocks
    bool has_up, has_down;                                         // whether halos come from there
    bool alone;                                                    // whether the window is the board

    __device__ explicit Band(const Shape &shape) {
        const unsigned blocks = cluster_blocks(), rank = cluster_rank();
        const bool torus = shape.boundary == TORUS;
        alone = blocks == 1;
        begin = (rank * shape.core_units + min(rank, shape.core_more)) * shape.unit;
        core = (shape.core_units + (rank < shape.core_more)) * shape.unit;
        const unsigned start = min(begin - min(begin, shape.halo), shape.rows - min(shape.rows, shape.window));
        core_at = alone ? 0 : torus ? shape.halo : begin - start;
        up = rank > 0 ? rank - 1 : blocks - 1;
        down = rank + 1 < blocks ? rank + 1 : 0;
        has_up = !alone && (torus || rank > 0);
        has_down = !alone && (torus || rank + 1 < blocks);
    }
};

// A thread's rows in the window, its words in the row, and the slots of shared memory that hold the rows above and below.
struct Place {
    unsigned first, count;                                         // rows; first is NOWHERE for a thread without any
    unsigned word;                                                 // the first of its words
    unsigned lane, column;                                         // in the warp, in the row
    unsigned above, below;                                         // slots

    template <int VALUES>
    __device__ static Place of(const Shape &shape, const Band &band, Constant<VALUES>) {
        const unsigned lanes = shape.lanes, in_warp = shape.in_warp;
        const unsigned slots = blockDim.x + 1, zeros = blockDim.x, bottom = VALUES * slots;
        const unsigned warp = threadIdx.x / WARP;
        Place place;
        place.lane = threadIdx.x % WARP;
        const unsigned sub = place.lane / lanes, group = warp * in_warp + sub;
        place.column = place.lane - sub * lanes;
        place.word = place.column * VALUES;
        if (sub >= in_warp || group >= shape.groups) {
            place.first = NOWHERE, place.count = 0;
            place.above = place.below = zeros;
            return place;
        }
        place.first = group * shape.group_rows + min(group, shape.group_more);
        place.count = shape.group_rows + (group < shape.group_more);
        const unsigned higher = sub > 0 ? threadIdx.x - lanes : (warp - 1) * WARP + (in_warp - 1) * lanes + place.column;
        const unsigned lower = sub + 1 < in_warp ? threadIdx.x + lanes : (warp + 1) * WARP + place.column;
        const bool clamp = shape.boundary == CLAMP, wraps = band.alone && shape.boundary == TORUS;
        place.above = group > 0 ? bottom + higher
                    : wraps ? bottom + shape.last_group + place.column : clamp ? threadIdx.x : zeros;
        place.below = group + 1 < shape.groups ? lower : wraps ? place.column : clamp ? bottom + threadIdx.x : zeros;
        return place;
    }
};

// Where a thread's neighbours to the left and right are, and what to make of their words. The bit from the left is the highest
// of L·left_scale; the bit of right_mask in value number right_value comes from R·right_scale.
struct Sides {
    unsigned left, right;                                          // lanes
    uint32_t left_scale, right_scale, right_mask;
    int right_value, send_value;                                   // which of its words the lane to its right wants
    bool own_left, own_right;                                      // the edge cell's neighbour outside is the edge cell

    template <int VALUES>
    __device__ static Sides of(const Shape &shape, const Place &place, Constant<VALUES>) {
        const unsigned last = shape.lanes - 1, bit = (shape.cols - 1) % WORD;  // of the last column in its word
        const bool is_first = place.column == 0, is_last = place.column == last;
        const bool clamp = shape.boundary == CLAMP, torus = shape.boundary == TORUS;
        Sides sides = {place.lane - 1, place.lane + 1, 1, 1u << 31, 1u << 31, VALUES - 1, VALUES - 1, false, false};
        if (is_first) {
            sides.left = torus ? place.lane + last : place.lane;
            sides.left_scale = torus ? 1u << (31 - bit) : clamp ? 1u << 31 : 0;
            sides.own_left = clamp;
        }
        if (is_last) {
            sides.right = torus ? place.lane - last : place.lane;
            sides.right_scale = clamp ? 1u : torus ? 1u << bit : 0;
            sides.right_mask = 1u << bit;
            sides.right_value = sides.send_value = static_cast<int>(shape.words - 1 - place.word);
            sides.own_right = clamp;
        }
        return sides;
    }
};

}  // namespace life_cluster
