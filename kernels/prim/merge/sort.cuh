// sort.cuh — a stable merge sort, of an array or of each of its segments, that leaves alone what is in order.
//
// Algorithm  sort_tiles   A block sorts a tile: each thread its neighbours in registers (odd-even transposition, which is
//                         stable), then pairs of runs are merged in shared memory, log2 (threads) times.
//            merge_pass   Pairs of runs of `width` tiles become one, log2 (tiles) times. A tile of the output stays where it is
//                         when it has what it had: one of the first run, when nothing of the second comes before its last
//                         element; one of the second, when nothing of the first comes behind its first element. Others are cut
//                         and merged as in merge.cu, into the other one of two buffers; a byte a tile says in which it lies. So a
//                         pass costs what it moves, and of keys that are nearly in order little is moved.
//            collect      copies the tiles that lie in the scratch to the result.
//            segments     A merge of two runs concerns one segment alone, the one that goes on across their border: what comes
//                         before and behind it in the two runs lies already where it belongs. find_bounds tells for each border
//                         of tiles where that segment begins and ends; within a tile bits of shared memory tell.
// Cost       1 + log2 (tiles) passes that read and write each element once where keys are in random order. Keys displaced by less
//            than a tile: one such pass, and the tiles at the borders of runs. Tiles whose elements move little go to the result
//            at once, others to the buffer from which an exchange in each pass brings them there: collect finds little to do.
// Limits     2^31 - 1 tiles. Scratch: keys and values once more, two bytes a tile, 16 bytes a tile for segments.
// Edges      Positions that are no segments' (not ascending, out of range) are passed over; nothing outside of the arrays
//            is touched.
// Source     S. Baxter, "ModernGPU", Mergesort, Segmented Sort and Locality Sort, NVIDIA 2013 (what may be left alone). Tiles
//            that stay where they are, without a copy, and the cuts by warps are ours.
#pragma once

#include <type_traits>

#include "prim/chain.cuh"
#include "prim/grid.cuh"
#include "prim/merge/tile.cuh"

namespace {                                                        // kernels of each file that includes this one

// ---- constants ------------------------------------------------------------------------------------------------------

enum class Heads { NONE, OFFSETS_U32, OFFSETS_U64, FLAGS };

constexpr int BOUNDS_THREADS = 1024;
constexpr size_t NO_HEAD = ~size_t(0);

template <typename Key, bool FLOAT>
struct MergeSort {
    const Key *keys;
    const void *values;
    size_t count;
    Key *sorted[2];                                                // the result, the scratch
    void *sorted_values[2];
    uint8_t *where[2];                                             // (tiles) each, by turns: in which of them a tile lies
    CodeOrder<Key, FLOAT> order;
    int value_bytes;
    bool positions;                                                // values are where the keys stood
    unsigned tiles, each;                                          // of all, of a block of merge_pass
    uint8_t far;                                                   // where tiles go that move in every pass

    Heads kind;                                                    // of segments
    const void *heads;
    size_t head_count;
    size_t *segment_begin, *segment_end;                           // (tiles): of the segment that goes on into a tile
};

// ---- device helpers: segments in a tile -----------------------------------------------------------------------------

// Bits of the elements of a tile that begin a segment, and of the words that are not 0.
template <unsigned TILE>
struct HeadBits {
    static constexpr unsigned WORDS = TILE / 32, GROUPS = (WORDS + 31) / 32;
    unsigned words[WORDS], groups[GROUPS];

    __device__ unsigned highest(unsigned word) const { return 31 - __clz(word); }

    // The last head in front of `place`, or `otherwise`.
    __device__ unsigned before(unsigned place, unsigned otherwise) const {
        if (place == 0) return otherwise;
        unsigned word = (place - 1) / 32;
        const unsigned bits = words[word] & (ALL_LANES >> (31 - (place - 1) % 32));
        if (bits != 0) return word * 32 + highest(bits);
        if (word == 0) return otherwise;
        --word;
        unsigned group = word / 32, used = groups[group] & (ALL_LANES >> (31 - word % 32));
        while (used == 0) {
            if (group == 0) return otherwise;
            used = groups[--group];
        }
        word = group * 32 + highest(used);
        return word * 32 + highest(words[word]);
    }

