// functor_reduce.cu — reduction of an array by an associative expression, in the order of the elements.
//
//   result = data[0] ∘ data[1] ∘ … ∘ data[count - 1]                     elements of 4 or 8 bytes, count >= 1
//
// Algorithm  A thread has a run of neighbours: up to 16 times 128 bytes of words. It joins the pairs of 128 bytes, which gives half as
//            many results in a row, and two such halves again, as the digits of a binary counter: all its lanes join in each round. What
//            is left of a run is joined to one element, those of the block by its first warp. The results of the blocks are reduced alike.
// Cost       Reads data once. A run of 512 elements of 32 bits takes 42 rounds of 16 lanes, with 32 as the least; a round of `a + b` about
//            150 instructions.
// Limits     Any count.
// Edges      Elements behind the end are a suffix of each range that is joined: a result without a second operand is the first one.
// Source     M. Harris, "Optimizing Parallel Reduction in CUDA", NVIDIA 2007; the counter as in pairwise summation.

#include "kernels.h"
#include "map/functor.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/packet.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned LEVELS = 4;                                     // of the counter
constexpr unsigned STAGES_MAX = 1 << LEVELS;                       // of a run
constexpr size_t BLOCKS_WANTED = 6;                                // of a multiprocessor, before runs become longer

// ---- device helpers -------------------------------------------------------------------------------------------------

struct FunctorArray {
    const void *data;
    size_t count;
    unsigned bytes;                                                // of an element
    unsigned aligned;                                              // 1: to 16 bytes
};

// words ← the elements from `at` on, as many as there are of them; the others are 0. Returns how many.
template <typename Word>
__device__ __forceinline__ unsigned load_items(const FunctorArray &array, size_t at, Word (&words)[FUNCTOR_ITEMS<Word>]) {
    constexpr unsigned ITEMS = FUNCTOR_ITEMS<Word>;
    const unsigned count = at >= array.count ? 0 : static_cast<unsigned>(min(array.count - at, size_t(ITEMS)));
    if (count == ITEMS && array.aligned != 0) {
        const uint4 *const from = reinterpret_cast<const uint4 *>(static_cast<const char *>(array.data) + at * array.bytes);
        if (array.bytes == sizeof(Word)) {
            uint4 packets[8];
#pragma unroll
            for (int i = 0; i < 8; ++i) packets[i] = __ldg(from + i);
            memcpy(words, packets, sizeof(words));
        } else {
            uint32_t halves[ITEMS];
#pragma unroll
            for (unsigned i = 0; i < ITEMS / 4; ++i) {
                const uint4 packet = __ldg(from + i);
                memcpy(halves + 4 * i, &packet, sizeof(packet));
            }
#pragma unroll
            for (unsigned i = 0; i < ITEMS; ++i) words[i] = halves[i];
        }
        return count;
    }
#pragma unroll
    for (unsigned i = 0; i < ITEMS; ++i) words[i] = i < count ? load_element<Word>(array.data, array.bytes, at + i) : Word(0);
    return count;
}

