// functor_scan.cu — prefixes of an array by an associative expression, in the order of the elements, and those of its segments.
//
//   result[i] = data[0] ∘ … ∘ data[i], or the one before it; with heads from the last head up to i on
//
// Algorithm  Tiles of 128 bytes of words a thread are scanned in shared memory: neighbours are joined in rounds, each of which has half as
//            many pairs, and what is between is filled in by as many on the way back. The pairs of a round are shared out so that threads
//            have all lanes busy. The totals of the tiles are scanned alike, and then joined with the elements of the tiles behind.
// Cost       Reads and writes the array twice. 2·log2 n - 1 rounds a tile of n elements, 4096 of 32 bits, of which the first and the last
//            few have several warps at work.
// Limits     Any count.
// Edges      Elements behind the end are in no pair. A head's prefix is itself: it takes the place of what is joined.
// Source     R. Brent, H. Kung, "A Regular Layout for Parallel Adders", IEEE Trans. Computers C-31, 1982; heads: S. Sengupta, M. Harris,
//            Y. Zhang, J. Owens, "Scan Primitives for GPU Computing", 2007.

#include "kernels.h"
#include "map/functor.cuh"
#include "prim/grid/grid.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

struct FunctorTiles {
    const void *data;
    void *result;
    const uint8_t *heads;                                          // or NULL
    void *totals;                                                  // of the tiles; when they are joined, scanned
    uint8_t *total_heads;                                          // whether a tile has a head
    void *total;                                                   // of a single tile, or NULL
    size_t count;
    unsigned bytes;                                                // of an element
    unsigned slots;
    unsigned inclusive;
    unsigned joins;                                                // 0: tiles are scanned; 1: totals are joined with the tiles behind
};

// The place of an element of a tile in shared memory.
__device__ __forceinline__ unsigned place_in_tile(unsigned i) { return i + i / 32; }

// The pairs of a round: of pair i the operands are at first + i·stride and behind it, at a distance; the second one is replaced.
struct FunctorRound {
    unsigned pairs, first, stride, distance;

    // Of rounds 0 to 2·levels - 2 of a tile of 2^levels elements.
    static __device__ __forceinline__ FunctorRound of(unsigned round, unsigned levels) {
        const unsigned size = 1u << levels;
        if (round < levels) return {size >> (round + 1), (1u << round) - 1, 2u << round, 1u << round};
        const unsigned distance = size >> (round - levels + 2);
        return {size / (2 * distance) - 1, 2 * distance - 1, 2 * distance, distance};
    }
};

// The first head of a tile, or `count`; all threads call.
__device__ __forceinline__ unsigned first_head(const uint8_t *heads, unsigned count) {
    __shared__ unsigned first;
    if (threadIdx.x == 0) first = count;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x) {
        if (heads[i] == 0) continue;
        atomicMin(&first, i);
        break;
    }
    __syncthreads();
    return first;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Word, bool ELEMENTARY>
__global__ void __launch_bounds__(FUNCTOR_THREADS, ELEMENTARY ? 3 : 4)
    functor_tiles(const __grid_constant__ MapParameters p, const __grid_constant__ FunctorTiles of) {
    constexpr unsigned LANES = MAP_LANES<Word>;
    extern __shared__ uint4 functor_memory[];                      // slots (slots, MAP_GROUPS, threads), words, heads
    const unsigned threads = blockDim.x, tid = threadIdx.x, size = 2 * LANES * threads, levels = 31 - __clz(size);
    const MapSlots<Word> slots = {functor_memory + tid, threads};
    Word *const words = reinterpret_cast<Word *>(functor_memory + of.slots * MAP_GROUPS * threads);
    uint8_t *const heads = reinterpret_cast<uint8_t *>(words + size + size / 32);
    const size_t tile = size_t(blockIdx.x) + of.joins, base = tile * size;
    const unsigned count = static_cast<unsigned>(min(of.count - base, size_t(size)));

    unsigned rounds = 2 * levels - 1, reach = count;
    Word total = 0;
    if (of.joins != 0) {
        rounds = 2, total = load_element<Word>(of.totals, of.bytes, tile - 1);
        if (of.heads != nullptr) reach = first_head(of.heads + base, count);
    } else {
        for (unsigned i = tid; i < count; i += threads) {
            words[place_in_tile(i)] = load_element<Word>(of.data, of.bytes, base + i);
            heads[i] = of.heads != nullptr ? of.heads[base + i] : uint8_t(0);
        }
        __syncthreads();
    }

    for (unsigned round = 0; round < rounds; ++round) {            // one copy of the interpreter
        Word a[LANES], b[LANES];
        if (of.joins != 0) {                                       // the total of the tiles before with each element
            const unsigned from = round * LANES * threads + tid;
            if (from >= reach) break;                              // no barrier follows
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) {
                const unsigned i = from + j * threads;
                a[j] = total, b[j] = i < reach ? load_element<Word>(of.result, of.bytes, base + i) : total;
            }
            join_lanes<ELEMENTARY>(p, slots, a, b);
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) {
                const unsigned i = from + j * threads;
                const Word word = i == 0 && of.inclusive == 0 ? total : a[j];
                if (i < reach) store_element<Word>(of.result, of.bytes, base + i, word);
            }
            continue;
        }
        const FunctorRound one = FunctorRound::of(round, levels);
        const unsigned active = (one.pairs + LANES - 1) / LANES;
        if (tid < active) {
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) {
                const unsigned i = j * active + tid, at = one.first + i * one.stride;
                const bool is_pair = i < one.pairs && at + one.distance < count;
                a[j] = is_pair ? words[place_in_tile(at)] : Word(0);
                b[j] = is_pair ? words[place_in_tile(at + one.distance)] : Word(0);
            }
            join_lanes<ELEMENTARY>(p, slots, a, b);