    // The first head from `place` on, or `otherwise`.
    __device__ unsigned from(unsigned place, unsigned otherwise) const {
        if (place >= TILE) return otherwise;
        unsigned word = place / 32;
        const unsigned bits = words[word] & (ALL_LANES << place % 32);
        if (bits != 0) return word * 32 + __ffs(bits) - 1;
        if (++word == WORDS) return otherwise;
        unsigned group = word / 32, used = groups[group] & (ALL_LANES << word % 32);
        while (used == 0) {
            if (++group == GROUPS) return otherwise;
            used = groups[group];
        }
        word = group * 32 + __ffs(used) - 1;
        return word * 32 + __ffs(words[word]) - 1;
    }

    // The bits of `count` elements from `place` on.
    __device__ unsigned bits(unsigned place, unsigned count) const {
        const unsigned word = place / 32, next = word + 1 < WORDS ? words[word + 1] : 0;
        return __funnelshift_r(words[word], next, place % 32) & ((1u << count) - 1);
    }
};

// Sets the bits of the positions among `heads` that lie in [begin, begin + TILE).
template <unsigned TILE, typename Index>
__device__ void mark_offsets(HeadBits<TILE> &bits, const Index *heads, size_t head_count, size_t begin, size_t *first) {
    if (threadIdx.x < WARP) {
        const size_t found = warp_first_false(size_t(0), head_count, [&](size_t i) { return heads[i] < begin; });
        if (threadIdx.x == 0) *first = found;
    }
    __syncthreads();
    for (size_t i = *first + threadIdx.x; i < head_count; i += blockDim.x) {
        const size_t place = size_t(heads[i]) - begin;
        if (place >= TILE) break;
        atomicOr(&bits.words[place / 32], 1u << place % 32);
    }
    __syncthreads();
}

template <unsigned TILE, typename Key, bool FLOAT>
__device__ void find_heads(HeadBits<TILE> &bits, const MergeSort<Key, FLOAT> &sort, unsigned tile, size_t *first) {
    const size_t begin = size_t(tile) * TILE;
    const size_t words = (sort.count + 31) / 32;
    for (unsigned w = threadIdx.x; w < bits.WORDS; w += blockDim.x) {
        const size_t word = begin / 32 + w;
        const bool is_there = sort.kind == Heads::FLAGS && word < min(sort.head_count, words);
        unsigned found = is_there ? static_cast<const unsigned *>(sort.heads)[word] : 0;
        if (word == words - 1 && sort.count % 32 != 0) found &= (1u << sort.count % 32) - 1;
        if (word == 0) found |= 1;
        bits.words[w] = found;
    }
    __syncthreads();
    if (sort.kind == Heads::OFFSETS_U32) {
        mark_offsets(bits, static_cast<const uint32_t *>(sort.heads), sort.head_count, begin, first);
    } else if (sort.kind == Heads::OFFSETS_U64) {
        mark_offsets(bits, static_cast<const uint64_t *>(sort.heads), sort.head_count, begin, first);
    }
    for (unsigned w = threadIdx.x; w < bits.GROUPS * 32; w += blockDim.x) {
        const unsigned used = __ballot_sync(ALL_LANES, w < bits.WORDS && bits.words[w < bits.WORDS ? w : 0] != 0);
        if (w % 32 == 0) bits.groups[w / 32] = used;
    }
    __syncthreads();
}

// ---- device helpers: a tile -----------------------------------------------------------------------------------------

template <typename Key, bool VALUES>
union SortMemory {
    MergeMemory<Key, VALUES> merge;
    uint64_t values[VALUES ? MergeShape<Key>::TILE : 1];           // once the sources have been read
};

// Sorts the codes of one thread; where bit i of `heads` is set, code i begins a segment.
template <bool SEGMENTED, bool VALUES, int VT, typename Key, bool FLOAT>
__device__ __forceinline__ void sort_in_thread(Key (&codes)[VT], unsigned (&sources)[VT], unsigned heads,
                                               const CodeOrder<Key, FLOAT> &order) {
#pragma unroll
    for (int step = 0; step < VT; ++step) {
#pragma unroll
        for (int i = step % 2; i + 1 < VT; i += 2) {
            const Key code = codes[i], next = codes[i + 1];
            if (!SEGMENTED && !VALUES && !FLOAT) {
                codes[i] = min(code, next), codes[i + 1] = max(code, next);
                continue;
            }
            const bool swap = order.rank(next) < order.rank(code) && !(SEGMENTED && (heads >> (i + 1) & 1));
            codes[i] = swap ? next : code, codes[i + 1] = swap ? code : next;
            const unsigned source = sources[i];
            sources[i] = swap ? sources[i + 1] : source, sources[i + 1] = swap ? source : sources[i + 1];
        }
    }
}

// Sorts a tile whose codes lie in memory.codes and, in thread order, in `codes`; where they came from goes to `sources`. True
// when little moved over the middle of the tile.
template <bool SEGMENTED, bool VALUES, typename Key, bool FLOAT>
__device__ __forceinline__ bool sort_in_block(MergeMemory<Key, VALUES> &memory, const HeadBits<MergeShape<Key>::TILE> &bits,
                                              const CodeOrder<Key, FLOAT> &order, Key (&codes)[MergeShape<Key>::EACH],
                                              unsigned (&sources)[MergeShape<Key>::EACH]) {
    using Shape = MergeShape<Key>;
    constexpr int NT = Shape::THREADS, VT = Shape::EACH;
    const unsigned begin = VT * threadIdx.x;
    const unsigned heads = SEGMENTED ? bits.bits(begin, VT) : 0;
#pragma unroll
    for (int i = 0; i < VT; ++i) sources[i] = begin + i;

    // In order already?
    bool in_order = true;
#pragma unroll
    for (int i = 0; i + 1 < VT; ++i) {
        in_order = in_order && (order.rank(codes[i]) <= order.rank(codes[i + 1]) || (heads >> (i + 1) & 1));
    }
    if (begin + VT < Shape::TILE && order.rank(codes[VT - 1]) > order.rank(memory.codes[begin + VT])) {
        in_order = in_order && SEGMENTED && bits.from(begin + VT, Shape::TILE) == begin + VT;
    }
    if (__syncthreads_and(in_order)) return true;

    sort_in_thread<SEGMENTED, VALUES>(codes, sources, heads, order);
    bool moved = false;
#pragma unroll 1
    for (unsigned width = 1; width < NT; width *= 2) {             // threads of a run
        put_in_thread_order<Key, VALUES>(memory, codes, sources);

        // This thread's pair of runs, and what of it is in one segment.
        const unsigned a = begin - VT * (threadIdx.x % (2 * width)), b = a + VT * width;
        TileRuns runs = {2 * VT * width, VT * width, 0, VT * width};
        if (SEGMENTED) {
            runs.a_fixed = max(bits.before(b, a), a) - a;
            runs.b_free = min(bits.from(b, Shape::TILE), b + VT * width) - b;
        }
        const Key *const pair = memory.codes + a;
        moved = false;
        if (runs.b_free > 0 && order.rank(pair[VT * width - 1]) > order.rank(pair[VT * width])) {
            merge_in_thread(pair, runs, begin - a, order, codes, sources);
            moved = a + sources[0] != begin || a + sources[VT - 1] != begin + VT - 1;
            if constexpr (VALUES) {
#pragma unroll
                for (int i = 0; i < VT; ++i) sources[i] = memory.sources[a + sources[i]];
            }
        }
        __syncthreads();
    }
    return __syncthreads_count(moved) < NT / 2;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

// A block a tile.
template <bool SEGMENTED, typename Key, bool FLOAT, bool VALUES>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS, MergeShape<Key>::BLOCKS) sort_tiles(
    const __grid_constant__ MergeSort<Key, FLOAT> sort) {
    using Shape = MergeShape<Key>;
    constexpr int NT = Shape::THREADS, VT = Shape::EACH;
    __shared__ SortMemory<Key, VALUES> memory;
    __shared__ HeadBits<SEGMENTED ? Shape::TILE : 32> bits_of_tile;
    __shared__ size_t first_head;
    auto &bits = reinterpret_cast<HeadBits<Shape::TILE> &>(bits_of_tile);
    chain_release();

    const unsigned tile = blockIdx.x;
    const size_t begin = size_t(tile) * Shape::TILE;
    const unsigned count = static_cast<unsigned>(min(sort.count - begin, size_t(Shape::TILE)));
    if constexpr (SEGMENTED) find_heads(bits, sort, tile, &first_head);

    // Behind the last key come codes that nothing comes behind.
    Key codes[VT];
    unsigned sources[VT];
    global_to_register<NT>(count, sort.keys + begin, codes, sort.order.decode(~Key(0)));
#pragma unroll
    for (int i = 0; i < VT; ++i) codes[i] = sort.order.encode(codes[i]);
    register_to_shared<NT>(Shape::TILE, codes, memory.merge.codes);
    shared_to_thread<NT>(Shape::TILE, memory.merge.codes, codes, Barrier::NONE);
    const bool is_near = sort_in_block<SEGMENTED>(memory.merge, bits, sort.order, codes, sources);

    // The keys go where the tile goes.
    const int to = is_near ? 0 : sort.far;
    put_in_thread_order<Key, VALUES>(memory.merge, codes, sources);
    in_strided_order<NT, VT>(count, [&](int, unsigned index) {
        sort.sorted[to][begin + index] = sort.order.decode(memory.merge.codes[index]);
    });
    if (threadIdx.x == 0 && sort.tiles > 1) {
        sort.where[0][tile] = static_cast<uint8_t>(to);
        if constexpr (SEGMENTED) {
            const unsigned last = bits.before(Shape::TILE, Shape::TILE), next = bits.from(0, Shape::TILE);
            if (tile + 1 < sort.tiles) sort.segment_begin[tile + 1] = last < Shape::TILE ? begin + last : 0;
            if (tile == 0) sort.segment_begin[0] = 0;
            sort.segment_end[tile] = next < Shape::TILE ? begin + next : NO_HEAD;
        }
    }

    // Then the values, through shared memory.
    if constexpr (VALUES) {
        in_strided_order<NT, VT>(count, [&](int i, unsigned index) { sources[i] = memory.merge.sources[index]; });
        __syncthreads();
        by_width(sort.value_bytes, [&](auto width) {
            using Value = decltype(width);
            Value *const target = static_cast<Value *>(sort.sorted_values[to]) + begin;
            Value *const tile_values = reinterpret_cast<Value *>(memory.values);
            if (sort.positions) {
                in_strided_order<NT, VT>(count, [&](int i, unsigned index) { target[index] = Value(begin + sources[i]); });
            } else {
                global_to_shared<NT, VT>(count, static_cast<const Value *>(sort.values) + begin, tile_values);
                in_strided_order<NT, VT>(count, [&](int i, unsigned index) { target[index] = tile_values[sources[i]]; });
            }
        });
    }
}

// segment_begin[t] ← the last head before tile t, segment_end[t] ← the first one from there on: running extrema, in one block.
template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(BOUNDS_THREADS) find_bounds(const __grid_constant__ MergeSort<Key, FLOAT> sort) {
    __shared__ size_t begins[BOUNDS_THREADS], ends[BOUNDS_THREADS];
    chain_wait();
    chain_release();
    const unsigned each = (sort.tiles + BOUNDS_THREADS - 1) / BOUNDS_THREADS, tid = threadIdx.x;
    const unsigned low = min(tid * each, sort.tiles), high = min(low + each, sort.tiles);

    // Of this thread's tiles, then of all threads before and behind it.
    size_t begin = 0, end = NO_HEAD;
#pragma unroll 8
    for (unsigned t = low; t < high; ++t) {
        begin = max(begin, sort.segment_begin[t]);
        end = min(end, sort.segment_end[t]);
    }
    begins[tid] = begin, ends[tid] = end;
    __syncthreads();
    for (unsigned distance = 1; distance < BOUNDS_THREADS; distance *= 2) {
        if (tid >= distance) begin = max(begin, begins[tid - distance]);
        if (tid + distance < BOUNDS_THREADS) end = min(end, ends[tid + distance]);
        __syncthreads();
        begins[tid] = begin, ends[tid] = end;
        __syncthreads();
    }
    begin = tid > 0 ? begins[tid - 1] : 0, end = tid + 1 < BOUNDS_THREADS ? ends[tid + 1] : NO_HEAD;
#pragma unroll 8
    for (unsigned t = low; t < high; ++t) sort.segment_begin[t] = begin = max(begin, sort.segment_begin[t]);
#pragma unroll 8
    for (unsigned t = high; t > low; --t) sort.segment_end[t - 1] = end = min(end, sort.segment_end[t - 1]);
}

// The two runs that a tile belongs to, as places in the array: begin, middle, end; in between only [from, to) is merged.
struct RunPair {
    size_t begin, middle, end;
    size_t from, to;
};

// Runs of `width` tiles become runs of 2·width; `pass` counts passes.
template <bool SEGMENTED, typename Key, bool FLOAT, bool VALUES>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS, MergeShape<Key>::template blocks<VALUES>()) merge_pass(
    const __grid_constant__ MergeSort<Key, FLOAT> sort, unsigned width, int pass) {
    using Shape = MergeShape<Key>;
    constexpr unsigned TILE = Shape::TILE;
    __shared__ MergeMemory<Key, VALUES> memory;
    __shared__ size_t cuts[Shape::WARPS];                          // where in the first run a tile begins
    __shared__ bool moves[Shape::WARPS];
    chain_wait();
    chain_release();

    const unsigned first = blockIdx.x * sort.each, here = min(sort.each, sort.tiles - first), warp = threadIdx.x / WARP;
    const uint8_t *const where = sort.where[pass % 2];
    uint8_t *const where_after = sort.where[(pass + 1) % 2];
    const auto key_at = [&](size_t place) { return sort.sorted[where[place / TILE]][place]; };
    const auto rank_at = [&](size_t place) { return sort.order.rank(sort.order.encode(key_at(place))); };
    const auto pair_of = [&](unsigned tile) {
        const unsigned begin = tile & ~(2 * width - 1);
        RunPair pair;
        pair.begin = pair.from = size_t(begin) * TILE;
        pair.middle = min((size_t(begin) + width) * TILE, sort.count);
        pair.end = pair.to = min((size_t(begin) + 2 * size_t(width)) * TILE, sort.count);
        if (SEGMENTED && pair.middle < pair.end) {
            pair.from = max(pair.begin, min(pair.middle, sort.segment_begin[begin + width]));
            pair.to = min(pair.end, max(pair.middle, sort.segment_end[begin + width]));
        }
        return pair;
    };

    // Which tiles move.
    if (threadIdx.x < here) {
        const unsigned tile = first + threadIdx.x;
        const RunPair pair = pair_of(tile);
        const size_t begin = size_t(tile) * TILE, end = min(begin + TILE, sort.count);
        bool is_moved = pair.from < pair.middle && pair.middle < pair.to && end > pair.from && begin < pair.to;
        if (is_moved) {
            const bool is_first = begin < pair.middle;
            is_moved = rank_at(is_first ? end - 1 : pair.middle - 1) > rank_at(is_first ? pair.middle : begin);
        }
        moves[threadIdx.x] = is_moved;
        where_after[tile] = where[tile] ^ is_moved;
    }
    __syncthreads();

    // A warp a cut, but for those at the ends of pairs.
    if (warp <= here) {
        const unsigned tile = first + warp;
        const bool is_used = (warp < here && moves[warp]) || (warp > 0 && moves[warp - 1]);
        if (is_used && tile < sort.tiles && tile % (2 * width) != 0) {
            const RunPair pair = pair_of(tile);
            const size_t begin = size_t(tile) * TILE;
            size_t low = max(pair.from, begin + pair.middle > pair.to ? begin + pair.middle - pair.to : 0);
            size_t high = min(begin, pair.middle);
            low = min(low, high);
            const size_t both = begin + pair.middle - 1;
            const size_t cut = begin <= pair.from ? begin : warp_merge_path<TILE>(low, high, [&](size_t place) {
                return rank_at(place) <= rank_at(both - place);
            });
            cuts[warp] = cut;
        }
    }
    __syncthreads();

    for (unsigned t = 0; t < here; ++t) {
        if (!moves[t]) continue;
        const unsigned tile = first + t;
        const RunPair pair = pair_of(tile);
        const size_t begin = size_t(tile) * TILE, end = min(begin + TILE, sort.count);
        const size_t a = begin == pair.begin ? begin : cuts[t];
        const size_t a_cut = end == pair.end ? pair.middle : cuts[t + 1];
        const size_t b = begin + pair.middle - a;                  // as many as came before
        TileRuns runs;
        runs.count = static_cast<unsigned>(end - begin);
        runs.a_count = a_cut > a ? static_cast<unsigned>(min(a_cut - a, end - begin)) : 0;
        const unsigned b_count = runs.count - runs.a_count;
        runs.a_fixed = SEGMENTED ? static_cast<unsigned>(min(pair.from > a ? pair.from - a : 0, size_t(runs.a_count))) : 0;
        runs.b_free = SEGMENTED ? static_cast<unsigned>(min(pair.to > b ? pair.to - b : 0, size_t(b_count))) : b_count;

        // A run may lie in both buffers, but mostly does in one.
        const auto buffer_of = [&](size_t place, unsigned places) {
            const uint8_t buffer = places == 0 ? 0 : where[place / TILE];
            return places == 0 || buffer == where[(place + places - 1) / TILE] ? int(buffer) : -1;
        };
        const int a_buffer = buffer_of(a, runs.a_count), b_buffer = buffer_of(b, b_count), to = where[tile] ^ 1;
        const bool is_plain = a_buffer >= 0 && b_buffer >= 0;
        const size_t b_shift = b - runs.a_count;
        const auto place_of = [&](unsigned index) { return index + (index < runs.a_count ? a : b_shift); };
        bool is_mixed;
        if (is_plain) {
            const Key *const from_a = sort.sorted[a_buffer] + a, *const from_b = sort.sorted[b_buffer] + b_shift;
            const Key *const of_a = from_a + threadIdx.x, *const of_b = from_b + threadIdx.x;
            const auto read = [&](int step, unsigned index) { return (index < runs.a_count ? of_a : of_b)[step]; };
            is_mixed = merge_tile<VALUES>(memory, runs, sort.order, read, sort.sorted[to] + begin);
        } else {
            const auto read = [&](int, unsigned index) { return key_at(place_of(index)); };
            is_mixed = merge_tile<VALUES>(memory, runs, sort.order, read, sort.sorted[to] + begin);
        }
        if constexpr (VALUES) {
            by_width(sort.value_bytes, [&](auto width) {
                using Value = decltype(width);
                const uint16_t *const sources = is_mixed ? memory.sources : nullptr;
                Value *const target = static_cast<Value *>(sort.sorted_values[to]) + begin;
                const auto values = [&](int buffer) { return static_cast<const Value *>(sort.sorted_values[buffer]); };
                if (is_plain) {
                    const Value *const from_a = values(a_buffer) + a, *const from_b = values(b_buffer) + b_shift;
                    move_values<Key>(runs.count, sources, target, [&](unsigned source) {
                        return (source < runs.a_count ? from_a : from_b)[source];
                    });
                } else {
                    move_values<Key>(runs.count, sources, target, [&](unsigned source) {
                        const size_t place = place_of(source);
                        return values(where[place / TILE])[place];
                    });
                }
            });
        }
        __syncthreads();                                           // the tile is free again
    }
}

