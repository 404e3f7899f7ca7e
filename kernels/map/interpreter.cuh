// interpreter.cuh — the kernel: a program on tiles of 4·threads groups.
#pragma once

#include "map/step.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// acc ← what the program makes of the groups at a place; all threads of the warp call.
template <bool ELEMENTARY, typename Word, typename Place>
__device__ __forceinline__ void run_program(const MapParameters &p, const Place &at, const MapSlots<Word> &slots, Word (&acc)[MAP_LANES<Word>]) {
    for (unsigned s = 0; s < p.step_count; ++s) {
        const MapStep step = p.steps[s];
        if (step.is_mov()) {                                       // a copy of its own: what is not moved needs no registers
            fetch(p, step, at, slots, acc);
            continue;
        }
        Word operand[MAP_LANES<Word>];
        fetch(p, step, at, slots, operand);
        run_step<ELEMENTARY, Word>(p, step, slots, {acc, operand});
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY>
__global__ void __launch_bounds__(MAP_THREADS_MAX, ELEMENTARY ? 3 : 4) map_tiles(const __grid_constant__ MapParameters p) {
    extern __shared__ uint4 map_slots[];                           // (slots + scratch, MAP_GROUPS, threads)
    const MapSlots<Word> slots = {map_slots + threadIdx.x, blockDim.x};
    for (unsigned tile = blockIdx.x; tile < p.tiles; tile += gridDim.x) {
        const MapPlace at = place_of(p.shape, tile);
        Word acc[MAP_LANES<Word>];
        run_program<ELEMENTARY>(p, at, slots, acc);
        store_result(p, at, slots, acc);
    }
}
