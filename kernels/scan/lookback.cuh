// lookback.cuh — exclusive prefixes of the tile aggregates, in a single pass (decoupled look-back).
//
//   before (t) = aggregates[0] ∘ aggregates[1] ∘ … ∘ aggregates[t - 1]        aggregates[t]: the reduction of tile t
//
// Algorithm  Persistent blocks take the tiles in order, by a ticket, and publish each tile's aggregate as soon as they know it.
//            No inclusive prefixes are published: one warp of a block reads all aggregates itself, in groups of 32, one a lane
//            and several groups at once, and keeps the prefix of the groups that are complete. So it waits for nothing but
//            aggregates, runs ahead of the rest of its block, and combines them in an order that the tile alone decides.
//            An aggregate is stored with a valid flag in a word of twice its size (tile_state.cuh).
// Cost       A block reads 8 bytes (16) of each tile from the L2 cache: with 132 blocks and tiles of 30 KiB 2 % of what the
//            arrays take. The state has to be cleared before, by lookback_clear.
// Limits     Fewer than 2^32 tiles. Only running blocks have tickets, and the lowest tile waits for nobody: blocks need neither
//            be resident all at once nor start in order.
// Edges      One tile needs no state.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016, whose blocks look
//            back until they find an inclusive prefix; here they read every aggregate since their last tile.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include "prim/grid/dependent_launch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/tile_state.cuh"
#include "prim/warp/warp.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int LOOKBACK_GROUPS = 6;                                 // of 32 tiles that a warp reads at once
constexpr unsigned LOOKBACK_PAUSE_NS = 100;                        // before a warp reads again
constexpr int LOOKBACK_CLEAR_THREADS = 256;

// An aggregate of so many bytes with an embedded valid flag. A state is 16 bytes for the ticket, then the aggregates; cleared it is
// zeros.
template <size_t BYTES>
struct TileResult;

template <>
struct TileResult<4> {
    static constexpr uint64_t THERE = uint64_t(1) << 32;
    using Word = uint64_t;

    static __device__ __forceinline__ Word of(uint64_t bits) { return THERE | bits; }
    static __device__ __forceinline__ bool is_there(const Word &word) { return word >> 32 != 0; }
    static __device__ __forceinline__ uint64_t bits(const Word &word) { return word & (THERE - 1); }
};

template <>
struct TileResult<8> {
    using Word = WordAndValue;

    static __device__ __forceinline__ Word of(uint64_t bits) { return {1, bits}; }
    static __device__ __forceinline__ bool is_there(const Word &word) { return word.word != 0; }
    static __device__ __forceinline__ uint64_t bits(const Word &word) { return word.value; }
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// The state of one launch.
template <typename Op>
struct Lookback {
    using Value = typename Op::Value;
    using Result = TileResult<sizeof(Value)>;
    using Word = typename Result::Word;

    unsigned *ticket;
    Word *results;

    __device__ __forceinline__ explicit Lookback(void *state)
        : ticket(static_cast<unsigned *>(state)), results(reinterpret_cast<Word *>(static_cast<char *>(state) + 16)) {}

    __device__ __forceinline__ void publish(unsigned tile, Value value) const {
        store_relaxed(results + tile, Result::of(bits_of_value(value)));
    }
    // The aggregate of a tile, when it is there.
    __device__ __forceinline__ Value wait_for(unsigned tile) const {
        Word found;
        do found = load_relaxed(results + tile);
        while (!Result::is_there(found));
        return value_of_bits<Value>(Result::bits(found));
    }
};

// The exclusive prefixes of the tiles that one block takes, in ascending order; used by one warp.
template <typename Op>
struct Prefixes {
    using Value = typename Op::Value;
    using Result = typename Lookback<Op>::Result;
    using Word = typename Lookback<Op>::Word;

    Lookback<Op> state;
    Value prefix = Op::identity();                                 // of the complete groups
    unsigned done = 0;                                             // tiles in them

    __device__ __forceinline__ explicit Prefixes(const Lookback<Op> &of) : state(of) {}

    // The exclusive prefix of a tile; waits for it. All lanes of the warp call and have it.
    __device__ Value before(const Op &op, unsigned tile) {
        Value value = prefix;
        while (done < tile) {
            const unsigned lane = threadIdx.x % WARP, first = done + lane;
            Word found[LOOKBACK_GROUPS] = {};
            while (true) {                                         // aggregates that are not valid yet are read again, after a pause
                bool complete = true;
#pragma unroll
                for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                    const unsigned at = first + g * WARP;
                    if (at < tile && !Result::is_there(found[g])) found[g] = load_relaxed(state.results + at);
                }
#pragma unroll
                for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                    if (first + g * WARP < tile) complete = complete && Result::is_there(found[g]);
                }
                if (complete) break;
                __nanosleep(LOOKBACK_PAUSE_NS);
            }
            __syncwarp();

            // Reductions of all groups in parallel, then combined in order.
            Value groups[LOOKBACK_GROUPS];
#pragma unroll
            for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                groups[g] = first + g * WARP < tile ? value_of_bits<Value>(Result::bits(found[g])) : Op::identity();
            }
#pragma unroll
            for (int offset = WARP / 2; offset > 0; offset /= 2) {
#pragma unroll
                for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                    groups[g] = op.apply(groups[g], Value(__shfl_xor_sync(ALL_LANES, groups[g], offset)));
                }
            }
            const unsigned left = tile - done;
#pragma unroll
            for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                if (g * WARP < left) value = op.apply(value, groups[g]);
                if ((g + 1) * WARP <= left) prefix = value, done += WARP;
            }
            if (left < LOOKBACK_GROUPS * WARP) return value;       // an incomplete group, or none
        }
        return value;
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

static __global__ void __launch_bounds__(LOOKBACK_CLEAR_THREADS) lookback_clear(uint4 *state, unsigned count) {
    pdl_trigger();
    const unsigned i = blockIdx.x * LOOKBACK_CLEAR_THREADS + threadIdx.x;
    if (i < count) state[i] = uint4{};
}

// ---- host helpers ---------------------------------------------------------------------------------------------------

// Bytes of a state, a multiple of 16; its address is one as well.
constexpr size_t lookback_bytes(size_t tiles, size_t result_bytes) { return 16 + ceil_div(tiles * 2 * result_bytes, 16) * 16; }

inline cudaError_t launch_lookback_clear(void *state, size_t bytes, cudaStream_t stream) {
    const size_t blocks = ceil_div(bytes / 16, LOOKBACK_CLEAR_THREADS);
    if (blocks > GRID_X_MAX) return cudaErrorInvalidValue;
    lookback_clear<<<unsigned(blocks), LOOKBACK_CLEAR_THREADS, 0, stream>>>(static_cast<uint4 *>(state), unsigned(bytes / 16));
    return cudaGetLastError();
}
