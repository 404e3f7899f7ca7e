// textbook_bytes.cu — the textbook's histograms of the 256 values of bytes, and one for few bytes; bytes.cu is the fast one.
//
//   counts[v] ← counts[v] + #{ i : data[i] = v },  0 ≤ v < 256        data (len) u8, counts (256) u64
//
// Algorithm  global   One thread a byte, one atomic addition to global memory each.
//            strided  The same with two blocks a multiprocessor, whose threads stride through the data.
//            shared   Each block counts into 256 bins of its own in shared memory, then adds those to the global ones.
//            small    One block, which counts as `shared` does and writes the counts instead of adding: no clearing before
//                     it, and data and counts may be mapped memory of the host. For data so short that
//                     launching takes longer than counting.
//            Tuned to 16·k values, a thread of strided and shared loads k packets of 16 bytes before it counts them.
// Cost       Reads len bytes once. global and strided send len atomic additions to 256 addresses of L2, where equal
//            ones queue; shared sends at most 256 a block there, and its atomics meet only within a block.
//            Worst case: all bytes equal, every warp's 32 additions go to one address.
// Limits     Any len. Bins in shared memory are 32-bit: there are enough blocks for each to see less than 2^32 bytes.
// Edges      len = 0 launches nothing.
// Source     M. Pantoja, "CUDA Memory Model", Petascale Semester Curriculum unit 7 lesson 8, Shodor 2020. There the
//            merge is right only with 256 threads a block; here both passes over the bins stride.

#include "kernels.h"
#include "prim/block/move.cuh"
#include "prim/grid/grid.cuh"
#include "prim/grid/launch.cuh"
#include "prim/thread/packet.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned BINS = 256;
constexpr size_t BLOCKS_PER_MULTIPROCESSOR = 2;                    // of the strided variant, as in the source
constexpr size_t BYTES_PER_BLOCK_MAX = size_t(1) << 31;            // of the shared variant: its bins stay below 2^32

constexpr int SMALL_VALUES = 16;                                   // of the small variant: a packet a thread at a time
constexpr unsigned SMALL_THREADS_MIN = 256;                        // a thread a bin

using Count = unsigned long long;                                  // the 64-bit type atomicAdd knows
static_assert(sizeof(Count) == sizeof(uint64_t), "counters are 64-bit");

// ---- device helpers -------------------------------------------------------------------------------------------------

// count(byte) for the bytes that fall to this thread: one at a time, or VALUES of them in packets.
template <int VALUES, typename CountByte>
__device__ __forceinline__ void for_each_byte(const uint8_t *data, size_t len, CountByte count) {
    if constexpr (VALUES == 1) {
        for (size_t i = grid_x(); i < len; i += grid_width()) count(data[i]);
    } else {
        using Pack = Packet<uint8_t>;
        constexpr int VT = VALUES / PACKET_BYTES;
        const size_t misaligned = reinterpret_cast<size_t>(data) % PACKET_BYTES;
        const size_t before = min(len, (PACKET_BYTES - misaligned) % PACKET_BYTES); // bytes before the first packet
        const size_t packets = (len - before) / PACKET_BYTES;
        const size_t behind = before + packets * PACKET_BYTES;     // where the bytes behind the last packet begin
        const Pack *const source = reinterpret_cast<const Pack *>(data + before);

        for_each_tile<VT>(packets, [&](size_t begin, unsigned here) {
            Pack held[VT];
            global_to_register<0>(here, source + begin, held);
            in_strided_order<0, VT>(here, [&](int i, unsigned) {
#pragma unroll
                for (int b = 0; b < PACKET_LENGTH<uint8_t>; ++b) count(held[i].values[b]);
            });
        });
        if (grid_x() < before) count(data[grid_x()]);
        if (grid_x() < len - behind) count(data[behind + grid_x()]);
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void histogram_global(const uint8_t *data, size_t len, Count *counts) {
    const size_t i = grid_x();
    if (i < len) atomicAdd(&counts[data[i]], Count(1));
}

template <int VALUES>
__global__ void histogram_strided(const uint8_t *data, size_t len, Count *counts) {
    for_each_byte<VALUES>(data, len, [&](uint8_t byte) { atomicAdd(&counts[byte], Count(1)); });
}

template <int VALUES>
__global__ void histogram_shared(const uint8_t *data, size_t len, Count *counts) {
    __shared__ unsigned bins[BINS];                                // this block's counts

    for (unsigned v = threadIdx.x; v < BINS; v += blockDim.x) bins[v] = 0;
    __syncthreads();                                               // bins are zero before anyone counts

    for_each_byte<VALUES>(data, len, [&](uint8_t byte) { atomicAdd(&bins[byte], 1u); });
    __syncthreads();                                               // all have counted before anyone merges

    for (unsigned v = threadIdx.x; v < BINS; v += blockDim.x) {
        if (bins[v] != 0) atomicAdd(&counts[v], Count(bins[v]));
    }
}

__global__ void histogram_small(const uint8_t *data, unsigned len, Count *counts) {
    __shared__ unsigned bins[BINS];

    for (unsigned v = threadIdx.x; v < BINS; v += blockDim.x) bins[v] = 0;
    __syncthreads();                                               // bins are zero before anyone counts

    for_each_byte<SMALL_VALUES>(data, len, [&](uint8_t byte) { atomicAdd(&bins[byte], 1u); });
    __syncthreads();                                               // all have counted before anyone writes

    for (unsigned v = threadIdx.x; v < BINS; v += blockDim.x) counts[v] = bins[v];
}

// ---- launchers ------------------------------------------------------------------------------------------------------

Count *counters(uint64_t *counts) { return reinterpret_cast<Count *>(counts); }

template <int VALUES>
cudaError_t launch_strided(const uint8_t *data, size_t len, Count *counts, const gpumexk_tuning &tuning,
                           gpumexk_stream stream) {
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const size_t blocks = at_most(BLOCKS_PER_MULTIPROCESSOR * sms, ceil_div(len, size_t(tuning.threads) * VALUES));
    return launch<histogram_strided<VALUES>>(static_cast<unsigned>(blocks), tuning.threads, tuning.cache, stream, data, len,
                                             counts);
}

// As many blocks as fit on the device at once (the source takes two a multiprocessor, too few to hide the latency).
template <int VALUES>
cudaError_t launch_shared(const uint8_t *data, size_t len, Count *counts, const gpumexk_tuning &tuning,
                          gpumexk_stream stream) {
    size_t sms = 0;
    int resident = 0;
    cudaError_t error = set_smem_carveout<histogram_shared<VALUES>>(tuning.cache); // how many fit depends on it
    if (error == cudaSuccess) error = multiprocessors(&sms);
    if (error == cudaSuccess) {
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, histogram_shared<VALUES>, tuning.threads, 0);
    }
    if (error != cudaSuccess) return error;

    size_t blocks = at_most(sms * static_cast<size_t>(resident), ceil_div(len, size_t(tuning.threads) * VALUES));
    const size_t needed = ceil_div(len, BYTES_PER_BLOCK_MAX);      // so that no block's bin can wrap
    if (blocks < needed) blocks = needed;
    return launch<histogram_shared<VALUES>>(static_cast<unsigned>(blocks), tuning.threads, tuning.cache, stream, data, len,
                                            counts);
}

}  // namespace

