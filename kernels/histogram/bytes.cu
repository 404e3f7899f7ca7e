// bytes.cu — histogram of bytes, in each of up to four interleaved channels, with a private counter a lane.
//
//   counts[c, v] ← counts[c, v] + #{ i : i mod channels = c, data[i] = v },  0 ≤ v < 256
//   data (len) u8, counts (channels, 256) u64
//
// Algorithm  A block counts in shared memory, where every lane of a warp has a counter of its own for each value: counter v of
//            lane l is word 32·v + l, which is in bank l. The 32 additions of an instruction go to 32 banks and to 32 addresses,
//            whatever the data are: no conflicts. A warp counts some packets of 16 bytes a lane while the next ones are loaded.
//            At the end a thread adds up the lanes of a value, in an order without bank conflicts, and adds the sum to
//            the counts. A channel has its own table; as packets are aligned and the data need not be, which channel a byte of
//            a packet belongs to is precomputed for each lane (`bases`). Where the tables do not fit into
//            a block's shared memory, two lanes share a counter.
//            Tuned to 16·k values, a lane holds k packets; several channels have blocks and packets of their own.
// Cost       Reads len bytes once; a byte costs a shift, a mask-and-or and an atomic addition in shared memory. On an H200
//            that is hidden by the memory latency: 4.41 TB/s, as fast as reading alone, for any data. 32 KiB of shared memory
//            a channel and block, cleared and summed once: some 2 µs.
// Limits     Any len. A lane's counter has 32 bits: there are enough blocks for each to see less than 2^31 bytes.
// Edges      len = 0 launches nothing. The bytes before the first packet and behind the last tile are counted one at a time.
// Source     Counters of a thread's own: V. Podlozhnyuk, "Histogram calculation in CUDA", NVIDIA 2007, for 64 bins; of
//            a lane's own: "Tutoring LLM into a Better CUDA Optimizer", Euro-Par 2025, for 96 bins on Hopper.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/warp/warp.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned BINS = 256;
constexpr unsigned PACKET = sizeof(uint4);                         // bytes
constexpr size_t BYTES_PER_BLOCK_MAX = size_t(1) << 31;

using Count = unsigned long long;                                  // the 64-bit type atomicAdd knows
static_assert(sizeof(Count) == sizeof(uint64_t), "counters are 64-bit");

// The counters of a block, in bytes: (CHANNELS, BINS, LANES) words of 32 bits.
template <int CHANNELS_, int LANES_>
struct Tables {
    static constexpr int CHANNELS = CHANNELS_, LANES = LANES_;
    static constexpr unsigned ROW_BITS = LANES == WARP ? 7 : 6;    // 2^7 bytes from a value's counters to the next value's
    static constexpr unsigned ROW = 1u << ROW_BITS;
    static constexpr unsigned TABLE = BINS * ROW;
    static constexpr unsigned BYTES = CHANNELS * TABLE;
    static constexpr unsigned VALUE = (BINS - 1) * ROW;            // where a byte stands in the address of its counter
    static_assert(ROW == LANES * sizeof(unsigned), "a value's counters lie side by side");
};

// What a launch has to count: `packets` of 16 bytes from an aligned address on, and the bytes around them.
struct Extent {
    const uint8_t *data;
    size_t len;
    size_t before;                                                 // bytes before the first packet
    size_t packets;                                                // in whole tiles of a warp
};

// ---- device helpers -------------------------------------------------------------------------------------------------

extern __shared__ unsigned counters[];                             // of a block, laid out by Tables

// One more at `address`, in bytes, of the counters.
__device__ __forceinline__ void increment(unsigned address) {
    atomicAdd(reinterpret_cast<unsigned *>(reinterpret_cast<char *>(counters) + address), 1u);
}

// Four bytes of a packet: bases[k] is where this lane's counters begin for byte FIRST of the packet, k channels on.
template <typename T, int FIRST>
__device__ __forceinline__ void count_word(unsigned word, const unsigned (&bases)[T::CHANNELS]) {
    increment(((word << T::ROW_BITS) & T::VALUE) | bases[FIRST % T::CHANNELS]);
    increment(((word >> (8 - T::ROW_BITS)) & T::VALUE) | bases[(FIRST + 1) % T::CHANNELS]);
    increment(((word >> (16 - T::ROW_BITS)) & T::VALUE) | bases[(FIRST + 2) % T::CHANNELS]);
    increment(((word >> (24 - T::ROW_BITS)) & T::VALUE) | bases[(FIRST + 3) % T::CHANNELS]);
}

template <typename T, int PACKETS, int I = 0>
__device__ __forceinline__ void count_packets(const uint4 (&held)[PACKETS], const unsigned (&bases)[T::CHANNELS]) {
    if constexpr (I < PACKETS) {
        constexpr int FIRST = I * WARP * PACKET % T::CHANNELS;
        count_word<T, FIRST>(held[I].x, bases);
        count_word<T, FIRST + 4>(held[I].y, bases);
        count_word<T, FIRST + 8>(held[I].z, bases);
        count_word<T, FIRST + 12>(held[I].w, bases);
        count_packets<T, PACKETS, I + 1>(held, bases);
    }
}

template <int PACKETS>
__device__ __forceinline__ void load(const uint4 *tile, uint4 (&held)[PACKETS]) {
#pragma unroll
    for (int i = 0; i < PACKETS; ++i) held[i] = __ldcs(tile + i * WARP);
}

