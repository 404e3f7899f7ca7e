// sorted_equality_count.cu — how many elements of one sorted array equal each element of another.
//
//   lower[i] = lower bound of a[i] in b,  counts[i] = upper bound of a[i] in b - lower[i]        a (a_count), b (b_count)
//
// Algorithm  The tiles of the merge of both, in shared memory as ranks, elements of a before their equals of b
//            (prim/sorted_tile.cuh): the lower bound lies within the tile, and the run of equals behind it is measured by steps
//            that double. It may go on behind the tile, for the one key that the elements there begin with; a warp searches the
//            end of that run once, and only where the tile asks for it.
// Cost       Reads a and b once, writes what is asked for. Runs of equal keys cost little more than others.
// Limits     Keys of 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      lower may be NULL. Without elements of a nothing is written.
// Source     S. Baxter, "ModernGPU", Vectorized Sorted Search (SortedEqualityCount), NVIDIA 2013.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/sorted_tile.cuh"
#include "prim/width.cuh"

namespace {

// ---- device helpers -------------------------------------------------------------------------------------------------

// How many elements from `begin` on equal a key that none of them is less than: steps of 1, 2, 4 … there, halves of the last one.
template <typename Bits>
__device__ __forceinline__ unsigned run_length(const SortedPart<Bits> &part, Bits key, unsigned begin) {
    unsigned end = begin, step = 1;
    while (end + step <= part.count && part.ranks[end + step - 1] <= key) {
        end += step;
        step *= 2;
    }
    while (step > 1) {
        step /= 2;
        if (end + step <= part.count && part.ranks[end + step - 1] <= key) end += step;
    }
    return end - begin;
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename Bits, typename Index>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    equality_count_tiles(const Bits *a, size_t a_count, const Bits *b, size_t b_count, KeyOrder<Bits> order, unsigned tiles,
                         Index *counts, Index *lower) {
    __shared__ Tiles<Bits> sorted;
    __shared__ Search<Bits> search;
    __shared__ size_t run_end;
    sorted.walk(a, a_count, b, b_count, order, true, tiles, [&](const SortedPart<Bits> &of, const SortedPart<Bits> &in) {
        // The run that goes on behind the tile, where the last element of a is of it.
        const size_t behind = in.begin + in.count;
        const bool goes_on = of.count > 0 && behind < b_count && of.ranks[of.count - 1] == in.ranks[in.count];
        if (goes_on && threadIdx.x / WARP == 1) {
            const Bits key = in.ranks[in.count];
            const size_t near = min(behind + 32 * WARP, b_count);
            const auto is_equal = [&](size_t i) { return order.rank(b[i]) <= key; };
            size_t end = warp_first_false(behind, near, is_equal);
            if (end == near) end = warp_first_false(near, b_count, is_equal);
            if (threadIdx.x % WARP == 0) run_end = end;            // there when the threads meet in their search
        }
        Index *const counts_of = opaque(counts + of.begin), *const lower_of = opaque(lower + of.begin);
        search.template search<false>(of, in, [&](unsigned i, unsigned at) {
            const Bits key = of.ranks[i];
            const bool is_of_run = goes_on && key == in.ranks[in.count];
            const size_t lower_bound = in.begin + at;
            counts_of[i] = is_of_run ? Index(run_end - lower_bound) : Index(run_length(in, key, at));
            if (lower != nullptr) lower_of[i] = Index(lower_bound);
        });
    });
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_sorted_equality_count(const gpumexk_sorted_arrays *arrays, int index_bytes, void *counts, void *lower,
                                  gpumexk_stream stream) {
    const gpumexk_sorted_arrays &both = *arrays;
    if (both.a_count == 0) return cudaSuccess;
    return by_widths(both.key_bytes, index_bytes, [&](auto key, auto index) -> cudaError_t {
        using Bits = decltype(key);
        using Index = decltype(index);
        const size_t all = ceil_div(both.a_count + both.b_count, THREADS * VALUES<Bits>);
        unsigned tiles = 0;
        const cudaError_t error = tiles_of_stretch(all, Tiles<Bits>::TILES_MAX, BLOCKS, &tiles);
        if (error != cudaSuccess) return error;
        const size_t blocks = ceil_div(all, tiles);
        if (blocks > GRID_X_MAX) return cudaErrorInvalidValue;
        equality_count_tiles<Bits, Index><<<static_cast<unsigned>(blocks), THREADS, 0, stream>>>(
            static_cast<const Bits *>(both.a), both.a_count, static_cast<const Bits *>(both.b), both.b_count,
            KeyOrder<Bits>::of(both.dtype, both.descending != 0), static_cast<unsigned>(tiles), static_cast<Index *>(counts),
            static_cast<Index *>(lower));
        return cudaGetLastError();
    });
}