int gpumexk_histogram_clear(void *counts, size_t count, gpumexk_stream stream) {
    return cudaMemsetAsync(counts, 0, count * sizeof(Count), stream);
}

int gpumexk_histogram_global(const uint8_t *data, size_t len, uint64_t *counts, const gpumexk_tuning *tuning,
                             gpumexk_stream stream) {
    if (!serves_one_value(*tuning)) return cudaErrorInvalidValue;
    cudaError_t error = cudaSuccess;
    // One launch is enough up to 2^39 bytes in blocks of 256.
    const size_t most = GRID_X_MAX * static_cast<size_t>(tuning->threads);
    for (size_t done = 0; error == cudaSuccess && done < len;) {
        const size_t now = at_most(len - done, most);
        error = launch<histogram_global>(cover(now, 1, tuning->threads), tuning->threads, tuning->cache, stream, data + done,
                                         now, counters(counts));
        done += now;
    }
    return error;
}

int gpumexk_histogram_strided(const uint8_t *data, size_t len, uint64_t *counts, const gpumexk_tuning *tuning,
                              gpumexk_stream stream) {
    if (!is_block(tuning->threads)) return cudaErrorInvalidValue;
    return dispatch_value<1, 16, 32>(tuning->values, [&](auto values) -> cudaError_t {
        if (len == 0) return cudaSuccess;
        return launch_strided<decltype(values)::value>(data, len, counters(counts), *tuning, stream);
    });
}

int gpumexk_histogram_shared(const uint8_t *data, size_t len, uint64_t *counts, const gpumexk_tuning *tuning,
                             gpumexk_stream stream) {
    if (!is_block(tuning->threads)) return cudaErrorInvalidValue;
    return dispatch_value<1, 16, 32>(tuning->values, [&](auto values) -> cudaError_t {
        if (len == 0) return cudaSuccess;
        return launch_shared<decltype(values)::value>(data, len, counters(counts), *tuning, stream);
    });
}

int gpumexk_histogram_small(const uint8_t *data, size_t len, uint64_t *counts, gpumexk_stream stream) {
    if (len > GPUMEXK_HISTOGRAM_SMALL_MAX) return cudaErrorInvalidValue;
    const size_t packets = ceil_div(len, SMALL_VALUES);
    unsigned threads = SMALL_THREADS_MIN;
    while (threads < BLOCK_MAX && threads < packets) threads *= 2;
    histogram_small<<<1, threads, 0, stream>>>(data, static_cast<unsigned>(len), counters(counts));
    return cudaGetLastError();
}