// The tiles that lie in the scratch come to the result.
template <typename Key, bool FLOAT>
__global__ void __launch_bounds__(MergeShape<Key>::THREADS) collect(const __grid_constant__ MergeSort<Key, FLOAT> sort,
                                                                    int passes) {
    constexpr int NT = MergeShape<Key>::THREADS, VT = MergeShape<Key>::EACH;
    constexpr unsigned TILE = MergeShape<Key>::TILE;
    chain_wait();
    for (size_t tile = blockIdx.x; tile < sort.tiles; tile += gridDim.x) {
        if (sort.where[passes % 2][tile] == 0) continue;
        const size_t begin = tile * TILE;
        const unsigned count = static_cast<unsigned>(min(sort.count - begin, size_t(TILE)));
        const auto copy = [&](auto *to, const auto *from) {
            std::remove_const_t<std::remove_pointer_t<decltype(from)>> elements[VT];
            global_to_register<NT>(count, from + begin, elements);
            register_to_global<NT>(count, elements, to + begin);
        };
        copy(sort.sorted[0], sort.sorted[1]);
        if (sort.value_bytes == 0) continue;
        by_width(sort.value_bytes, [&](auto width) {
            using Value = decltype(width);
            copy(static_cast<Value *>(sort.sorted_values[0]), static_cast<const Value *>(sort.sorted_values[1]));
        });
    }
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Parts of the scratch, each at a multiple of 256 bytes.
template <bool SEGMENTED, typename Key, bool FLOAT>
size_t place_scratch(MergeSort<Key, FLOAT> &sort, void *scratch) {
    size_t used = 0;
    const auto take = [&](size_t bytes) {
        void *const part = static_cast<char *>(scratch) + used;
        used += ceil_div(bytes, 256) * 256;
        return part;
    };
    if (sort.tiles <= 1) return 0;
    sort.sorted[1] = static_cast<Key *>(take(sort.count * sizeof(Key)));
    sort.sorted_values[1] = take(sort.count * sort.value_bytes);
    for (uint8_t *&where : sort.where) where = static_cast<uint8_t *>(take(sort.tiles));
    if (SEGMENTED) {
        sort.segment_begin = static_cast<size_t *>(take(sort.tiles * sizeof(size_t)));
        sort.segment_end = static_cast<size_t *>(take(sort.tiles * sizeof(size_t)));
    }
    return used;
}

template <bool SEGMENTED, typename Key, bool FLOAT, bool VALUES>
cudaError_t launch_merge_sort(const gpumexk_merge_sorting &args, const gpumexk_segment_heads *segments, void *scratch,
                              size_t *bytes, gpumexk_stream stream) {
    using Shape = MergeShape<Key>;
    const size_t tiles = ceil_div(args.count, Shape::TILE);
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    MergeSort<Key, FLOAT> sort = {};
    sort.keys = static_cast<const Key *>(args.keys), sort.values = args.values;
    sort.count = args.count;
    sort.sorted[0] = static_cast<Key *>(args.sorted), sort.sorted_values[0] = args.sorted_values;
    sort.order = CodeOrder<Key, FLOAT>::of(args.dtype, args.descending != 0);
    sort.value_bytes = args.value_bytes, sort.positions = args.positions != 0;
    sort.tiles = static_cast<unsigned>(tiles);
    const size_t needed = place_scratch<SEGMENTED>(sort, scratch);
    if (bytes != nullptr) *bytes = needed;
    if (bytes != nullptr || tiles == 0) return cudaSuccess;

    if (SEGMENTED && segments != nullptr) {
        sort.kind = segments->flags ? Heads::FLAGS : segments->index_bytes == 4 ? Heads::OFFSETS_U32 : Heads::OFFSETS_U64;
        sort.heads = segments->heads, sort.head_count = segments->count;
    }
    int passes = 0;
    while (size_t(1) << passes < tiles) ++passes;
    sort.far = passes % 2;

    cudaError_t error = tiles_of_block<Key>(tiles, &sort.each);
    if (error != cudaSuccess) return error;
    error = launch<sort_tiles<SEGMENTED, Key, FLOAT, VALUES>>(sort.tiles, Shape::THREADS, 0, stream, sort);
    if (tiles == 1 || error != cudaSuccess) return error;

    bool chains = false;
    error = can_chain(&merge_pass<SEGMENTED, Key, FLOAT, VALUES>, &chains);
    if constexpr (SEGMENTED) {
        if (error == cudaSuccess) error = launch_chained(chains, &find_bounds<Key, FLOAT>, 1, BOUNDS_THREADS, stream, sort);
    }
    const unsigned blocks = static_cast<unsigned>(ceil_div(tiles, sort.each));
    for (int pass = 0; pass < passes && error == cudaSuccess; ++pass) {
        error = launch_chained(chains, &merge_pass<SEGMENTED, Key, FLOAT, VALUES>, blocks, Shape::THREADS, stream, sort,
                               1u << pass, pass);
    }
    if (error != cudaSuccess) return error;
    return launch_chained(chains, &collect<Key, FLOAT>, blocks, Shape::THREADS, stream, sort, passes);
}

}  // namespace