// The first half of words ← their pairs joined; count of them are there, and half as many then. Returns that.
template <bool ELEMENTARY, typename Word>
__device__ __forceinline__ unsigned join_pairs(const MapParameters &p, const MapSlots<Word> &slots, unsigned count,
                                               Word (&words)[FUNCTOR_ITEMS<Word>]) {
    constexpr int LANES = MAP_LANES<Word>;
    Word a[LANES], b[LANES];
#pragma unroll
    for (int j = 0; j < LANES; ++j) a[j] = words[2 * j], b[j] = words[2 * j + 1];
    join_lanes<ELEMENTARY>(p, slots, a, b);
    if (count < 2 * LANES) {                                       // the first operands are still in their slot
        slots.load(p.slots - 2, b);
#pragma unroll
        for (int j = 0; j < LANES; ++j) a[j] = 2 * j + 1 < int(count) ? a[j] : b[j];
    }
#pragma unroll
    for (int j = 0; j < LANES; ++j) words[j] = a[j];
    return (count + 1) / 2;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// results[b] ← the elements of block b joined: a run of `stages` times FUNCTOR_ITEMS a thread, stages a power of 2.
template <typename Word, bool ELEMENTARY>
__global__ void __launch_bounds__(FUNCTOR_THREADS, ELEMENTARY ? 3 : 4)
    functor_reduce(const __grid_constant__ MapParameters p, const __grid_constant__ FunctorArray array, unsigned stages, void *results) {
    constexpr int LANES = MAP_LANES<Word>, ITEMS = FUNCTOR_ITEMS<Word>, HALVINGS = sizeof(Word) == 4 ? 4 : 3;  // of LANES to 1
    extern __shared__ uint4 functor_slots[];                       // (slots, MAP_GROUPS, threads)
    __shared__ Word values[FUNCTOR_THREADS];
    const MapSlots<Word> slots = {functor_slots + threadIdx.x, blockDim.x};
    const size_t run = size_t(stages) * ITEMS, first = size_t(blockIdx.x) * blockDim.x * run, begin = first + threadIdx.x * run;

    Word words[ITEMS], stack[LEVELS][LANES];
    unsigned kept[LEVELS];                                         // how many elements of the stack are there
    unsigned stage = 0, level = 0, halvings = HALVINGS, left = 0;
    bool is_counting = true;
    unsigned count = load_items(array, begin, words);
    for (;;) {                                                     // one copy of the interpreter
        count = join_pairs<ELEMENTARY>(p, slots, count, words);
        if (is_counting) {
            if ((stage >> level & 1) != 0) {                       // the stack's half is before this one
#pragma unroll
                for (int j = 0; j < LANES; ++j) words[LANES + j] = words[j], words[j] = stack[level][j];
                count += kept[level++];
                continue;
            }
            if (stage + 1 < stages) {
#pragma unroll
                for (int j = 0; j < LANES; ++j) stack[level][j] = words[j];
                kept[level] = count, level = 0;
                count = load_items(array, begin + size_t(++stage) * ITEMS, words);
                continue;
            }
            is_counting = false;
        } else {
            --halvings;
        }
        if (halvings > 0) continue;

        if (left == 0) {                                           // an element of each thread that has any
            values[threadIdx.x] = words[0];
            __syncthreads();
            if (threadIdx.x >= WARP) return;
            left = static_cast<unsigned>(min((array.count - first - 1) / run + 1, size_t(blockDim.x)));
        } else {
            values[threadIdx.x] = words[0];
            __syncwarp();
            left = (left + ITEMS - 1) / ITEMS;
        }
        if (left == 1) break;
        const unsigned from = threadIdx.x * ITEMS;
        count = from >= left ? 0 : min(left - from, unsigned(ITEMS));
#pragma unroll
        for (int i = 0; i < ITEMS; ++i) words[i] = unsigned(i) < count ? values[from + i] : Word(0);
        __syncwarp();                                              // all are read before they are replaced
        halvings = HALVINGS + 1;
    }
    if (threadIdx.x == 0) store_element<Word>(results, array.bytes, blockIdx.x, words[0]);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

struct ReducePlan {
    unsigned threads, stages;
    size_t blocks;
};

template <typename Word>
cudaError_t plan_reduce(size_t count, unsigned slots, ReducePlan *plan) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    plan->threads = map_threads(FUNCTOR_THREADS, map_slot_bytes(slots) + sizeof(Word));
    plan->stages = 1;
    const size_t items = size_t(plan->threads) * FUNCTOR_ITEMS<Word>;
    while (plan->stages < STAGES_MAX && count / (2 * plan->stages * items) >= BLOCKS_WANTED * sms) plan->stages *= 2;
    plan->blocks = ceil_div(count, items * plan->stages);
    return error;
}

// Elements of partial results, of all levels.
template <typename Word>
cudaError_t count_partials(size_t count, unsigned slots, size_t *partials) {
    ReducePlan plan = {};
    for (*partials = 0;; *partials += plan.blocks, count = plan.blocks) {
        const cudaError_t error = plan_reduce<Word>(count, slots, &plan);
        if (error != cudaSuccess || plan.blocks <= 1) return error;
    }
}

template <typename Word, bool ELEMENTARY>
cudaError_t launch_reduce(const gpumexk_functor &of, const void *data, size_t count, void *partials, void *result, cudaStream_t stream) {
    MapParameters p = {};
    unsigned slots = 0;
    if (!plan_functor<sizeof(Word) == 8, ELEMENTARY>(of, p, &slots)) return cudaErrorInvalidValue;
    for (char *to = static_cast<char *>(partials);;) {
        ReducePlan plan = {};
        cudaError_t error = plan_reduce<Word>(count, slots, &plan);
        if (error != cudaSuccess) return error;
        const FunctorArray array = {data, count, unsigned(of.bytes), is_aligned(data, 16)};
        void *const results = plan.blocks == 1 ? result : to;
        functor_reduce<Word, ELEMENTARY>
            <<<static_cast<unsigned>(plan.blocks), plan.threads, plan.threads * map_slot_bytes(slots), stream>>>(p, array, plan.stages, results);
        error = cudaGetLastError();
        if (error != cudaSuccess || plan.blocks == 1) return error;
        data = to, count = plan.blocks, to += plan.blocks * of.bytes;
    }
}

}  // namespace

int gpumexk_functor_reduce_scratch(const gpumexk_functor *functor, size_t count, size_t *bytes) {
    return dispatch_functor(*functor, [&](auto word, auto elementary) {
        using Word = decltype(word);
        MapParameters p = {};
        unsigned slots = 0;
        if (!plan_functor<sizeof(Word) == 8, decltype(elementary)::value != 0>(*functor, p, &slots)) return cudaErrorInvalidValue;
        const cudaError_t error = count_partials<Word>(count, slots, bytes);
        *bytes *= size_t(functor->bytes);
        return error;
    });
}

int gpumexk_functor_reduce(const gpumexk_functor *functor, const void *data, size_t count, void *partials, void *result,
                           gpumexk_stream stream) {
    if (count == 0) return cudaErrorInvalidValue;
    return dispatch_functor(*functor, [&](auto word, auto elementary) {
        return launch_reduce<decltype(word), decltype(elementary)::value != 0>(*functor, data, count, partials, result, stream);
    });
}
