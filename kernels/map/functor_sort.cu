// functor_sort.cu — stable sort by an expression that says whether one key precedes another.
//
//   sorted, positions ← keys and their positions, so that of two neighbours the second does not precede the first
//
// Algorithm  A bitonic network whose comparators all put the lesser element first: a block of 2^k is merged by a comparison of each element
//            with the one opposite, then of those at half the distance each time. Of two elements the later one is asked whether it
//            precedes the earlier one, by their positions, so that one evaluation decides and the sort is stable. Tiles are sorted, and
//            what is left of a merge is done, in shared memory; each round has all lanes busy.
// Cost       With n = 2^k elements and tiles of 2^t: (k - t)(k - t + 1)/2 passes over keys and positions, and k - t + 1 with t rounds each.
// Limits     Any count; positions of 4 or 8 bytes.
// Edges      An expression that is no strict weak order gives some permutation: elements are exchanged, and nothing else. What is behind the
//            end is in no pair, as if it were greater than all.
// Source     K. Batcher, "Sorting Networks and their Applications", AFIPS 1968.

#include "kernels.h"
#include "map/functor.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/index.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned MOVE_THREADS = 256;

// ---- device helpers -------------------------------------------------------------------------------------------------

struct SortArrays {
    void *keys, *positions;                                        // in place
    size_t count;
    unsigned key_bytes, position_bytes;
    unsigned slots;
    unsigned first_block, last_block, first_round;                 // logarithms of the blocks that are merged; rounds that were done before
    unsigned is_global;                                            // 1: one round, in the arrays themselves
};

struct SortPair {
    size_t low, high;

    // Pair q of a round of the merge of blocks of 2^block: opposite elements in round 0, then those at a distance.
    static __device__ __forceinline__ SortPair of(size_t q, unsigned block, unsigned round) {
        const unsigned shift = block - 1 - round;                  // of the distance, or of half a block
        const size_t half = size_t(1) << shift, offset = q & (half - 1), begin = (q >> shift) << (shift + 1);
        return {begin + offset, round == 0 ? begin + 2 * half - 1 - offset : begin + offset + half};
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY>
__global__ void __launch_bounds__(FUNCTOR_THREADS, 3)
    functor_exchange(const __grid_constant__ MapParameters p, const __grid_constant__ SortArrays of) {
    constexpr unsigned LANES = MAP_LANES<Word>;
    extern __shared__ uint4 functor_memory[];                      // slots (slots, MAP_GROUPS, threads), keys, positions
    const unsigned threads = blockDim.x, tid = threadIdx.x, pairs = LANES * threads, size = 2 * pairs;
    const MapSlots<Word> slots = {functor_memory + tid, threads};
    unsigned char *const memory = reinterpret_cast<unsigned char *>(functor_memory + of.slots * MAP_GROUPS * threads);
    void *const keys = of.is_global != 0 ? of.keys : memory;
    void *const positions = of.is_global != 0 ? of.positions : memory + size_t(size) * of.key_bytes;
    const size_t base = of.is_global != 0 ? 0 : size_t(blockIdx.x) * size, first = of.is_global != 0 ? size_t(blockIdx.x) * pairs : 0;
    const size_t count = of.is_global != 0 ? of.count : min(of.count - base, size_t(size));

    if (of.is_global == 0) {
        for (unsigned i = tid; i < count; i += threads) {
            store_element<Word>(keys, of.key_bytes, i, load_element<Word>(of.keys, of.key_bytes, base + i));
            store_index(positions, of.position_bytes, i, load_index(of.positions, of.position_bytes, base + i));
        }
        __syncthreads();
    }
    for (unsigned block = of.first_block; block <= of.last_block; ++block) {
        for (unsigned round = block == of.first_block ? of.first_round : 0; round < block; ++round) {
            Word a[LANES], b[LANES];                               // the later element, the earlier one
            unsigned swapped = 0;                                  // bit j: of pair j the earlier element is the higher one
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) {
                const SortPair at = SortPair::of(first + j * threads + tid, block, round);
                const bool is_pair = at.high < count;
                const Word low = is_pair ? load_element<Word>(keys, of.key_bytes, at.low) : Word(0);
                const Word high = is_pair ? load_element<Word>(keys, of.key_bytes, at.high) : Word(0);
                const bool is_swapped = is_pair && load_index(positions, of.position_bytes, at.high) <
                                                       load_index(positions, of.position_bytes, at.low);
                a[j] = is_swapped ? low : high, b[j] = is_swapped ? high : low;
                swapped |= unsigned(is_swapped) << j;
            }
            join_lanes<ELEMENTARY>(p, slots, a, b);
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) {
                const SortPair at = SortPair::of(first + j * threads + tid, block, round);
                const bool precedes = static_cast<uint32_t>(a[j]) != 0;
                if (at.high >= count || precedes == ((swapped >> j & 1) != 0)) continue;
                const Word low = load_element<Word>(keys, of.key_bytes, at.low);
                store_element<Word>(keys, of.key_bytes, at.low, load_element<Word>(keys, of.key_bytes, at.high));
                store_element<Word>(keys, of.key_bytes, at.high, low);
                const size_t position = load_index(positions, of.position_bytes, at.low);
                store_index(positions, of.position_bytes, at.low, load_index(positions, of.position_bytes, at.high));
                store_index(positions, of.position_bytes, at.high, position);
            }
            if (of.is_global != 0) return;
            __syncthreads();
        }
    }
    for (unsigned i = tid; i < count; i += threads) {
        store_element<Word>(of.keys, of.key_bytes, base + i, load_element<Word>(keys, of.key_bytes, i));
        store_index(of.positions, of.position_bytes, base + i, load_index(positions, of.position_bytes, i));
    }
}

