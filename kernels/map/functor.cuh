// functor.cuh — a ∘ b of the lanes of a thread, by a program of two variables.
//
// Algorithm  The interpreter of map.cu. The variables are slots: behind those of the program first a, then b; scratch of functions is
//            behind them. A step is decoded once for the 16 lanes of 32 bits, or 8 of 64, of a thread.
// Cost       For `a + b` about 130 issued instructions for all lanes of a warp's threads.
// Limits     Elements of 4 or 8 bytes: in words of 64 bits those of 4 are extended by zeros, which is U32 as I64, and of F32 and I32 the lower
//            half.
#pragma once

#include "kernels.h"
#include "map/encode.cuh"
#include "map/step.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned FUNCTOR_THREADS = 128;                          // of a block, at most

template <typename Word>
constexpr unsigned FUNCTOR_ITEMS = 2 * MAP_LANES<Word>;            // elements of a thread: the pairs of its lanes

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Encodes the steps; false: there is one that the interpreter does not serve.
template <bool WIDE, bool ELEMENTARY>
bool plan_functor(const gpumexk_functor &of, MapParameters &p, unsigned *slots) {
    if (of.step_count > MAP_STEPS || of.literal_count > MAP_LITERALS || of.slots < 0 || of.slots > MAP_SLOTS) return false;
    for (size_t s = 0; s < of.step_count; ++s) {
        const gpumexk_map_step &step = of.steps[s];
        const bool is_variable = step.operand == OPERAND_INPUT, is_word = step.operand == OPERAND_LITERAL;
        if (is_variable && step.index > 1) return false;
        const unsigned fetch = is_word ? FETCH_LITERAL : is_variable || step.operand == OPERAND_SLOT ? FETCH_SLOT : FETCH_NONE;
        const unsigned index = is_variable ? unsigned(of.slots) + step.index : step.index;
        if (!encode_step<WIDE, ELEMENTARY>(step, fetch, is_word, index, &p.steps[s])) return false;
    }
    for (size_t i = 0; i < of.literal_count; ++i) p.literals[i] = of.literals[i];
    p.step_count = static_cast<unsigned>(of.step_count), p.slots = static_cast<unsigned>(of.slots) + 2;
    *slots = p.slots + map_scratch_slots(of.steps, of.step_count);
    return true;
}

// run (Word, elementary): a word of the width and a Constant, 0 or 1, that a program asks for.
template <typename Run>
cudaError_t dispatch_functor(const gpumexk_functor &of, Run run) {
    if (of.bytes != 4 && of.bytes != 8) return cudaErrorInvalidValue;
    if (of.wide != 0 || of.bytes == 8) {                           // a program of words of 32 bits that reads neither variable as well
        return of.elementary != 0 ? run(uint64_t(), Constant<1>()) : run(uint64_t(), Constant<0>());
    }
    return of.elementary != 0 ? run(uint32_t(), Constant<1>()) : run(uint32_t(), Constant<0>());
}

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Word>
__device__ __forceinline__ void fetch_operand(const MapParameters &p, const MapStep &step, const MapSlots<Word> &slots,
                                              Word (&words)[MAP_LANES<Word>]) {
    const unsigned fetch = step.fetch(true);
    if (fetch == FETCH_SLOT) {
        slots.load(step.index(), words);
    } else if (fetch != FETCH_NONE) {
        words[0] = static_cast<Word>(p.literals[step.index()]);
        if (fetch == FETCH_LITERAL_SPREAD) spread<Word>(words);
    }
}

// a ← a ∘ b, in each lane.
template <bool ELEMENTARY, typename Word>
__device__ __forceinline__ void join_lanes(const MapParameters &p, const MapSlots<Word> &slots, Word (&a)[MAP_LANES<Word>],
                                           const Word (&b)[MAP_LANES<Word>]) {
    slots.store(p.slots - 2, a), slots.store(p.slots - 1, b);
    for (unsigned s = 0; s < p.step_count; ++s) {
        const MapStep step = p.steps[s];
        if (step.is_mov()) {
            fetch_operand(p, step, slots, a);
            continue;
        }
        Word operand[MAP_LANES<Word>];
        fetch_operand(p, step, slots, operand);
        run_step<ELEMENTARY, Word>(p, step, slots, {a, operand});
    }
}

template <typename Word>
__device__ __forceinline__ Word load_element(const void *data, unsigned bytes, size_t at) {
    if (sizeof(Word) == 8 && bytes == 8) return static_cast<Word>(static_cast<const unsigned long long *>(data)[at]);
    return static_cast<const uint32_t *>(data)[at];
}

template <typename Word>
__device__ __forceinline__ void store_element(void *data, unsigned bytes, size_t at, Word word) {
    if (sizeof(Word) == 8 && bytes == 8) static_cast<unsigned long long *>(data)[at] = word;
    else static_cast<uint32_t *>(data)[at] = static_cast<uint32_t>(word);
}
