// sorted_search.cu — lower or upper bounds of each element of one sorted array in another, in both directions.
//
//   a_indices[i] = lower bound of a[i] in b, b_indices[j] = upper bound of b[j] in a: both describe one merge
//   (or the upper bound of a[i] and the lower one of b[j])
//   a_flags[i], b_flags[j] = 1 where the other array has an equal key, else 0; matches = how many of each are 1
//
// Algorithm  Vectorized sorted search over tiles of the merge of both, in shared memory as ranks (prim/block/sorted_search.cuh).
// Cost       Reads a and b once, writes what is asked for; some 80 instructions for each key that searches.
// Limits     Keys of 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      Outputs that are NULL are not computed. Without elements only matches are written.
// Source     S. Baxter, "ModernGPU", Vectorized Sorted Search, NVIDIA 2013.

#include "kernels.h"
#include "prim/block/sorted_search.cuh"
#include "prim/block/tile_range.cuh"
#include "prim/grid/dispatch.cuh"
#include "prim/grid/grid.cuh"
#include "prim/thread/order.cuh"
#include "prim/warp/reduce.cuh"
#include "prim/warp/warp.cuh"
#include "prim/grid/launch.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

// The outputs of one array; NULL where not asked for.
template <typename Index>
struct Found {
    Index *indices;
    uint8_t *flags;
    unsigned long long *matches;
};

// Searches the elements of `needles` in `haystack`. Returns how many of this thread's have equals.
template <typename Bits, typename Index>
__device__ __forceinline__ unsigned search_part(Search<Bits> &search, const SortedPart<Bits> &needles,
                                                const SortedPart<Bits> &haystack, bool behind_equal, const Found<Index> &found) {
    unsigned matches = 0;
    Index *const indices = opaque(found.indices + needles.begin);
    uint8_t *const flags = opaque(found.flags + needles.begin);
    const auto use = [&](unsigned i, unsigned at) {
        if (found.indices != nullptr) indices[i] = Index(haystack.begin) + Index(at);
        if (found.flags == nullptr && found.matches == nullptr) return;
        const bool is_there = haystack.has(needles.ranks[i], at, behind_equal);
        if (found.flags != nullptr) flags[i] = is_there;
        matches += is_there;
    };
    if (behind_equal) search.template search<true>(needles, haystack, use);
    else search.template search<false>(needles, haystack, use);
    return matches;
}

template <typename Index>
__device__ __forceinline__ void add_matches(unsigned matches, const Found<Index> &found) {
    if (found.matches == nullptr) return;
    matches = warp_sum(matches);
    if (threadIdx.x % WARP == 0 && matches > 0) atomicAdd(found.matches, static_cast<unsigned long long>(matches));
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, typename Index>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    sorted_search_tiles(const Bits *a, size_t a_count, const Bits *b, size_t b_count, KeyOrder<Bits> order, bool upper,
                        unsigned tiles, Found<Index> of_a, Found<Index> of_b) {
    __shared__ Tiles<Bits> sorted;
    __shared__ Search<Bits> search;
    const bool searches_a = of_a.indices != nullptr || of_a.flags != nullptr || of_a.matches != nullptr;
    const bool searches_b = of_b.indices != nullptr || of_b.flags != nullptr || of_b.matches != nullptr;
    unsigned matches_a = 0, matches_b = 0;
    sorted.walk(a, a_count, b, b_count, order, !upper, tiles, [&](const SortedPart<Bits> &of, const SortedPart<Bits> &in) {
        if (searches_a) matches_a += search_part(search, of, in, upper, of_a);
        if (searches_a && searches_b) __syncthreads();             // bounds are free
        if (searches_b) matches_b += search_part(search, in, of, !upper, of_b);
    });
    add_matches(matches_a, of_a);
    add_matches(matches_b, of_b);
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_sorted_search(const gpumexk_sorted_arrays *arrays, const gpumexk_sorted_search_args *args,
                          const gpumexk_tuning *tuning, gpumexk_stream stream) {
    if (tuning->threads != THREADS || !is_one_of<0, 1, 2, 4>(tuning->values)) return cudaErrorInvalidValue;
    const gpumexk_sorted_arrays &both = *arrays;
    if (args->matches != nullptr) {
        const cudaError_t error = cudaMemsetAsync(args->matches, 0, 2 * sizeof(uint64_t), stream);
        if (error != cudaSuccess) return error;
    }
    if (both.a_count + both.b_count == 0) return cudaSuccess;
    return dispatch_widths(both.key_bytes, args->index_bytes, [&](auto key, auto index) -> cudaError_t {
        using Bits = decltype(key);
        using Index = decltype(index);
        const size_t all = ceil_div(both.a_count + both.b_count, THREADS * VALUES<Bits>);
        unsigned tiles = 0;
        const unsigned most = tuning->values == 0 ? Tiles<Bits>::TILES_MAX : tuning->values;
        const cudaError_t error = tiles_per_block(all, most, BLOCKS, &tiles);
        if (error != cudaSuccess) return error;
        const size_t blocks = ceil_div(all, tiles);
        if (blocks > GRID_X_MAX) return cudaErrorInvalidValue;
        auto *const counts = reinterpret_cast<unsigned long long *>(args->matches);
        const Found<Index> of_a = {static_cast<Index *>(args->a_indices), args->a_flags, counts};
        const Found<Index> of_b = {static_cast<Index *>(args->b_indices), args->b_flags, counts != nullptr ? counts + 1 : nullptr};
        return launch<sorted_search_tiles<Bits, Index>>(
            static_cast<unsigned>(blocks), THREADS, tuning->cache, stream, static_cast<const Bits *>(both.a), both.a_count,
            static_cast<const Bits *>(both.b), both.b_count, KeyOrder<Bits>::of(both.dtype, both.descending != 0), args->upper != 0,
            static_cast<unsigned>(tiles), of_a, of_b);
    });
}