// Where this lane's counters of a channel begin.
template <typename T>
__device__ __forceinline__ unsigned base_of(size_t channel) {
    return static_cast<unsigned>(channel % T::CHANNELS) * T::TABLE + threadIdx.x % T::LANES * sizeof(unsigned);
}

// The bytes that are in no tile, one at a time.
template <typename T>
__device__ void count_rest(const Extent &extent) {
    const size_t in_tiles = extent.packets * PACKET;
    for (size_t k = grid_x(); k < extent.len - in_tiles; k += grid_width()) {
        const size_t i = k < extent.before ? k : k + in_tiles;
        increment(base_of<T>(i) + extent.data[i] * T::ROW);
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, int PACKETS>
__global__ void histogram_bytes(Extent extent, Count *counts) {
    for (unsigned i = threadIdx.x; i < T::BYTES / sizeof *counters; i += blockDim.x) counters[i] = 0;
    __syncthreads();                                               // counters are zero before anyone counts

    const unsigned lane = threadIdx.x % WARP;
    unsigned bases[T::CHANNELS];
#pragma unroll
    for (int k = 0; k < T::CHANNELS; ++k) bases[k] = base_of<T>(extent.before + lane * PACKET + k);

    const uint4 *const first = reinterpret_cast<const uint4 *>(extent.data + extent.before) + lane;
    const size_t tiles = extent.packets / (WARP * PACKETS);
    size_t tile = grid_x() / WARP;
    uint4 next[PACKETS];
    if (tile < tiles) load(first + tile * (WARP * PACKETS), next);
    while (tile < tiles) {
        uint4 held[PACKETS];
#pragma unroll
        for (int i = 0; i < PACKETS; ++i) held[i] = next[i];
        tile += grid_width() / WARP;
        if (tile < tiles) load(first + tile * (WARP * PACKETS), next);
        count_packets<T>(held, bases);
    }
    count_rest<T>(extent);
    __syncthreads();                                               // all have counted before anyone sums

    for (unsigned v = threadIdx.x; v < T::CHANNELS * BINS; v += blockDim.x) {
        Count sum = 0;
        for (unsigned l = 0; l < T::LANES; ++l) sum += counters[v * T::LANES + (v + l) % T::LANES];
        if (sum != 0) atomicAdd(&counts[v], sum);
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

// As many blocks as fit on the device at once.
template <typename T, int PACKETS>
cudaError_t launch_bytes(const uint8_t *data, size_t len, Count *counts, int threads, int cache, gpumexk_stream stream) {
    constexpr auto KERNEL = histogram_bytes<T, PACKETS>;
    size_t sms = 0;
    int resident = 0;
    cudaError_t error = set_smem_carveout<KERNEL>(cache);
    if (error == cudaSuccess) error = cudaFuncSetAttribute(KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, T::BYTES);
    if (error == cudaSuccess) error = multiprocessors(&sms);
    if (error == cudaSuccess) error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, KERNEL, threads, T::BYTES);
    if (error != cudaSuccess) return error;

    Extent extent = {data, len, 0, 0};
    extent.before = at_most(len, (PACKET - reinterpret_cast<size_t>(data) % PACKET) % PACKET);
    extent.packets = (len - extent.before) / (WARP * PACKETS * PACKET) * (WARP * PACKETS);
    size_t blocks = at_most(sms * static_cast<size_t>(resident), ceil_div(len, size_t(threads) * PACKETS * PACKET));
    const size_t needed = ceil_div(len, BYTES_PER_BLOCK_MAX);      // so that no counter can wrap
    if (blocks < needed) blocks = needed;
    KERNEL<<<static_cast<unsigned>(blocks), threads, T::BYTES, stream>>>(extent, counts);
    return cudaGetLastError();
}

// Few blocks of several channels fit on a multiprocessor: they are as large as they can be. Three packets hold whole pixels of three.
template <int CHANNELS>
cudaError_t launch_channels(const uint8_t *data, size_t len, Count *counts, int cache, gpumexk_stream stream) {
    constexpr int PACKETS = CHANNELS == 3 ? 3 : 2;
    using Private = Tables<CHANNELS, WARP>;
    using Shared = Tables<CHANNELS, WARP / 2>;
    int device = 0, shared_bytes = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error != cudaSuccess) return error;
    return static_cast<unsigned>(shared_bytes) >= Private::BYTES
               ? launch_bytes<Private, PACKETS>(data, len, counts, BLOCK_MAX, cache, stream)
               : launch_bytes<Shared, PACKETS>(data, len, counts, BLOCK_MAX, cache, stream);
}

}  // namespace

int gpumexk_histogram_bytes(const uint8_t *data, size_t len, int channels, uint64_t *counts, const gpumexk_tuning *tuning,
                            gpumexk_stream stream) {
    if (!is_block(tuning->threads)) return cudaErrorInvalidValue;
    if (len == 0) return cudaSuccess;
    Count *const to = reinterpret_cast<Count *>(counts);
    if (channels != 1) {
        return dispatch_value<2, 3, 4>(channels, [&](auto chosen) -> cudaError_t {
            return launch_channels<decltype(chosen)::value>(data, len, to, tuning->cache, stream);
        });
    }
    return dispatch_value<16, 32, 64>(tuning->values, [&](auto values) -> cudaError_t {
        constexpr int PACKETS = decltype(values)::value / static_cast<int>(PACKET);
        return launch_bytes<Tables<1, WARP>, PACKETS>(data, len, to, tuning->threads, tuning->cache, stream);
    });
}
