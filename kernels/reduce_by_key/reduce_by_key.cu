// reduce_by_key.cu — reduction of the values of each run of equal consecutive keys (run-length reduction).
//
//   unique_keys[r] = the first key of run r,  results[r] = ⊕ of the data of run r        keys, data (count)
//   offsets[r] = where run r begins,  offsets[needed] = count
//
// Algorithm  One pass over tiles of keys and data, which are loaded in packets and pass through shared memory into thread
//            order. Keys are compared by rank with their neighbours; data are reduced by run (segmented_reduce.cuh). Decoupled
//            look-back gives the tile's prefix (run_prefix.cuh), while the first keys and the reductions are compacted in
//            shared memory; the stores are coalesced. Offsets are compacted after them, in the memory of the keys.
// Cost       Reads keys and data once, writes a key and a result a run: bound by memory. One H200, 2^28 u32 and float: 0.92 ms in
//            runs of 500 on average, 1.36 ms in runs of 1, 1.5 and 1.3 times as fast as CUB.
// Limits     Any count. 8 instantiations: 2 sizes of keys, 4 types of data; the operator is a branch in them.
// Edges      -0 equals 0, and NaN equals NaN: such a run has the bits of its first key. Runs from `capacity` on are counted,
//            not written. The order of the operations depends on count alone: the same bits each time.
// Source     S. Baxter, "ModernGPU", Reduce by key, NVIDIA 2013, which takes three passes; D. Merrill, M. Garland, 2016
//            (run_prefix.cuh).

#include "kernels.h"
#include "reduce_by_key/run_prefix.cuh"
#include "prim/block/segmented_reduce.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/tile_state.cuh"
#include "prim/thread/operation.cuh"
#include "prim/thread/order.cuh"
#include "prim/thread/packet.cuh"
#include "prim/warp/scan.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int RESIDENT = 4;                                        // blocks a multiprocessor: 64 registers

// Places a thread: 64 bytes of the wider array.
template <typename K, typename T>
constexpr int RUNS_VT = 64 / (sizeof(K) > sizeof(T) ? sizeof(K) : sizeof(T));

// ---- device helpers -------------------------------------------------------------------------------------------------

template <typename K, typename T>
struct Runs {
    const K *keys;
    const T *data;
    size_t count;
    KeyOrder<K> order;
    K *unique_keys;                                                // NULL: not wanted, as results
    T *results;
    void *offsets;                                                 // NULL: not wanted
    size_t capacity;
    uint64_t *needed;
    bool are_offsets_wide;                                         // uint64_t, else uint32_t
    bool is_aligned;                                               // keys and data, to packets
};

template <typename K, typename T>
struct alignas(16) RunsShared {
    static constexpr int VT = RUNS_VT<K, T>;
    PaddedTile<K, VT> keys;
    PaddedTile<T, VT> data;
    WarpCarries<T> carries;
    unsigned heads[TILE_WARPS];
    RunsBefore<T> before;
};

// Place of a compacted element in a tile's memory: padded every 128 bytes, against bank conflicts.
template <typename T>
__device__ __forceinline__ unsigned packed(unsigned slot) { return slot + slot / (128 / sizeof(T)); }

template <typename K, typename T>
__device__ __forceinline__ void store_offset(const Runs<K, T> &of, size_t run, size_t offset) {
    if (of.are_offsets_wide) static_cast<uint64_t *>(of.offsets)[run] = offset;
    else static_cast<uint32_t *>(of.offsets)[run] = static_cast<uint32_t>(offset);
}

// The places of a tile, from `here` on with `otherwise`; strided order.
template <int VT, typename T>
__device__ __forceinline__ void load_tile(const T *from, unsigned here, T otherwise, PaddedTile<T, VT> &tile) {
#pragma unroll
    for (int i = 0; i < VT; ++i) {
        const unsigned place = TILE_THREADS * i + threadIdx.x;
        tile[place] = place < here ? from[place] : otherwise;
    }
}

