// join.cu — the pairs of equal keys of two sorted arrays, by their positions.
//
//   INNER  (i, j) for each i in order, for each j in order with b[j] = a[i]
//   LEFT   and (i, -1) in its place where a[i] has no partner       RIGHT  and behind all pairs (-1, j) for the b[j] without one
//   OUTER  LEFT and RIGHT                                              -1: all bits set
//
// Algorithm  A merge path cuts both arrays into tiles (join_partition), a of equal keys first: so the partners of a key of a
//            begin where the merge stands, and their run ends in the tile or where the partition found that the run at its end
//            does. A block (join_tiles) finds the number of pairs of each of its keys, adds up, looks back for the place of its
//            pairs, and writes them in windows: each key marks where its pairs begin in the window, a maximum scan spreads the
//            marks, and threads write neighbouring pairs. A tile with more pairs than LIMIT goes to a list; join_heavy cuts
//            these into chunks of LIMIT pairs for all blocks, each of which finds the tile's pairs anew. Keys of b without a
//            partner are kept as offsets in their tile, and join_lone writes them when the number of pairs is known.
// Cost       Reads both arrays, writes the pairs: bound by memory. Two to four launches. A chunk costs one more tile.
// Limits     Fewer than 2^62 pairs.
// Edges      Arrays that are not sorted give some result without a wrong access.
// Source     S. Baxter, "ModernGPU", Relational Joins, NVIDIA 2013, which searches bounds and expands them in separate passes.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/order.cuh"
#include "prim/sets/path.cuh"
#include "prim/sets/tiles.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int NT = 256, VT = 17, WARPS = NT / WARP;
constexpr unsigned ITEMS = NT * VT;                                // of a tile, and pairs of a window
constexpr unsigned LIMIT = 8 * ITEMS;                              // pairs that a block writes at once
constexpr uint32_t MANY = 1 << 20;                                 // more than LIMIT: pairs beyond are not told apart
constexpr size_t TILES_FOR_WARPS = 1 << 14;                        // up to here a warp searches each cut: reads more, ends sooner
constexpr int HEAVY_BLOCKS = 4;                                    // a multiprocessor
constexpr int INDEX_BITS = 24;                                     // of the word that counts heavy tiles and their chunks

// A tile with many pairs, and the number of chunks of those before it in the list.
struct Heavy {
    uint64_t tile, chunks_before;
};

// What lies in the scratch.
struct Plan {
    uint64_t *cuts;                                                // (tiles + 1)  i; the cut in b follows from the diagonal
    uint64_t *run_ends;                                            // (tiles + 1)  where the run ends that the cut divides, or j
    uint64_t *pairs;                                               // (tiles)      states of the look-backs
    uint64_t *lones;                                               // (tiles)
    unsigned long long *heavy_count;                               // (1)          heavy tiles, chunks << INDEX_BITS
    Heavy *heavy;                                                  // (tiles)
    uint16_t *lone_offsets;                                        // (b_count + ITEMS) from b's begin in the tile, there
    size_t tiles;
};

// ---- device helpers -------------------------------------------------------------------------------------------------

struct Tile : sets::Range {
    size_t beyond;                                                 // b's equal to the last a that follow the tile
};

__device__ __forceinline__ Tile tile_at(const gpumexk_joining &job, const Plan &plan, size_t number) {
    Tile tile = {};
    if (plan.tiles == 1) {
        static_cast<sets::Range &>(tile) = sets::range_between<ITEMS>(0, 0, job.a_count, job.b_count);
        return tile;
    }
    const size_t d = number * ITEMS, d_end = min(d + ITEMS, job.a_count + job.b_count);
    const size_t a = plan.cuts[number], a_end = plan.cuts[number + 1], b_end = d_end - a_end;
    static_cast<sets::Range &>(tile) = sets::range_between<ITEMS>(a, d - a, a_end, b_end);
    tile.beyond = plan.run_ends[number + 1] - b_end;
    return tile;
}

// What one thread finds of its part of a tile: for each key of a where its partners begin and how many there are in the tile.
struct Found {
    uint32_t partners[VT];                                         // of step k: place in b's part, and how many << 16
    unsigned over_a = 0, runs_on = 0, lone = 0;                    // a bit a step: it is over a; `beyond` more partners; a lone b
    unsigned a;                                                    // place of the first a
};

// The pairs of step k, where `beyond` b's follow the tile that are equal to its last a.
template <typename Count>
__device__ __forceinline__ Count pairs_of(const Found &found, int k, Count beyond, bool keeps_a) {
    if ((found.over_a >> k & 1) == 0) return 0;
    const Count partners = (found.partners[k] >> 16) + ((found.runs_on >> k & 1) != 0 ? beyond : 0);
    return partners == 0 && keeps_a ? 1 : partners;
}

