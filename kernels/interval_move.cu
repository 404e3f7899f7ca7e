// interval_move.cu — many intervals of elements, each from its place to its place.
//
//   output[scatter[j] + r] = input[gather[j] + r]        j = upper_bound (scan, k) - 1, r = k - scan[j], 0 ≤ k < count
//
// Algorithm  A block takes a stretch of tiles of elements, whose intervals prim/load_balance.cuh finds. Of each interval that a
//            tile meets it notes once how far its elements move, and whether all of them have a place to come from and to go
//            to; then an element is a number, an addition, a load and a store. Where an interval has no place for some, or
//            there are more intervals than are noted, each element reads the numbers of its interval and looks for itself.
//            Neighbours of an interval move together, 32 at a time.
// Cost       Reads gather, scatter and scan, and each element; writes each: bound by memory where intervals are long enough to
//            fill sectors of 32 bytes.
// Limits     Elements of 4 and 8 bytes, indices u32 or u64. Any count.
// Edges      Without scatter the output is dense, output[k]; without gather the input is, input[k]. Positions behind the end
//            of input or output are skipped. Where intervals of the output overlap, any one wins. count = 0 moves nothing;
//            intervals = 0 is refused.
// Source     S. Baxter, "ModernGPU", Interval Move, NVIDIA 2013.

#include "kernels.h"
#include "prim/grid.cuh"
#include "prim/load_balance.cuh"
#include "prim/width.cuh"

namespace {

// ---- constants ------------------------------------------------------------------------------------------------------

constexpr int THREADS = 256, VALUES = 16;
constexpr size_t TILE = THREADS * VALUES;
constexpr unsigned NOTED = TILE / 2;                               // intervals of a tile
using Balance = LoadBalance<THREADS, VALUES>;
template <typename T, typename Index>
constexpr int BLOCKS = sizeof(T) + sizeof(Index) == 8 ? 5 : 4;     // of a multiprocessor
template <typename Index>
constexpr int ROWS = 64 / sizeof(Index);                           // elements of a thread that are on their way together

// All that is moved: of intervals, arrays that may be NULL.
template <typename T, typename Index>
struct Moving {
    size_t count, intervals;
    const Index *gather, *scatter, *scan;
    const T *input;
    size_t input_count;
    T *output;
    size_t output_count;
};

// How far the intervals of a tile move, by their numbers in it.
template <typename Index>
struct Shifts {
    Index gather[NOTED], scatter[NOTED];
    bool are_missing[2];                                           // in this tile and the next: elements look for themselves

