// functor_segments.cu — where segments begin, and the last prefix of each.
//
//   heads[offsets[s]] = 1;  gathered[e] = data[sources[s] + e - offsets[s]] for offsets[s] <= e < offsets[s + 1]
//   result[s] = prefixes[offsets[s + 1] - 1], or identity where segment s is empty
//
// Algorithm  A thread for each segment; with sources one for each element as well, which finds its segment by bisection.
// Cost       Writes a byte for each element, and reads one prefix of each segment. With sources log2 (segments) loads an element.
// Limits     Any count.
// Edges      Offsets are cut at count, and those that do not ascend give some prefixes. A segment's elements beyond data are not its own.
// Source     S. Sengupta, M. Harris, Y. Zhang, J. Owens, "Scan Primitives for GPU Computing", 2007.

#include "kernels.h"
#include "prim/grid/grid.cuh"
#include "prim/thread/index.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr unsigned THREADS = 256;

// ---- device helpers -------------------------------------------------------------------------------------------------

__device__ __forceinline__ size_t segments_of(const gpumexk_functor_segments &of) {
    return of.limit == nullptr ? of.segments : min(of.segments, size_t(*of.limit));
}

// How many elements segment s has, and where they begin.
__device__ __forceinline__ size_t length_of(const gpumexk_functor_segments &of, size_t s, size_t *from) {
    const size_t begin = min(load_index(of.offsets, of.index_bytes, s), of.count);
    const size_t end = min(load_index(of.offsets, of.index_bytes, s + 1), of.count);
    *from = begin;
    const size_t length = end > begin ? end - begin : 0;
    if (of.sources == nullptr) return length;
    const size_t source = min(load_index(of.sources, of.index_bytes, s), of.count);
    return min(length, of.count - source);
}

// ---- kernels --------------------------------------------------------------------------------------------------------

__global__ void mark_heads(const __grid_constant__ gpumexk_functor_segments of, uint8_t *heads) {
    const size_t segments = segments_of(of);
    for (size_t s = grid_x(); s < segments; s += grid_width()) {
        size_t from = 0;
        if (length_of(of, s, &from) > 0) heads[from] = 1;
    }
}

template <typename Bits>
__global__ void gather_elements(const __grid_constant__ gpumexk_functor_segments of, const Bits *data, Bits *gathered) {
    for (size_t e = grid_x(); e < of.count; e += grid_width()) {
        size_t low = 0, high = of.segments;                        // the last segment that begins at e or before it is below high
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (load_index(of.offsets, of.index_bytes, middle) <= e) low = middle + 1;
            else high = middle;
        }
        Bits bits = 0;
        if (low > 0) {
            const size_t at = load_index(of.sources, of.index_bytes, low - 1) + (e - load_index(of.offsets, of.index_bytes, low - 1));
            if (at < of.count) bits = data[at];
        }
        gathered[e] = bits;
    }
}

template <typename Bits>
__global__ void take_last(const __grid_constant__ gpumexk_functor_segments of, const Bits *prefixes, Bits identity, Bits *result) {
    const size_t segments = segments_of(of);
    for (size_t s = grid_x(); s < segments; s += grid_width()) {
        size_t from = 0;
        const size_t length = length_of(of, s, &from);
        result[s] = length > 0 ? prefixes[from + length - 1] : identity;
    }
}

// ---- launchers ------------------------------------------------------------------------------------------------------

unsigned blocks_of(size_t count) { return static_cast<unsigned>(at_most(ceil_div(count, THREADS), GRID_X_MAX)); }

template <typename Bits>
cudaError_t launch_gather(const gpumexk_functor_segments &of, const void *data, void *gathered, cudaStream_t stream) {
    gather_elements<<<blocks_of(of.count), THREADS, 0, stream>>>(of, static_cast<const Bits *>(data), static_cast<Bits *>(gathered));
    return cudaGetLastError();
}

template <typename Bits>
cudaError_t launch_last(const gpumexk_functor_segments &of, const void *prefixes, uint64_t identity, void *result, cudaStream_t stream) {
    take_last<<<blocks_of(of.segments), THREADS, 0, stream>>>(of, static_cast<const Bits *>(prefixes), static_cast<Bits>(identity),
                                                              static_cast<Bits *>(result));
    return cudaGetLastError();
}

bool is_served(const gpumexk_functor_segments &of) {
    return (of.index_bytes == 4 || of.index_bytes == 8) && (of.bytes == 4 || of.bytes == 8);
}

}  // namespace

int gpumexk_functor_heads(const gpumexk_functor_segments *segments, const void *data, uint8_t *heads, void *gathered,
                          gpumexk_stream stream) {
    if (!is_served(*segments)) return cudaErrorInvalidValue;
    if (segments->segments == 0 || segments->count == 0) return cudaSuccess;
    cudaError_t error = cudaMemsetAsync(heads, 0, segments->count, stream);
    if (error != cudaSuccess) return error;
    mark_heads<<<blocks_of(segments->segments), THREADS, 0, stream>>>(*segments, heads);
    error = cudaGetLastError();
    if (error != cudaSuccess || segments->sources == nullptr) return error;
    return segments->bytes == 4 ? launch_gather<uint32_t>(*segments, data, gathered, stream)
                                : launch_gather<unsigned long long>(*segments, data, gathered, stream);
}

int gpumexk_functor_results(const gpumexk_functor_segments *segments, const void *prefixes, uint64_t identity, void *result,
                            gpumexk_stream stream) {
    if (!is_served(*segments)) return cudaErrorInvalidValue;
    if (segments->segments == 0) return cudaSuccess;
    return segments->bytes == 4 ? launch_last<uint32_t>(*segments, prefixes, identity, result, stream)
                                : launch_last<unsigned long long>(*segments, prefixes, identity, result, stream);
}