// ranks: those of the tile. Returns the number of pairs of this thread.
template <typename Bits>
__device__ __forceinline__ uint64_t find(const gpumexk_joining &job, const KeyOrder<Bits> &order, const Tile &tile,
                                         const Bits *ranks, Found &found) {
    const unsigned a_count = tile.a_count, count = a_count + tile.b_count;
    const auto cut = sets::merge_path(
        min(threadIdx.x * VT, count), a_count, tile.b_count, [&](unsigned i) { return ranks[i]; },
        [&](unsigned j) { return ranks[a_count + j]; });
    const Bits *const a = static_cast<const Bits *>(job.a);
    const bool has_before = cut.a > 0 || tile.a > 0;
    Bits before = cut.a > 0 ? ranks[cut.a - 1] : has_before && job.keeps_b ? order.rank(a[tile.a - 1]) : 0;
    bool is_before = has_before;                                   // `before` is the rank of the a last passed

    unsigned i = cut.a, j = a_count + cut.b;
    const unsigned end = min((threadIdx.x + 1) * VT, count) + a_count;
    Bits in_a = ranks[i], in_b = ranks[j];
    const Bits last_a = a_count > 0 ? ranks[a_count - 1] : 0;
    found.a = cut.a;
    uint64_t pairs = 0;
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        if (i + j >= end) continue;
        if (j >= count || (i < a_count && in_a <= in_b)) {
            unsigned partners = 0;
            if (j < count && in_a == in_b) {
                partners = sets::gallop(j + 1, count, [&](unsigned p) { return ranks[p] == in_a; }) - j;
            }
            found.over_a |= 1u << k;
            if (tile.beyond > 0 && in_a == last_a) found.runs_on |= 1u << k;
            found.partners[k] = (j - a_count) | partners << 16;
            pairs += pairs_of<uint64_t>(found, k, tile.beyond, job.keeps_a);
            before = in_a;
            is_before = true;
            in_a = ranks[++i];
        } else {
            if (!(is_before && before == in_b)) found.lone |= 1u << k;
            in_b = ranks[++j];
        }
    }
    return pairs;
}

// The greatest of the marks of the threads before; slots has one a warp.
__device__ __forceinline__ unsigned greatest_before(unsigned value, unsigned *slots) {
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
#pragma unroll
    for (int offset = 1; offset < WARP; offset *= 2) {
        const unsigned before = __shfl_up_sync(ALL_LANES, value, offset);
        if (lane >= unsigned(offset)) value = max(value, before);
    }
    if (lane == WARP - 1) slots[warp] = value;
    __syncthreads();                                               // the greatest of each warp are there
    unsigned before = __shfl_up_sync(ALL_LANES, value, 1);
    if (lane == 0) before = 0;
#pragma unroll
    for (unsigned w = 0; w < WARPS; ++w) before = max(before, w < warp ? slots[w] : 0);
    return before;
}

// Pair p of the tile has place m of a's part, which its mark says, and shifts[m] + p of b's; shifts wrap.
template <typename Shift, typename Index>
__device__ __forceinline__ void write_window(const gpumexk_joining &job, const Tile &tile, const uint16_t *marks,
                                             const Shift *shifts, Shift low, unsigned count, size_t first) {
    Index *const a_indices = static_cast<Index *>(job.a_indices) + first;
    Index *const b_indices = static_cast<Index *>(job.b_indices) + first;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < count; i += NT) {
        const unsigned mark = marks[i], m = mark / 2 - 1;
        a_indices[i] = static_cast<Index>(tile.a + m);
        b_indices[i] = mark % 2 != 0 ? ~Index(0) : static_cast<Index>(tile.b + Shift(shifts[m] + low + i));
    }
}