    __device__ __forceinline__ static unsigned turn(const BalancedTile &tile) { return tile.begin / TILE % 2; }
};

// ---- device helpers -------------------------------------------------------------------------------------------------

// Notes the intervals of a tile, or that they are not noted.
template <typename T, typename Index>
__device__ __forceinline__ void note_shifts(const Moving<T, Index> &m, const BalancedTile &tile, Shifts<Index> &shifts) {
    const size_t end = tile.begin + TILE;
    const unsigned first = tile.before == 0 ? 1 : 0;               // number 0 is that of an interval in front
    bool is_missing = tile.here < TILE || tile.starting >= NOTED || tile.starting < first ||
                      (m.gather == nullptr && end > m.input_count) || (m.scatter == nullptr && end > m.output_count);
    for (unsigned i = first + threadIdx.x; !is_missing && i <= tile.starting; i += THREADS) {
        const size_t interval = tile.before + i - 1, start = m.scan[interval];
        const size_t next = i < tile.starting ? size_t(m.scan[interval + 1]) : end;
        is_missing = next < start || (i == first && (start > tile.begin || next < tile.begin));
        const auto note = [&](const Index *starts, size_t size, Index *noted) {
            if (starts == nullptr) return;
            const size_t at = starts[interval], reach = sizeof(Index) == 4 ? min(size, size_t(1) << 32) : size;
            is_missing = is_missing || at > reach || next - start > reach - at;
            noted[i] = Index(at - start);
        };
        note(m.gather, m.input_count, shifts.gather);
        note(m.scatter, m.output_count, shifts.scatter);
    }
    const unsigned turn = shifts.turn(tile);
    if (is_missing) shifts.are_missing[turn] = true;
    if (threadIdx.x == 0) shifts.are_missing[turn ^ 1] = false;
}

// Moves this thread's elements of a tile whose intervals are noted.
template <typename T, typename Index, typename NumberOf>
__device__ __forceinline__ void move_noted(const Moving<T, Index> &m, const BalancedTile &tile, const Shifts<Index> &shifts,
                                           NumberOf number_of) {
    for (int first = 0; first < VALUES; first += ROWS<Index>) {
        T elements[ROWS<Index>];
        Index to[ROWS<Index>];
#pragma unroll
        for (int row = 0; row < ROWS<Index>; ++row) {
            const unsigned item = tile_item<VALUES>(first + row), number = number_of(item);
            const Index k = Index(tile.begin) + item;
            to[row] = m.scatter != nullptr ? Index(k + shifts.scatter[number]) : k;
            elements[row] = m.input[m.gather != nullptr ? Index(k + shifts.gather[number]) : k];
        }
#pragma unroll
        for (int row = 0; row < ROWS<Index>; ++row) m.output[to[row]] = elements[row];
    }
}

// Moves those elements of any tile that have a place to come from and to go to.
template <typename T, typename Index, typename NumberOf>
__device__ __forceinline__ void move_each(const Moving<T, Index> &m, const BalancedTile &tile, size_t first, NumberOf number_of) {
#pragma unroll 4
    for (int row = 0; row < VALUES; ++row) {
        const unsigned item = tile_item<VALUES>(row);
        const size_t interval = first + number_of(item);
        const size_t k = tile.begin + item, start = m.scan[interval], in_interval = k < start ? 0 : k - start;
        const auto placed = [&](const Index *starts, size_t size) -> size_t {
            if (starts == nullptr) return k;
            const size_t at = starts[interval];
            return at < size ? at + in_interval : size;            // it does not wrap
        };
        const size_t from = placed(m.gather, m.input_count), to = placed(m.scatter, m.output_count);
        if (item < tile.here && from < m.input_count && to < m.output_count) m.output[to] = m.input[from];
    }
}

// ---- kernels --------------------------------------------------------------------------------------------------------

template <typename T, typename Index>
__global__ void __launch_bounds__(THREADS, (BLOCKS<T, Index>)) interval_move_tiles(const __grid_constant__ Moving<T, Index> m,
                                                                                   unsigned tiles) {
    __shared__ Balance balance;
    __shared__ Shifts<Index> shifts;
    if (threadIdx.x < 2) shifts.are_missing[threadIdx.x] = false;
    const auto prepare = [&](const BalancedTile &tile) { note_shifts(m, tile, shifts); };
    balance.walk(m.scan, m.intervals, m.count, tiles, prepare, [&](const BalancedTile &tile, size_t first, auto number_of) {
        if (shifts.are_missing[shifts.turn(tile)]) move_each(m, tile, first, number_of);
        else move_noted(m, tile, shifts, number_of);
    });
}

}  // namespace

// ---- launchers ------------------------------------------------------------------------------------------------------

int gpumexk_interval_move(const gpumexk_interval_move_args *args, const void *input, size_t input_count, int value_bytes,
                          void *output, size_t output_count, gpumexk_stream stream) {
    const gpumexk_interval_move_args &all = *args;
    if (all.count == 0) return cudaSuccess;
    const size_t tiles = ceil_div(all.count, TILE);
    if (all.intervals == 0 || tiles > GRID_X_MAX) return cudaErrorInvalidValue;
    return by_widths(value_bytes, all.index_bytes, [&](auto element, auto index) -> cudaError_t {
        using T = decltype(element);
        using Index = decltype(index);
        unsigned each = 0;
        const cudaError_t error = tiles_of_stretch(tiles, Balance::TILES_MAX, BLOCKS<T, Index>, &each);
        if (error != cudaSuccess) return error;
        const Moving<T, Index> moving = {all.count, all.intervals, static_cast<const Index *>(all.gather),
                                         static_cast<const Index *>(all.scatter), static_cast<const Index *>(all.scan),
                                         static_cast<const T *>(input), input_count, static_cast<T *>(output), output_count};
        interval_move_tiles<<<static_cast<unsigned>(ceil_div(tiles, each)), THREADS, 0, stream>>>(moving, each);
        return cudaGetLastError();
    });
}
