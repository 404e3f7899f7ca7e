// step.cuh — one step of a program on the lanes of a thread.
//
// Algorithm  One switch over MAP_CASES. Operations of a few instructions are unrolled over the lanes, which are registers. Functions
//            are computed a lane at a time, from and to shared memory, so that there is one copy of each and its registers are free.
#pragma once

#include "map/elementary.cuh"
#include "map/fetch.cuh"

// ---- device helpers -------------------------------------------------------------------------------------------------

// What a step works on: the words of a thread's lanes.
template <typename Word>
struct MapLanes {
    Word (&acc)[MAP_LANES<Word>];
    Word (&operand)[MAP_LANES<Word>];
};

// acc ← slot ≠ 0 ? acc : operand, or the other way round.
template <bool REVERSE, bool UNIFORM, typename Word>
__device__ __forceinline__ void select(const MapSlots<Word> &slots, unsigned slot, MapLanes<Word> lanes) {
#pragma unroll
    for (int g = 0; g < MAP_GROUPS; ++g) {
        Word condition[MAP_LENGTH<Word>];
        memcpy(condition, slots.at(slot, g), 16);
#pragma unroll
        for (int j = 0; j < MAP_LENGTH<Word>; ++j) {
            const int i = g * MAP_LENGTH<Word> + j;
            const bool keeps = (static_cast<uint32_t>(condition[j]) != 0) != REVERSE;
            lanes.acc[i] = keeps ? lanes.acc[i] : lanes.operand[UNIFORM ? 0 : i];
        }
    }
}

template <typename T, typename Word, typename F>
__device__ __forceinline__ void each(MapLanes<Word> lanes, F f) {
#pragma unroll
    for (int i = 0; i < MAP_LANES<Word>; ++i) lanes.acc[i] = word_of<Word>(f(number_of<T>(lanes.acc[i])));
}

template <int OP, typename T, bool REVERSE, bool UNIFORM, typename Word>
__device__ __forceinline__ void each_pair(MapLanes<Word> lanes) {
#pragma unroll
    for (int i = 0; i < MAP_LANES<Word>; ++i) {
        const T a = number_of<T>(lanes.acc[i]), b = number_of<T>(lanes.operand[UNIFORM ? 0 : i]);
        lanes.acc[i] = word_of<Word>(REVERSE ? map_operation<OP>(b, a) : map_operation<OP>(a, b));
    }
}

// A function of the lanes, through the slots `scratch` and, for an operand, the one behind it.
template <int OP, typename T, bool REVERSE, typename Word>
__device__ __forceinline__ void each_function(const MapSlots<Word> &slots, unsigned scratch, MapLanes<Word> lanes) {
    constexpr int LENGTH = MAP_LENGTH<Word>;
    constexpr bool IS_BINARY = is_map_binary(OP);
    slots.store(scratch, lanes.acc);
    if (IS_BINARY) slots.store(scratch + 1, lanes.operand);
#pragma unroll 1
    for (int g = 0; g < MAP_GROUPS; ++g) {
        Word a[LENGTH], b[LENGTH] = {};
        memcpy(a, slots.at(scratch, g), 16);
        if (IS_BINARY) memcpy(b, slots.at(scratch + 1, g), 16);
#pragma unroll 1
        for (int j = 0; j < LENGTH; ++j) {
            const T x = number_of<T>(a[0]), y = number_of<T>(b[0]);
            const Word result = word_of<Word>(REVERSE ? map_function<OP>(y, x) : map_function<OP>(x, y));
#pragma unroll
            for (int k = 0; k + 1 < LENGTH; ++k) a[k] = a[k + 1], b[k] = b[k + 1];
            a[LENGTH - 1] = result;
        }
        memcpy(slots.at(scratch, g), a, 16);
    }
    slots.load(scratch, lanes.acc);
}

template <int OP, int TYPE, bool REVERSE, bool UNIFORM, typename Word>
__device__ __forceinline__ void run_case(const MapParameters &p, const MapStep &step, const MapSlots<Word> &slots,
                                         MapLanes<Word> lanes) {
    using T = MapNumber<TYPE>;
    if constexpr (OP == OP_STORE) {
        slots.store(step.index(), lanes.acc);
    } else if constexpr (OP == OP_SELECT) {
        select<REVERSE, UNIFORM>(slots, step.other(), lanes);
    } else if constexpr (OP == OP_WRAP) {
        each<T>(lanes, [&](T x) { return wrapped(x, step.index(), step.other() == 1); });
    } else if constexpr (OP == OP_CLAMP) {
        const T least = number_of<T>(static_cast<Word>(p.literals[step.index()])), most = number_of<T>(static_cast<Word>(p.literals[step.other()]));
        each<T>(lanes, [&](T x) { return min(max(x, least), most); });
    } else if constexpr (is_map_elementary(OP, TYPE)) {
        each_function<OP, T, REVERSE>(slots, p.slots, lanes);
    } else if constexpr (is_map_binary(OP)) {
        each_pair<OP, T, REVERSE, UNIFORM>(lanes);
    } else {
        each<T>(lanes, [](T x) { return map_operation<OP>(x); });
    }
}

template <bool ELEMENTARY, typename Word>
__device__ __forceinline__ void run_step(const MapParameters &p, const MapStep &step, const MapSlots<Word> &slots,
                                         MapLanes<Word> lanes) {
    constexpr bool WIDE = sizeof(Word) == 8;
    by_number<MapCases<WIDE, ELEMENTARY>::COUNT>(step.code(), [&](auto number) {
        constexpr MapCase CASE = MAP_CASES<WIDE, ELEMENTARY>.at[decltype(number)::value];
        run_case<CASE.op, CASE.type, CASE.reverse, CASE.uniform>(p, step, slots, lanes);
    });
}
