// plan.cuh — the launch shape of Life on a cluster: blocks, threads and rows a thread.
//
// Algorithm  Enumerates all shapes that are served, with the clocks of a generation by a rough model; the fastest wins.
// Cost       About 3 us of the calling thread.
// Limits     8192 columns, and what the shared memory of the widest cluster holds.
// Edges      No shape: a plan of 0 blocks.
// Source     The model's numbers: measured on one H200, November 2026.
#pragma once

#include <stddef.h>

#include "life/window.cuh"
#include "prim/grid/grid.cuh"
#include "prim/warp/warp.cuh"

namespace life_cluster {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS_MAX = 512;                                   // of a block, so that a thread may have 128 registers
constexpr int THREADS_MIN = 128;                                   // of a block that a tuning may ask for
constexpr unsigned HALO_MAX = 16;                                  // generations between exchanges
constexpr unsigned HALO_WORDS_MAX = 1024;                          // of one halo
constexpr unsigned STAGE_WORDS = 4096;                             // bits under way between bytes and words
constexpr size_t CELLS_MAX = size_t(1) << 28;                      // more than any cluster holds
constexpr size_t COLS_MAX = 8192;                                  // 8 words for each lane of a warp

// Where things lie in shared memory, in words.
struct Layout {
    unsigned edges, halos, stage, cells, end;

