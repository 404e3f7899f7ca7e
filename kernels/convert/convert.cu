// convert.cu — integers of one width as integers of another one.
//
//   target[i] = source[i], i < min(count, *limit)          source (count), target (count)
//
// Algorithm  Four elements a thread and step: one load and one or two stores, in strided order over a grid of fixed size.
// Cost       Reads the source and writes the target once: bound by memory.
// Limits     From 1, 2 and 4 bytes to 8, from 1 and 2 to 4, from 4 to 1 and 2. Any count. Arrays are aligned to their elements; one that is not aligned to four of them is moved element by element.
// Edges      Signed sources are extended by their sign, others by zeros; a narrower target keeps the low bytes. Without `limit` all
//            elements are converted; elements from the limit on are not written.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/thread/packet.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, BLOCKS_PER_SM = 8;
constexpr int GROUP = 4;                                           // elements of a thread and step

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T>
struct alignas(sizeof(T) * GROUP <= 16 ? sizeof(T) * GROUP : 16) Group {
    T values[GROUP];
};

template <typename Source, typename Target, bool ALIGNED>
__global__ void __launch_bounds__(THREADS) convert(const Source *source, size_t count, const uint64_t *limit, Target *target) {
    const size_t end = limit != nullptr && *limit < count ? *limit : count;
    const size_t step = size_t(gridDim.x) * THREADS * GROUP;
    for (size_t i = (size_t(blockIdx.x) * THREADS + threadIdx.x) * GROUP; i < end; i += step) {
        if (ALIGNED && i + GROUP <= end) {
            const Group<Source> from = *reinterpret_cast<const Group<Source> *>(source + i);
            Group<Target> to;
#pragma unroll
            for (int p = 0; p < GROUP; ++p) to.values[p] = static_cast<Target>(from.values[p]);
            *reinterpret_cast<Group<Target> *>(target + i) = to;
        } else {
            for (int p = 0; p < GROUP && i + p < end; ++p) target[i + p] = static_cast<Target>(source[i + p]);
        }
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

template <typename Source, typename Target>
cudaError_t launch_convert(const void *source, size_t count, const uint64_t *limit, void *target, cudaStream_t stream) {
    if (count == 0) return cudaSuccess;
    size_t sms = 0;
    const cudaError_t error = multiprocessors(&sms);
    if (error != cudaSuccess) return error;
    const unsigned blocks = static_cast<unsigned>(at_most(ceil_div(count, size_t(THREADS) * GROUP), sms * BLOCKS_PER_SM));
    const Source *const from = static_cast<const Source *>(source);
    Target *const to = static_cast<Target *>(target);
    if (is_aligned(from, alignof(Group<Source>)) && is_aligned(to, alignof(Group<Target>))) {
        convert<Source, Target, true><<<blocks, THREADS, 0, stream>>>(from, count, limit, to);
    } else {
        convert<Source, Target, false><<<blocks, THREADS, 0, stream>>>(from, count, limit, to);
    }
    return cudaGetLastError();
}

// launch_with(Source()) with the integer of `bytes` bytes, signed or not.
template <typename Launch>
cudaError_t by_source(int bytes, bool is_signed, Launch launch_with) {
    switch (bytes) {
        case 1: return is_signed ? launch_with(int8_t()) : launch_with(uint8_t());
        case 2: return is_signed ? launch_with(int16_t()) : launch_with(uint16_t());
        case 4: return is_signed ? launch_with(int32_t()) : launch_with(uint32_t());
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace

int gpumexk_convert(const void *source, size_t count, int source_bytes, int source_signed, const uint64_t *limit, void *target,
                    int target_bytes, gpumexk_stream stream) {
    return by_source(source_bytes, source_signed != 0, [&](auto zero) {
        using Source = decltype(zero);
        if constexpr (sizeof(Source) == 4) {                       // narrower targets keep the low bytes, whatever the sign
            if (target_bytes == 1) return launch_convert<uint32_t, uint8_t>(source, count, limit, target, stream);
            if (target_bytes == 2) return launch_convert<uint32_t, uint16_t>(source, count, limit, target, stream);
        } else {
            if (target_bytes == 4) return launch_convert<Source, uint32_t>(source, count, limit, target, stream);
        }
        if (target_bytes == 8) return launch_convert<Source, uint64_t>(source, count, limit, target, stream);
        return cudaErrorInvalidValue;
    });
}
