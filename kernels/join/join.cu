// join.cu — inner, left, right and outer joins of two sorted arrays: the pairs of positions of equal keys.
//
//   INNER  (i, j) for each i in order, for each j in order with b[j] = a[i]
//   LEFT   and (i, -1) in its place where a[i] has no match         RIGHT  and behind all pairs (-1, j) for the unmatched b[j]
//   OUTER  LEFT and RIGHT                                              -1: all bits set
//
// Algorithm  A merge path cuts both arrays into tiles (join_partition), b of equal keys first. A block (join_tiles) merges its
//            tile, which gives the first match of each a and the number of matches (join/tile.cuh), prepares the pairs until
//            their output offset is known (tile_prefix.cuh), and writes them (join/pairs.cuh). A tile with more pairs than
//            LIMIT is listed; join_heavy cuts these into chunks of LIMIT pairs for all blocks, each of which merges the tile
//            again. Unmatched keys of b are kept as bits, and join_unmatched writes them when the number of pairs is known.
// Cost       Reads both arrays, writes the pairs: bound by some 95 instructions an element. A chunk costs one more tile. Two to
//            four launches; join_heavy, often with nothing to do, is a dependent launch: 1 us of 14 for 4096 keys (H200).
// Limits     Fewer than 2^62 pairs, 7 * 10^10 elements. A block waits for blocks with lower numbers (tile_prefix.cuh).
// Edges      Arrays that are not sorted give some result without a wrong access.
// Source     S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013, which searches bounds and expands them in separate passes.

#include "kernels.h"
#include "join/pairs.cuh"
#include "join/tile.cuh"
#include "prim/block/sorted_pair.cuh"
#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/tile_prefix.cuh"
#include "prim/thread/order.cuh"
#include "prim/thread/predicated.cuh"
#include "prim/thread/shared_address.cuh"
#include "prim/warp/merge_path.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/search.cuh"
#include "prim/warp/warp.cuh"
#include "prim/grid/launch.cuh"

