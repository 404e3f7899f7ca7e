// encode.cuh — what the launchers of the interpreters of 32- and 64-bit words share: map.cu, map_reduce.cu, stencil.cu,
// functor.cuh.
#pragma once

#include "kernels.h"
#include "map/parameters.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr size_t MAP_SHARED_MAX = 48 << 10;                        // what every device grants a block without being asked

// ---- host helpers ---------------------------------------------------------------------------------------------------

// *to ← a step whose operand comes from `fetch`, at `index`; is_word: it is one word for all elements. False: no case serves it.
template <bool WIDE, bool ELEMENTARY>
bool encode_step(const gpumexk_map_step &step, unsigned fetch, bool is_word, unsigned index, MapStep *to) {
    MapCase one = {step.op, step.ty, step.reverse != 0, is_word};
    if (step.op == OP_CONVERT) one.op = OP_CONVERT_TO + step.index;
    const bool is_mov = step.op == OP_MOV;
    const int row = is_mov ? 0 : MAP_CASES<WIDE, ELEMENTARY>.find(one);
    if (row < 0) return false;
    const bool spreads = is_word && (is_mov || !MAP_CASES<WIDE, ELEMENTARY>.at[row].uniform);
    const unsigned code = is_mov ? MAP_CODE_MOV : static_cast<unsigned>(row);
    *to = MapStep::of(code, fetch + (spreads ? 1 : 0), index, step.other);
    return true;
}

// Slots that the functions of a program need beside its own.
inline unsigned map_scratch_slots(const gpumexk_map_step *steps, size_t count) {
    unsigned scratch = 0;
    for (size_t s = 0; s < count; ++s) {
        if (!is_map_elementary(steps[s].op, steps[s].ty)) continue;
        const unsigned needed = is_map_binary(steps[s].op) ? 2 : 1;
        scratch = scratch < needed ? needed : scratch;
    }
    return scratch;
}

// Bytes of shared memory that the slots of a thread take.
constexpr size_t map_slot_bytes(unsigned slots) { return size_t(slots) * MAP_GROUPS * sizeof(uint4); }

// Threads of a block, at most `most`, of which each takes so many bytes of shared memory.
inline unsigned map_threads(unsigned most, size_t bytes) {
    unsigned threads = most;
    while (threads > WARP && threads * bytes > MAP_SHARED_MAX) threads /= 2;
    return threads;
}
