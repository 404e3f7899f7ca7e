// lookback.cuh — what the tiles of an array are together, before each of them: the prefixes of a scan in a single pass.
//
//   before (t) = results[0] ∘ results[1] ∘ … ∘ results[t - 1]        results[t]: what a block found in tile t
//
// Algorithm  Blocks that stay take the tiles in their order, by a ticket, and publish each tile's result as soon as they know it.
//            There is no chain of prefixes from block to block: one warp of a block reads all results itself, in groups of 32,
//            one a lane and several groups at once, and keeps the prefix of the groups that are complete; so it waits for nothing
//            but the results, runs ahead of the rest of its block, and joins them in an order that the tile alone decides.
//            A result travels in words of 8 bytes, 4 of it and 4 that say that it is there: a word is read and written at once,
//            so that no fence is needed. Results of 8 bytes are two such words.
// Cost       A block reads 8 bytes (16) of each tile from the second-level cache: with 132 blocks and tiles of 30 KiB 2 % of what
//            the arrays take. The state has to be cleared before, by lookback_clear.
// Limits     Fewer than 2^32 tiles. Only running blocks have tickets, and the lowest tile waits for nobody: blocks need not be on
//            the device all at once, nor start in their order.
// Edges      One tile needs no state.
// Source     D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", NVIDIA 2016, whose blocks look
//            back until they meet a prefix; here they look at everything since their last tile.
#pragma once

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "prim/chain.cuh"
#include "prim/grid.cuh"
#include "prim/scan.cuh"

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int LOOKBACK_GROUPS = 6;                                 // of 32 tiles, that a warp reads at once
constexpr int LOOKBACK_CLEAR_THREADS = 256;

// A result of V, 4 or 8 bytes. In memory a state is 16 bytes for the ticket, then the results; cleared it is zeros.
template <typename V>
struct TileResult {
    static constexpr int WORDS = sizeof(V) / 4;
    static constexpr uint64_t THERE = uint64_t(1) << 32;

    uint64_t words[WORDS];

    __device__ __forceinline__ static TileResult of(V value) {
        uint32_t parts[WORDS];
        memcpy(parts, &value, sizeof value);
        TileResult result;
#pragma unroll
        for (int i = 0; i < WORDS; ++i) result.words[i] = THERE | parts[i];
        return result;
    }
    __device__ __forceinline__ V value() const {
        uint32_t parts[WORDS];
#pragma unroll
        for (int i = 0; i < WORDS; ++i) parts[i] = static_cast<uint32_t>(words[i]);
        V value;
        memcpy(&value, parts, sizeof value);
        return value;
    }
    __device__ __forceinline__ bool is_there() const { return words[0] >> 32 && words[WORDS - 1] >> 32; }
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Words that other blocks read and write meanwhile.
__device__ __forceinline__ void publish(TileResult<uint32_t> *at, const TileResult<uint32_t> &result) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(at), "l"(result.words[0]) : "memory");
}
__device__ __forceinline__ void publish(TileResult<uint64_t> *at, const TileResult<uint64_t> &result) {
    asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(at), "l"(result.words[0]), "l"(result.words[1]) : "memory");
}
__device__ __forceinline__ TileResult<uint32_t> look(const TileResult<uint32_t> *at) {
    TileResult<uint32_t> result;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(result.words[0]) : "l"(at) : "memory");
    return result;
}
__device__ __forceinline__ TileResult<uint64_t> look(const TileResult<uint64_t> *at) {
    TileResult<uint64_t> result;
    uint64_t *const words = result.words;
    asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];" : "=l"(words[0]), "=l"(words[1]) : "l"(at) : "memory");
    return result;
}

template <size_t BYTES>
struct BitsOf;
template <>
struct BitsOf<4> { using Type = uint32_t; };
template <>
struct BitsOf<8> { using Type = uint64_t; };

template <typename To, typename From>
__device__ __forceinline__ To same_bits(From from) {
    To to;
    static_assert(sizeof to == sizeof from, "the same bits");
    memcpy(&to, &from, sizeof to);
    return to;
}

// The state of one launch as its blocks see it: results of Stored, joined as Op::Value.
template <typename Op, typename Stored = typename Op::Value>
struct Lookback {
    using Value = typename Op::Value;
    using Bits = typename BitsOf<sizeof(Stored)>::Type;

    unsigned *ticket;
    TileResult<Bits> *results;

    __device__ __forceinline__ explicit Lookback(void *state)
        : ticket(static_cast<unsigned *>(state)),
          results(reinterpret_cast<TileResult<Bits> *>(static_cast<char *>(state) + 16)) {}

    __device__ __forceinline__ void publish_tile(unsigned tile, Stored result) const {
        publish(results + tile, TileResult<Bits>::of(same_bits<Bits>(result)));
    }

};

// The prefixes of the tiles that one block takes, in ascending order; all of it belongs to one warp.
template <typename Op, typename Stored = typename Op::Value>
struct Prefixes {
    using Value = typename Op::Value;
    using Result = TileResult<typename Lookback<Op, Stored>::Bits>;

    Lookback<Op, Stored> state;
    Value prefix = Op::identity();                                 // of the groups that are complete
    unsigned done = 0;                                             // so many tiles they have

    __device__ __forceinline__ explicit Prefixes(const Lookback<Op, Stored> &of) : state(of) {}

    // What stands before a tile; waits for it. All lanes of the warp call and have it.
    __device__ Value before(const Op &op, unsigned tile) {
        Value value = prefix;
        while (done < tile) {
            const unsigned lane = threadIdx.x % WARP, first = done + lane;
            Result found[LOOKBACK_GROUPS];
            bool complete = false;
            while (!complete) {
                complete = true;
#pragma unroll
                for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                    if (first + g * WARP < tile) found[g] = look(state.results + first + g * WARP);
                }
#pragma unroll
                for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                    if (first + g * WARP < tile) complete = complete && found[g].is_there();
                }
            }
            __syncwarp();

            // All groups side by side, then one after the other.
            Value groups[LOOKBACK_GROUPS];
#pragma unroll
            for (int g = 0; g < LOOKBACK_GROUPS; ++g) {
                groups[g] = first + g * WARP < tile ? Value(same_bits<Stored>(found[g].value())) : Op::identity();
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
            if (left < LOOKBACK_GROUPS * WARP) return value;       // the rest of a group, of which there will be more, or none
        }
        return value;
    }
};

// ---- kernels --------------------------------------------------------------------------------------------------------

static __global__ void __launch_bounds__(LOOKBACK_CLEAR_THREADS) lookback_clear(uint4 *state, unsigned count) {
    chain_release();
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