namespace join {
namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int PARTITION_NT = 64;                                   // few, so that all multiprocessors have some
constexpr unsigned LIMIT = 1 << 15;                                // pairs that a block of join_heavy writes at once
constexpr uint64_t FAR = 1 << 14;                                  // of a run before the tile: what 16 bits of an entry tell
constexpr size_t TILES_FOR_WARPS = 1 << 12;                        // up to here a warp searches each cut: reads more, ends sooner
constexpr int UNMATCHED_NT = 128;
constexpr int BLOCKS = 5, HEAVY_BLOCKS = 4;                        // a multiprocessor
constexpr int INDEX_BITS = 24;                                     // of the word that counts heavy tiles and their chunks

// A tile with many pairs, and the number of chunks of those before it in the list.
struct Heavy {
    uint64_t tile, chunks_before;
};

// What lies in the scratch.
struct Plan {
    sets::Start *starts;                                           // (tiles + 1)  first b, then a
    uint64_t *further;                                             // (tiles + 1)  b's before the last one, equal to it
    uint64_t *pairs;                                               // (tiles)      states of tile_prefix.cuh
    uint64_t *unmatched;                                           // (tiles)
    unsigned long long *heavy_count;                               // (1)          heavy tiles, chunks << INDEX_BITS
    Heavy *heavy;                                                  // (tiles)
    uint32_t *unmatched_bits;                                      // (unmatched_words) a bit a b, from a whole word on for each tile
    size_t tiles;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename Bits>
__device__ __forceinline__ Tile tile_at(const sets::Sides<Bits> &sides, const Plan &plan, size_t number) {
    Tile tile = {};
    static_cast<sets::Tile &>(tile) = sets::tile_at<ITEMS<Bits>>(sides, plan.starts, number, plan.tiles);
    tile.further = number == 0 ? 0 : plan.further[number];
    tile.has_next = tile.second + tile.a_count() < sides.second_count;
    return tile;
}

__device__ __forceinline__ Target target_of(const gpumexk_join_args &args) {
    return {args.a_indices, args.b_indices, args.capacity, args.index_bytes};
}

// The first word of a tile's bits.
__device__ __forceinline__ size_t unmatched_words_before(size_t tile, size_t b) { return b / WARP + tile; }

// words ← the bits of the tile, unless there are none; *lones ← how many b's are alone of those of this warp.
template <typename Bits>
__device__ __forceinline__ void keep_unmatched(const Tile &tile, const Memory<Bits> &memory, uint32_t *words, unsigned *unmatched) {
    static_assert(ITEMS<Bits> < NT * WARP, "a word a thread");
    const unsigned tid = threadIdx.x, count = (tile.b_count() + WARP - 1) / WARP;
    const uint32_t bits = tid < count ? memory.unmatched_flags[tid] : 0;
    if (tid < count && words != nullptr) words[tid] = bits;
    const unsigned up_to_lane = warp_inclusive_sum(__popc(bits));
    if (tid % WARP == WARP - 1) *unmatched = up_to_lane;
}

// A warp writes the `count` b's whose bits are set in 32 words, from `begin` on. bits: this lane's word; before: how many are set
// in those before; first_b: the b of the first bit.
template <typename Index>
__device__ __forceinline__ void write_unmatched(const Target &to, uint32_t bits, unsigned before, unsigned count, size_t first_b,
                                            size_t begin, uint16_t *list) {
    const unsigned lane = threadIdx.x % WARP;
    unsigned at = shared_address(list + before);
#pragma unroll
    for (int k = 0; k < WARP; ++k) {
        const bool is_unmatched = bits >> k & 1;
        store_shared_if(is_unmatched, at, static_cast<uint16_t>(lane * WARP + k));
        if (is_unmatched) at += sizeof(uint16_t);
    }
    __syncwarp();                                                  // the list is there
    Index *const a_indices = static_cast<Index *>(to.a_indices) + begin;
    Index *const b_indices = static_cast<Index *>(to.b_indices) + begin;
#pragma unroll 4
    for (unsigned i = lane; i < count; i += WARP) {
        a_indices[i] = ~Index(0);
        b_indices[i] = static_cast<Index>(first_b + list[i]);
    }
    __syncwarp();                                                  // it is free
}

// Writes the unmatched b's of a tile from `begin` on: each of `warps` warps takes every `warps`-th 32 words of bits, from `warp` on,
// and has a list of at most WARP * WARP of them.
template <typename Bits>
__device__ __forceinline__ void write_unmatched_of_tile(const gpumexk_join_args &args, const uint32_t *words, unsigned b_count,
                                                    size_t first_b, uint64_t begin, unsigned warp, unsigned warps,
                                                    uint16_t *list) {
    constexpr int ROUNDS = ITEMS<Bits> / (WARP * WARP) + 1;
    const unsigned lane = threadIdx.x % WARP, count = (b_count + WARP - 1) / WARP;
    uint32_t bits[ROUNDS];
#pragma unroll
    for (int r = 0; r < ROUNDS; ++r) bits[r] = WARP * r + lane < count ? words[WARP * r + lane] : 0;
#pragma unroll
    for (int r = 0; r < ROUNDS; ++r) {
        if (WARP * r >= count || begin >= args.capacity) return;
        const unsigned own = __popc(bits[r]), up_to_lane = warp_inclusive_sum(own);
        const unsigned all = __shfl_sync(ALL_LANES, up_to_lane, WARP - 1);
        if (r % warps == warp) {
            const unsigned written = static_cast<unsigned>(min(size_t(all), args.capacity - begin));
            const size_t b = first_b + WARP * WARP * r;
            if (args.index_bytes == 4) write_unmatched<uint32_t>(target_of(args), bits[r], up_to_lane - own, written, b, begin,
                                                                 list);
            else write_unmatched<uint64_t>(target_of(args), bits[r], up_to_lane - own, written, b, begin, list);
        }
        begin += all;
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, Searcher WHO>
__global__ void __launch_bounds__(PARTITION_NT) join_partition(sets::Sides<Bits> sides, Plan plan) {
    const size_t tile = WHO == Searcher::WARP ? grid_x() / WARP : grid_x();
    if (tile > plan.tiles) return;
    const auto cut = sets::cut_at<WHO, ITEMS<Bits>>(sides, min(tile * ITEMS<Bits>, sides.count()));
    plan.starts[tile] = sets::Start::at<ITEMS<Bits>>(sides, cut);
    plan.further[tile] = cut.a > 0 ? sets::copies_before(sides, cut.a) - 1 : 0;
    if (tile < plan.tiles) plan.pairs[tile] = plan.unmatched[tile] = 0;
    else *plan.heavy_count = 0;
}

// ONE_TILE: there is no other; join_partition did not run, and join_unmatched will not.
template <typename Bits, bool ONE_TILE>
__global__ void __launch_bounds__(NT, BLOCKS) join_tiles(gpumexk_join_args args, sets::Sides<Bits> sides, Plan plan) {
    __shared__ Memory<Bits> memory;
    __shared__ unsigned unmatched_slots[WARPS];
    __shared__ uint64_t begin, unmatched;                          // of the tile's pairs among all; how many unmatched b's it has
    const unsigned tid = threadIdx.x, warp = tid / WARP, least = args.keeps_a != 0 ? 1 : 0;
    pdl_trigger();
    if (!ONE_TILE && blockIdx.x == 0) {                            // the first block computes the prefixes instead
        uint64_t sum = 0;
        if (warp == 0) sum = sets::add_up<1, uint64_t>(plan.pairs, plan.tiles);
        else if (warp == 1 && args.keeps_b) sum = sets::add_up<1, uint32_t>(plan.unmatched, plan.tiles);
        if (tid == 0) begin = sum;
        if (tid == WARP) unmatched = sum;
        __syncthreads();                                           // the sums are there
        if (tid == 0) *args.needed = begin + unmatched;
        return;
    }
    const size_t number = ONE_TILE ? 0 : blockIdx.x - 1;
    const Tile tile = tile_at<Bits>(sides, plan, number);
    sets::load_tile<NT, VT<Bits>>(sides, tile, memory.ranks);
    clear_flags(memory);
    clear_unmatched(memory);
    __syncthreads();                                               // ranks are there
    find(tile, args.keeps_b != 0, memory);
    __syncthreads();                                               // all is found, ranks are free

    if (args.keeps_b) {
        const bool is_kept = !ONE_TILE && args.capacity > 0;
        uint32_t *const words = is_kept ? plan.unmatched_bits + unmatched_words_before(number, tile.first) : nullptr;
        keep_unmatched(tile, memory, words, unmatched_slots + warp);
    }
    Counts before;
    const Counts all = count_pairs(tile, least, memory, &before); // its barrier makes unmatched_slots known

    if (tid == 0) sets::publish(plan.pairs, number, all.pairs);
    if (tid == WARP && args.keeps_b) {
        unmatched = 0;
        for (unsigned w = 0; w < WARPS; ++w) unmatched += unmatched_slots[w];
        sets::publish(plan.unmatched, number, unmatched);
    }
    if (!ONE_TILE && args.capacity == 0) return;

    // Prepare the pairs, while the tiles before count theirs.
    const bool is_heavy = all.pairs > Window<uint32_t>::PAIRS || tile.further > FAR, is_written = !is_heavy && args.capacity > 0;
    if (is_written) fill_window<true>(tile, least, memory, before, 0u);

    if (tid == 0) begin = sets::before(plan.pairs, number, all.pairs);
    __syncthreads();                                               // begin and what is prepared are there

    if (is_written) write_window(target_of(args), tile, memory, 0u, static_cast<uint32_t>(all.pairs), begin);
    if (ONE_TILE && args.keeps_b && args.capacity > 0) {
        __syncthreads();                                           // found is free
        write_unmatched_of_tile<Bits>(args, memory.unmatched_flags, tile.b_count(), 0, all.pairs, warp, WARPS,
                            reinterpret_cast<uint16_t *>(memory.found) + warp * WARP * WARP);
    }
    if (tid != 0) return;
    if (ONE_TILE) *plan.heavy_count = 0;
    if (ONE_TILE) *args.needed = all.pairs + (args.keeps_b ? unmatched : 0);
    if (is_heavy && begin < args.capacity) {
        const unsigned long long chunks = (min(all.pairs, uint64_t(args.capacity - begin)) + LIMIT - 1) / LIMIT;
        const unsigned long long listed = atomicAdd(plan.heavy_count, chunks << INDEX_BITS | 1);
        plan.heavy[listed & ((1 << INDEX_BITS) - 1)] = {number, listed >> INDEX_BITS};
    }
}

template <typename Bits>
__global__ void __launch_bounds__(NT, HEAVY_BLOCKS) join_heavy(gpumexk_join_args args, sets::Sides<Bits> sides, Plan plan) {
    __shared__ Memory<Bits> memory;
    __shared__ uint64_t begin;                                     // of the tile's pairs among all
    const unsigned least = args.keeps_a != 0 ? 1 : 0;
    pdl_wait();
    const uint64_t tiles = *plan.heavy_count & ((1 << INDEX_BITS) - 1), chunks = *plan.heavy_count >> INDEX_BITS;
    for (uint64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        const uint64_t behind =
            first_false(uint64_t(0), tiles, [&](uint64_t t) { return plan.heavy[t].chunks_before <= chunk; });
        const Heavy heavy = plan.heavy[behind - 1];
        const Tile tile = tile_at<Bits>(sides, plan, heavy.tile);
        sets::load_tile<NT, VT<Bits>>(sides, tile, memory.ranks);
        clear_flags(memory);
        if (threadIdx.x == 0) begin = heavy.tile == 0 ? 0 : plan.pairs[heavy.tile - 1] & sets::CountState::VALUE;
        __syncthreads();                                           // ranks are there
        find(tile, false, memory);
        __syncthreads();                                           // all is found, ranks are free
        Counts before;
        const Counts all = count_pairs(tile, least, memory, &before);
        const uint64_t low = (chunk - heavy.chunks_before) * LIMIT, high = min(low + LIMIT, all.pairs);
        write_windows(target_of(args), tile, memory, least, before, low, high, begin);
    }
}

// A warp a tile.
template <typename Bits>
__global__ void __launch_bounds__(UNMATCHED_NT) join_unmatched(gpumexk_join_args args, sets::Sides<Bits> sides, Plan plan) {
    __shared__ uint16_t lists[UNMATCHED_NT / WARP][WARP * WARP];
    const size_t number = grid_x() / WARP;
    if (number >= plan.tiles) return;
    const Tile tile = tile_at<Bits>(sides, plan, number);
    const uint64_t pairs = plan.pairs[plan.tiles - 1] & sets::CountState::VALUE;
    const uint64_t begin = pairs + (number == 0 ? 0 : plan.unmatched[number - 1] & sets::CountState::VALUE);
    const uint32_t *const words = plan.unmatched_bits + unmatched_words_before(number, tile.first);
    write_unmatched_of_tile<Bits>(args, words, tile.b_count(), tile.first, begin, 0, 1, lists[threadIdx.x / WARP]);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Bits>
size_t tiles_of(const gpumexk_join_args &args) {
    const size_t count = args.a_count + args.b_count;
    return count == 0 ? 1 : ceil_div(count, ITEMS<Bits>);
}

template <typename Bits>
size_t scratch_of(const gpumexk_join_args &args) {
    const size_t tiles = tiles_of<Bits>(args);
    const size_t unmatched_words = args.keeps_b ? args.b_count / WARP + tiles + ITEMS<Bits> / WARP + 2 : 0;
    return (5 * tiles + 5) * sizeof(uint64_t) + tiles * sizeof(Heavy) + unmatched_words * sizeof(uint32_t);
}

template <typename Bits>
cudaError_t run(const gpumexk_join_args &args, void *scratch, const gpumexk_tuning &tuning, cudaStream_t stream) {
    if (tuning.threads != NT || !is_one_of<1, 2, HEAVY_BLOCKS>(tuning.values)) return cudaErrorInvalidValue;
    const size_t tiles = tiles_of<Bits>(args);
    uint64_t *const words = static_cast<uint64_t *>(scratch);
    Plan plan = {};
    plan.tiles = tiles;
    plan.starts = reinterpret_cast<sets::Start *>(words);
    plan.further = words + 2 * (tiles + 1);
    plan.pairs = plan.further + tiles + 1;
    plan.unmatched = plan.pairs + tiles;
    plan.heavy_count = reinterpret_cast<unsigned long long *>(plan.unmatched + tiles);
    plan.heavy = reinterpret_cast<Heavy *>(plan.heavy_count + 1);
    plan.unmatched_bits = reinterpret_cast<uint32_t *>(plan.heavy + tiles);
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(args.dtype, args.descending != 0);
    const sets::Sides<Bits> sides = {static_cast<const Bits *>(args.b), static_cast<const Bits *>(args.a), args.b_count,
                                     args.a_count, order};
    if (tiles >= size_t(1) << INDEX_BITS) return cudaErrorInvalidValue; // 7 * 10^10 elements

    if (tiles > 1 && tiles <= TILES_FOR_WARPS) {
        join_partition<Bits, Searcher::WARP>
            <<<cover((tiles + 1) * WARP, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    } else if (tiles > 1) {
        join_partition<Bits, Searcher::THREAD><<<cover(tiles + 1, 1, PARTITION_NT), PARTITION_NT, 0, stream>>>(sides, plan);
    }
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    error = tiles == 1 ? launch<join_tiles<Bits, true>>(1, NT, tuning.cache, stream, args, sides, plan)
                       : launch<join_tiles<Bits, false>>(static_cast<unsigned>(tiles + 1), NT, tuning.cache, stream, args, sides,
                                                         plan);
    if (error != cudaSuccess || args.capacity == 0) return error;

    size_t sms = 0;
    error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const size_t heavy_blocks = at_most(tuning.values * sms, 8 * tiles);
    if (args.a_count > 0 && (args.b_count > 0 || args.keeps_a)) {
        bool pdl = false;
        error = set_smem_carveout<join_heavy<Bits>>(tuning.cache);
        if (error == cudaSuccess) error = supports_pdl(join_heavy<Bits>, &pdl);
        if (error != cudaSuccess) return error;
        error = launch_pdl(pdl, join_heavy<Bits>, static_cast<unsigned>(heavy_blocks), NT, stream, args, sides, plan);
        if (error != cudaSuccess) return error;
    }
    if (args.keeps_b && tiles > 1) {
        join_unmatched<Bits><<<cover(tiles * WARP, 1, UNMATCHED_NT), UNMATCHED_NT, 0, stream>>>(args, sides, plan);
    }
    return cudaGetLastError();
}

}  // namespace
}  // namespace join

int gpumexk_join_scratch(const gpumexk_join_args *args, size_t *bytes) {
    *bytes = is_wide_dtype(args->dtype) ? join::scratch_of<uint64_t>(*args) : join::scratch_of<uint32_t>(*args);
    return cudaSuccess;
}

int gpumexk_join(const gpumexk_join_args *args, void *scratch, const gpumexk_tuning *tuning, gpumexk_stream stream) {
    return is_wide_dtype(args->dtype) ? join::run<uint64_t>(*args, scratch, *tuning, stream)
                                      : join::run<uint32_t>(*args, scratch, *tuning, stream);
}