template <int VT, typename K, typename T>
__device__ __forceinline__ void load_packets(const K *keys, const T *data, PaddedTile<K, VT> &keys_to,
                                             PaddedTile<T, VT> &data_to) {
    constexpr int OF_KEYS = VT / PACKET_LENGTH<K>, OF_DATA = VT / PACKET_LENGTH<T>;
    Packet<K> key_packets[OF_KEYS];
    Packet<T> data_packets[OF_DATA];
#pragma unroll
    for (int i = 0; i < OF_KEYS; ++i) key_packets[i] = reinterpret_cast<const Packet<K> *>(keys)[TILE_THREADS * i + threadIdx.x];
#pragma unroll
    for (int i = 0; i < OF_DATA; ++i) data_packets[i] = reinterpret_cast<const Packet<T> *>(data)[TILE_THREADS * i + threadIdx.x];
#pragma unroll
    for (int i = 0; i < OF_KEYS; ++i) keys_to.packet(PACKET_LENGTH<K> * (TILE_THREADS * i + threadIdx.x)) = key_packets[i];
#pragma unroll
    for (int i = 0; i < OF_DATA; ++i) data_to.packet(PACKET_LENGTH<T> * (TILE_THREADS * i + threadIdx.x)) = data_packets[i];
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename K, typename T>
__global__ void __launch_bounds__(TILE_THREADS, RESIDENT) reduce_by_key_tile(Runs<K, T> of, int op, RunStates states) {
    constexpr int VT = RUNS_VT<K, T>;
    constexpr unsigned TILE = TILE_THREADS * VT;
    __shared__ RunsShared<K, T> shared;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const size_t tile = blockIdx.x, begin = tile * TILE;
    const unsigned here = static_cast<unsigned>(min(of.count - begin, size_t(TILE)));
    const bool is_last = begin + here == of.count;
    const T identity = identity_of<T>(op);

    const K before_keys = tile == 0 ? K(0) : of.keys[begin - 1], behind_keys = is_last ? K(0) : of.keys[begin + here];
    if (of.is_aligned && here == TILE && of.results != nullptr) {
        load_packets<VT>(of.keys + begin, of.data + begin, shared.keys, shared.data);
    } else {
        load_tile<VT>(of.keys + begin, here, K(0), shared.keys);
        load_tile<VT>(of.data + begin, of.results == nullptr ? 0 : here, identity, shared.data);
    }
    __syncthreads();                                               // keys and data are there

    // Bit i of `heads`: a run begins at this thread's i-th place; of `tails`: one ends there.
    const unsigned first = VT * threadIdx.x, own = first < here ? min(here - first, unsigned(VT)) : 0;
    K keys[VT];
    T values[VT];
    shared.keys.read(keys);
    shared.data.read(values);
    const K next = first + VT < here ? shared.keys[first + VT] : behind_keys;
    K rank = of.order.rank(threadIdx.x == 0 ? before_keys : shared.keys[first - 1]);
    unsigned changes = 0;
#pragma unroll
    for (int i = 0; i <= VT; ++i) {
        const K next_rank = of.order.rank(i < VT ? keys[i] : next);
        changes |= unsigned(next_rank != rank) << i;
        rank = next_rank;
    }
    if (first == 0 && tile == 0) changes |= 1;
    if (first + own == here && is_last) changes |= 1u << own;
    const unsigned heads = changes & ((1u << own) - 1), tails = changes >> 1 & ((1u << own) - 1);
    const bool opens = tile == 0 || of.order.rank(before_keys) != of.order.rank(shared.keys[0]);
    const bool closes = is_last || of.order.rank(behind_keys) != of.order.rank(shared.keys[here - 1]);

    // Reduce by runs, and count the runs that begin before this thread's places.
    unsigned slot = warp_inclusive_sum(__popc(heads));
    if (lane == WARP - 1) shared.heads[warp] = slot;
    slot -= __popc(heads);
    T open = identity, before = identity;
    dispatch_operation<T>(op, [&](auto operation) {
        before = reduce_segments(values, tails, open, shared.carries, operation); // syncs: heads are there, tiles are free
    });
    unsigned runs = 0, ended = 0;
#pragma unroll
    for (int w = 0; w < TILE_WARPS; ++w) {
        if (w == int(warp)) slot += runs;
        runs += shared.heads[w];
        ended |= shared.carries.ends[w];
    }
    const uint64_t end_mark = ended != 0 ? RUNS_END : 0;
    if (threadIdx.x == 0 && gridDim.x > 1) {
        const uint64_t kind = tile == 0 ? RUNS_INCLUSIVE : RUNS_PARTIAL;
        store_relaxed(states.tiles + tile, {uint64_t(runs) << RUNS_SHIFT | end_mark | kind, bits_of_value(open)});
    }

    // Pack the keys of heads, in slot 0 that of the first one, and the reductions of tails: in slot 0 that of the run that
    // came from the tiles before, in slot s that of the s-th run that begins here.
    if (of.capacity > 0) {
        unsigned to = slot;
#pragma unroll
        for (int i = 0; i < VT; ++i) {
            if (heads >> i & 1) shared.keys.elements[packed<K>(to++)] = keys[i];
            if (tails >> i & 1) shared.data.elements[packed<T>(to)] = values[i];
        }
        if (tails != 0) {
            const unsigned at = __ffs(tails) - 1;
            T &first_end = shared.data.elements[packed<T>(slot + __popc(heads & ((2u << at) - 1)))];
            first_end = operate(op, before, first_end);
        }
    }

    if (warp == 0) {
        RunsBefore<T> known = {0, identity, identity};
        if (tile > 0) known = runs_before<T>(states, tile, op, open);
        if (lane == 0) {
            shared.before = known;
            if (tile > 0) {
                const uint64_t word = (known.runs + runs) << RUNS_SHIFT | end_mark | RUNS_INCLUSIVE;
                store_relaxed(states.tiles + tile, {word, bits_of_value(open)});
            }
            if (tile % WARP == WARP - 1) {
                store_relaxed(states.groups + tile / WARP, {RUNS_END, bits_of_value(ended != 0 ? open : known.behind)});
            }
            if (is_last) *of.needed = known.runs + runs;
        }
    }
    __syncthreads();                                               // all is compacted, and the prefix is known

    const RunsBefore<T> known = shared.before;
    const size_t left = of.capacity > known.runs ? of.capacity - known.runs : 0;
    if (of.unique_keys != nullptr) {
        const unsigned most = static_cast<unsigned>(min(size_t(runs), left));
        for (unsigned i = threadIdx.x; i < most; i += TILE_THREADS) {
            of.unique_keys[known.runs + i] = shared.keys.elements[packed<K>(i)];
        }
    }
    if (of.results != nullptr && of.capacity > 0) {
        const unsigned from = opens ? 1 : 0, end = runs + (closes ? 1 : 0);
        for (unsigned i = from + threadIdx.x; i < end; i += TILE_THREADS) {
            const size_t run = known.runs + i - 1;
            T value = shared.data.elements[packed<T>(i)];
            if (i == 0) value = operate(op, known.open, value);
            if (run < of.capacity) of.results[run] = value;
        }
    }
    if (of.offsets == nullptr) return;

    __syncthreads();                                               // the keys are stored
    unsigned *const places = reinterpret_cast<unsigned *>(shared.keys.elements);
#pragma unroll
    for (int i = 0; i < VT; ++i) {
        if (heads >> i & 1) places[packed<unsigned>(slot++)] = first + i;
    }
    __syncthreads();                                               // all places are compacted
    for (unsigned i = threadIdx.x; i < runs && known.runs + i <= of.capacity; i += TILE_THREADS) {
        store_offset(of, known.runs + i, begin + places[packed<unsigned>(i)]);
    }
    if (is_last && threadIdx.x == 0 && known.runs + runs <= of.capacity) store_offset(of, known.runs + runs, of.count);
}

// ---- launchers ------------------------------------------------------------------------------------------------------

size_t tiles_of(size_t count, size_t key_bytes, size_t bytes) {
    return ceil_div(count, TILE_THREADS * 64 / (key_bytes > bytes ? key_bytes : bytes));
}

constexpr size_t states_of(size_t tiles) { return tiles + ceil_div(tiles, WARP); }

template <typename K, typename T>
cudaError_t launch_reduce_by_key(const gpumexk_reduce_by_key_args &of, void *scratch, cudaStream_t stream) {
    const size_t tiles = tiles_of(of.count, sizeof(K), sizeof(T));
    if (tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    RunState *const first = static_cast<RunState *>(scratch);
    const RunStates states = {first, first + tiles};
    if (tiles > 1) {
        const cudaError_t error = cudaMemsetAsync(first, 0, states_of(tiles) * sizeof *first, stream);
        if (error != cudaSuccess) return error;
    }
    const bool aligned = is_aligned(of.keys, PACKET_BYTES) && is_aligned(of.data, PACKET_BYTES);
    const Runs<K, T> runs = {static_cast<const K *>(of.keys), static_cast<const T *>(of.data), of.count,
                             KeyOrder<K>::of(of.key_dtype, false), static_cast<K *>(of.unique_keys),
                             static_cast<T *>(of.results), of.capacity > 0 ? of.offsets : nullptr, of.capacity,
                             of.needed, of.offset_bytes == sizeof(uint64_t), aligned};
    const int op = operator_of(of.op, of.dtype);
    reduce_by_key_tile<K, T><<<static_cast<unsigned>(tiles), TILE_THREADS, 0, stream>>>(runs, op, states);
    return cudaGetLastError();
}

}  // namespace

int gpumexk_reduce_by_key_scratch(size_t count, size_t key_bytes, size_t data_bytes, size_t *bytes) {
    *bytes = states_of(tiles_of(count, key_bytes, data_bytes)) * sizeof(RunState);
    return cudaSuccess;
}

int gpumexk_reduce_by_key(const gpumexk_reduce_by_key_args *args, void *scratch, gpumexk_stream stream) {
    if (args->count == 0) {
        const bool has_offsets = args->offsets != nullptr && args->capacity > 0;
        if (has_offsets) {
            const cudaError_t error = cudaMemsetAsync(args->offsets, 0, args->offset_bytes, stream);
            if (error != cudaSuccess) return error;
        }
        return cudaMemsetAsync(args->needed, 0, sizeof *args->needed, stream);
    }
    if (!has_operation(args->op, args->dtype)) return cudaErrorInvalidValue;
    return dispatch_operand(args->dtype, [&](auto zero) {
        using T = decltype(zero);
        return is_wide_dtype(args->key_dtype) ? launch_reduce_by_key<uint64_t, T>(*args, scratch, stream)
                                              : launch_reduce_by_key<uint32_t, T>(*args, scratch, stream);
    });
}