__global__ void number_positions(void *positions, unsigned bytes, size_t count) {
    for (size_t i = grid_x(); i < count; i += grid_width()) store_index(positions, bytes, i, i);
}

// result[i] ← values[positions[i]], or the position itself; without positions i.
__global__ void place_values(const void *positions, unsigned position_bytes, const void *values, void *result, unsigned bytes, size_t count) {
    for (size_t i = grid_x(); i < count; i += grid_width()) {
        const size_t position = positions == nullptr ? i : load_index(positions, position_bytes, i);
        store_index(result, bytes, i, values == nullptr ? position : load_index(values, bytes, position));
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

unsigned blocks_of(size_t count) { return static_cast<unsigned>(at_most(ceil_div(count, MOVE_THREADS), GRID_X_MAX)); }

template <typename Word, bool ELEMENTARY>
cudaError_t launch_sort(const gpumexk_functor &functor, SortArrays of, cudaStream_t stream) {
    constexpr size_t ITEMS = FUNCTOR_ITEMS<Word>;
    MapParameters p = {};
    if (!plan_functor<sizeof(Word) == 8, ELEMENTARY>(functor, p, &of.slots)) return cudaErrorInvalidValue;
    const size_t of_a_thread = map_slot_bytes(of.slots) + ITEMS * (of.key_bytes + of.position_bytes);
    const unsigned threads = map_threads(FUNCTOR_THREADS, of_a_thread);
    const size_t size = ITEMS * threads, tiles = ceil_div(of.count, size);
    unsigned tile = 0, block = 0;                                  // logarithms of a tile, of a block
    while (size_t(1) << tile < size) ++tile;
    auto launch_tiles = [&](unsigned first_block, unsigned last_block, unsigned first_round) {
        of.first_block = first_block, of.last_block = last_block, of.first_round = first_round, of.is_global = 0;
        functor_exchange<Word, ELEMENTARY><<<static_cast<unsigned>(tiles), threads, threads * of_a_thread, stream>>>(p, of);
        return cudaGetLastError();
    };
    cudaError_t error = launch_tiles(1, tile, 0);
    for (block = tile + 1; error == cudaSuccess && size_t(1) << (block - 1) < of.count; ++block) {
        const size_t whole = ceil_div(of.count, size_t(1) << block) << block;
        for (unsigned round = 0; round < block - tile && error == cudaSuccess; ++round) {
            of.first_block = of.last_block = block, of.first_round = round, of.is_global = 1;
            const unsigned blocks = static_cast<unsigned>(whole / size);
            functor_exchange<Word, ELEMENTARY><<<blocks, threads, threads * map_slot_bytes(of.slots), stream>>>(p, of);
            error = cudaGetLastError();
        }
        if (error == cudaSuccess) error = launch_tiles(block, block, block - tile);
    }
    return error;
}

}  // namespace

int gpumexk_functor_sort(const gpumexk_functor *functor, void *keys, void *positions, int position_bytes, size_t count,
                         gpumexk_stream stream) {
    if (position_bytes != 8 && (position_bytes != 4 || count >> 32 != 0)) return cudaErrorInvalidValue;
    if (count == 0) return cudaSuccess;
    number_positions<<<blocks_of(count), MOVE_THREADS, 0, stream>>>(positions, unsigned(position_bytes), count);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    SortArrays of = {};
    of.keys = keys, of.positions = positions, of.count = count;
    of.key_bytes = static_cast<unsigned>(functor->bytes), of.position_bytes = static_cast<unsigned>(position_bytes);
    return dispatch_functor(*functor, [&](auto word, auto elementary) {
        return launch_sort<decltype(word), decltype(elementary)::value != 0>(*functor, of, stream);
    });
}

int gpumexk_functor_place(const void *positions, int position_bytes, const void *values, void *result, int bytes, size_t count,
                          gpumexk_stream stream) {
    if (count == 0) return cudaSuccess;
    place_values<<<blocks_of(count), MOVE_THREADS, 0, stream>>>(positions, unsigned(position_bytes), values, result, unsigned(bytes), count);
    return cudaGetLastError();
}