#pragma unroll
            for (unsigned j = 0; j < LANES; ++j) {
                const unsigned i = j * active + tid, at = one.first + i * one.stride, to = at + one.distance;
                if (i >= one.pairs || to >= count || heads[to] != 0) continue;
                words[place_in_tile(to)] = a[j];
                heads[to] = heads[at];
            }
        }
        __syncthreads();
    }
    if (of.joins != 0) return;

    const unsigned shift = of.inclusive != 0 ? 0 : 1;
    for (unsigned i = tid; i + shift < count; i += threads) store_element<Word>(of.result, of.bytes, base + i + shift, words[place_in_tile(i)]);
    if (tid == 0) {
        store_element<Word>(of.totals, of.bytes, tile, words[place_in_tile(count - 1)]);
        if (gridDim.x == 1 && of.total != nullptr) store_element<Word>(of.total, of.bytes, 0, words[place_in_tile(count - 1)]);
        if (of.heads != nullptr) of.total_heads[tile] = heads[count - 1];
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// How tiles are launched.
struct TilePlan {
    MapParameters p;
    unsigned slots, threads;
    size_t size, bytes;                                            // elements of a tile, its shared memory
};

template <typename Word, bool ELEMENTARY>
bool plan_tiles(const gpumexk_functor &of, TilePlan &plan) {
    constexpr size_t ITEMS = FUNCTOR_ITEMS<Word>;
    plan = {};
    if (!plan_functor<sizeof(Word) == 8, ELEMENTARY>(of, plan.p, &plan.slots)) return false;
    const size_t of_a_thread = map_slot_bytes(plan.slots) + (ITEMS + ITEMS / 32 + 1) * sizeof(Word) + ITEMS;
    plan.threads = map_threads(FUNCTOR_THREADS, of_a_thread);
    plan.size = ITEMS * plan.threads, plan.bytes = of_a_thread * plan.threads;
    return true;
}

constexpr size_t up_to_8(size_t bytes) { return (bytes + 7) / 8 * 8; }

template <typename Word, bool ELEMENTARY>
cudaError_t scan_level(const TilePlan &plan, FunctorTiles of, char *scratch, cudaStream_t stream) {
    const size_t tiles = ceil_div(of.count, plan.size);
    of.totals = scratch, of.total_heads = reinterpret_cast<uint8_t *>(scratch + up_to_8(tiles * of.bytes));
    scratch += up_to_8(tiles * of.bytes) + up_to_8(tiles);
    functor_tiles<Word, ELEMENTARY><<<static_cast<unsigned>(tiles), plan.threads, plan.bytes, stream>>>(plan.p, of);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess || tiles == 1) return error;
    FunctorTiles of_totals = of;
    of_totals.data = of_totals.result = of.totals, of_totals.heads = of.heads != nullptr ? of.total_heads : nullptr;
    of_totals.count = tiles, of_totals.inclusive = 1;
    error = scan_level<Word, ELEMENTARY>(plan, of_totals, scratch, stream);
    if (error != cudaSuccess) return error;
    of.joins = 1;
    functor_tiles<Word, ELEMENTARY><<<static_cast<unsigned>(tiles - 1), plan.threads, plan.bytes, stream>>>(plan.p, of);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_functor_scan_scratch(const gpumexk_functor *functor, size_t count, size_t *bytes) {
    return dispatch_functor(*functor, [&](auto word, auto elementary) {
        TilePlan plan = {};
        if (!plan_tiles<decltype(word), decltype(elementary)::value != 0>(*functor, plan)) return cudaErrorInvalidValue;
        for (*bytes = 0;;) {
            const size_t tiles = ceil_div(count, plan.size);
            *bytes += up_to_8(tiles * functor->bytes) + up_to_8(tiles);
            if (tiles <= 1) return cudaSuccess;
            count = tiles;
        }
    });
}

int gpumexk_functor_scan(const gpumexk_functor *functor, const void *data, const uint8_t *heads, size_t count, int inclusive, void *result,
                         void *total, void *scratch, gpumexk_stream stream) {
    if (count == 0 || (heads != nullptr && inclusive == 0)) return cudaErrorInvalidValue;
    return dispatch_functor(*functor, [&](auto word, auto elementary) {
        using Word = decltype(word);
        constexpr bool ELEMENTARY = decltype(elementary)::value != 0;
        TilePlan plan = {};
        if (!plan_tiles<Word, ELEMENTARY>(*functor, plan)) return cudaErrorInvalidValue;
        FunctorTiles of = {};
        of.data = data, of.result = result, of.heads = heads, of.count = count;
        of.bytes = static_cast<unsigned>(functor->bytes), of.slots = plan.slots, of.inclusive = inclusive != 0;
        of.total = total;
        return scan_level<Word, ELEMENTARY>(plan, of, static_cast<char *>(scratch), stream);
    });
}