// Writes the pairs [low, high) of the tile, whose pair 0 goes to `first`. own: this thread's first pair. All threads call; shifts
// and marks have ITEMS places that nobody uses. With a Shift of 32 bits high <= LIMIT, and positions from MANY on are not exact.
template <typename Shift>
__device__ __forceinline__ void write_pairs(const gpumexk_joining &job, const Tile &tile, Found &found, Shift own, Shift low,
                                            Shift high, size_t first, Shift *shifts, uint16_t *marks, unsigned *slots) {
    const Shift beyond = sizeof(Shift) == 8 ? Shift(tile.beyond) : Shift(min(tile.beyond, size_t(MANY)));
    Shift at = own;
    unsigned m = found.a;
#pragma unroll
    for (int k = 0; k < VT; ++k) {
        if (found.over_a >> k & 1) shifts[m++] = static_cast<Shift>((found.partners[k] & 0xFFFF) - at);
        at += pairs_of(found, k, beyond, job.keeps_a);
    }
    for (; low < high; low += ITEMS) {
        const unsigned count = static_cast<unsigned>(min(high - low, Shift(ITEMS)));
        for (unsigned i = threadIdx.x; i < count; i += NT) marks[i] = 0;
        __syncthreads();                                           // marks are clear

        // Where the pairs of this thread's keys begin: twice the place of a, and 1, more where it has no partner.
        asm volatile("" : "+r"(found.over_a));                     // positions are found anew: 2·VT registers less
        at = own;
        m = found.a;
#pragma unroll
        for (int k = 0; k < VT; ++k) {
            const Shift pairs = pairs_of(found, k, beyond, job.keeps_a);
            const bool is_alone = found.partners[k] >> 16 == 0 && (found.runs_on >> k & 1) == 0;
            if (pairs > 0 && at < low + count && at + pairs > low) {
                marks[at > low ? at - low : 0] = static_cast<uint16_t>(2 * (m + 1) + is_alone);
            }
            at += pairs;
            m += found.over_a >> k & 1;
        }
        __syncthreads();                                           // all marks are there

        unsigned greatest = 0;
#pragma unroll
        for (int k = 0; k < VT; ++k) {
            const unsigned i = VT * threadIdx.x + k;
            if (i < count) marks[i] = static_cast<uint16_t>(greatest = max(greatest, unsigned(marks[i])));
        }
        const unsigned before = greatest_before(greatest, slots);
#pragma unroll
        for (int k = 0; k < VT; ++k) {
            const unsigned i = VT * threadIdx.x + k;
            if (i < count) marks[i] = static_cast<uint16_t>(max(unsigned(marks[i]), before));
        }
        __syncthreads();                                           // marks are spread, shifts are there

        if (job.width == 4) write_window<Shift, uint32_t>(job, tile, marks, shifts, low, count, first + low);
        else write_window<Shift, uint64_t>(job, tile, marks, shifts, low, count, first + low);
        __syncthreads();                                           // marks are free
    }
}

template <typename Index>
__device__ __forceinline__ void write_lone(const gpumexk_joining &job, size_t at, size_t b) {
    if (at >= job.capacity) return;
    static_cast<Index *>(job.a_indices)[at] = ~Index(0);
    static_cast<Index *>(job.b_indices)[at] = static_cast<Index>(b);
}