    __host__ __device__ Layout(const Shape &shape, unsigned values, unsigned threads, bool in_registers) {
        edges = 4;                                                 // behind two mbarriers
        halos = edges + 8 * values * (threads + 1);                // (parity, side, value, thread) sums; the last thread's are 0
        stage = halos + 4 * shape.halo_words();                    // (parity, side, word, row)
        cells = stage + STAGE_WORDS;
        end = cells + (in_registers ? 0 : shape.tall * values * threads);  // (row, value, thread)
    }
};

// ---- host helpers ---------------------------------------------------------------------------------------------------

// What a device offers: the blocks of the widest cluster, and the bytes of shared memory of a block.
struct Device {
    unsigned blocks;
    size_t bytes;
};

struct Plan {
    Shape shape;
    unsigned blocks, threads;
    int values;                                                    // words of a thread's row
    bool in_registers;
    double clocks;                                                 // a generation's, by a rough model
};

inline size_t bytes_of(const Plan &plan) {
    return Layout(plan.shape, plan.values, plan.threads, plan.in_registers).end * sizeof(uint32_t);
}

// What a generation takes, in clocks, as fitted to an H200: the edges' way through a barrier, or the instructions of the warps that
// share a scheduler where that is more; and a K-th of an exchange, which is the faster the wider its accesses.
inline double clocks_of(const Plan &plan) {
    const double layers = double(ceil_div(plan.threads / WARP, 4)), rows = plan.shape.tall;
    const unsigned unit = plan.shape.unit;
    const double exchange = unit % 4 == 0 ? 480 : unit % 2 == 0 ? 800 : 1000;
    const double way = 125 + 5 * rows, work = 70 + 24 * rows * layers;
    const double generation = !plan.in_registers ? 450 + rows * (85 + 19 * plan.values * layers) : work > way ? work : way;
    return generation + (plan.blocks > 1 ? exchange / plan.shape.halo : 0);
}

// Fills in what follows from the rest of a plan, and keeps the plan when it is faster.
inline void take_better(Plan *best, Plan plan) {
    Shape &shape = plan.shape;
    shape.in_warp = WARP / shape.lanes;
    shape.core_units = shape.rows / shape.unit / plan.blocks, shape.core_more = shape.rows / shape.unit % plan.blocks;
    shape.group_rows = shape.window / shape.groups, shape.group_more = shape.window % shape.groups;
    shape.last_group = (shape.groups - 1) / shape.in_warp * WARP + (shape.groups - 1) % shape.in_warp * shape.lanes;
    plan.clocks = clocks_of(plan);
    if (best->blocks == 0 || plan.clocks < best->clocks) *best = plan;
}

// The plan with `tall` rows a thread in registers, and halos of at least so many rows, if there is one.
inline void try_registers(Plan plan, unsigned threads, unsigned tall, unsigned halo, Plan *best) {
    Shape &shape = plan.shape;
    shape.unit = shape.rows % tall == 0 ? tall : 1;
    const unsigned units = shape.rows / shape.unit;
    const unsigned core_min = units / plan.blocks * shape.unit, core_max = unsigned(ceil_div(units, plan.blocks)) * shape.unit;
    halo = unsigned(ceil_div(halo, shape.unit)) * shape.unit;
    const unsigned in_warp = WARP / shape.words;                   // groups
    const unsigned groups = unsigned(ceil_div(core_max + 2 * halo, tall)), warps = unsigned(ceil_div(groups, in_warp));
    shape.lanes = shape.words, shape.tall = tall;
    plan.threads = warps * WARP;
    if (plan.threads > threads || core_min < halo) return;
    if (plan.blocks == 1) {
        if (shape.rows % tall != 0) return;
        shape.groups = groups, shape.window = shape.rows, shape.halo = 0;
    } else {
        shape.groups = warps * in_warp, shape.window = shape.groups * tall;
        if (shape.boundary != TORUS && shape.window > shape.rows) return;
        shape.halo = unsigned(at_most(at_most((shape.window - core_max) / 2, core_min), HALO_MAX));
        shape.halo = unsigned(at_most(shape.halo, HALO_WORDS_MAX / shape.words)) / shape.unit * shape.unit;
        if (shape.halo == 0) return;
    }
    take_better(best, plan);
}

// The plan with the cells in shared memory, if they fit; the halo shrinks until they do.
inline void try_columns(Plan plan, unsigned threads, size_t bytes, Plan *best) {
    Shape &shape = plan.shape;
    plan.in_registers = false;
    plan.values = int(ceil_div(shape.words, WARP));
    plan.values = plan.values == 7 ? 8 : plan.values;              // of which there is an instantiation
    if (plan.values > 8) return;
    shape.lanes = unsigned(ceil_div(shape.words, plan.values));
    plan.threads = threads;
    const unsigned core_min = shape.rows / plan.blocks, core_max = unsigned(ceil_div(shape.rows, plan.blocks));
    shape.halo = plan.blocks == 1 ? 0 : unsigned(at_most(at_most(core_min, HALO_MAX), HALO_WORDS_MAX / shape.words));
    if (plan.blocks > 1 && shape.halo == 0) return;
    for (;; shape.halo /= 2) {
        shape.window = core_max + 2 * shape.halo;
        if (shape.boundary != TORUS) shape.window = unsigned(at_most(shape.window, shape.rows));
        shape.groups = unsigned(at_most(threads / WARP * (WARP / shape.lanes), shape.window));
        shape.tall = unsigned(ceil_div(shape.window, shape.groups));
        if (bytes_of(plan) <= bytes) break;
        if (shape.halo <= 1) return;
    }
    take_better(best, plan);
}

// The fastest way, by the model, to hold such a board; its blocks are 0 when there is none.
inline Plan search_plan(const gpumexk_life_game &game, unsigned threads, const Device &device) {
    Plan found = {}, start = {};
    Plan *const plan = &found;
    if (game.rows > CELLS_MAX || game.cols > COLS_MAX || game.rows * game.cols > CELLS_MAX) return found;
    start.shape.rows = unsigned(game.rows), start.shape.cols = unsigned(game.cols);
    start.shape.words = unsigned(ceil_div(game.cols, WORD));
    start.shape.boundary = game.boundary;
    start.values = 1, start.in_registers = true;
    start.shape.unit = 1;
    for (start.blocks = 1; start.blocks <= device.blocks; start.blocks *= 2) {
        for (unsigned fewer = threads; fewer >= THREADS_MIN; fewer /= 2) try_columns(start, fewer, device.bytes, plan);
        if (start.shape.words > WARP) continue;
        for (unsigned tall : {1, 2, 3, 4, 5, 6, 8}) {
            if (start.blocks == 1) try_registers(start, threads, tall, 0, plan);
            for (unsigned halo = 4; start.blocks > 1 && halo <= HALO_MAX; halo += 4) try_registers(start, threads, tall, halo, plan);
        }
    }
    return found;
}

}  // namespace life_cluster
