// map.cu — an element-wise expression over up to 16 arrays, as a program for an accumulator machine.
//
//   result[i] = f (input[0][i], …, input[15][i])        any dtypes and strides; a stride of 0 broadcasts
//
// Complex numbers are pairs: their parts are inputs of their own, and a complex result is put together from a slot and the accumulator.
//
// Algorithm  The kernel interprets the program (kernels.h): a thread runs each step for four groups of 16 bytes of words, so that the
//            decoding of a step is shared by 16 lanes of 32 bits, or 8 of 64. The accumulator is in registers, the slots in shared
//            memory, the program in constant memory. Four kernels, so that programs pay for the registers of what they use: words
//            of 32 or 64 bits, with and without the functions of CUDA's mathematical library.
// Cost       Each use of an input reads it; the result is written once. Bound by memory while the steps of an element take less time: a
//            step of one instruction a lane takes 67 issued instructions for 16 lanes with a literal, 81 with a dense input (sm_90a,
//            nvcc 13.0, words of 32 bits): 16 to decode it, 11 and 20 in the two switches, which are binary trees, 14 to load, 20 to
//            compute and return.
// Limits     160 steps, 64 literals, 8 slots, 16 inputs, 8 dimensions; any count, in launches of up to 2^31 elements.
// Edges      As arithmetic.cuh: the same bits on every backend; functions as elementary.cuh.
// Source     The interpreter as in numexpr (D. M. Cooke, F. Alted, 2009), with registers for its blocks in cache.

#include "kernels.h"
#include "map/launch.cuh"
#include "map/plan.cuh"

namespace {

// ---- launchers ------------------------------------------------------------------------------------------------------

MapWalk walk_of(const gpumexk_map_args &args) {
    MapWalk walk = {};
    walk.rank = args.rank, walk.arrays = 1 + static_cast<int>(args.input_count);
    for (int i = 0; i < walk.arrays; ++i) {
        const gpumexk_map_array &array = i == 0 ? *args.result : args.inputs[i - 1];
        walk.data[i] = static_cast<const char *>(array.data), walk.dtypes[i] = array.dtype - 1;
        for (int d = 0; d < walk.rank; ++d) walk.strides[d][i] = static_cast<size_t>(array.strides[d]);
    }
    if (args.real_slot >= 0) walk.dtypes[0] = walk.dtypes[0] == MAP_F32 ? MAP_C64_REAL : MAP_C128_REAL;
    for (int d = 0; d < walk.rank; ++d) walk.extents[d] = args.extents[d];
    return walk;
}

bool is_served(const gpumexk_map_args &args, const gpumexk_tuning &tuning) {
    if (args.rank < 1 || args.rank > MAP_RANK || args.input_count > MAP_INPUTS || args.step_count > MAP_STEPS) return false;
    if (args.literal_count > MAP_LITERALS || args.slots < 0 || args.slots > MAP_SLOTS) return false;
    const int result = args.result->dtype - 1;
    if (args.real_slot < -1 || args.real_slot >= args.slots || (args.real_slot >= 0 && result != MAP_F32 && result != MAP_F64)) return false;
    for (size_t i = 0; i <= args.input_count; ++i) {
        const int dtype = (i == 0 ? *args.result : args.inputs[i - 1]).dtype;
        if (dtype < 1 || dtype > (i == 0 ? MAP_DTYPES : MAP_LOADED) || (args.wide == 0 && is_map_wide(map_type_of(dtype - 1)))) return false;
    }
    return is_block(tuning.threads) && tuning.threads <= MAP_THREADS_MAX && tuning.values >= 0;
}

template <typename Word, bool ELEMENTARY>
cudaError_t launch_walk(const gpumexk_map_args &args, const MapWalk &walk, const gpumexk_tuning &tuning, cudaStream_t stream) {
    constexpr bool WIDE = sizeof(Word) == 8;
    MapParameters p = {};
    if (!plan_steps<WIDE, ELEMENTARY>(args, walk, p)) return cudaErrorInvalidValue;
    plan_arrays(walk, MAP_LENGTH<Word>, p);
    plan_shape(walk, MAP_LENGTH<Word>, p);
    for (size_t i = 0; i < args.literal_count; ++i) p.literals[i] = args.literals[i];
    p.real_slot = args.real_slot;
    p.step_count = static_cast<unsigned>(args.step_count), p.slots = static_cast<unsigned>(args.slots);
    return launch_map<Word, ELEMENTARY>(p, p.slots + map_scratch_slots(args.steps, args.step_count), tuning, stream);
}

template <typename Word, bool ELEMENTARY>
cudaError_t launch_parts(const gpumexk_map_args &args, MapWalk &walk, const gpumexk_tuning &tuning, cudaStream_t stream) {
    while (!is_small(walk)) {
        MapWalk behind = split(walk);
        const cudaError_t error = launch_parts<Word, ELEMENTARY>(args, behind, tuning, stream);
        if (error != cudaSuccess) return error;
    }
    return launch_walk<Word, ELEMENTARY>(args, walk, tuning, stream);
}

}  // namespace

int gpumexk_map(const gpumexk_map_args *args, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (!is_served(*args, *tuning)) return cudaErrorInvalidValue;
    MapWalk walk = walk_of(*args);
    if (elements_of(walk) == 0) return cudaSuccess;
    coalesce(walk);
    if (args->wide != 0) {
        return args->elementary != 0 ? launch_parts<uint64_t, true>(*args, walk, *tuning, stream)
                                     : launch_parts<uint64_t, false>(*args, walk, *tuning, stream);
    }
    return args->elementary != 0 ? launch_parts<uint32_t, true>(*args, walk, *tuning, stream)
                                 : launch_parts<uint32_t, false>(*args, walk, *tuning, stream);
}