__device__ __forceinline__ void write_lone(const gpumexk_joining &job, size_t at, size_t b) {
    if (job.width == 4) write_lone<uint32_t>(job, at, b);
    else write_lone<uint64_t>(job, at, b);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, sets::Searcher WHO>
__global__ void __launch_bounds__(NT) join_partition(gpumexk_joining job, KeyOrder<Bits> order, Plan plan) {
    const size_t tile = WHO == sets::Searcher::WARP ? grid_x() / WARP : grid_x();
    if (tile > plan.tiles) return;
    const auto a = [&](size_t i) { return order.rank(static_cast<const Bits *>(job.a)[i]); };
    const auto b = [&](size_t j) { return order.rank(static_cast<const Bits *>(job.b)[j]); };
    const auto cut = sets::merge_path<WHO>(min(tile * ITEMS, job.a_count + job.b_count), job.a_count, job.b_count, a, b);
    size_t run_end = cut.b;
    if (cut.a > 0 && cut.b < job.b_count && a(cut.a - 1) == b(cut.b)) {
        const Bits x = b(cut.b);
        run_end = sets::gallop(cut.b, job.b_count, [&](size_t j) { return b(j) == x; });
    }
    plan.cuts[tile] = cut.a;
    plan.run_ends[tile] = run_end;
    if (tile < plan.tiles) plan.pairs[tile] = plan.lones[tile] = 0;
    else *plan.heavy_count = 0;
}

template <typename Bits>
__global__ void __launch_bounds__(NT, 5) join_tiles(gpumexk_joining job, KeyOrder<Bits> order, Plan plan) {
    __shared__ union {
        Bits ranks[ITEMS + 2];
        uint32_t shifts[ITEMS];
    } tile_memory;
    __shared__ uint16_t marks[ITEMS];
    __shared__ uint64_t pair_slots[WARPS];
    __shared__ unsigned slots[WARPS];
    __shared__ uint64_t begin, lone_begin;                         // of the tile's pairs among all, of its lone b's
    const unsigned tid = threadIdx.x, warp = tid / WARP;
    const size_t number = blockIdx.x;
    const Tile tile = tile_at(job, plan, number);
    sets::load_range<NT, VT>(static_cast<const Bits *>(job.a), static_cast<const Bits *>(job.b), tile, order, tile_memory.ranks);
    __syncthreads();                                               // ranks are there

    Found found;
    const uint64_t pairs = find(job, order, tile, tile_memory.ranks, found);
    uint64_t all_pairs;
    const uint64_t own = sets::sum_before<NT>(pairs, pair_slots, &all_pairs);
    unsigned lone_own = 0, all_lones = 0;
    if (job.keeps_b) lone_own = sets::sum_before<NT>(static_cast<unsigned>(__popc(found.lone)), slots, &all_lones);

    // Their places among all: the first warp looks back for the pairs, the second one for lone b's.
    const bool is_many = plan.tiles > 1;
    if (tid == 0) {
        begin = 0;
        if (is_many) sets::publish(plan.pairs, number, all_pairs);
    } else if (tid == WARP) {
        lone_begin = 0;
        if (is_many && job.keeps_b) sets::publish(plan.lones, number, all_lones);
    }
    if (warp == 0 && is_many) {
        const uint64_t before = sets::look_back(plan.pairs, number, all_pairs);
        if (tid == 0) begin = before;
    } else if (warp == 1 && is_many && job.keeps_b) {
        const uint64_t before = sets::look_back(plan.lones, number, all_lones);
        if (tid == WARP) lone_begin = before;
    }
    __syncthreads();                                               // begins are there, ranks are free
    if (tid == 0 && number + 1 == plan.tiles) *job.needed = begin + all_pairs + lone_begin + all_lones;
    if (job.capacity == 0) return;

    if (job.keeps_b) {
        size_t at = is_many ? tile.b + lone_own : all_pairs + lone_own;
        unsigned b = VT * tid - found.a;                           // steps before this thread's that were over b
#pragma unroll
        for (int k = 0; k < VT; ++k) {
            if (found.lone >> k & 1) {
                if (is_many) plan.lone_offsets[at++] = static_cast<uint16_t>(b);
                else write_lone(job, at++, b);
            }
            b += 1 - (found.over_a >> k & 1);
        }
    }

    const uint64_t written = begin < job.capacity ? min(all_pairs, uint64_t(job.capacity - begin)) : 0;
    const bool is_heavy = written > LIMIT;
    if (tid == 0 && (is_heavy || !is_many)) {
        const unsigned long long chunks = is_heavy ? (written + LIMIT - 1) / LIMIT : 0;
        const unsigned long long mine = chunks << INDEX_BITS | (is_heavy ? 1 : 0);
        if (!is_many) *plan.heavy_count = 0;
        const unsigned long long before = is_heavy ? atomicAdd(plan.heavy_count, mine) : 0;
        if (is_heavy) plan.heavy[before & ((1 << INDEX_BITS) - 1)] = {number, before >> INDEX_BITS};
        if (!is_many) plan.pairs[0] = sets::COUNT_SO_FAR | all_pairs;
    }
    if (is_heavy) return;
    write_pairs<uint32_t>(job, tile, found, static_cast<uint32_t>(min(own, uint64_t(MANY))), 0, static_cast<uint32_t>(written), begin,
                          tile_memory.shifts, marks, slots);
}

template <typename Bits>
__global__ void __launch_bounds__(NT, HEAVY_BLOCKS) join_heavy(gpumexk_joining job, KeyOrder<Bits> order, Plan plan) {
    __shared__ union {
        Bits ranks[ITEMS + 2];
        uint64_t shifts[ITEMS];
    } tile_memory;
    __shared__ uint16_t marks[ITEMS];
    __shared__ uint64_t pair_slots[WARPS];
    __shared__ unsigned slots[WARPS];
    const uint64_t tiles = *plan.heavy_count & ((1 << INDEX_BITS) - 1), chunks = *plan.heavy_count >> INDEX_BITS;
    for (uint64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        const uint64_t behind =
            sets::first_failure(uint64_t(0), tiles, [&](uint64_t t) { return plan.heavy[t].chunks_before <= chunk; });
        const Heavy heavy = plan.heavy[behind - 1];
        const Tile tile = tile_at(job, plan, heavy.tile);
        sets::load_range<NT, VT>(static_cast<const Bits *>(job.a), static_cast<const Bits *>(job.b), tile, order,
                                 tile_memory.ranks);
        __syncthreads();                                           // ranks are there

        Found found;
        const uint64_t pairs = find(job, order, tile, tile_memory.ranks, found);
        uint64_t all_pairs;
        const uint64_t own = sets::sum_before<NT>(pairs, pair_slots, &all_pairs); // its barrier frees ranks
        const uint64_t begin = heavy.tile == 0 ? 0 : plan.pairs[heavy.tile - 1] & sets::COUNT;
        const uint64_t low = (chunk - heavy.chunks_before) * LIMIT;
        const uint64_t high = min(min(low + LIMIT, all_pairs), uint64_t(job.capacity - begin));
        write_pairs<uint64_t>(job, tile, found, own, low, high, begin, tile_memory.shifts, marks, slots);
    }
}

__global__ void __launch_bounds__(NT) join_lone(gpumexk_joining job, Plan plan) {
    const size_t number = blockIdx.x, d = number * ITEMS, b = d - plan.cuts[number];
    const uint64_t pairs = plan.pairs[plan.tiles - 1] & sets::COUNT;
    const uint64_t before = number == 0 ? 0 : plan.lones[number - 1] & sets::COUNT;
    const uint64_t count = (plan.lones[number] & sets::COUNT) - before;
    for (uint64_t i = threadIdx.x; i < count; i += NT) write_lone(job, pairs + before + i, b + plan.lone_offsets[b + i]);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

size_t tiles_of(const gpumexk_joining &job) {
    const size_t count = job.a_count + job.b_count;
    return count <= ITEMS ? 1 : ceil_div(count, ITEMS);
}

template <typename Bits>
cudaError_t run(const gpumexk_joining &job, void *scratch, cudaStream_t stream) {
    const size_t tiles = tiles_of(job);
    uint64_t *const words = static_cast<uint64_t *>(scratch);
    Plan plan = {};
    plan.tiles = tiles;
    plan.cuts = words;
    plan.run_ends = plan.cuts + tiles + 1;
    plan.pairs = plan.run_ends + tiles + 1;
    plan.lones = plan.pairs + tiles;
    plan.heavy_count = reinterpret_cast<unsigned long long *>(plan.lones + tiles);
    plan.heavy = reinterpret_cast<Heavy *>(plan.heavy_count + 1);
    plan.lone_offsets = reinterpret_cast<uint16_t *>(plan.heavy + tiles);
    const KeyOrder<Bits> order = KeyOrder<Bits>::of(job.dtype, job.descending != 0);
    if (tiles >= size_t(1) << INDEX_BITS) return cudaErrorInvalidValue; // 7 * 10^10 elements

    if (tiles > 1 && tiles <= TILES_FOR_WARPS) {
        join_partition<Bits, sets::Searcher::WARP><<<cover((tiles + 1) * WARP, 1, NT), NT, 0, stream>>>(job, order, plan);
    } else if (tiles > 1) {
        join_partition<Bits, sets::Searcher::THREAD><<<cover(tiles + 1, 1, NT), NT, 0, stream>>>(job, order, plan);
    }
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) return error;
    join_tiles<Bits><<<static_cast<unsigned>(tiles), NT, 0, stream>>>(job, order, plan);
    error = cudaGetLastError();
    if (error != cudaSuccess || job.capacity == 0) return error;

    if (job.capacity > LIMIT) {                                    // else no tile writes that much
        size_t processors = 0;
        error = multiprocessors(&processors);
        if (error != cudaSuccess) return error;
        join_heavy<Bits><<<static_cast<unsigned>(processors * HEAVY_BLOCKS), NT, 0, stream>>>(job, order, plan);
        error = cudaGetLastError();
        if (error != cudaSuccess) return error;
    }
    if (job.keeps_b && tiles > 1) join_lone<<<static_cast<unsigned>(tiles), NT, 0, stream>>>(job, plan);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_join_scratch(const gpumexk_joining *job, size_t *bytes) {
    const size_t tiles = tiles_of(*job);
    const size_t offsets = job->keeps_b && tiles > 1 ? job->b_count + ITEMS : 0; // a tile that is not sorted may find ITEMS
    *bytes = (4 * tiles + 3) * sizeof(uint64_t) + tiles * sizeof(Heavy) + offsets * sizeof(uint16_t);
    return cudaSuccess;
}

int gpumexk_join(const gpumexk_joining *job, void *scratch, gpumexk_stream stream) {
    const bool is_wide = job->dtype == DTYPE_F64 || job->dtype == DTYPE_I64 || job->dtype == DTYPE_U64;
    return is_wide ? run<uint64_t>(*job, scratch, stream) : run<uint32_t>(*job, scratch, stream);
}
